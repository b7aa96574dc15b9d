// Several traces as one: one header, one clock, the events in the order of time.
//     auto merged = etl::merge::Merged::create(inputs);
//     auto writer = trace::Writer::create("out.etl", {.recording = (*merged)->recording()});
//     trace::copy(**merged, **writer);
// docs/merge.md
#pragma once

#include <etl/base/result.hpp>
#include <etl/flow/source.hpp>
#include <etl/merge/correlate.hpp>
#include <etl/trace/recording.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace etl::merge {

/// One trace. `open` makes its source, in the order of time, when the merge gets there; the merge
/// lets go of it at its end, so that thousands of traces need no more memory than those that
/// overlap.
struct Input {
    std::shared_ptr<const flow::TraceInfo> trace;
    std::function<Result<std::unique_ptr<flow::Source>>()> open;
};

/// What becomes of time stamps.
enum class Stamps : std::uint8_t {
    keep,        // raw, as Windows does; the traces must fit together (correlate)
    system_time, // all become FILETIME: traces of any boots, machines and clocks
};

/// What the time of each trace is moved by, with Stamps::system_time.
enum class Align : std::uint8_t {
    none,        // their clocks were right
    start,       // all begin when the first one began
    first_event, // the first events behind the header meet
};

struct Options {
    Stamps stamps = Stamps::keep;
    Align align = Align::none;
    std::vector<std::int64_t> offsets; // by input, of 100 ns, on top of that; missing ones: 0
    /// Buffers keep the number of their input, from 1, as LoggerId, and an event at the beginning
    /// says which input that is: see docs/merge.md#sources.
    bool tag_sources = false;
};

class Merged final : public flow::Source {
public:
    /// Errors: invalid_option (no inputs; alignment or offsets without system_time), unsupported
    /// (they do not fit: ask correlate() why; more processors than limits::processors).
    static Result<std::unique_ptr<Merged>> create(std::vector<Input> inputs,
                                                  const Options& options = {});
    ~Merged() override;

    /// What the output's header says.
    trace::Recording recording() const;

    /// Context that several inputs hold, byte for byte, on the same processor at the same time, is
    /// given once: parts of one trace become that trace again. So many were left out.
    std::uint64_t repeated_context() const noexcept;

    flow::Run next_run() override;
    flow::Pin pin() const override;
    const Error* error() const noexcept override;

private:
    struct State;
    explicit Merged(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

} // namespace etl::merge

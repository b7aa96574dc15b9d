// --inject: lines of JSON as events that join a trace. docs/relog.md#inject
#pragma once

#include <etl/flow/source.hpp>
#include <etl/lines/line_source.hpp>
#include <etl/lines/line_trace.hpp>
#include <etl/trace/recording.hpp>

#include "cli/exit_code.hpp"
#include "cli/line_problems.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cli {

/// Lines are read in portions; the events of each come in the order of time. One thread.
class Injection final : public etl::flow::Source {
public:
    /// The events will be of `trace`, which outlives this; `recording` says its clock. Lines
    /// without a payload are made with `store`, frozen.
    Injection(const etl::trace::Recording& recording, const etl::flow::TraceInfo& trace,
              std::shared_ptr<const etl::schema::SchemaStore> store);
    Injection(const Injection&) = delete;
    Injection& operator=(const Injection&) = delete;
    ~Injection() override = default;

    /// False, and said why: an input cannot be opened.
    bool open(const std::vector<std::string>& paths);

    etl::flow::Run next_run() override;

    etl::flow::Pin pin() const override { return batch_; }

    const etl::Error* error() const noexcept override { return nullptr; }

    std::uint64_t events() const noexcept { return events_; }

    /// Damaged when a line made no event, or a file ended early: said on standard error by then.
    ExitCode exit_code() const noexcept;

    /// Says on standard error which keys of the lines mean nothing.
    void tell_unknown_keys() const;

private:
    /// Records, and the events that point at them.
    struct Batch {
        std::vector<std::byte> bytes;
        std::vector<etl::flow::Event> events;
        std::map<std::uint16_t, etl::flow::BufferContext> buffers; // by processor
    };

    struct Line {
        etl::lines::LineSource::Line line;
        std::size_t file = 0;
    };

    std::optional<Line> next_line();
    void look_at_first(const Line& line);
    void add(const Line& line, Batch& batch);
    void finish(Batch& batch);
    std::shared_ptr<Batch> read_batch();

    const etl::flow::TraceInfo* info_;
    etl::trace::Recording recording_;
    etl::lines::LineTrace trace_;
    LineProblems problems_{false};
    std::vector<std::unique_ptr<etl::lines::LineSource>> sources_;
    std::size_t current_ = 0; // of sources_
    bool begun_ = false;
    bool failed_ = false;        // an input could not be read to its end
    std::int64_t last_time_ = 0; // raw
    std::uint64_t events_ = 0;
    std::shared_ptr<Batch> batch_;
    etl::flow::Run rest_; // of batch_
};

} // namespace cli

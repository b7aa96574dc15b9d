// Events as the text of xperf's action `dumper`: a line for each event and each frame of its stack,
// after a line for each kind of event with the names of its columns. Two passes: a Survey of all
// events, then a Dumper of the same events in time order. docs/xperf.md#dumper
//
//     Survey survey(options);                 // one for each thread, then combine()
//     for (each event) survey.add(event);
//     to = survey.head({.names = ...});
//     Dumper dumper(options, survey);
//     for (each event, in time order) dumper.add(event, to);
#pragma once

#include "decode/decoder.hpp"
#include "facts/facts.hpp"
#include "facts/frame_names.hpp"
#include "flow/event.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::dumper {

struct Options {
    schema::SchemasByTrace schemas{};
    unsigned pointer_size = 0; // as in decode::DecoderOptions
    /// Facts of Scope::everything, by TraceInfo::file; not null.
    std::shared_ptr<const facts::FactsByTrace> facts{};
    facts::FrameNames names{};
    bool has_symbols = false;  // `image!function` if known, instead of `image!0xaddress`
    bool has_raw_data = false; // a line `# CPU # raw timestamp # nanoseconds` before each event
    bool joins_stacks = false; // all frames of a stack in one line (-target machine)
    bool excludes_interrupts = false; // InSwitchTime is without DPCs and ISRs
    /// TimeStamp 0: the start of the first trace.
    Filetime start{};

    /// Which events are printed; the others are still read for the names that they contain.
    std::optional<Filetime> from{}, to{}; // from <= time < to
    std::vector<Guid> providers{};        // or classes of kernel events; empty: all
};

/// What must be known of all events before the first line. Not thread-safe.
class Survey {
public:
    struct State; // private to the room

    explicit Survey(const Options& options);
    ~Survey();
    Survey(Survey&&) noexcept;
    Survey& operator=(Survey&&) noexcept;
    Survey(const Survey&) = delete;
    Survey& operator=(const Survey&) = delete;

    /// Adds an event; in any order.
    void add(const flow::Event& event);

    /// Takes over the results of another survey with the same options.
    void combine(const Survey& other);

    /// Returns the lines before the first event: the schema of each kind, and the properties of the
    /// traces. All traces must have been added.
    std::string head(std::span<const flow::TraceInfo* const> traces) const;

    /// Returns the number of kinds beyond limits::kinds, which have no schema line.
    std::uint64_t dropped_kinds() const noexcept;

    /// Returns the number of WPP messages, which are printed as unknown events.
    std::uint64_t wpp_messages() const noexcept;

private:
    friend class Dumper;

    std::unique_ptr<State> state_;
};

/// Returns the name of a kind of kernel event, such as `SampledProfile`; empty if xperf has no
/// columns for it.
std::string_view name_of_hook(std::uint16_t hook) noexcept;

/// Prints events. Not thread-safe.
class Dumper {
public:
    /// `survey` contains all events; it must outlive this object.
    Dumper(const Options& options, const Survey& survey);
    ~Dumper();
    Dumper(const Dumper&) = delete;
    Dumper& operator=(const Dumper&) = delete;

    /// Appends the lines of an event: none if it is not selected, or only the part of another one.
    /// Times must not fall. For kinds and names seen before, allocates only to grow buffers.
    void add(const flow::Event& event, std::string& to);

private:
    struct State;

    std::unique_ptr<State> state_;
};

} // namespace etl::dumper

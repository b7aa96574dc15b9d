// What an index of a trace has for tables: what the events before each of many times leave behind,
// so that a table of a window reads the events from the last of these times on; and some tables of
// the whole trace. docs/parts.md#states
#pragma once

#include "analysis/parts.hpp"
#include "dataset/dataset.hpp"

#include <expected>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace etl::analysis {

struct StateOptions {
    /// Bytes of events between two states, about: what a window reads besides its own events.
    std::uint64_t spacing = std::uint64_t{8} << 20U;
    /// Also the tables of TableForm::kept_as. Not of a trace with findings, which reading it shows.
    bool has_tables = true;
    /// Called from time to time with the number of events, and the newest; may be empty.
    std::function<void(std::uint64_t events, const flow::Event& newest)> progress{};
};

/// Reads an input once, and returns the sections with the states of all tables that have them, with
/// the numbers of events (event_counts.hpp), with levels of tracks, and with kept tables. The input
/// has an index. Neither, if there is no time at which the trace can be divided (docs/parts.md).
/// Errors: those of schema files and of reading.
std::expected<std::vector<trace::IndexSection>, TraceError>
sections_of(dataset::Dataset& traces, std::size_t number, const StateOptions& options = {});

/// Whether the states that a form begins with depend on nothing but the trace.
bool has_usual_states(const dataset::Dataset& traces, const TableForm& form);

/// Whether an index has the sections of sections_of(), of this version of libetl.
bool has_sections(const trace::TraceIndex& index);

/// Whether an index contains the table of a whole trace.
bool has_table(const trace::TraceIndex& index, const TableForm& form);

/// Returns the table of a whole trace that its index contains, without ratios: run() returns the
/// same. Nothing: it is not kept with these options, or there are several traces.
std::optional<Table> kept_table(dataset::Dataset& traces, const TableForm& form,
                                const TableOptions& options);

class TrackLevels;

/// Returns the levels of detail of tracks in an index, which must outlive them. Errors: not_found;
/// those of TrackLevels.
Result<TrackLevels> levels_in(const trace::TraceIndex& index);

/// A state, and the time before which it ends.
struct StateAt {
    Cut cut;
    TableState state;
};

/// Returns the last state at or before a time that the sections of an index contain for a form.
/// Nothing: there is none, or it is damaged.
std::optional<StateAt> state_before(const trace::TraceIndex& index, const TableForm& form,
                                    std::int64_t time);

// The content of a section. docs/decisions/0043-timeline-index.md

/// Writes states of one form in the order of their times. What they have in common is stored once.
class StateWriter {
public:
    StateWriter();
    ~StateWriter();
    StateWriter(StateWriter&&) noexcept;
    StateWriter& operator=(StateWriter&&) noexcept;
    StateWriter(const StateWriter&) = delete;
    StateWriter& operator=(const StateWriter&) = delete;

    void add(const Cut& cut, TableState state);

    bool is_empty() const noexcept;

    std::vector<std::byte> take();

private:
    struct State;

    std::unique_ptr<State> state_;
};

/// Returns the last state at or before a time. Errors: malformed; not_found; unsupported (version).
Result<StateAt> find_state(Bytes section, std::int64_t time);

} // namespace etl::analysis

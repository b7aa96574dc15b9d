// How many events precede each of many times of a trace, so that the event of a row is found
// without reading all before it. A section of an index. docs/parts.md#states
//
//     const auto counts = analysis::event_counts_of(index);
//     const auto& cut = counts->last_up_to(row); // read on from cut.time; row - cut.events remain
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>
#include <etl/time.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace etl::trace {
struct TraceIndex;
}

namespace etl::analysis {

/// A time that divides the events of a trace as WindowReader does.
struct Cut {
    Filetime time;
    std::int64_t raw = 0; // the same

    bool operator==(const Cut&) const = default;
};

/// The events of a trace in time order. A value.
struct EventCounts {
    struct Before {
        Cut cut;
        std::uint64_t events = 0; // before the cut

        bool operator==(const Before&) const = default;
    };

    std::uint64_t events = 0; // all
    /// Without a usable time, or after a later one: those that a time window can leave out.
    std::uint64_t irregular = 0;
    std::vector<Before> cuts; // times and numbers ascend

    /// Returns the last cut with at most this many events before it; nothing: there is none, and
    /// the events are read from the beginning.
    std::optional<Before> last_up_to(std::uint64_t row) const;

    /// Returns the last cut at or before a time, raw. Nothing: as above.
    std::optional<Before> last_before(std::int64_t time) const;

    bool operator==(const EventCounts&) const = default;
};

/// The name of the section.
inline constexpr std::string_view counts_section = "events";

/// Returns the content of the section.
std::vector<std::byte> encode(const EventCounts& counts);

/// Errors: malformed; truncated; unsupported (version).
Result<EventCounts> parse_event_counts(Bytes section);

/// Returns the counts that an index contains. Nothing: it has none, or they are damaged.
std::optional<EventCounts> event_counts_of(const trace::TraceIndex& index);

} // namespace etl::analysis

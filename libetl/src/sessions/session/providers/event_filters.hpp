// EventFilters: filters that decide event by event. Immutable. docs/sessions.md#filters
#pragma once

#include <etl/bytes.hpp>
#include <etl/session.hpp>

#include "format/event_header.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::session {

/// MAX_EVENT_FILTERS_COUNT and the like of evntprov.h. docs/sessions.md#filters
inline constexpr std::size_t max_filters = 13;
inline constexpr std::size_t max_filtered_processes = 8;
inline constexpr std::size_t max_filtered_ids = 64;
inline constexpr std::size_t filter_bytes = 1024; // of those that have no limit of their own
inline constexpr std::size_t payload_filter_bytes = 4096;
inline constexpr std::size_t name_filter_bytes = 4096;

/// What filters look at. `payload` in its parts.
struct FilteredEvent {
    const format::EventDescriptor* descriptor = nullptr;
    std::span<const format::ExtendedItem> items; // EVENT_SCHEMA_TL: TraceLogging, with its name
    std::span<const Bytes> payload;
};

/// What was enabled: filters by event do not apply to groups.
enum class Reach : std::uint8_t { provider, group };

class EventFilters {
public:
    /// Checks all filters, those of other purposes too. Null: none of them is about single events.
    /// Errors: invalid_parameter (limits, sizes, a type twice or unknown), not_supported (payload).
    static Outcome<std::unique_ptr<const EventFilters>> parse(std::span<const Filter> filters,
                                                              Reach reach = Reach::provider);

    bool admits(const FilteredEvent& event) const noexcept;
    /// Returns whether the event gets a stack (property stack_trace).
    bool wants_stack(const FilteredEvent& event) const noexcept;

private:
    enum class Listed : std::uint8_t { dropped, kept };

    /// EVENT_FILTER_EVENT_ID
    struct Ids {
        Listed listed = Listed::kept;
        std::vector<std::uint16_t> ids; // sorted

        bool pass(std::uint16_t id) const noexcept;
    };

    /// EVENT_FILTER_LEVEL_KW
    struct LevelKeyword {
        std::uint64_t match_any = 0, match_all = 0;
        std::uint8_t level = 0;
        Listed listed = Listed::kept;

        bool match(const format::EventDescriptor& descriptor) const noexcept;
    };

    /// EVENT_FILTER_EVENT_NAME
    struct Names {
        LevelKeyword among;             // events of which the names decide; others pass
        std::vector<std::string> names; // sorted

        bool pass(const format::EventDescriptor& descriptor, std::string_view name) const noexcept;
    };

    EventFilters() = default;

    static std::optional<Ids> parse_ids(Bytes data);
    static std::optional<LevelKeyword> parse_level_keyword(Bytes data);
    static std::optional<Names> parse_names(Bytes data);
    /// False: the bytes cannot be such a filter.
    bool take(const Filter& filter, Reach reach);
    bool is_empty() const noexcept;

    std::optional<Ids> ids_, stack_ids_;
    std::optional<Names> names_, stack_names_;
    std::optional<LevelKeyword> stack_levels_;
};

/// A process to filters by process.
struct ProcessIdentity {
    std::uint32_t id = 0;
    std::string executable{}; // file name, without directories
    std::uint32_t user_id = 0;
};

ProcessIdentity this_process();

/// Whether the filters let a process have the provider enabled at all (PID, EXECUTABLE_NAME,
/// packages). After parse.
bool admits_process(std::span<const Filter> filters, const ProcessIdentity& process);

/// Those that admits_process looks at.
std::vector<Filter> process_filters(std::span<const Filter> filters);

/// The one that goes to the callback: schematized or of a type that the provider made up. Or null.
const Filter* callback_filter(std::span<const Filter> filters) noexcept;

} // namespace etl::session

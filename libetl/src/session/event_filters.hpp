// EventFilters: filters that decide event by event. Immutable. docs/sessions.md#filters
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/format/event_descriptor.hpp>
#include <etl/format/extended_data.hpp>
#include <etl/session/enable.hpp>
#include <etl/session/status.hpp>

#include <memory>
#include <span>
#include <vector>

namespace etl::session {

/// What filters look at. `payload` in its parts.
struct FilteredEvent {
    const format::EventDescriptor* descriptor = nullptr;
    std::span<const format::ExtendedItem> items; // EVENT_SCHEMA_TL: TraceLogging, with its name
    std::span<const Bytes> payload;
};

class EventFilters {
public:
    /// Null: none of the filters is about single events. Errors: invalid_parameter (limits, sizes,
    /// a type twice), not_supported.
    static Outcome<std::unique_ptr<const EventFilters>> parse(std::span<const Filter> filters);

    bool admits(const FilteredEvent& event) const noexcept;
    /// Of those that get stacks (property stack_trace).
    bool wants_stack(const FilteredEvent& event) const noexcept;

private:
    EventFilters() = default;
};

/// Whether the filters let this process have the provider enabled at all (PID, EXECUTABLE_NAME,
/// packages).
bool admits_process(std::span<const Filter> filters);

} // namespace etl::session

// EventView: an event as consumers on Windows get it: EVENT_RECORD, or the EVENT_TRACE of before
// Vista. One for a consumer; what it shows is good until the next one. docs/compat.md#consumers
#pragma once

#include <etl/compat/evntcons.h>

#include "flow/event.hpp"
#include "format/limits.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace etl::compat {

/// TimeStamp of what is shown.
enum class Stamps : unsigned char { filetime, raw };

class EventView {
public:
    EVENT_RECORD& show(const flow::Event& of_trace, Stamps stamps, void* context);
    EVENT_TRACE& show_old(const flow::Event& of_trace, Stamps stamps);

private:
    /// The event with a record of its own: callbacks may write to what they are shown.
    flow::Event copy_of(const flow::Event& event);
    PVOID payload(const flow::EventHeader& header) noexcept;

    // Those of a record, and those that other kinds of record have as fields.
    static constexpr std::size_t max_items = format::ExtendedItems::max + 3;

    void add_item(USHORT type, Bytes data) noexcept;
    void add_items(const flow::Event& event, const flow::EventHeader& header) noexcept;

    std::vector<std::byte> bytes_; // of the record
    EVENT_RECORD record_{};
    EVENT_TRACE trace_{};
    EVENT_EXTENDED_ITEM_INSTANCE instance_{};
    std::array<EVENT_HEADER_EXTENDED_DATA_ITEM, max_items> items_{};
    USHORT items_count_ = 0;
};

/// TRACE_LOGFILE_HEADER of a trace, but for the names.
TRACE_LOGFILE_HEADER to_c(const flow::TraceInfo& info) noexcept;

} // namespace etl::compat

#include "flow/losses.hpp"

#include "flow/trace_info.hpp"
#include "format/own_events.hpp"
#include "format/record_kind.hpp"
#include "format/records.hpp"

namespace etl::flow {

bool counts_losses(const TraceInfo& trace) noexcept {
    return trace.has_header && !trace.is_unfinalized && !trace.has_unknown_losses;
}

StatedLosses stated_losses(const TraceInfo& trace, bool has_unknown) noexcept {
    const format::LogfileHeader& header = trace.header;
    const bool are_totals = is_header_stated(trace) && counts_losses(trace) && !has_unknown;
    // Otherwise the header counts at least these.
    const auto stated = [&](std::uint64_t count) {
        return are_totals || count > 0 ? std::optional(count) : std::nullopt;
    };
    return {stated(header.events_lost), stated(header.buffers_lost), are_totals};
}

std::optional<std::uint64_t> sum_of_losses(std::optional<std::uint64_t> one,
                                           std::optional<std::uint64_t> other) noexcept {
    const std::uint64_t sum = one.value_or(0) + other.value_or(0);
    return (one && other) || sum != 0 ? std::optional(sum) : std::nullopt;
}

bool indicates_unknown_losses(const Event& event) noexcept {
    return format::is_event(event.kind) &&
           stored<format::event_record::provider_id>(event) == format::losses_event::provider &&
           stored<format::event_record::id>(event) == format::losses_event::id;
}

bool indicate_unknown_losses(Bytes records) noexcept {
    while (true) {
        const format::RecordShape shape = format::record_at(records);
        if (shape.kind == format::RecordKind::none) {
            return false;
        }
        if (indicates_unknown_losses({.record = records.data(), .kind = shape.kind})) {
            return true;
        }
        records = clamped(records, format::padded(shape.size));
    }
}

} // namespace etl::flow

// The headers of most kernel records, which are most records of most traces, without the rest of an
// EventHeader.
#pragma once

#include "flow/event.hpp"
#include "format/records.hpp"

#include <optional>

namespace etl::flow {

/// What the record of a kernel event stores, as EventHeader. A view of the record; thread-safe.
struct KernelRecord {
    std::uint16_t hook = 0;
    std::uint8_t version = 0;
    std::uint8_t pointer_size = 8;
    std::uint32_t thread = no_id, process = no_id;
    Bytes payload;
};

/// Returns nothing for other records, and for those with counters before the payload.
inline std::optional<KernelRecord> plain_kernel_record(const Event& event) noexcept {
    if (!format::has_hook(event.kind)) {
        return std::nullopt;
    }
    const auto version = stored<format::system_record::version>(event);
    if ((version & 0xFF00U) != 0) [[unlikely]] {
        return std::nullopt;
    }
    const format::RecordTraits& traits = format::traits_of(event.kind);
    KernelRecord record{.hook = stored<format::system_record::hook_id>(event),
                        .version = static_cast<std::uint8_t>(version),
                        .pointer_size = static_cast<std::uint8_t>(event.kind.width),
                        .payload = event.bytes().subspan(traits.header_size)};
    if (traits.at.thread_id != 0) {
        record.thread = load_le<std::uint32_t>(event.record + traits.at.thread_id);
        record.process = load_le<std::uint32_t>(event.record + traits.at.process_id);
    }
    return record;
}

} // namespace etl::flow

#include "format/known_guids.hpp"
#include "format/records.hpp"
#include "packets/packet.hpp"

namespace etl::packets {

namespace {

EventKind pktmon_kind(std::uint16_t id) noexcept {
    switch (id) {
    case 160:
        return EventKind::pktmon_packet;
    case 170:
        return EventKind::pktmon_drop;
    case 20:
    case 30:
    case 40:
    case 60:
    case 65:
    case 66:
    case 70:
    case 73:
    case 75:
    case 80:
    case 90:
    case 100:
        return EventKind::pktmon_rundown;
    default:
        return EventKind::none;
    }
}

EventKind ndis_kind(std::uint16_t id) noexcept {
    switch (id) {
    case 1001:
        return EventKind::ndis_packet;
    case 1002:
        return EventKind::ndis_wifi;
    case 1003:
        return EventKind::ndis_switch;
    case 1011:
    case 1016:
        return EventKind::ndis_rule;
    case 1014:
    case 1015:
        return EventKind::ndis_layer;
    case 5101:
        return EventKind::ndis_source;
    default:
        return EventKind::ndis_other;
    }
}

/// Of an event with a descriptor, whatever its version.
EventKind kind_by_id(const flow::Event& event) noexcept {
    using namespace format;
    const Guid provider = flow::stored<event_record::provider_id>(event);
    const std::uint16_t id = flow::stored<event_record::id>(event);
    if (provider == pktmon_guid) {
        return pktmon_kind(id);
    }
    if (provider == ndis_capture_guid) {
        return ndis_kind(id);
    }
    if (provider == dns_client_guid) {
        const bool is_answer = id == 3008 || id == 3018 || id == 3020;
        return is_answer ? EventKind::dns_answer : EventKind::none;
    }
    const bool is_ras = provider == ras_capture_guid && (id == 5001 || id == 5002);
    return is_ras ? EventKind::ras_packet : EventKind::none;
}

bool has_known_version(const flow::Event& event) noexcept {
    return flow::stored<format::event_record::version>(event) == 0;
}

} // namespace

EventKind kind_of(const flow::Event& event) noexcept {
    return format::is_event(event.kind) && has_known_version(event) ? kind_by_id(event)
                                                                    : EventKind::none;
}

bool has_unknown_layout(const flow::Event& event) noexcept {
    return format::is_event(event.kind) && !has_known_version(event) &&
           has_packet(kind_by_id(event));
}

bool is_for_extractor(const flow::Event& event) noexcept {
    return format::is_event(event.kind) && has_packet(kind_by_id(event));
}

} // namespace etl::packets

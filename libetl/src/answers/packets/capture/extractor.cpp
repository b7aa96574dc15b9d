#include "packets/extractor.hpp"

#include "base/text.hpp"
#include "format/known_guids.hpp"
#include "format/records.hpp"
#include "packets/capture/open_packets.hpp"
#include "packets/packet.hpp"

#include <limits>

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

Extractor::Extractor(Rundowns rundowns)
    : rundowns_(std::move(rundowns)), open_(std::make_unique<OpenPackets>()) {}

Extractor::~Extractor() = default;

void Extractor::add(const flow::Event& event, PacketReceiver to) {
    switch (kind_of(event)) {
    case EventKind::pktmon_packet:
        add_pktmon(event, false, to);
        break;
    case EventKind::pktmon_drop:
        add_pktmon(event, true, to);
        break;
    case EventKind::ndis_packet:
        add_ndis(event, false, to);
        break;
    case EventKind::ndis_switch:
        add_ndis(event, true, to);
        break;
    case EventKind::ndis_wifi:
        add_reception(event);
        break;
    case EventKind::ras_packet:
        add_ras(event, to);
        break;
    case EventKind::none:
        counts_.unknown_layouts += has_unknown_layout(event) ? 1U : 0U;
        break;
    case EventKind::pktmon_rundown:
    case EventKind::ndis_source:
    case EventKind::ndis_rule:
    case EventKind::ndis_layer:
    case EventKind::ndis_other:
    case EventKind::dns_answer:
        break;
    }
}

/// Headers of encrypted frames stay; those of frames in clear text must not claim encryption.
void Extractor::deliver(Packet& packet, PacketReceiver to) {
    constexpr std::byte is_protected{0x40};
    if (packet.link == LinkType::wifi) {
        const bool is_clear = is_clear_wifi(packet.data);
        if (is_clear && (packet.data[1] & is_protected) != std::byte{0}) {
            scratch_.assign(packet.data.begin(), packet.data.end());
            scratch_[1] &= ~is_protected;
            packet.data = scratch_;
        }
    }
    to(packet);
}

void Extractor::add_fragment(const Fragment& fragment, PacketReceiver to) {
    Packet& packet = fragment.packet;
    const bool is_unmarked = fragment.can_be_unmarked && !fragment.is_first && !fragment.is_last;
    const bool is_alone = (fragment.is_first && fragment.is_last) || is_unmarked;
    if (is_alone && open_->empty()) [[likely]] {
        packet.original_size = original_size_of(packet.data, packet.link);
        deliver(packet, to);
        return;
    }
    FragmentKey key{.processor = packet.event->buffer->processor,
                    .process_id = packet.process_id,
                    .thread_id = packet.thread_id,
                    .place = packet.place,
                    .direction = packet.direction};
    key.place.vlan = 0;
    OpenPacket* open = open_->find(key);
    if (open != nullptr && fragment.is_first) {
        complete(key, nullptr, to);
        open = nullptr;
    }
    if (open == nullptr && is_alone) { // without a copy
        packet.original_size = original_size_of(packet.data, packet.link);
        deliver(packet, to);
        return;
    }
    open = open != nullptr ? open : open_->begin(key);
    if (open == nullptr) {
        ++counts_.dropped;
        return;
    }
    if (open->has_first) { // only the first fragment shows these
        packet.link = open->packet.link;
        packet.wifi = open->packet.wifi;
        packet.place = open->packet.place;
        packet.rss_hash = open->packet.rss_hash;
        packet.has_large_send = open->packet.has_large_send;
    }
    open->has_first = open->has_first || fragment.is_first;
    counts_.dropped += open_->append(*open, packet.data) ? 0U : 1U;
    open->packet = packet;
    if (fragment.is_last) {
        complete(key, packet.event, to);
    }
}

/// `last`: the event that completed the packet; null: fragments are missing.
void Extractor::complete(const FragmentKey& key, const flow::Event* last, PacketReceiver to) {
    OpenPacket open = open_->take(key);
    Packet& packet = open.packet;
    packet.is_incomplete = last == nullptr || !open.has_first || open.dropped > 0;
    packet.is_joined = true;
    packet.has_beginning = open.has_first;
    packet.data = open.data;
    packet.event = last;
    packet.original_size = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        open.data.size() + open.dropped, std::numeric_limits<std::uint32_t>::max()));
    packet.original_size =
        std::max(packet.original_size, original_size_of(packet.data, packet.link));
    counts_.incomplete += packet.is_incomplete ? 1U : 0U;
    deliver(packet, to);
    open_->reuse(std::move(open));
}

void Extractor::finish(PacketReceiver to) {
    while (!open_->empty()) {
        complete(open_->first(), nullptr, to);
    }
}

const SwitchPort* Extractor::switch_port(const Place& place) const noexcept {
    return ports_.find(place, LinkType::none);
}

} // namespace etl::packets

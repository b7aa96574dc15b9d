#include "base/cursor.hpp"
#include "base/text.hpp"
#include "flow/event.hpp"
#include "format/records.hpp"
#include "packets/capture/open_packets.hpp"
#include "packets/dissect.hpp"
#include "packets/dissect/wire.hpp"
#include "packets/rundown.hpp"

#include <cstdint>

namespace etl::packets {

// What the events of captures need of a record header.

/// flow::read_header() returns all of a header, which takes as long as the rest of the work on a
/// packet. Requires an EVENT record (kind_of).
struct CaptureEvent {
    Bytes payload;
    std::uint64_t keyword = 0;
    std::uint32_t process_id = 0, thread_id = 0;
    std::uint16_t id = 0;

    explicit CaptureEvent(const flow::Event& event) noexcept
        : payload(event.bytes().subspan(format::event_record::size)),
          keyword(flow::stored<format::event_record::keyword>(event)),
          process_id(flow::stored<format::event_record::process_id>(event)),
          thread_id(flow::stored<format::event_record::thread_id>(event)),
          id(flow::stored<format::event_record::id>(event)) {
        constexpr auto has_items = format::event_flag::extended_info;
        if ((flow::stored<format::event_record::flags>(event) & has_items) != 0) [[unlikely]] {
            payload = flow::read_header(event).payload;
        }
    }
};

// Keywords of the events of captures.

namespace keyword {
inline constexpr std::uint64_t wwan = 0x200, tunnel = 0x8000, wifi = 0x10000, start = 0x40000000,
                               end = 0x80000000, send = 0x100000000, receive = 0x200000000;
} // namespace keyword

// The layouts of events that contain packets. docs/packets.md#events

namespace {

/// PktMon 160 and 170; the packet follows.
namespace pktmon_packet {
constexpr LayoutField<std::uint64_t> group{0};
constexpr LayoutField<std::uint16_t> number{8};
constexpr LayoutField<std::uint16_t> appearance{10};
constexpr LayoutField<std::uint16_t> direction{12};
constexpr LayoutField<std::uint16_t> type{14};
constexpr LayoutField<std::uint16_t> component{16};
constexpr LayoutField<std::uint16_t> edge{18};
constexpr LayoutField<std::uint16_t> filter{20};
constexpr LayoutField<std::uint32_t> drop_reason{22};
constexpr LayoutField<std::uint32_t> drop_location{26};
constexpr LayoutField<std::uint16_t> original_size{30};
constexpr LayoutField<std::uint16_t> logged_size{32};
constexpr std::size_t size = 34;
static_assert(tiles<size>(group, number, appearance, direction, type, component, edge, filter,
                          drop_reason, drop_location, original_size, logged_size));
} // namespace pktmon_packet

/// In, Rx, and Ingress are odd.
Direction pktmon_direction(std::uint16_t tag) noexcept {
    constexpr std::uint16_t last = 6;
    return tag == 0 || tag > last ? Direction::unknown
           : tag % 2 == 1         ? Direction::received
                                  : Direction::sent;
}

Direction ndis_direction(std::uint64_t keywords) noexcept {
    return (keywords & keyword::send) != 0      ? Direction::sent
           : (keywords & keyword::receive) != 0 ? Direction::received
                                                : Direction::unknown;
}

bool looks_like_ethernet(Bytes frame) noexcept {
    constexpr std::size_t type_at = 12, network_at = 14;
    const std::uint16_t type = be16(frame, type_at);
    const unsigned version = octet(frame, network_at) >> 4U;
    return !is_clear_wifi(frame) && ((type == ether_type::ipv4 && version == 4) ||
                                     (type == ether_type::ipv6 && version == 6));
}

/// A packet without a link layer, or its first fragment: the IP header claims at least its size.
bool looks_like_ip(Bytes packet) noexcept {
    constexpr std::size_t ipv4_header = 20, ipv6_header = 40;
    const unsigned first = octet(packet, 0);
    const bool is_ipv4 = first >> 4U == 4 && (first & 0xFU) >= 5 && packet.size() >= ipv4_header &&
                         be16(packet, 2) >= packet.size();
    const bool is_ipv6 = first >> 4U == 6 && packet.size() >= ipv6_header &&
                         be16(packet, 4) + ipv6_header >= packet.size();
    const bool is_to_be_segmented =
        (first >> 4U == 4 || first >> 4U == 6) && lacks_ip_length(packet, LinkType::ip);
    return (is_ipv4 || is_ipv6 || is_to_be_segmented) && !looks_like_ethernet(packet);
}

/// Tunnels have frames of their own: what they are is not documented.
LinkType ndis_link(std::uint64_t keywords, Bytes data) noexcept {
    const bool is_ip = (keywords & keyword::wwan) != 0 ||
                       ((keywords & keyword::tunnel) != 0 && looks_like_ip(data));
    return (keywords & keyword::wifi) != 0 ? LinkType::wifi
           : is_ip                         ? LinkType::ip
                                           : LinkType::ethernet;
}

Packet packet_of(const flow::Event& event, const CaptureEvent& from) noexcept {
    Packet packet;
    packet.event = &event;
    packet.trace = &event.trace();
    packet.time = event.time();
    packet.process_id = from.process_id;
    packet.thread_id = from.thread_id;
    packet.place.trace = event.trace().file;
    return packet;
}

/// OOBData: pointer-sized slots by NDIS_NET_BUFFER_LIST_INFO.
std::uint32_t slot(Bytes out_of_band, std::size_t number, std::size_t pointer_size) noexcept {
    const std::size_t at = number * pointer_size;
    return has_range(out_of_band, at, 4) ? load_le<std::uint32_t>(out_of_band.data() + at) : 0;
}

} // namespace

LinkType Extractor::pktmon_link(std::uint32_t trace, std::uint16_t component, std::uint16_t type,
                                Bytes data) const noexcept {
    constexpr std::uint16_t ethernet = 1, wifi = 2, ip = 3;
    switch (type) {
    case ethernet:
        return LinkType::ethernet;
    case ip:
        return LinkType::ip;
    case wifi: {
        const Rundown* const from = rundown(trace);
        const auto known = from != nullptr ? from->is_ethernet(component) : std::nullopt;
        return known.value_or(false) || (!known && looks_like_ethernet(data)) ? LinkType::ethernet
                                                                              : LinkType::wifi;
    }
    default:
        return LinkType::none;
    }
}

void Extractor::add_pktmon(const flow::Event& event, bool is_drop, PacketReceiver to) {
    using namespace pktmon_packet;
    const CaptureEvent from(event);
    ++counts_.events;
    if (from.payload.size() < size) {
        ++counts_.malformed;
        return;
    }
    const auto fixed = from.payload.first<size>();
    const std::uint16_t component_id = load<component>(fixed);
    Packet packet = packet_of(event, from);
    packet.data = clamped(from.payload, size, load<logged_size>(fixed));
    packet.link = pktmon_link(packet.place.trace, component_id, load<type>(fixed), packet.data);
    if (packet.link == LinkType::none) {
        ++counts_.no_link;
        return;
    }
    packet.place.kind = Place::Kind::pktmon;
    packet.place.id = component_id;
    packet.place.port = load<edge>(fixed);
    packet.direction = pktmon_direction(load<direction>(fixed));
    packet.original_size = std::max<std::uint32_t>(load<original_size>(fixed),
                                                   static_cast<std::uint32_t>(packet.data.size()));
    if (load<appearance>(fixed) != 0) { // since 26100 each event has a group of its own
        packet.id = load<group>(fixed);
    }
    if (is_drop) {
        packet.drop = Drop{load<drop_reason>(fixed), load<drop_location>(fixed)};
    }
    deliver(packet, to);
}

void Extractor::add_ndis(const flow::Event& event, bool at_switch, PacketReceiver to) {
    constexpr std::size_t large_send_slot = 2, vlan_slot = 4, hash_slot = 8, destination_size = 8;
    const CaptureEvent from(event);
    ++counts_.events;
    Cursor in(from.payload);
    Packet packet = packet_of(event, from);
    packet.miniport = in.u32("MiniportIfIndex");
    packet.place.kind = at_switch ? Place::Kind::virtual_switch : Place::Kind::ndis;
    packet.place.id = in.u32("LowerIfIndex");
    Bytes port, nic, type;
    if (at_switch) {
        packet.place.port = in.u32("SourcePortId");
        port = in.zero_terminated16("SourcePortName");
        nic = in.zero_terminated16("SourceNicName");
        type = in.zero_terminated16("SourceNicType");
        in.bytes("Destinations", std::size_t{in.u32("DestinationCount")} * destination_size);
    }
    packet.data = in.bytes("Fragment", in.u32("FragmentSize"));
    if (!in) {
        ++counts_.malformed;
        return;
    }
    if (at_switch) {
        const std::size_t pointer_size = event.kind.width == format::Width::bits32 ? 4 : 8;
        const Bytes out_of_band = in.bytes("OOBData", in.u32("OOBDataSize"));
        const std::uint32_t tag = slot(out_of_band, vlan_slot, pointer_size);
        const std::uint32_t hash = slot(out_of_band, hash_slot, pointer_size);
        packet.place.vlan = static_cast<std::uint16_t>(tag >> 4U & 0xFFFU);
        packet.rss_hash = hash != 0 ? std::optional(hash) : std::nullopt;
        packet.has_large_send = slot(out_of_band, large_send_slot, pointer_size) != 0;
        if (ports_.find(packet.place, LinkType::none) == nullptr &&
            ports_.size() < limits::capture_interfaces) {
            ports_.add(packet.place, LinkType::none, {utf8_of(port), utf8_of(nic), utf8_of(type)});
        }
    }
    packet.link = ndis_link(from.keyword, packet.data);
    packet.direction = ndis_direction(from.keyword);
    const bool is_first = (from.keyword & keyword::start) != 0;
    const bool is_last = (from.keyword & keyword::end) != 0;
    if (packet.link == LinkType::wifi && packet.direction != Direction::sent && is_first) {
        if (const auto known = receptions_.extract(packet.place)) {
            packet.wifi = known.mapped();
        }
    }
    // Captures at a virtual switch need not mark parts.
    add_fragment({packet, is_first, is_last, at_switch}, to);
}

void Extractor::add_reception(const flow::Event& event) {
    constexpr std::size_t size = 48; // of 64-bit Windows
    constexpr std::size_t phy = 8, frequency = 12, rssi = 20, rate = 24;
    const CaptureEvent from(event);
    Cursor in(from.payload);
    in.u32("MiniportIfIndex");
    const Place place{
        .kind = Place::Kind::ndis, .trace = event.trace().file, .id = in.u32("LowerIfIndex")};
    const Bytes context = in.bytes("Metadata", in.u32("MetadataSize"));
    const bool is_filled =
        std::ranges::any_of(context, [](std::byte byte) { return byte != std::byte{0}; });
    receptions_.erase(place);                          // of a packet that was not recorded
    if (!in || context.size() != size || !is_filled || // zeros: wiped, or never written
        receptions_.size() >= limits::capture_interfaces) {
        return;
    }
    receptions_[place] = {.phy = load_le<std::uint32_t>(context.data() + phy),
                          .frequency = load_le<std::uint32_t>(context.data() + frequency),
                          .rssi = load_le<std::int32_t>(context.data() + rssi),
                          .rate_500kbps = octet(context, rate)};
}

/// The nil GUID is the default domain, that of captures without domains.
std::uint32_t Extractor::number_of_domain(const std::string& domain) {
    if (domain.empty() || domain == "{00000000-0000-0000-0000-000000000000}") {
        return 0;
    }
    const auto next = static_cast<std::uint32_t>(domains_.size() + 1);
    const auto [known, is_new] = domain_numbers_.try_emplace(to_lower_ascii(domain), next);
    if (is_new) {
        domains_.push_back(domain);
    }
    return known->second;
}

/// Nothing: too many users. Most packets have the user of the one before.
std::optional<std::uint32_t> Extractor::number_of_user(Bytes domain, Bytes user) {
    const auto is_last = [](const std::vector<std::byte>& last, Bytes text) {
        return std::ranges::equal(last, text);
    };
    if (!users_.empty() && is_last(last_domain_, domain) && is_last(last_user_, user)) {
        return last_number_;
    }
    RemoteUser remote{utf8_of(domain), utf8_of(user)};
    auto known = user_numbers_.find(remote);
    if (known == user_numbers_.end()) {
        if (users_.size() >= limits::remote_users) {
            return std::nullopt;
        }
        const auto number = static_cast<std::uint32_t>(users_.size());
        users_.push_back(remote);
        user_domains_.push_back(number_of_domain(remote.domain));
        known = user_numbers_.emplace(std::move(remote), number).first;
    }
    last_domain_.assign(domain.begin(), domain.end());
    last_user_.assign(user.begin(), user.end());
    last_number_ = known->second;
    return last_number_;
}

void Extractor::add_ras(const flow::Event& event, PacketReceiver to) {
    constexpr std::uint16_t sent = 5001;
    const CaptureEvent from(event);
    ++counts_.events;
    Cursor in(from.payload);
    const Bytes domain = in.zero_terminated16("RoutingDomainID");
    const Bytes user = in.zero_terminated16("RRASUserName");
    Packet packet = packet_of(event, from);
    packet.data = in.bytes("Fragment", in.u32("FragmentSize"));
    if (!in) {
        ++counts_.malformed;
        return;
    }
    const auto number = number_of_user(domain, user);
    if (!number) {
        ++counts_.dropped;
        return;
    }
    packet.place.kind = Place::Kind::remote_access;
    packet.place.id = *number;
    packet.routing_domain = user_domains_[*number];
    packet.direction = from.id == sent ? Direction::sent : Direction::received;
    packet.original_size = original_size_of(packet.data, packet.link);
    deliver(packet, to);
}

} // namespace etl::packets

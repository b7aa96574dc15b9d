// Packets as PktMon records them at the components of network stacks, and its rundowns.
#include "format/known_guids.hpp"
#include "generate/capture.hpp"

#include <algorithm>
#include <array>

namespace etl::generate {

namespace {

using format::pktmon_guid;

constexpr unsigned link_ethernet = 1, link_ip = 101, link_wifi = 105;
constexpr std::uint16_t type_ethernet = 1, type_wifi = 2, type_ip = 3; // PacketType
constexpr std::size_t small_capture = 128;
constexpr std::uint64_t rundown = 2; // keyword

namespace component_type {
constexpr std::uint16_t miniport = 2, filter = 3, protocol = 4, ip_layer = 11, net_cx = 14;
} // namespace component_type

namespace property {
constexpr std::uint16_t if_index = 1, miniport_if_index = 2, medium = 5, mac = 6, address = 13,
                        vlan = 16;
} // namespace property

namespace property_event {
constexpr std::uint16_t number32 = 30, number16 = 60, ipv4 = 65, ipv6 = 66, bytes = 70;
} // namespace property_event

} // namespace

/// `seen`: with its place and what the step determines.
void Capture::put_pktmon(const Seen& seen, const Step& step, Bytes frame,
                         std::uint16_t appearance) {
    constexpr std::uint16_t received = 3, sent = 4, event = 160, drop_event = 170;
    constexpr std::uint32_t location = 0xE0004602;
    const Bytes data = frame.first(std::min(frame.size(), seen.captured));
    payload_.u64(std::uint64_t{processor_} << 48U | group_).u16(1).u16(appearance);
    payload_.u16(seen.is_sent ? sent : received).u16(step.type).u16(step.component);
    payload_.u16(step.edge).u16(0).u32(seen.drop).u32(seen.drop != 0 ? location : 0);
    payload_.u16(static_cast<std::uint16_t>(frame.size()));
    payload_.u16(static_cast<std::uint16_t>(data.size())).bytes(data);
    put(pktmon_guid, seen.drop != 0 ? drop_event : event, 0x10);
}

/// A packet at all `steps`, which a received packet passes in this order. `seen`: what the steps do
/// not determine; without a group, each event has one of its own and the appearances are not
/// counted, as of Windows 11 24H2.
void Capture::put_along(const Segment& segment, std::span<const Step> steps, Seen seen,
                        Bytes ethernet, Bytes wifi) {
    constexpr std::byte is_protected{0x40};
    seen.is_sent = segment.is_forward;
    seen.is_large = segment.is_large;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Step& step = steps[segment.is_forward ? steps.size() - 1 - i : i];
        const Bytes stored = step.link == link_wifi ? wifi : ethernet;
        const bool is_counted = seen.group.has_value();
        group_ += is_counted ? 0 : 1;
        seen.place = &step.place;
        seen.link = step.link;
        put_pktmon(seen, step, stored, static_cast<std::uint16_t>(is_counted ? i + 1 : 0));
        const Bytes data = stored.first(std::min(stored.size(), seen.captured));
        std::vector<std::byte> shown(data.begin(), data.end());
        if (step.link == link_wifi) {
            shown[1] &= ~is_protected; // the body is in clear text
        }
        record(seen, shown, stored.size());
        time_ += random_.between<std::int64_t>(1, 20);
    }
}

/// An IP packet that is dropped above the link layer.
void Capture::put_drop(const Segment& segment, const Step& step, std::uint32_t reason) {
    const Seen seen{.place = &step.place,
                    .link = link_ip,
                    .is_sent = segment.is_forward,
                    .is_large = segment.is_large,
                    .drop = reason};
    put_pktmon(seen, step, segment.packet, 0);
    record(seen, segment.packet, segment.packet.size());
    conversations_.add_drop(segment);
}

/// Along the network stack: adapter, filter, protocol. Some packets are dropped at its top.
void Capture::capture_stack(const Segment& segment) {
    static constexpr std::string_view filter = "Synthetic; filter; interface index 35";
    static constexpr std::array<Step, 4> steps{
        {{{"pktmon:13 nic.sys edge 1", "Synthetic; miniport; edge Upper; interface index 21", true,
           "02005e100009"},
          13,
          1},
         {{"pktmon:36 pacer.sys edge 1", filter, false}, 36, 1},
         {{"pktmon:36 pacer.sys edge 2", filter, false}, 36, 2},
         {{"pktmon:84 tcpip.sys edge 1", "Synthetic; protocol", false}, 84, 1}}};
    static constexpr Step top{
        {"pktmon:98 tcpip.sys", "Synthetic; IP layer", false, {}, "192.0.2.1"},
        98,
        0,
        link_ip,
        type_ip};
    constexpr std::uint32_t no_endpoint = 1204;
    const auto frame = ethernet_frame(segment);
    const std::size_t captured = random_.chance(0.3) ? small_capture : SIZE_MAX;
    ++group_;
    put_along(segment, steps,
              {.captured = captured, .group = std::uint64_t{processor_} << 48U | group_}, frame,
              {});
    conversations_.add(segment, frame.size());
    if (random_.chance(0.1)) {
        put_drop(segment, top, no_endpoint);
    }
}

/// At an 802.11 adapter: below the filter that converts frames (nwifi.sys), and above it, where
/// PktMon calls Ethernet frames 802.11.
void Capture::capture_wifi_stack(const Segment& segment) {
    static constexpr std::string_view below = "Synthetic; filter; interface index 51",
                                      converter = "Synthetic; filter; interface index 52",
                                      above = "Synthetic; filter; interface index 53";
    static constexpr std::array<Step, 8> steps{
        {{{"pktmon:110 wlan.sys edge 1", "Synthetic; miniport; interface index 50"},
          110,
          1,
          link_wifi,
          type_wifi},
         {{"pktmon:111 vwififlt.sys edge 1", below, false}, 111, 1, link_wifi, type_wifi},
         {{"pktmon:111 vwififlt.sys edge 2", below, false}, 111, 2, link_wifi, type_wifi},
         {{"pktmon:112 nwifi.sys edge 1", converter, false}, 112, 1, link_wifi, type_wifi},
         {{"pktmon:112 nwifi.sys edge 2", converter, false}, 112, 2},
         {{"pktmon:113 pacer.sys edge 1", above, false}, 113, 1, link_ethernet, type_wifi},
         {{"pktmon:113 pacer.sys edge 2", above, false}, 113, 2},
         {{"pktmon:114 tcpip.sys edge 1", "Synthetic; protocol", false}, 114, 1}}};
    const auto wifi = wifi_qos_frame(segment, !segment.is_forward && random_.chance(0.5));
    ++group_;
    put_along(segment, steps, {.group = std::uint64_t{processor_} << 48U | group_},
              ethernet_frame(segment), wifi);
    conversations_.add(segment, wifi.size()); // the lowest place counts
}

/// The adapter removes tags of its VLAN. Of large packets, the first bytes are captured.
void Capture::capture_newer_stack(const Segment& segment) {
    static constexpr std::string_view filter = "Synthetic; filter; interface index 62";
    static constexpr std::array<Step, 4> steps{
        {{{"pktmon:120 net.sys edge 1",
           "Synthetic; NetCx adapter; edge Upper; interface index 61; VLAN 30", true,
           "02005e100061", "2001:db8::7"},
          120,
          1},
         {{"pktmon:121 wfplwfs.sys edge 1", filter, false}, 121, 1},
         {{"pktmon:121 wfplwfs.sys edge 2", filter, false}, 121, 2},
         {{"pktmon:122 tcpip.sys edge 1", "Synthetic; protocol", false}, 122, 1}}};
    static constexpr Step top{
        {"pktmon:123 tcpip.sys", "Synthetic; IP layer", false}, 123, 0, link_ip, type_ip};
    constexpr std::uint32_t receive_inspection = 1207;
    const auto frame = ethernet_frame(segment);
    put_along(segment, steps, {.captured = segment.is_large ? small_capture : SIZE_MAX}, frame, {});
    conversations_.add(segment, frame.size());
    if (random_.chance(0.1)) {
        ++group_;
        put_drop(segment, top, receive_inspection);
    }
}

void Capture::put_property(std::uint16_t event, std::uint16_t component, std::uint16_t property,
                           std::int32_t value) {
    if (value < 0) {
        return;
    }
    payload_.u16(component).u16(property);
    if (event == property_event::number16) {
        payload_.u16(static_cast<std::uint16_t>(value));
    } else {
        payload_.u32(static_cast<std::uint32_t>(value));
    }
    put(pktmon_guid, event, rundown);
}

/// The medium is a property of 32 bits as of Windows 11 24H2, and in some earlier builds.
void Capture::put_components(std::span<const Component> components, std::uint16_t medium_event) {
    constexpr std::uint16_t component_event = 20;
    for (const Component& component : components) {
        payload_.u16(component.id).u16(component.type).zero_terminated16(component.name);
        payload_.zero_terminated16(u"Synthetic");
        put(pktmon_guid, component_event, rundown);
        put_property(property_event::number32, component.id, property::if_index,
                     component.if_index);
        put_property(property_event::number32, component.id, property::miniport_if_index,
                     component.miniport);
        put_property(medium_event, component.id, property::medium, component.medium);
        put_property(property_event::number16, component.id, property::vlan, component.vlan);
    }
}

/// 90: the packets at an edge.
void Capture::put_counters(std::string_view place, std::uint16_t component, std::uint16_t edge,
                           std::u16string_view name) {
    constexpr std::uint16_t received = 3, sent = 4, event = 90;
    const auto known = places_.find(place);
    const std::uint64_t packets = known != places_.end() ? known->second.packets : 0;
    payload_.u16(component).zero_terminated16(name).u16(edge);
    payload_.u16(received).u64(packets).u64(0).u16(sent).u64(0).u64(0);
    put(pktmon_guid, event, rundown);
    if (known != places_.end()) {
        known->second.received = packets;
    }
}

/// 100: a filter; 0 means any.
void Capture::put_filter(std::uint16_t number, std::u16string_view name, std::uint8_t protocol,
                         std::uint16_t port) {
    constexpr std::size_t two_macs = 12, type_and_vlan = 4, two_addresses = 8;
    payload_.u16(number).zero_terminated16(name).fill(two_macs + type_and_vlan + two_addresses);
    payload_.u8(protocol).u16(port).u16(0).u8(0);
    put(pktmon_guid, 100, rundown);
}

void Capture::stop_stack() {
    using namespace component_type;
    static constexpr std::array<Component, 4> components{{{13, miniport, u"nic.sys", 21, -1, 0},
                                                          {36, filter, u"pacer.sys", 35, 21},
                                                          {84, protocol, u"tcpip.sys", -1, 21},
                                                          {98, ip_layer, u"tcpip.sys"}}};
    put_components(components, property_event::number32);
    payload_.u16(13).u16(property::mac).u32(6).bytes(bytes_of({2, 0, 0x5E, 0x10, 0, 9}));
    put(pktmon_guid, property_event::bytes, rundown);
    payload_.u16(98).u16(property::address).bytes(bytes_of({192, 0, 2, 1}));
    put(pktmon_guid, property_event::ipv4, rundown);
    put_counters("pktmon:13 nic.sys edge 1", 13, 1, u"Upper");
}

void Capture::stop_wifi_stack() {
    using namespace component_type;
    constexpr std::int32_t ethernet = 0, wifi = 16;
    static constexpr std::array<Component, 5> components{
        {{110, miniport, u"wlan.sys", 50, -1, wifi},
         {111, filter, u"vwififlt.sys", 51, 50, wifi},
         {112, filter, u"nwifi.sys", 52, 50, ethernet},
         {113, filter, u"pacer.sys", 53, 50, wifi},
         {114, protocol, u"tcpip.sys", -1, 50}}};
    put_components(components, property_event::number16);
}

void Capture::stop_newer_stack() {
    using namespace component_type;
    constexpr std::int32_t ethernet = 0, vlan = 30;
    constexpr std::uint16_t received = 1, sent = 2, drop_counters = 80, https = 443;
    constexpr std::uint8_t tcp = 6;
    static constexpr std::array<Component, 4> components{
        {{120, net_cx, u"net.sys", 61, -1, ethernet, vlan},
         {121, filter, u"wfplwfs.sys", 62, 61, ethernet},
         {122, protocol, u"tcpip.sys", -1, 61},
         {123, ip_layer, u"tcpip.sys"}}};
    put_components(components, property_event::number32);
    payload_.u16(120).u16(property::mac).u32(6).bytes(bytes_of({2, 0, 0x5E, 0x10, 0, 0x61}));
    put(pktmon_guid, property_event::bytes, rundown);
    payload_.u16(120).u16(property::address).bytes(bytes_of({0x20, 1, 0xD, 0xB8})).fill(11).u8(7);
    put(pktmon_guid, property_event::ipv6, rundown);
    put_counters("pktmon:120 net.sys edge 1", 120, 1, u"Upper");
    const auto top = places_.find("pktmon:123 tcpip.sys");
    const std::uint64_t drops = top != places_.end() ? top->second.packets : 0;
    payload_.u16(123).u16(received).u64(drops).u64(0).u16(sent).u64(0).u64(0);
    put(pktmon_guid, drop_counters, rundown);
    if (top != places_.end()) {
        top->second.dropped = drops;
    }
    put_filter(1, u"Everything", 0, 0);
    put_filter(2, u"Web", tcp, https);
    pktmon_filter_ = "filter 1 Everything; filter 2 Web protocol 6 port 443";
}

} // namespace etl::generate

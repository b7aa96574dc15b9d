#include "anonymize/packets/frame.hpp"

#include "anonymize/packets/network.hpp"

namespace etl::anonymize {

namespace {

constexpr std::size_t mac_bytes = 6, ethernet_header = 14;

/// The type of an Ethernet frame, and what follows it and the VLAN tags before it.
struct Typed {
    std::uint16_t type = 0;
    std::size_t at = 0;
};

Typed type_of_ethernet(Bytes frame) noexcept {
    constexpr unsigned most_tags = 4;
    Typed typed{load_be16(frame, ethernet_header - 2), ethernet_header};
    for (unsigned i = 0; i < most_tags; ++i) {
        const bool is_tag = typed.type == ether_type::vlan ||
                            typed.type == ether_type::service_vlan ||
                            typed.type == ether_type::old_service_vlan;
        if (!is_tag) {
            break;
        }
        typed.at += 4;
        typed.type = load_be16(frame, typed.at - 2);
    }
    return typed;
}

bool looks_like_ethernet(Bytes frame) noexcept {
    const auto [type, at] = type_of_ethernet(frame);
    const unsigned version = octet(frame, at) >> 4U;
    return (type == ether_type::ipv4 && version == 4) ||
           (type == ether_type::ipv6 && version == 6) ||
           (type == ether_type::arp && load_be16(frame, at) == 1);
}

void scrub_ethernet(MutableBytes frame, Scrubbing& scrubbing) {
    scrubbing.mac(frame, 0);
    scrubbing.mac(frame, mac_bytes);
    const auto [type, at] = type_of_ethernet(frame);
    scrub_network(part_of(frame, at), type, scrubbing);
}

void scrub_ip(MutableBytes packet, Scrubbing& scrubbing) {
    const bool is_ipv6 = octet(packet, 0) >> 4U == 6;
    is_ipv6 ? scrub_ipv6(packet, 0, scrubbing) : scrub_ipv4(packet, 0, scrubbing);
}

/// Of a data frame; 0 of any other, and of several frames in one.
std::size_t wifi_header_size(Bytes frame) noexcept {
    constexpr std::uint8_t data = 2, with_qos = 8, both_ways = 3, has_control = 0x80,
                           aggregate = 0x80;
    const std::uint8_t first = octet(frame, 0);
    const std::uint8_t flags = octet(frame, 1);
    if ((first >> 2U & 3U) != data) {
        return 0;
    }
    const bool has_qos = (first >> 4U & with_qos) != 0;
    const std::size_t qos = 24 + ((flags & both_ways) == both_ways ? mac_bytes : 0);
    const std::size_t size = qos + (has_qos ? 2U : 0U);
    return has_qos && (octet(frame, qos) & aggregate) != 0 ? 0
           : has_qos && (flags & has_control) != 0         ? size + 4
                                                           : size;
}

bool is_snap(Bytes bytes) noexcept {
    return load_be16(bytes, 0) == 0xAAAA && octet(bytes, 2) == 3;
}

void scrub_wifi(MutableBytes frame, Scrubbing& scrubbing) {
    constexpr std::size_t addresses = 4, snap_size = 8, management_header = 24;
    constexpr std::uint8_t management = 0, control = 1;
    const std::uint8_t type = octet(frame, 0) >> 2U & 3U;
    const std::size_t header = wifi_header_size(frame);
    const std::size_t known = header != 0          ? header
                              : type == management ? management_header
                              : type == control    ? addresses + 2 * mac_bytes
                                                   : addresses;
    for (unsigned i = 0; i < 3 && addresses + (i + 1) * mac_bytes <= known; ++i) {
        scrubbing.mac(part_of(frame, 0, known), addresses + i * mac_bytes);
    }
    const bool has_fourth = header != 0 && (octet(frame, 1) & 3U) == 3;
    if (has_fourth) {
        scrubbing.mac(frame, management_header);
    }
    const MutableBytes body = part_of(frame, known);
    if (header != 0 && is_snap(body)) {
        scrub_network(part_of(body, snap_size), load_be16(body, 6), scrubbing);
    } else {
        scrubbing.wipe(body);
    }
}

} // namespace

KindSet scrub_frame(MutableBytes frame, Link link, const Pseudonyms& pseudonyms) {
    Scrubbing scrubbing(pseudonyms);
    const std::size_t header = wifi_header_size(frame);
    const bool is_wifi = header != 0 && is_snap(part_of(frame, header));
    if (link == Link::ip) {
        scrub_ip(frame, scrubbing);
    } else if (link == Link::wifi && (is_wifi || !looks_like_ethernet(frame))) {
        scrub_wifi(frame, scrubbing);
    } else if (link == Link::ethernet || looks_like_ethernet(frame)) {
        scrub_ethernet(frame, scrubbing);
    } else {
        scrubbing.wipe(frame);
    }
    return scrubbing.changed();
}

} // namespace etl::anonymize

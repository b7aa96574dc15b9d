// What precedes the network layer, and sizes.
#include "packets/dissect.hpp"
#include "packets/dissect/wire.hpp"
#include "packets/limits.hpp"

#include <algorithm>

namespace etl::packets {

namespace {

constexpr std::size_t ipv4_least = 20, ipv6_header = 40;

/// Where the IP header is, if the link layer says that there is one. Not of 802.11.
std::optional<std::size_t> ip_offset(Bytes packet, LinkType link) noexcept {
    constexpr std::size_t ethernet = 14, tag = 4;
    if (link != LinkType::ethernet) {
        return link == LinkType::ip ? std::optional<std::size_t>(0) : std::nullopt;
    }
    std::uint16_t type = be16(packet, ethernet - 2);
    std::size_t at = ethernet;
    for (unsigned i = 0; i < limits::packet_headers; ++i) {
        if (type != ether_type::vlan && type != ether_type::service_vlan) {
            break;
        }
        type = be16(packet, at + 2);
        at += tag;
    }
    const bool is_ip = type == ether_type::ipv4 || type == ether_type::ipv6;
    return is_ip ? std::optional(at) : std::nullopt;
}

/// Of a packet whose IP header is at `at`: jumbo_length(), if it is IPv6 without a length.
std::optional<std::uint32_t> jumbo_length_of(Bytes packet, std::size_t at) noexcept {
    const bool may_be_jumbo = octet(packet, at) >> 4U == 6 && be16(packet, at + 4) == 0 &&
                              octet(packet, at + 6) == next_header::hop_by_hop;
    return may_be_jumbo ? jumbo_length(clamped(packet, at + ipv6_header)) : std::nullopt;
}

/// The protocol after the extension headers of an IPv6 packet; of one that is truncated, the last
/// that is known.
std::uint8_t transport_of(Bytes packet, std::size_t at) noexcept {
    std::uint8_t next = octet(packet, at + 6);
    at += ipv6_header;
    for (unsigned i = 0; i < limits::packet_headers; ++i) {
        const auto size = extension_size(next, clamped(packet, at));
        if (!size || !has_range(packet, at, *size)) {
            break;
        }
        next = octet(packet, at);
        at += *size;
    }
    return next;
}

} // namespace

std::optional<std::size_t> wifi_body(Bytes frame) noexcept {
    constexpr std::size_t header = 24, fourth_address = 6, qos = 2, control = 4;
    constexpr unsigned data_frame = 2, with_qos = 0x80, order = 0x80, both_ways = 3;
    const unsigned first = octet(frame, 0), flags = octet(frame, 1);
    if (frame.size() < header || (first & 3U) != 0 || (first >> 2U & 3U) != data_frame) {
        return std::nullopt;
    }
    const bool has_qos = (first & with_qos) != 0;
    return header + ((flags & both_ways) == both_ways ? fourth_address : 0) + (has_qos ? qos : 0) +
           (has_qos && (flags & order) != 0 ? control : 0);
}

bool is_clear_wifi(Bytes frame) noexcept {
    const auto body = wifi_body(frame);
    return body && has_range(frame, *body, 3) && be16(frame, *body) == 0xAAAA &&
           octet(frame, *body + 2) == 3;
}

std::uint32_t original_size_of(Bytes packet, LinkType link) noexcept {
    const std::size_t size = packet.size();
    const auto at = ip_offset(packet, link);
    if (!at) {
        return static_cast<std::uint32_t>(size);
    }
    const unsigned version = octet(packet, *at) >> 4U;
    std::size_t claimed = 0; // 0 in the header: to be segmented by the adapter
    if (version == 4 && has_range(packet, *at, ipv4_least)) {
        claimed = *at + be16(packet, *at + 2);
    } else if (version == 6 && has_range(packet, *at, ipv6_header)) {
        const std::uint16_t payload = be16(packet, *at + 4);
        claimed = payload == 0 ? 0 : *at + ipv6_header + payload;
        if (const auto jumbo = jumbo_length_of(packet, *at)) {
            claimed = *at + ipv6_header + *jumbo;
        }
    }
    constexpr std::size_t max = 0xFFFFFFFF;
    return static_cast<std::uint32_t>(std::min(std::max(size, claimed), max));
}

bool lacks_ip_length(Bytes packet, LinkType link) noexcept {
    const auto at = ip_offset(packet, link);
    if (!at) {
        return false;
    }
    const bool is_ipv6 = octet(packet, *at) >> 4U == 6;
    const std::size_t header = is_ipv6 ? ipv6_header : ipv4_least;
    if (packet.size() <= *at + header || be16(packet, *at + (is_ipv6 ? 4 : 2)) != 0 ||
        jumbo_length_of(packet, *at)) {
        return false;
    }
    const unsigned protocol =
        is_ipv6 ? transport_of(packet, *at) : unsigned{octet(packet, *at + 9)};
    return protocol == ip_protocol::tcp || protocol == ip_protocol::udp;
}

} // namespace etl::packets

// What precedes the network layer, and sizes.
#include "packets/dissect.hpp"

#include "base/text.hpp"
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

namespace {

constexpr std::size_t mac_size = 6;

/// Reads one header after the other; stops where the packet is truncated.
class Reader {
public:
    Reader(Bytes packet, std::size_t original_size) noexcept
        : packet_(packet), original_size_(std::max(packet.size(), original_size)) {}

    Dissection read(LinkType link) noexcept {
        switch (link) {
        case LinkType::ethernet:
            read_ethernet();
            break;
        case LinkType::wifi:
            read_wifi();
            break;
        case LinkType::ip:
            read_network(octet(packet_, 0) >> 4U == 6 ? ether_type::ipv6 : ether_type::ipv4);
            break;
        case LinkType::none:
        case LinkType::etw:
            break;
        }
        found_.header_size = std::min(at_, packet_.size());
        return found_;
    }

private:
    Bytes rest() const noexcept { return clamped(packet_, at_); }

    /// Whether the next `size` bytes are captured.
    bool has(std::size_t size) const noexcept { return has_range(packet_, at_, size); }

    void read_ethernet() noexcept {
        constexpr std::size_t header = 14;
        if (!has(header)) {
            at_ = packet_.size();
            return;
        }
        found_.destination_mac = packet_.first(mac_size);
        found_.source_mac = packet_.subspan(mac_size, mac_size);
        at_ = header;
        read_tags(be16(packet_, header - 2));
    }

    void read_tags(std::uint16_t type) noexcept {
        constexpr std::size_t tag = 4;
        constexpr std::uint16_t min_type = 0x0600; // less is a length
        constexpr std::uint16_t vlan_id = 0x0FFF;
        for (unsigned i = 0; i < limits::packet_headers; ++i) {
            if (type != ether_type::vlan && type != ether_type::service_vlan) {
                found_.is_802_3 = type < min_type;
                if (!found_.is_802_3) {
                    found_.ether_type = type;
                    read_network(type);
                }
                return;
            }
            if (!has(tag)) {
                return;
            }
            found_.vlan = found_.vlan.value_or(be16(packet_, at_) & vlan_id);
            type = be16(packet_, at_ + 2);
            at_ += tag;
        }
    }

    void read_wifi() noexcept {
        constexpr std::size_t first_address = 4, snap = 8;
        const auto body = wifi_body(packet_);
        if (!body) {
            at_ = packet_.size();
            return;
        }
        const unsigned ways = octet(packet_, 1) & 3U; // to and from the distribution system
        const auto address = [&](std::size_t number) {
            return clamped(packet_, first_address + number * mac_size, mac_size);
        };
        constexpr std::size_t fourth = 24;
        found_.destination_mac = address((ways & 1U) != 0 ? 2 : 0);
        found_.source_mac = ways == 3   ? clamped(packet_, fourth, mac_size)
                            : ways == 2 ? address(2)
                                        : address(1);
        at_ = *body;
        if (is_clear_wifi(packet_) && has(snap)) {
            found_.ether_type = be16(packet_, at_ + 6);
            at_ += snap;
            read_network(*found_.ether_type);
        }
    }

    void read_network(std::uint16_t type) noexcept {
        if (type == ether_type::ipv4) {
            read_ipv4();
        } else if (type == ether_type::ipv6) {
            read_ipv6();
        } else if (type == ether_type::arp) {
            read_arp();
        }
    }

    void read_arp() noexcept {
        constexpr std::size_t size = 28;
        constexpr std::uint16_t sizes = 0x0604;
        if (!has(size) || be16(packet_, at_ + 4) != sizes) {
            return;
        }
        found_.arp_operation = be16(packet_, at_ + 6);
        found_.source = packet_.subspan(at_ + 14, 4);
        found_.destination = packet_.subspan(at_ + 24, 4);
        at_ += size;
    }

    void read_ipv4() noexcept {
        constexpr std::size_t min = 20;
        constexpr std::uint16_t offset = 0x1FFF, more = 0x2000;
        const std::size_t header = std::size_t{octet(packet_, at_)} % 16 * 4;
        if (octet(packet_, at_) >> 4U != 4 || header < min || !has(header)) {
            return;
        }
        const std::size_t total = be16(packet_, at_ + 2);
        const std::uint16_t place = be16(packet_, at_ + 6);
        found_.protocol = octet(packet_, at_ + 9);
        found_.source = packet_.subspan(at_ + 12, 4);
        found_.destination = packet_.subspan(at_ + 16, 4);
        found_.is_later_fragment = (place & offset) != 0;
        found_.is_fragment = found_.is_later_fragment || (place & more) != 0;
        const std::size_t size = stated_or_captured(total);
        at_ += header;
        read_extensions(*found_.protocol, size - std::min(size, header), Version::ipv4);
    }

    /// The size of what follows, by the length in an IP header. If it is 0, or the packet is longer
    /// than it can say, the adapter is to segment the packet: the size is that of the capture.
    std::size_t stated_or_captured(std::size_t stated) const noexcept {
        const std::size_t captured = original_size_ - at_;
        return stated == 0 || captured > max_16_bits ? captured : stated;
    }

    void read_ipv6() noexcept {
        constexpr std::size_t header = 40;
        if (octet(packet_, at_) >> 4U != 6 || !has(header)) {
            return;
        }
        const std::size_t total = be16(packet_, at_ + 4);
        const std::uint8_t next = octet(packet_, at_ + 6);
        found_.source = packet_.subspan(at_ + 8, 16);
        found_.destination = packet_.subspan(at_ + 24, 16);
        at_ += header;
        const auto jumbo =
            total == 0 && next == next_header::hop_by_hop ? jumbo_length(rest()) : std::nullopt;
        read_extensions(next, jumbo ? *jumbo : stated_or_captured(total), Version::ipv6);
    }

    enum class Version : bool { ipv4, ipv6 };

    /// Of IPv4 packets, only the authentication header is between the header and the transport.
    void read_extensions(std::uint8_t next, std::size_t left, Version version) noexcept {
        for (unsigned i = 0; i < limits::packet_headers; ++i) {
            found_.protocol = next;
            const bool can_be_extension =
                version == Version::ipv6 || next == next_header::authentication;
            const auto extension = extension_size(next, rest());
            if (!extension || !can_be_extension || found_.is_later_fragment) {
                read_transport(left);
                return;
            }
            const std::size_t size = *extension;
            if (!has(size)) {
                return;
            }
            if (next == next_header::fragment) {
                const std::uint16_t place = be16(packet_, at_ + 2);
                found_.is_later_fragment = place >> 3U != 0;
                found_.is_fragment = found_.is_later_fragment || (place & 1U) != 0;
            }
            next = octet(packet_, at_);
            at_ += size;
            left -= std::min(left, size);
        }
    }

    /// `size`: of the transport header and its payload on the wire.
    void read_transport(std::size_t size) noexcept {
        if (found_.is_later_fragment) {
            return;
        }
        switch (*found_.protocol) {
        case ip_protocol::tcp:
            read_tcp(size);
            break;
        case ip_protocol::udp:
            read_ports(8, size);
            break;
        case ip_protocol::icmp:
        case ip_protocol::icmpv6:
            read_icmp(size);
            break;
        default:
            found_.payload_size = static_cast<std::uint32_t>(size);
            break;
        }
    }

    void end_of_header(std::size_t header, std::size_t size) noexcept {
        found_.payload_size = static_cast<std::uint32_t>(size - std::min(size, header));
        at_ += header;
    }

    void read_ports(std::size_t header, std::size_t size) noexcept {
        if (has(4)) {
            found_.source_port = be16(packet_, at_);
            found_.destination_port = be16(packet_, at_ + 2);
            end_of_header(header, size);
        }
    }

    void read_icmp(std::size_t size) noexcept {
        constexpr std::size_t header = 8;
        if (has(2)) {
            found_.icmp_type = octet(packet_, at_);
            found_.icmp_code = octet(packet_, at_ + 1);
            found_.icmp_size = static_cast<std::uint32_t>(size);
            if (is_echo() && has(header)) {
                found_.icmp_id = be16(packet_, at_ + 4);
                found_.icmp_sequence = be16(packet_, at_ + 6);
            }
            end_of_header(header, size);
        }
    }

    bool is_echo() const noexcept {
        const unsigned type = *found_.icmp_type;
        return *found_.protocol == ip_protocol::icmp ? type == 0 || type == 8
                                                     : type == 128 || type == 129;
    }

    void read_tcp(std::size_t size) noexcept {
        constexpr std::size_t min = 20;
        if (!has(min)) {
            read_ports(min, size); // truncated behind the ports
            found_.payload_size.reset();
            return;
        }
        found_.sequence = be32(packet_, at_ + 4);
        found_.acknowledgment = be32(packet_, at_ + 8);
        found_.tcp_flags = octet(packet_, at_ + 13);
        found_.window = be16(packet_, at_ + 14);
        read_ports(std::max(min, std::size_t{octet(packet_, at_ + 12)} / 16 * 4), size);
    }

    Bytes packet_;
    std::size_t original_size_; // at least that of `packet_`
    std::size_t at_ = 0;
    Dissection found_;
};

/// The longest run of at least two zero groups: first and count.
std::pair<std::size_t, std::size_t> longest_zeros(Bytes address) noexcept {
    std::pair<std::size_t, std::size_t> longest{0, 1};
    std::size_t count = 0;
    for (std::size_t i = 0; i < 8; ++i) {
        count = be16(address, 2 * i) == 0 ? count + 1 : 0;
        if (count > longest.second) {
            longest = {i + 1 - count, count};
        }
    }
    return longest.second > 1 ? longest : std::pair<std::size_t, std::size_t>{8, 0};
}

void append_ipv6(std::string& to, Bytes address) {
    const auto [first, count] = longest_zeros(address);
    for (std::size_t i = 0; i < 8; ++i) {
        if (i == first) {
            to += "::";
            i += count - 1;
            continue;
        }
        if (i != 0 && i != first + count) {
            to += ':';
        }
        char digits[4];
        const auto end = std::to_chars(digits, digits + 4, be16(address, 2 * i), 16).ptr;
        to.append(digits, end);
    }
}

} // namespace

Dissection dissect(Bytes packet, LinkType link, std::size_t original_size) noexcept {
    return Reader(packet, original_size).read(link);
}

void append_address(std::string& to, Bytes address) {
    if (address.size() == 16) {
        append_ipv6(to, address);
    } else if (address.size() == 4) {
        for (std::size_t i = 0; i < 4; ++i) {
            to += i == 0 ? "" : ".";
            append_decimal(to, octet(address, i));
        }
    }
}

void append_mac(std::string& to, Bytes address) {
    for (std::size_t i = 0; i < address.size(); ++i) {
        to += i == 0 ? "" : ":";
        append_hex_bytes(to, address.subspan(i, 1));
    }
}

} // namespace etl::packets

// The headers of a packet: Ethernet, 802.11, VLAN tags, ARP, IPv4, IPv6, TCP, UDP, ICMP. Pure;
// thread-safe. docs/packets.md#lines
#pragma once

#include "packets/packet.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace etl::packets {

namespace ether_type {
inline constexpr std::uint16_t ipv4 = 0x0800, arp = 0x0806, vlan = 0x8100, ipv6 = 0x86DD,
                               service_vlan = 0x88A8;
} // namespace ether_type

namespace ip_protocol {
inline constexpr std::uint8_t icmp = 1, igmp = 2, tcp = 6, udp = 17, icmpv6 = 58;
} // namespace ip_protocol

namespace tcp_flag {
inline constexpr std::uint8_t fin = 1, syn = 2, rst = 4, psh = 8, ack = 16, urg = 32;
} // namespace tcp_flag

/// What the captured part of a packet shows. Views of the packet; empty: absent or truncated.
struct Dissection {
    Bytes source_mac, destination_mac; // 6 bytes each
    std::optional<std::uint16_t> ether_type;
    bool is_802_3 = false;             // an Ethernet frame with a length instead of a type
    std::optional<std::uint16_t> vlan; // of the outermost tag

    Bytes source, destination; // IP addresses, 4 or 16 bytes; of ARP: those of its body
    std::optional<std::uint8_t> protocol;
    bool is_fragment = false;       // one of several fragments of an IP packet
    bool is_later_fragment = false; // without a transport header

    std::optional<std::uint16_t> source_port, destination_port;
    std::optional<std::uint8_t> icmp_type, icmp_code;
    std::optional<std::uint16_t> icmp_id, icmp_sequence; // of echo requests and replies
    std::optional<std::uint16_t> arp_operation;

    /// TCP. `window` is not scaled.
    std::optional<std::uint8_t> tcp_flags;
    std::uint32_t sequence = 0, acknowledgment = 0;
    std::uint16_t window = 0;

    /// The size of the transport payload on the wire, from the IP header.
    std::optional<std::uint32_t> payload_size;
    std::uint32_t icmp_size = 0; // the same, with the ICMP header
    /// The size of all headers found, at most that of the packet: payload follows.
    std::size_t header_size = 0;

    bool is_ip() const noexcept { return !source.empty() && protocol.has_value(); }
};

/// Never reads outside `packet`; at most limits::packet_headers headers. `original_size`: on the
/// wire, if that is more than captured; counts where the IP header has no length, because the
/// adapter segments the packet.
Dissection dissect(Bytes packet, LinkType link, std::size_t original_size = 0) noexcept;

/// Of a packet's data; of one whose beginning is missing, nothing: its bytes can be of any part.
inline Dissection dissect(const Packet& packet) noexcept {
    return packet.has_beginning ? dissect(packet.data, packet.link, packet.original_size)
                                : Dissection{};
}

/// Appends `192.0.2.1`, or the canonical form of RFC 5952; nothing for other sizes.
void append_address(std::string& to, Bytes address);

/// Appends `00:15:5d:01:02:03`.
void append_mac(std::string& to, Bytes address);

/// Appends `S`, `P.`, ...: F, S, R, P, and `.` for ACK, as tcpdump prints them.
void append_tcp_flags(std::string& to, std::uint8_t flags);

/// Appends a line like those of tcpdump, without time and line end:
/// `192.0.2.1.443 > 198.51.100.7.51000: TCP P., seq 1, ack 2, win 64240, length 12`.
void append_packet_text(std::string& to, const Packet& packet, const Dissection& headers);

} // namespace etl::packets

// Headers as text, in the notation of tcpdump.
#include "base/text.hpp"

#include "packets/dissect.hpp"
#include "packets/flows.hpp"

#include <array>
#include <utility>

namespace etl::packets {

namespace {

constexpr std::array<std::pair<std::uint8_t, std::string_view>, 12> protocol_names{{{1, "ICMP"},
                                                                                    {2, "IGMP"},
                                                                                    {4, "IPIP"},
                                                                                    {6, "TCP"},
                                                                                    {17, "UDP"},
                                                                                    {41, "IPv6"},
                                                                                    {47, "GRE"},
                                                                                    {50, "ESP"},
                                                                                    {51, "AH"},
                                                                                    {58, "ICMPv6"},
                                                                                    {115, "L2TP"},
                                                                                    {132, "SCTP"}}};

void append_endpoint(std::string& to, Bytes address, const std::optional<std::uint16_t>& port) {
    append_address(to, address);
    if (port) {
        to += '.';
        append_decimal(to, *port);
    }
}

std::string_view icmp_name(std::uint8_t protocol, std::uint8_t type) {
    using Name = std::pair<std::uint8_t, std::string_view>;
    static constexpr std::array<Name, 6> v4{{{0, "echo reply"},
                                             {3, "unreachable"},
                                             {5, "redirect"},
                                             {8, "echo request"},
                                             {11, "time exceeded"},
                                             {12, "parameter problem"}}};
    static constexpr std::array<Name, 10> v6{{{1, "unreachable"},
                                              {2, "packet too big"},
                                              {3, "time exceeded"},
                                              {4, "parameter problem"},
                                              {128, "echo request"},
                                              {129, "echo reply"},
                                              {133, "router solicitation"},
                                              {134, "router advertisement"},
                                              {135, "neighbor solicitation"},
                                              {136, "neighbor advertisement"}}};
    const std::span<const Name> names =
        protocol == ip_protocol::icmp ? std::span<const Name>(v4) : std::span<const Name>(v6);
    for (const auto& [number, text] : names) {
        if (number == type) {
            return text;
        }
    }
    return {};
}

void append_tcp(std::string& to, const Dissection& headers) {
    to += ' ';
    append_tcp_flags(to, *headers.tcp_flags);
    to += ", seq ";
    append_decimal(to, headers.sequence);
    if ((*headers.tcp_flags & tcp_flag::ack) != 0) {
        to += ", ack ";
        append_decimal(to, headers.acknowledgment);
    }
    to += ", win ";
    append_decimal(to, headers.window);
}

void append_ip(std::string& to, const Dissection& headers) {
    append_endpoint(to, headers.source, headers.source_port);
    to += " > ";
    append_endpoint(to, headers.destination, headers.destination_port);
    to += ": ";
    to += protocol_name(*headers.protocol);
    if (headers.tcp_flags) {
        append_tcp(to, headers);
    }
    if (headers.icmp_type) {
        const std::string_view name = icmp_name(*headers.protocol, *headers.icmp_type);
        to += ' ';
        to += name.empty() ? "type " + std::to_string(*headers.icmp_type) : std::string(name);
        if (headers.icmp_code.value_or(0) != 0) {
            to += " code ";
            append_decimal(to, *headers.icmp_code);
        }
        if (headers.icmp_id) {
            to += ", id ";
            append_decimal(to, *headers.icmp_id);
            to += ", seq ";
            append_decimal(to, *headers.icmp_sequence);
        }
    }
    if (headers.is_fragment) {
        to += headers.is_later_fragment ? " later fragment" : " first fragment";
    }
    if (headers.payload_size) {
        to += ", length ";
        append_decimal(to, headers.icmp_type ? headers.icmp_size : *headers.payload_size);
    }
}

void append_arp(std::string& to, const Dissection& headers) {
    constexpr std::uint16_t request = 1, reply = 2;
    to += "ARP ";
    if (headers.arp_operation == request) {
        to += "who-has ";
        append_address(to, headers.destination);
        to += " tell ";
        append_address(to, headers.source);
    } else if (headers.arp_operation == reply) {
        append_address(to, headers.source);
        to += " is-at ";
        append_mac(to, headers.source_mac);
    } else {
        to += "operation ";
        append_decimal(to, *headers.arp_operation);
    }
}

} // namespace

std::string protocol_name(std::uint8_t protocol) {
    for (const auto& [number, text] : protocol_names) {
        if (number == protocol) {
            return std::string(text);
        }
    }
    return std::to_string(protocol);
}

void append_tcp_flags(std::string& to, std::uint8_t flags) {
    using Flag = std::pair<std::uint8_t, char>;
    constexpr std::array<Flag, 6> letters{{{tcp_flag::fin, 'F'},
                                           {tcp_flag::syn, 'S'},
                                           {tcp_flag::rst, 'R'},
                                           {tcp_flag::psh, 'P'},
                                           {tcp_flag::urg, 'U'},
                                           {tcp_flag::ack, '.'}}};
    const std::size_t before = to.size();
    for (const auto& [flag, letter] : letters) {
        if ((flags & flag) != 0) {
            to += letter;
        }
    }
    to += to.size() == before ? "none" : "";
}

void append_packet_text(std::string& to, const Packet& packet, const Dissection& headers) {
    if (headers.arp_operation) {
        append_arp(to, headers);
        return;
    }
    if (headers.is_ip()) {
        append_ip(to, headers);
        return;
    }
    if (!headers.source_mac.empty()) {
        append_mac(to, headers.source_mac);
        to += " > ";
        append_mac(to, headers.destination_mac);
        to += ": ";
    }
    if (headers.ether_type) {
        to += "ethertype ";
        append_hex(to, *headers.ether_type);
    } else {
        to += headers.is_802_3                ? "802.3"
              : packet.link == LinkType::wifi ? "802.11 frame"
              : packet.data.empty()           ? "no data"
                                              : "truncated or unknown";
    }
    to += ", length ";
    append_decimal(to, packet.original_size);
}

} // namespace etl::packets

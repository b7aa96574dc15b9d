#include "anonymize/packets/frame.hpp"

namespace etl::anonymize {

namespace {

// A tunnel in a tunnel, in an error message of ICMP.
constexpr unsigned deepest = 3;

void scrub_arp(MutableBytes bytes, Scrubbing& scrubbing) {
    constexpr std::size_t head = 8, of_ethernet_and_ipv4 = 28;
    constexpr std::uint16_t sizes = 0x0604;
    const bool is_known = load_be16(bytes, 2) == ether_type::ipv4 && load_be16(bytes, 4) == sizes;
    if (!is_known) {
        scrubbing.wipe(bytes, head);
        return;
    }
    for (const std::size_t at : {head, head + 10}) { // of the sender, of the target
        scrubbing.mac(bytes, at);
        scrubbing.ipv4(bytes, at + 6);
    }
    scrubbing.wipe(bytes, of_ethernet_and_ipv4);
}

/// Which part of an IPv6 packet follows its headers, and how it was cut.
struct Extensions {
    std::size_t size = 0;
    std::uint8_t protocol = 0; // behind them
    bool is_piece = false, is_later_piece = false, is_cut = false;
};

/// Options and routes become padding.
Extensions scrub_extensions(MutableBytes bytes, std::uint8_t next, Scrubbing& scrubbing) {
    constexpr std::uint8_t hop_by_hop = 0, routing = 43, fragment = 44, destination = 60;
    constexpr unsigned max = 8;
    Extensions found{.protocol = next};
    for (unsigned i = 0; i < max; ++i) {
        const bool has_options = found.protocol == hop_by_hop || found.protocol == destination;
        if (!has_options && found.protocol != routing && found.protocol != fragment) {
            return found;
        }
        const MutableBytes rest = part_of(bytes, found.size);
        const bool is_fragment = found.protocol == fragment;
        const std::size_t size = is_fragment ? 8 : (std::size_t{octet(rest, 1)} + 1) * 8;
        if (rest.size() < size) {
            scrubbing.wipe(rest);
            found.is_cut = true;
            return found;
        }
        if (is_fragment) {
            const std::uint16_t place = load_be16(rest, 2);
            found.is_later_piece = found.is_later_piece || place >> 3U != 0;
            found.is_piece = found.is_piece || (place & 1U) != 0 || found.is_later_piece;
        } else {
            scrubbing.wipe(part_of(rest, has_options ? 2 : 4, size - (has_options ? 2 : 4)));
        }
        found.protocol = octet(rest, 0);
        found.size += size;
    }
    found.is_cut = true; // nobody sends so many
    return found;
}

} // namespace

void scrub_ipv4(MutableBytes bytes, unsigned depth, Scrubbing& scrubbing) {
    constexpr std::size_t min = 20, addresses = 12, checksum = 10;
    const std::size_t header = std::size_t{octet(bytes, 0)} % 16 * 4;
    if (octet(bytes, 0) >> 4U != 4 || header < min || depth > deepest) {
        scrubbing.wipe(bytes);
        return;
    }
    scrubbing.ipv4(bytes, addresses);
    scrubbing.ipv4(bytes, addresses + 4);
    scrubbing.wipe(part_of(bytes, min, header - min)); // options: zeros end them
    const bool had_checksum = load_be16(bytes, checksum) != 0;
    store_be16(bytes, checksum, 0);
    if (bytes.size() < header) {
        return;
    }
    if (had_checksum) {
        store_be16(bytes, checksum, checksum_of(sum16(bytes.first(header))));
    }
    const std::size_t total = load_be16(bytes, 2); // 0: to be segmented by the adapter
    const std::size_t length = total == 0 ? bytes.size() - header : total - std::min(total, header);
    const MutableBytes payload = part_of(bytes, header, length);
    scrubbing.wipe(bytes, header + length);
    const std::uint16_t place = load_be16(bytes, 6);
    constexpr std::uint16_t more = 0x2000, offset = 0x1FFF;
    if ((place & offset) != 0) {
        scrubbing.wipe(payload);
        return;
    }
    scrub_transport(payload,
                    {.protocol = octet(bytes, 9),
                     .is_piece = (place & more) != 0,
                     .addresses = sum16(part_of(bytes, addresses, 8)),
                     .length = static_cast<std::uint32_t>(length),
                     .depth = depth},
                    scrubbing);
}

void scrub_ipv6(MutableBytes bytes, unsigned depth, Scrubbing& scrubbing) {
    constexpr std::size_t header = 40, addresses = 8;
    if (octet(bytes, 0) >> 4U != 6 || depth > deepest) {
        scrubbing.wipe(bytes);
        return;
    }
    scrubbing.ipv6(bytes, addresses);
    scrubbing.ipv6(bytes, addresses + 16);
    const std::size_t total = load_be16(bytes, 4); // 0: larger, or to be segmented
    const std::size_t length = total == 0 ? bytes.size() - std::min(bytes.size(), header) : total;
    const MutableBytes body = part_of(bytes, header, length);
    scrubbing.wipe(bytes, header + length);
    const Extensions extensions = scrub_extensions(body, octet(bytes, 6), scrubbing);
    const MutableBytes payload = part_of(body, extensions.size);
    if (extensions.is_cut || extensions.is_later_piece) {
        scrubbing.wipe(payload);
        return;
    }
    scrub_transport(payload,
                    {.protocol = extensions.protocol,
                     .is_ipv6 = true,
                     .is_piece = extensions.is_piece,
                     .addresses = sum16(part_of(bytes, addresses, 32)),
                     .length = static_cast<std::uint32_t>(length - extensions.size),
                     .depth = depth},
                    scrubbing);
}

void scrub_network(MutableBytes bytes, std::uint16_t type, Scrubbing& scrubbing) {
    switch (type) {
    case ether_type::ipv4:
        scrub_ipv4(bytes, 0, scrubbing);
        break;
    case ether_type::ipv6:
        scrub_ipv6(bytes, 0, scrubbing);
        break;
    case ether_type::arp:
        scrub_arp(bytes, scrubbing);
        break;
    default:
        scrubbing.wipe(bytes);
        break;
    }
}

namespace {

namespace protocol {
constexpr std::uint8_t icmp = 1, igmp = 2, ip_in_ip = 4, tcp = 6, udp = 17, ipv6_in_ip = 41,
                       esp = 50, icmpv6 = 58;
} // namespace protocol

enum class PseudoHeader : bool { absent, included };

/// Stores the checksum at `at`: right if the header is complete, since all that was not captured
/// counts as zeros.
void set_checksum(MutableBytes bytes, std::size_t at, const Carried& carried, PseudoHeader pseudo) {
    store_be16(bytes, at, 0);
    if (carried.is_piece) {
        return;
    }
    std::uint64_t sum = sum16(bytes);
    if (pseudo == PseudoHeader::included) {
        sum += std::uint64_t{carried.addresses} + carried.protocol + (carried.length >> 16U) +
               (carried.length & 0xFFFFU);
    }
    store_be16(bytes, at, checksum_of(sum));
}

/// Those that say how to talk stay: size of segments and windows, time stamps, blocks received.
void scrub_tcp_options(MutableBytes options, Scrubbing& scrubbing) {
    constexpr std::uint8_t end = 0, no_operation = 1, max_plain = 5, time_stamps = 8;
    std::size_t at = 0;
    while (at < options.size() && octet(options, at) != end) {
        const std::uint8_t kind = octet(options, at);
        const std::size_t size = kind == no_operation ? 1 : octet(options, at + 1);
        const bool is_plain = kind <= max_plain || kind == time_stamps;
        if (!is_plain || size == 0 || (size < 2 && kind != no_operation) ||
            size > options.size() - at) {
            break;
        }
        at += size;
    }
    scrubbing.wipe(options, at);
}

void scrub_tcp(MutableBytes bytes, const Carried& carried, Scrubbing& scrubbing) {
    constexpr std::size_t min = 20, checksum = 16;
    const std::size_t claimed = std::size_t{octet(bytes, 12)} / 16 * 4;
    const std::size_t header = std::max(min, claimed);
    scrub_tcp_options(part_of(bytes, min, header - min), scrubbing);
    scrubbing.wipe(bytes, header);
    set_checksum(bytes, checksum, carried, PseudoHeader::included);
}

void scrub_udp(MutableBytes bytes, const Carried& carried, Scrubbing& scrubbing) {
    constexpr std::size_t header = 8, checksum = 6;
    scrubbing.wipe(bytes, header);
    if (load_be16(bytes, checksum) != 0) { // 0: there is none
        set_checksum(bytes, checksum, carried, PseudoHeader::included);
        const bool reads_as_none = load_be16(bytes, checksum) == 0 && !carried.is_piece;
        store_be16(bytes, checksum, reads_as_none ? 0xFFFF : load_be16(bytes, checksum));
    }
}

void scrub_icmp(MutableBytes bytes, const Carried& carried, Scrubbing& scrubbing) {
    constexpr std::size_t header = 8, checksum = 2;
    constexpr std::uint8_t echo_reply = 0, unreachable = 3, quench = 4, redirect = 5, echo = 8,
                           time_exceeded = 11, parameter_problem = 12;
    const std::uint8_t type = octet(bytes, 0);
    const bool holds_packet = type == unreachable || type == quench || type == redirect ||
                              type == time_exceeded || type == parameter_problem;
    if (type == redirect) {
        scrubbing.ipv4(bytes, 4);
    } else if (!holds_packet && type != echo && type != echo_reply) {
        scrubbing.wipe(part_of(bytes, 4, 4));
    }
    if (holds_packet) {
        scrub_ipv4(part_of(bytes, header), carried.depth + 1, scrubbing);
    } else {
        scrubbing.wipe(bytes, header);
    }
    set_checksum(bytes, checksum, carried, PseudoHeader::absent);
}

/// Of neighbour discovery: type, size in units of 8, value.
void scrub_neighbour_options(MutableBytes options, Scrubbing& scrubbing) {
    constexpr std::uint8_t source_link = 1, target_link = 2, prefix = 3, mtu = 5;
    std::size_t at = 0;
    while (at < options.size()) {
        const std::size_t size = std::size_t{octet(options, at + 1)} * 8;
        if (size == 0) {
            break;
        }
        const MutableBytes option = part_of(options, at, size);
        switch (octet(option, 0)) {
        case source_link:
        case target_link:
            scrubbing.mac(option, 2);
            scrubbing.wipe(option, 8);
            break;
        case prefix:
            scrubbing.ipv6(option, 16);
            scrubbing.wipe(option, 32);
            break;
        case mtu:
            scrubbing.wipe(option, 8);
            break;
        default:
            scrubbing.wipe(option, 2);
            break;
        }
        at += size;
    }
    scrubbing.wipe(options, at);
}

void scrub_icmpv6(MutableBytes bytes, const Carried& carried, Scrubbing& scrubbing) {
    constexpr std::size_t header = 8, checksum = 2, address = 16;
    constexpr std::uint8_t last_error = 4, echo = 128, echo_reply = 129, query = 130, done = 132,
                           router_solicitation = 133, router_advertisement = 134,
                           solicitation = 135, advertisement = 136, redirect = 137;
    const std::uint8_t type = octet(bytes, 0);
    if (type >= 1 && type <= last_error) {
        scrub_ipv6(part_of(bytes, header), carried.depth + 1, scrubbing);
    } else if (type == echo || type == echo_reply) {
        scrubbing.wipe(bytes, header);
    } else if (type >= query && type <= done) {
        scrubbing.ipv6(bytes, header);
        scrubbing.wipe(bytes, header + address);
    } else if (type == router_solicitation) {
        scrub_neighbour_options(part_of(bytes, header), scrubbing);
    } else if (type == router_advertisement) {
        scrub_neighbour_options(part_of(bytes, 2 * header), scrubbing);
    } else if (type == solicitation || type == advertisement) {
        scrubbing.ipv6(bytes, header);
        scrub_neighbour_options(part_of(bytes, header + address), scrubbing);
    } else if (type == redirect) {
        scrubbing.ipv6(bytes, header);
        scrubbing.ipv6(bytes, header + address);
        scrub_neighbour_options(part_of(bytes, header + 2 * address), scrubbing);
    } else {
        scrubbing.wipe(bytes, 4);
    }
    set_checksum(bytes, checksum, carried, PseudoHeader::included);
}

void scrub_igmp(MutableBytes bytes, const Carried& carried, Scrubbing& scrubbing) {
    constexpr std::size_t group = 4, header = 8, checksum = 2;
    scrubbing.ipv4(bytes, group);
    scrubbing.wipe(bytes, header);
    set_checksum(bytes, checksum, carried, PseudoHeader::absent);
}

} // namespace

std::uint32_t sum16(Bytes bytes) noexcept {
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at < bytes.size(); at += 2) {
        sum += load_be16(bytes, at);
    }
    while (sum >> 32U != 0) {
        sum = (sum & 0xFFFFFFFFU) + (sum >> 32U);
    }
    return static_cast<std::uint32_t>(sum);
}

std::uint16_t checksum_of(std::uint64_t sum) noexcept {
    while (sum >> 16U != 0) {
        sum = (sum & 0xFFFFU) + (sum >> 16U);
    }
    return static_cast<std::uint16_t>(~sum);
}

void scrub_transport(MutableBytes bytes, const Carried& carried, Scrubbing& scrubbing) {
    constexpr std::size_t esp_header = 8;
    switch (carried.protocol) {
    case protocol::tcp:
        scrub_tcp(bytes, carried, scrubbing);
        break;
    case protocol::udp:
        scrub_udp(bytes, carried, scrubbing);
        break;
    case protocol::icmp:
        scrub_icmp(bytes, carried, scrubbing);
        break;
    case protocol::icmpv6:
        scrub_icmpv6(bytes, carried, scrubbing);
        break;
    case protocol::igmp:
        scrub_igmp(bytes, carried, scrubbing);
        break;
    case protocol::ip_in_ip:
        scrub_ipv4(bytes, carried.depth + 1, scrubbing);
        break;
    case protocol::ipv6_in_ip:
        scrub_ipv6(bytes, carried.depth + 1, scrubbing);
        break;
    case protocol::esp:
        scrubbing.wipe(bytes, esp_header);
        break;
    default:
        scrubbing.wipe(bytes);
        break;
    }
}

namespace {

constexpr std::size_t mac_bytes = 6, ethernet_header = 14;

/// The type of an Ethernet frame, and what follows it and the VLAN tags before it.
struct Typed {
    std::uint16_t type = 0;
    std::size_t at = 0;
};

Typed type_of_ethernet(Bytes frame) noexcept {
    constexpr unsigned max_tags = 4;
    Typed typed{load_be16(frame, ethernet_header - 2), ethernet_header};
    for (unsigned i = 0; i < max_tags; ++i) {
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

#include "anonymize/packets/transport.hpp"

#include "anonymize/packets/network.hpp"

namespace etl::anonymize {

namespace {

namespace protocol {
constexpr std::uint8_t icmp = 1, igmp = 2, ip_in_ip = 4, tcp = 6, udp = 17, ipv6_in_ip = 41,
                       esp = 50, icmpv6 = 58;
}

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
    constexpr std::uint8_t end = 0, no_operation = 1, longest_plain = 5, time_stamps = 8;
    std::size_t at = 0;
    while (at < options.size() && octet(options, at) != end) {
        const std::uint8_t kind = octet(options, at);
        const std::size_t size = kind == no_operation ? 1 : octet(options, at + 1);
        const bool is_plain = kind <= longest_plain || kind == time_stamps;
        if (!is_plain || size == 0 || (size < 2 && kind != no_operation) ||
            size > options.size() - at) {
            break;
        }
        at += size;
    }
    scrubbing.wipe(options, at);
}

void scrub_tcp(MutableBytes bytes, const Carried& carried, Scrubbing& scrubbing) {
    constexpr std::size_t least = 20, checksum = 16;
    const std::size_t claimed = std::size_t{octet(bytes, 12)} / 16 * 4;
    const std::size_t header = std::max(least, claimed);
    scrub_tcp_options(part_of(bytes, least, header - least), scrubbing);
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

} // namespace etl::anonymize

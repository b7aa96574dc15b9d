#include "anonymize/packets/network.hpp"

#include "anonymize/packets/transport.hpp"

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
    constexpr unsigned most = 8;
    Extensions found{.protocol = next};
    for (unsigned i = 0; i < most; ++i) {
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
    constexpr std::size_t least = 20, addresses = 12, checksum = 10;
    const std::size_t header = std::size_t{octet(bytes, 0)} % 16 * 4;
    if (octet(bytes, 0) >> 4U != 4 || header < least || depth > deepest) {
        scrubbing.wipe(bytes);
        return;
    }
    scrubbing.ipv4(bytes, addresses);
    scrubbing.ipv4(bytes, addresses + 4);
    scrubbing.wipe(part_of(bytes, least, header - least)); // options: zeros end them
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

} // namespace etl::anonymize

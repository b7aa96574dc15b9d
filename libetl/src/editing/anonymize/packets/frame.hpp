// A captured packet as an adapter sees it. Private to anonymize. docs/anonymize.md#packets
#pragma once

#include "anonymize/anonymize.hpp"
#include "anonymize/texts/binary_values.hpp"

#include <algorithm>

namespace etl::anonymize {

// What all layers of a captured packet have in common: addresses become pseudonyms, what may be
// payload becomes zeros. docs/anonymize.md#packets

/// The bytes from `at` on, at most `size` of them: fewer, or none, where the packet ends before.
inline MutableBytes part_of(MutableBytes bytes, std::size_t at,
                            std::size_t size = SIZE_MAX) noexcept {
    const std::size_t begin = std::min(at, bytes.size());
    return bytes.subspan(begin, std::min(size, bytes.size() - begin));

} // namespace etl::anonymize

inline std::uint8_t octet(Bytes bytes, std::size_t at) noexcept {
    return at < bytes.size() ? std::to_integer<std::uint8_t>(bytes[at]) : std::uint8_t{0};
}

/// In network order; 0 where the packet ends before.
inline std::uint16_t load_be16(Bytes bytes, std::size_t at) noexcept {
    return static_cast<std::uint16_t>(octet(bytes, at) << 8U | octet(bytes, at + 1));
}

inline void store_be16(MutableBytes bytes, std::size_t at, std::uint16_t value) noexcept {
    if (has_range(bytes, at, 2)) {
        bytes[at] = static_cast<std::byte>(value >> 8U);
        bytes[at + 1] = static_cast<std::byte>(value & 0xFFU);
    }
}

/// Changes one packet in place. One thread.
class Scrubbing {
public:
    explicit Scrubbing(const Pseudonyms& pseudonyms) : pseudonyms_(&pseudonyms) {}

    void wipe(MutableBytes bytes) {
        const bool is_clean =
            std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
        std::ranges::fill(bytes, std::byte{0});
        changed_ |= is_clean ? KindSet{0} : only(Kind::redacted);
    }

    void wipe(MutableBytes bytes, std::size_t from) { wipe(part_of(bytes, from)); }

    /// An address of which a part is missing is wiped. The group address that an IPv6 host listens
    /// to for its neighbours holds the end of its own.
    void mac(MutableBytes bytes, std::size_t at) {
        const MutableBytes address = part_of(bytes, at, 6);
        if (load_be16(address, 0) == 0x3333 && octet(address, 2) == 0xFF) {
            wipe(address, 3);
        }
        replace(address, 6, Role::mac);
    }

    void ipv4(MutableBytes bytes, std::size_t at) { replace(part_of(bytes, at, 4), 4, Role::ipv4); }

    void ipv6(MutableBytes bytes, std::size_t at) {
        const MutableBytes address = part_of(bytes, at, 16);
        if (is_solicited_node(address)) {
            wipe(address, 13);
        }
        replace(address, 16, Role::ipv6);
    }

    KindSet changed() const noexcept { return changed_; }

private:
    static bool is_solicited_node(Bytes address) noexcept {
        constexpr std::uint8_t prefix[] = {0xFF, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xFF};
        return address.size() == 16 &&
               std::ranges::equal(address.first(13), prefix, {},
                                  [](std::byte b) { return std::to_integer<std::uint8_t>(b); });
    }

    void replace(MutableBytes address, std::size_t size, Role role) {
        if (address.size() == size) {
            changed_ |= rewrite_binary(address, role, *pseudonyms_);
        } else {
            wipe(address);
        }
    }

    const Pseudonyms* pseudonyms_;
    KindSet changed_ = 0;
};

} // namespace etl::anonymize

namespace etl::anonymize {

// IPv4, IPv6 and ARP. docs/anonymize.md#packets

/// A packet from its IP header on; what is none is wiped, and so is one in more than a few others
/// (`depth`). Bytes behind the length that the header says are wiped, too.
void scrub_ipv4(MutableBytes bytes, unsigned depth, Scrubbing& scrubbing);
void scrub_ipv6(MutableBytes bytes, unsigned depth, Scrubbing& scrubbing);

/// What `type` (EtherType) says that it is; unknown ones are wiped.
void scrub_network(MutableBytes bytes, std::uint16_t type, Scrubbing& scrubbing);

namespace ether_type {
inline constexpr std::uint16_t ipv4 = 0x0800, arp = 0x0806, vlan = 0x8100, ipv6 = 0x86DD,
                               service_vlan = 0x88A8, old_service_vlan = 0x9100;
} // namespace ether_type

// What an IP packet carries: TCP, UDP, ICMP, IGMP. docs/anonymize.md#packets

/// What the IP header says of its payload.
struct Carried {
    std::uint8_t protocol = 0;
    bool is_ipv6 = false;
    bool is_piece = false;       // the first of several: no checksum can be right
    std::uint32_t addresses = 0; // their sum, by 16 bits
    std::uint32_t length = 0;    // as sent, whether or not all of it was captured
    unsigned depth = 0;          // IP packets that this one is in
};

/// The sum of 16-bit numbers in network order, as checksums add them.
std::uint32_t sum16(Bytes bytes) noexcept;

/// The checksum that belongs to a sum.
std::uint16_t checksum_of(std::uint64_t sum) noexcept;

/// Keeps the header, without what options may hold, and wipes what follows; all of a protocol that
/// is not known. Checksums are set right for a payload of zeros, or are 0 in a piece of a packet.
void scrub_transport(MutableBytes bytes, const Carried& carried, Scrubbing& scrubbing);

/// In place, of any size, cut or not: MAC and IP addresses become pseudonyms, headers stay, all
/// that may be payload or that is not known becomes zeros. Returns the kinds of what changed.
KindSet scrub_frame(MutableBytes frame, Link link, const Pseudonyms& pseudonyms);

} // namespace etl::anonymize

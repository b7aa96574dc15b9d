// What an IP packet carries: TCP, UDP, ICMP, IGMP. Private to anonymize. docs/anonymize.md#packets
#pragma once

#include "anonymize/packets/scrubbing.hpp"

namespace etl::anonymize {

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

} // namespace etl::anonymize

// IPv4, IPv6 and ARP. Private to anonymize. docs/anonymize.md#packets
#pragma once

#include "anonymize/packets/scrubbing.hpp"

namespace etl::anonymize {

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

} // namespace etl::anonymize

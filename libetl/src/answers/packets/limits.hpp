// Limits of the room packets, each with its reason. See base/limits.hpp.
#pragma once

#include <cstddef>

namespace etl::packets::limits {

/// Packets that are recorded in fragments and are open at the same time: one for each processor,
/// interface, and direction is normal.
inline constexpr std::size_t open_packets = 4096;

/// Bytes of all open packets.
inline constexpr std::size_t open_packet_bytes = 16U << 20U;

/// Bytes of a packet put together from fragments. Offloaded segmentation makes packets of up to
/// 256 KB; readers of capture files refuse larger ones (pcapng::max_packet).
inline constexpr std::size_t packet_bytes = 256U << 10U;

/// Records of a rundown, and their bytes: some 40 for each component of the network stack, of
/// which a machine has up to a few hundred.
inline constexpr std::size_t rundown_records = 1U << 17U;
inline constexpr std::size_t rundown_bytes = 32U << 20U;

/// Addresses of one component.
inline constexpr std::size_t component_addresses = 256;

/// Capture filters, or rules, of a trace.
inline constexpr std::size_t capture_filters = 256;

/// Interfaces of a capture file.
inline constexpr std::size_t capture_interfaces = 1U << 16U;

/// Distinct users of remote access in a trace, each an interface.
inline constexpr std::size_t remote_users = 4096;

/// Names of addresses: a busy machine resolves some thousand a day.
inline constexpr std::size_t resolved_names = 1U << 16U;

/// Flows of a table; packets of further ones are counted together.
inline constexpr std::size_t flows = 1U << 20U;

/// Headers of one packet: VLAN tags, IPv6 extension headers, tunnels.
inline constexpr unsigned packet_headers = 16;

} // namespace etl::packets::limits

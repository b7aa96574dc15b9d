// How a place of capture is named and described. Private to packets.
#pragma once

#include "packets/extractor.hpp"

#include <string>

namespace etl::packets {

/// `pktmon:13 nic.sys edge 1`, `ndis:7`, `switch:15 port 3 vlan 20`, `ras:USER`.
std::string name_of(const Place& place, const Extractor& extractor);

/// All that the capture recorded about the place, except the name and the system.
pcapng::Interface interface_at(const Packet& packet, const Extractor& extractor);

/// Null: not a component of PktMon, or unknown.
const Component* component_at(const Place& place, const Extractor& extractor) noexcept;

} // namespace etl::packets

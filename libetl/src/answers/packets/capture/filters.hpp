// What a capture was restricted to, as text. Private to packets.
#pragma once

#include <etl/bytes.hpp>

#include <string>
#include <vector>

namespace etl::packets {

/// A capture filter of PktMon (100), if it is new and well-formed.
void add_pktmon_filter(std::vector<std::string>& to, Bytes payload);

/// Capture rules of NDIS-PacketCapture (1016, and 1011 after their number), those that are new and
/// well-formed.
void add_ndis_rules(std::vector<std::string>& to, Bytes rules);

} // namespace etl::packets

// What traces contain about packets, collected in a pass over all buffers before the packets are
// read: the rundowns, names of addresses, and counts that explain why there are no packets.
// docs/packets.md#none
#pragma once

#include "flow/source.hpp"
#include "packets/packet.hpp"
#include "packets/rundown.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace etl::packets {

class NameTable {
public:
    /// Adds the addresses in the results of a query. At most limits::resolved_names.
    void add(const flow::Event& event);
    void combine(NameTable&& other);

    /// All names, by address and name.
    std::vector<pcapng::ResolvedName> names() const;

private:
    std::set<std::pair<std::vector<std::byte>, std::string>> names_;
};

/// Of one trace. Parts, one per thread, are combined.
struct Survey {
    std::uint64_t events = 0;
    std::uint64_t packets = 0, drops = 0; // events that contain packets; drops are among them
    std::uint64_t unknown_layouts = 0;    // events that has_unknown_layout() holds for
    std::uint64_t pktmon_rundown = 0;     // events of PktMon without packets
    std::uint64_t ndis_capture = 0;       // events of NDIS-PacketCapture without packets
    std::uint64_t network = 0;            // events of the network stack: TCPIP, Winsock, ...
    Rundown rundown;
    NameTable names;

    /// Adds the events of a buffer, in any order of buffers.
    void add(flow::Run events);
    void combine(Survey&& other);

    /// The packets that components counted, logged or not. Call Rundown::finish() first.
    std::uint64_t counted_packets() const;
};

/// Why a trace has no packets. The first that holds.
enum class NoPackets : std::uint8_t {
    unknown_layout, // there are some, but their layout is not known
    counted_only,   // PktMon counted packets, but did not log them, or they were overwritten
    nothing_seen,   // PktMon ran; nothing passed its filters
    capture_idle,   // NDIS-PacketCapture ran and saw no packet
    not_captured,   // network events without a capture
    not_a_network_trace,
};

NoPackets why_no_packets(const Survey& survey);

} // namespace etl::packets

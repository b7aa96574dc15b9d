// Flows: sums over the packets of each conversation (5-tuple). Not thread-safe.
// docs/packets.md#flows
#pragma once

#include "packets/dissect.hpp"
#include "packets/packet.hpp"

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace etl::packets {

/// One end of a conversation. An IPv4 address is in the first four bytes.
struct Endpoint {
    std::array<std::byte, 16> address{};
    std::uint16_t port = 0;

    constexpr auto operator<=>(const Endpoint&) const = default;
};

struct FlowKey {
    Endpoint low, high; // in this order
    std::uint8_t address_size = 4;
    std::uint8_t protocol = 0;
    std::uint32_t routing_domain = 0; // Packet::routing_domain

    constexpr auto operator<=>(const FlowKey&) const = default;
};

/// Packets and bytes on the wire, with headers, in one direction.
struct FlowDirection {
    std::uint64_t packets = 0, bytes = 0, retransmissions = 0, resets = 0;
};

struct Flow {
    Endpoint source, destination; // of the first packet
    std::uint8_t address_size = 4;
    std::uint8_t protocol = 0;
    std::uint32_t routing_domain = 0; // Packet::routing_domain
    FlowDirection forward, backward;
    std::uint64_t drops = 0; // dropped packets, at all places
    Filetime first, last;

    std::string source_text() const;
    std::string destination_text() const;
};

class FlowTable {
public:
    /// Packets without an IP header are counted as other().
    void add(const Packet& packet);

    /// Returns all flows, those with most bytes first. A capture that sees a packet at several
    /// places counts it once: of each flow, the place with most packets counts.
    std::vector<Flow> take();

    /// What the flows were made of.
    struct Counts {
        std::uint64_t packets = 0;           // all, with those below
        std::uint64_t without_ip = 0;        // in no flow
        std::uint64_t beyond_limit = 0;      // of flows beyond limits::flows, in none
        std::uint64_t at_other_places = 0;   // of a flow whose packets are counted at another place
        std::uint64_t later_fragments = 0;   // of IP packets: in flows without ports
        std::uint64_t truncated = 0;         // TCP and UDP whose ports were not captured: the same
        std::optional<Filetime> first, last; // times of all packets
    };

    /// `at_other_places` is known after take().
    const Counts& counts() const noexcept { return counts_; }

    std::uint64_t other() const noexcept { return counts_.without_ip; }

    std::uint64_t beyond_limit() const noexcept { return counts_.beyond_limit; }

private:
    struct TcpState {
        bool is_known = false;
        std::uint32_t next = 0; // the sequence number after the last byte seen
    };

    /// A flow at one place.
    struct Seen {
        FlowDirection from_low, from_high;
        TcpState tcp_from_low, tcp_from_high;
    };

    struct State {
        bool low_is_first = true; // the source of the first packet
        std::uint64_t drops = 0;
        Filetime first, last;
        std::vector<std::pair<Place, Seen>> places;
    };

    struct KeyHash {
        std::size_t operator()(const FlowKey& key) const noexcept;
    };

    Seen* seen_at(State& state, const Place& place);
    static void add_segment(const Dissection& headers, TcpState& tcp, FlowDirection& to);

    std::unordered_map<FlowKey, State, KeyHash> flows_;
    std::size_t entries_ = 0; // of all flows, at all places
    Counts counts_;
};

/// "TCP", "UDP", "ICMP", ...; a number for others.
std::string protocol_name(std::uint8_t protocol);

} // namespace etl::packets

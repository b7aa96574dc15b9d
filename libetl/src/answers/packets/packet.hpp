// A captured packet: its bytes, and what the capture recorded about it. docs/packets.md
#pragma once

#include "flow/event.hpp"
#include "pcapng/blocks.hpp"

#include <compare>
#include <cstdint>
#include <optional>

namespace etl::packets {

using pcapng::LinkType;

/// Where a packet was captured. A value, the key of an interface.
struct Place {
    enum class Kind : std::uint8_t {
        pktmon,         // id: component; port: edge, 0 in drops
        ndis,           // id: interface index
        virtual_switch, // id: interface index; port: source port; vlan
        remote_access,  // id: number of the user in Extractor::users()
    };

    Kind kind = Kind::pktmon;
    std::uint32_t trace = 0; // flow::TraceInfo::file
    std::uint32_t id = 0;
    std::uint32_t port = 0;
    std::uint16_t vlan = 0;

    constexpr auto operator<=>(const Place&) const = default;
};

enum class Direction : std::uint8_t { unknown, received, sent };

/// A dropped packet: codes of PktMon. DropNames has their names.
struct Drop {
    std::uint32_t reason = 0, location = 0;
};

/// DOT11_EXTSTA_RECV_CONTEXT: how an adapter received an 802.11 frame.
struct WifiReception {
    std::uint32_t phy = 0;          // PHY type, 7: 802.11n
    std::uint32_t frequency = 0;    // MHz
    std::int32_t rssi = 0;          // dBm
    std::uint32_t rate_500kbps = 0; // in units of 0.5 Mb/s
};

struct Packet {
    /// The event that completed the packet; null if its fragments are not complete.
    const flow::Event* event = nullptr;
    const flow::TraceInfo* trace = nullptr;
    Filetime time;                                                   // of the last fragment
    std::uint32_t process_id = flow::no_id, thread_id = flow::no_id; // that logged the event
    Place place;
    LinkType link = LinkType::ethernet;
    Direction direction = Direction::unknown;
    bool is_incomplete = false; // fragments are missing
    bool is_joined = false;    // from the fragments of several events, or of one without the others
    bool has_beginning = true; // false: the first fragment is missing
    Bytes data;
    std::uint32_t original_size = 0; // on the wire, never less than the size of `data`
    std::optional<Drop> drop;
    /// Identifies the packet at all places where it was seen; none: not recorded.
    std::optional<std::uint64_t> id;
    std::uint32_t miniport = 0; // interface index of the adapter; 0: unknown
    /// 1 + index in Extractor::routing_domains(); 0: the capture records none, or the
    /// nil GUID. Addresses of different domains are unrelated.
    std::uint32_t routing_domain = 0;
    std::optional<std::uint32_t> rss_hash; // Toeplitz hash
    /// The metadata of a virtual switch request segmentation by the adapter (LSO).
    bool has_large_send = false;
    std::optional<WifiReception> wifi;
};

/// Kinds of events of the providers that capture packets.
enum class EventKind : std::uint8_t {
    none,
    pktmon_packet,  // PktMon 160
    pktmon_drop,    // PktMon 170
    pktmon_rundown, // PktMon 20 to 100: components, counters, and filters
    ndis_packet,    // NDIS-PacketCapture 1001: a packet or a fragment
    ndis_wifi,      // 1002: the reception of the next 802.11 packet
    ndis_switch,    // 1003: a packet at a virtual switch
    ndis_source,    // 5101: the name of an interface
    ndis_rule,      // 1011, 1016: what was captured, and of how many bytes
    ndis_layer,     // 1014, 1015: the adapter of an interface
    ndis_other,     // other events of the provider: the capture was running
    ras_packet,     // Ras-NdisWanPacketCapture 5001, 5002
    dns_answer,     // DNS-Client 3008, 3018, 3020: the results of a query
};

/// By the provider, ID, and version in the header. Cheap for other events.
EventKind kind_of(const flow::Event& event) noexcept;

/// Whether events of the kind contain packets or describe those that follow.
constexpr bool has_packet(EventKind kind) noexcept {
    return kind == EventKind::pktmon_packet || kind == EventKind::pktmon_drop ||
           kind == EventKind::ndis_packet || kind == EventKind::ndis_wifi ||
           kind == EventKind::ndis_switch || kind == EventKind::ras_packet;
}

/// Whether the event contains a packet in a version of its layout that is not known, so that
/// kind_of() returns none. No such version is known to exist.
bool has_unknown_layout(const flow::Event& event) noexcept;

/// Whether an Extractor takes the event: has_packet() of its kind, or has_unknown_layout().
bool is_for_extractor(const flow::Event& event) noexcept;

/// Whether events of the kind describe the capture (Rundown).
constexpr bool is_rundown(EventKind kind) noexcept {
    return kind == EventKind::pktmon_rundown || kind == EventKind::ndis_source ||
           kind == EventKind::ndis_rule || kind == EventKind::ndis_layer;
}

/// The size on the wire as the IP header specifies it, at least that of `packet`.
std::uint32_t original_size_of(Bytes packet, LinkType link) noexcept;

/// Whether the adapter is to segment a TCP or UDP packet: its IP header has no length, although
/// there is a payload.
bool lacks_ip_length(Bytes packet, LinkType link) noexcept;

/// The offset of the LLC header of an 802.11 data frame; none: another frame, or truncated.
std::optional<std::size_t> wifi_body(Bytes frame) noexcept;

/// Whether a frame is an 802.11 data frame with a SNAP header, so its body is not encrypted.
bool is_clear_wifi(Bytes frame) noexcept;

} // namespace etl::packets

// Capture files in the format pcapng: blocks are appended to a string. Free of ETW terms. Functions
// are pure; thread-safe for distinct strings. Format: draft-ietf-opsawg-pcapng, as implemented by
// Wireshark. docs/packets.md#pcapng
//
//     std::string file;
//     pcapng::append_section(file, {.application = "example"});
//     pcapng::append_interface(file, {.name = "eth0", .link = pcapng::LinkType::ethernet});
//     pcapng::append_packet(file, {.interface = 0, .time = time, .data = bytes});
#pragma once

#include <etl/bytes.hpp>
#include <etl/time.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::pcapng {

/// LINKTYPE_* values (tcpdump.org): what the data of a packet begin with.
enum class LinkType : std::uint16_t {
    none = 0xFFFF, // cannot be written
    ethernet = 1,
    ip = 101,   // IPv4 or IPv6, by the version in the first byte
    wifi = 105, // 802.11, without the frame check sequence
    etw = 290,
};

/// Returns "Ethernet", "802.11", "IP", ...
std::string_view name(LinkType link) noexcept;

using Ipv4 = std::array<std::byte, 4>;
using Ipv6 = std::array<std::byte, 16>;
using Mac = std::array<std::byte, 6>;

/// Whether a file begins as pcapng, or as pcap in either byte order.
bool looks_like_capture_file(Bytes head) noexcept;

/// The longest text of an option in bytes; longer ones are truncated at a character.
inline constexpr std::size_t max_text = 65'535;

/// The largest packet that Wireshark reads (WTAP_MAX_PACKET_SIZE_STANDARD).
inline constexpr std::size_t max_packet = 262'144;

/// A section header block, the first block of a file. Empty texts are omitted, here and below.
struct Section {
    std::string_view hardware{}, os{}, application{};
    std::vector<std::string> comments{};
};

/// An interface description block. Interfaces are numbered from 0 in the order of their blocks;
/// each precedes its packets. Timestamps are in nanoseconds.
struct Interface {
    std::string name{}, description{}, os{}, hardware{}, filter{};
    LinkType link = LinkType::ethernet;
    std::vector<Ipv4> ipv4{}; // without a mask: the mask is all ones
    std::vector<Ipv6> ipv6{}; // the same: prefixes of 128 bits
    std::optional<Mac> mac{};
    std::optional<std::uint64_t> speed{}; // bits per second
};

/// Bits of Packet::flags (epb_flags).
namespace flag {
inline constexpr std::uint32_t inbound = 1, outbound = 2;
inline constexpr std::uint32_t unicast = 1U << 2U, multicast = 2U << 2U, broadcast = 3U << 2U;
inline constexpr std::uint32_t segmentation_offloaded = 1U << 11U; // to be done by the adapter
} // namespace flag

/// An enhanced packet block. Views; used during the call.
struct Packet {
    std::uint32_t interface = 0;
    Filetime time{};                 // before 1970: written as 1970
    Bytes data{};                    // at most max_packet
    std::uint32_t original_size = 0; // on the wire; written as at least the size of `data`
    std::uint32_t flags = 0;         // 0: omitted
    std::span<const std::string> comments{};
    std::optional<std::uint64_t> packet_id{};
    std::optional<std::array<std::byte, 4>> toeplitz_hash{}; // in network order
    bool is_dropped = false; // verdict XDP_DROP, which all converters of such traces write
};

/// An interface statistics block.
struct Statistics {
    std::uint32_t interface = 0;
    Filetime time{};
    std::optional<Filetime> start{}, end{};
    std::optional<std::uint64_t> received{};      // by the interface
    std::optional<std::uint64_t> dropped_by_os{}; // isb_osdrop
    std::span<const std::string> comments{};
};

/// A record of a name resolution block.
struct ResolvedName {
    std::vector<std::byte> address; // 4 or 16 bytes; others are omitted
    std::string name;               // UTF-8, without NUL
};

void append_section(std::string& to, const Section& section);
void append_interface(std::string& to, const Interface& interface);
void append_packet(std::string& to, const Packet& packet);
void append_statistics(std::string& to, const Statistics& statistics);

/// Nothing if there are no names.
void append_names(std::string& to, std::span<const ResolvedName> names);

/// A systemd journal export block. `entry`: lines `KEY=value\n`, with `__REALTIME_TIMESTAMP=`.
void append_journal(std::string& to, std::string_view entry);

} // namespace etl::pcapng

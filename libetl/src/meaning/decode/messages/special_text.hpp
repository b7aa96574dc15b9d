// Texts that JSON and display share: addresses, SIDs, dates, maps. Private to decode.
#pragma once

#include <etl/bytes.hpp>

#include "schema/event_schema.hpp"

#include <span>
#include <string>

namespace etl::decode {

/// A boolean of any width: any non-zero is true.
bool any_byte_set(Bytes bytes) noexcept;

/// `a.b.c.d` of four bytes in memory order.
void append_ipv4(std::string& to, std::span<const std::byte, 4> address);

/// RFC 5952: lower case, the longest run of zeros compressed, IPv4-mapped addresses with a dotted
/// tail.
void append_ipv6(std::string& to, std::span<const std::byte, 16> address);

/// A physical address in a field that zeros fill up: without them, but at least six bytes, and if
/// those do not suffice at least eight.
Bytes without_padding(Bytes address) noexcept;

/// `00-1A-2B-3C-4D-5E`, of 1 to 32 bytes. False: another size, nothing appended.
bool append_mac(std::string& to, Bytes address);

/// What becomes of port 0: JSON shows it, so that the text has one form; Windows leaves it out.
enum class ZeroPort : bool { shown, left_out };

inline constexpr std::size_t ipv4_size = 4, ipv6_size = 16;

/// An IPv4 or IPv6 address, complete.
bool is_socket_address(Bytes address) noexcept;

/// `a.b.c.d:port`, `[v6%scope]:port`; scope 0 is left out. False: another family, nothing appended.
bool append_socket_address(std::string& to, Bytes address, ZeroPort zero_port);

/// `S-1-5-18`; an authority of 2^32 or more in hex. False: not a SID, nothing appended.
bool append_sid(std::string& to, Bytes sid);

/// The fields of a SYSTEMTIME as they are, in the form of RFC 3339 up to the seconds; nothing is
/// put right. Milliseconds as `digits` (7 or 9) fractional digits.
void append_systemtime(std::string& to, std::span<const std::byte, 16> time, unsigned digits);

/// What became of a number under a map.
enum class Mapped : bool { no, yes };

/// `0x10EC`; the prefix stays lower case.
void append_upper_hex(std::string& to, std::uint64_t value);

enum class HexCase : bool { lower, upper };

/// Appends the map's text: of a value map the entry equal to `value`; of a bit map the names of all
/// set bits joined by `joint`, what is left over as hex. No: the map has nothing to say, nothing
/// appended.
Mapped append_mapped(std::string& to, const schema::ValueMap& map, std::uint64_t value,
                     std::string_view joint, HexCase hex_case);

} // namespace etl::decode

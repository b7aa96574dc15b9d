// Values with a notation of their own back to bytes. Each function wants room for its largest
// result and returns the place behind it, or null: the text is something else. Pure; any thread.
// Private to encode.
#pragma once

#include <etl/bytes.hpp>

#include "base/address_text.hpp"

#include <cstdint>
#include <string_view>

namespace etl::encode {

/// Room that each of these may use.
inline constexpr std::size_t max_special = 1100;

/// `10.0.0.1:443`, `[fe80::1%7]:443`, and both without a port: a sockaddr_in of 16 or a
/// sockaddr_in6 of 28 bytes.
std::byte* put_socket_address(std::byte* to, std::string_view text) noexcept;

/// `00-1A-2B-3C-4D-5E`, of up to 32 bytes.
std::byte* put_mac_address(std::byte* to, std::string_view text) noexcept;

/// `S-1-5-18`, the authority in hexadecimal if it has more than 32 bits.
std::byte* put_sid(std::byte* to, std::string_view text) noexcept;

/// RFC 3339 as its parts stand there, legal or not: a SYSTEMTIME of 16 bytes. The day of the week
/// follows from the date, if there is such a date. No offset but `Z`.
std::byte* put_systemtime(std::byte* to, std::string_view text) noexcept;

} // namespace etl::encode

// Parsing of internet addresses. Each function writes to `to` and returns the end of the output;
// null if the text is not such an address (the output is then undefined). Pure; thread-safe.
#pragma once

#include <cstddef>
#include <string_view>

namespace etl {

/// Parses `10.0.0.1`: four bytes.
std::byte* put_ipv4(std::byte* to, std::string_view text) noexcept;

/// Parses all notations of RFC 4291: sixteen bytes.
std::byte* put_ipv6(std::byte* to, std::string_view text) noexcept;

} // namespace etl

// Internet addresses from text. Each writes at `to` and returns the place behind; null: the text is
// no such address, and what was written means nothing. Pure; any thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace etl {

/// `10.0.0.1`: four bytes.
std::byte* put_ipv4(std::byte* to, std::string_view text) noexcept;

/// All notations of RFC 4291: sixteen bytes.
std::byte* put_ipv6(std::byte* to, std::string_view text) noexcept;

} // namespace etl

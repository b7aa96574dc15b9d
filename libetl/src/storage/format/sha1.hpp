// SHA-1 (FIPS 180-4), only to derive provider GUIDs from names; nothing here is about security.
// Pure; any thread.
#pragma once

#include <etl/bytes.hpp>

#include <array>

namespace etl::format {

std::array<std::byte, 20> sha1(Bytes message);

} // namespace etl::format

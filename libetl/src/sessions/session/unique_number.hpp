// Numbers that no two callers in this process get, from 1 on. Any thread; most calls touch nothing
// that threads share.
#pragma once

#include <cstdint>

namespace etl::session {

std::uint64_t unique_number() noexcept;

} // namespace etl::session

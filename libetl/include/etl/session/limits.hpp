// Bounds of the room session, each with its reason. As etl/base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::limits {

/// Buffers that a session may ever have, and the memory of them: address space for all is reserved
/// when it starts. Windows has limits of its own, which it does not tell.
inline constexpr std::uint32_t session_buffers = 1U << 16U;
inline constexpr std::uint64_t session_memory_bytes = std::uint64_t{1} << 36U;

} // namespace etl::limits

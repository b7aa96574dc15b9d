// Limits of the room session, each with its reason. See base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::session::limits {

/// Maximum number and total memory of a session's buffers: address space for all of them is
/// reserved at start. The limits of Windows are not documented.
inline constexpr std::uint32_t buffers = 1U << 16U;
inline constexpr std::uint64_t memory_bytes = std::uint64_t{1} << 36U;

} // namespace etl::session::limits

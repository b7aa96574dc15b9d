// A hint to the processor.
#pragma once

#include <cstddef>

namespace etl {

/// Asks for the memory `ahead` bytes after an address, which need not be valid. For walks over
/// memory whose next place is known only when this one was read, and over many places in turn.
inline void prefetch(const void* at, std::size_t ahead) noexcept {
#if defined(__GNUC__)
    __builtin_prefetch(static_cast<const std::byte*>(at) + ahead);
#else
    static_cast<void>(at);
    static_cast<void>(ahead);
#endif
}

} // namespace etl

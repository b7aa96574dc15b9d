// A hint to the processor.
#pragma once

#include <cstddef>

namespace etl {

/// Asks for the memory `ahead` bytes after an address, which need not be valid. For walks over
/// records: the next one is known only when this one was read.
inline void prefetch(const std::byte* at, std::size_t ahead) noexcept {
#if defined(__GNUC__)
    __builtin_prefetch(at + ahead);
#else
    static_cast<void>(at);
    static_cast<void>(ahead);
#endif
}

} // namespace etl

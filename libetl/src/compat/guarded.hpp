// guarded: the border to C, which no exception may cross. Every function of the C headers that may
// allocate does its work inside. docs/compat.md#process
#pragma once

#include <etl/compat/windows.h>

namespace etl::compat {

/// What `work` answers; `failed` where it threw: the library itself throws for want of memory only.
template <typename Answer = ULONG, typename Work>
Answer guarded(const Work& work, Answer failed = ERROR_NOT_ENOUGH_MEMORY) noexcept {
    try {
        return work();
    } catch (...) {
        return failed;
    }
}

} // namespace etl::compat

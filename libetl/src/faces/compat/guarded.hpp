// guarded: the border to C, which no exception may cross. Every function of the C headers that may
// allocate does its work inside. docs/compat.md#process
#pragma once

#include <etl/compat/windows.h>

namespace etl::compat {

/// Returns what `work` returns, or `failed` if it throws. The library throws only when memory runs
/// out.
template <typename Answer = ULONG, typename Work>
Answer guarded(const Work& work, Answer failed = ERROR_NOT_ENOUGH_MEMORY) noexcept {
    try {
        return work();
    } catch (...) {
        return failed;
    }
}

/// The same for controllers and consumers: GetLastError returns their status too, success included.
/// Functions of providers leave the last error alone, because they are called in the middle of a
/// program's own error handling. docs/compat.md#last-error
template <typename Work>
ULONG reported(const Work& work) noexcept {
    const ULONG status = guarded(work);
    SetLastError(status);
    return status;
}

} // namespace etl::compat

#include "host/process.hpp"

#include <algorithm>
#if defined(ETL_HAS_LIBUNWIND)
#define UNW_LOCAL_ONLY
#include <libunwind.h>
#endif

namespace etl::host {

#if defined(ETL_HAS_LIBUNWIND)

// Never inlined: its own frame and its caller's are the first two.
[[gnu::noinline]] std::size_t walk_stack(std::uint64_t* to, std::size_t max) noexcept {
    constexpr std::size_t own = 2;
    constexpr std::size_t room = 256; // ETW keeps at most 192
    std::array<void*, room> frames{};
    const int wanted = static_cast<int>(std::min(max, room - own) + own);
    const int found = ::unw_backtrace(frames.data(), wanted);
    std::size_t count = 0;
    for (std::size_t i = own; i < static_cast<std::size_t>(std::max(found, 0)); ++i) {
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): an address as a number
        to[count++] = reinterpret_cast<std::uintptr_t>(frames[i]);
    }
    return count;
}

#else

std::size_t walk_stack(std::uint64_t*, std::size_t) noexcept {
    return 0;
}

#endif

} // namespace etl::host

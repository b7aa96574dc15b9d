#include "host/process.hpp"

#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <algorithm>
#include <windows.h>

namespace etl::host {

__declspec(noinline) std::size_t walk_stack(std::uint64_t* to, std::size_t max) noexcept {
    constexpr std::size_t room = 256; // ETW keeps at most 192
    constexpr DWORD own = 2;          // this function and its caller
    std::array<void*, room> frames{};
    const USHORT found = ::RtlCaptureStackBackTrace(own, static_cast<DWORD>(std::min(max, room)),
                                                    frames.data(), nullptr);
    for (USHORT i = 0; i < found; ++i) {
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): an address as a number
        to[i] = reinterpret_cast<std::uintptr_t>(frames[i]);
    }
    return found;
}

} // namespace etl::host

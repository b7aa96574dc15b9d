// The first bytes of a GUID: enough to know that it is none of a few.
#pragma once

#include <etl/guid.hpp>

namespace etl::format {

/// Returns the first four bytes of a GUID as a little-endian number, as load_le() reads them out of
/// a record: for a `switch` before a comparison of all sixteen.
constexpr std::uint32_t head_of(const Guid& guid) noexcept {
    std::uint32_t head = 0;
    for (std::size_t i = 4; i-- > 0;) {
        head = head << 8U | std::to_integer<std::uint32_t>(guid.bytes[i]);
    }
    return head;
}

} // namespace etl::format

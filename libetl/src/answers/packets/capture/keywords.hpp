// Keywords of the events of captures. Private to packets.
#pragma once

#include <cstdint>

namespace etl::packets {

namespace keyword {
inline constexpr std::uint64_t wwan = 0x200, tunnel = 0x8000, wifi = 0x10000, start = 0x40000000,
                               end = 0x80000000, send = 0x100000000, receive = 0x200000000;
} // namespace keyword

} // namespace etl::packets

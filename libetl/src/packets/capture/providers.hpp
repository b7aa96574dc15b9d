// Providers of captures, and the keywords of their events. Private to packets.
#pragma once

#include <etl/base/guid.hpp>

#include <cstdint>

namespace etl::packets {

using namespace etl::literals;

inline constexpr Guid ndis_capture = "2ed6006e-4729-4609-b423-3ee7bcd678ef"_guid;
inline constexpr Guid ras_capture = "d84521f7-2235-4237-a7c0-14e3a9676286"_guid;
inline constexpr Guid dns_client = "1c95126e-7eea-49a9-a3fe-a378b03ddb4d"_guid;
inline constexpr Guid pktmon = "4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac"_guid;

namespace keyword {
inline constexpr std::uint64_t wwan = 0x200, wifi = 0x10000, start = 0x40000000, end = 0x80000000,
                               send = 0x100000000, receive = 0x200000000;
} // namespace keyword

} // namespace etl::packets

// Numbers in network order, within bounds. Private to packets.
#pragma once

#include <etl/base/bytes.hpp>

#include <cstdint>

namespace etl::packets {

/// 0 beyond the end, as the functions below.
constexpr std::uint8_t octet(Bytes bytes, std::size_t at) noexcept {
    return at < bytes.size() ? std::to_integer<std::uint8_t>(bytes[at]) : std::uint8_t{0};
}

constexpr std::uint16_t be16(Bytes bytes, std::size_t at) noexcept {
    return static_cast<std::uint16_t>(octet(bytes, at) << 8U | octet(bytes, at + 1));
}

constexpr std::uint32_t be32(Bytes bytes, std::size_t at) noexcept {
    return std::uint32_t{be16(bytes, at)} << 16U | be16(bytes, at + 2);
}

} // namespace etl::packets

// Numbers in network order, within bounds. Private to packets.
#pragma once

#include <etl/bytes.hpp>

#include <cstdint>
#include <optional>

namespace etl::packets {

/// The largest size that a length of two bytes states.
inline constexpr std::size_t max_16_bits = 0xFFFF;

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

namespace next_header {
inline constexpr std::uint8_t hop_by_hop = 0, routing = 43, fragment = 44, authentication = 51,
                              destination = 60, mobility = 135, host_identity = 139, shim6 = 140;
} // namespace next_header

/// The size of an extension header of IPv6 that begins with `bytes`, by its number; nothing:
/// another protocol, such as TCP, or ESP, after which all is encrypted.
constexpr std::optional<std::size_t> extension_size(std::uint8_t number, Bytes bytes) noexcept {
    using namespace next_header;
    switch (number) {
    case fragment:
        return 8;
    case authentication: // RFC 4302: units of four bytes
        return (std::size_t{octet(bytes, 1)} + 2) * 4;
    case hop_by_hop:
    case routing:
    case destination:
    case mobility:
    case host_identity:
    case shim6:
        return (std::size_t{octet(bytes, 1)} + 1) * 8;
    default:
        return std::nullopt;
    }
}

/// The length of a packet above 65,535 bytes, after the IPv6 header, that its hop-by-hop options
/// state (RFC 2675); nothing: they do not.
constexpr std::optional<std::uint32_t> jumbo_length(Bytes options) noexcept {
    constexpr std::uint8_t pad1 = 0, jumbo = 0xC2;
    constexpr std::size_t of_length = 4;
    const std::size_t end = (std::size_t{octet(options, 1)} + 1) * 8;
    for (std::size_t at = 2; at < end && at + 2 <= options.size();) {
        if (octet(options, at) == pad1) {
            ++at;
            continue;
        }
        const std::size_t size = octet(options, at + 1);
        if (octet(options, at) == jumbo && size == of_length &&
            has_range(options, at + 2, of_length)) {
            const std::uint32_t length = be32(options, at + 2);
            return length > max_16_bits ? std::optional(length) : std::nullopt;
        }
        at += 2 + size;
    }
    return std::nullopt;
}

} // namespace etl::packets

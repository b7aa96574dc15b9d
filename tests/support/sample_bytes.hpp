// Bytes to compress: the same for the same seed, on every machine.
#pragma once

#include <etl/base/byte_writer.hpp>

#include <algorithm>
#include <random>
#include <string_view>
#include <vector>

namespace etl::test {

/// Bytes written as hex pairs; whatever is not a hex digit separates.
inline std::vector<std::byte> from_hex(std::string_view text) {
    std::vector<std::byte> bytes;
    int high = -1;
    for (const char c : text) {
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                                 : -1;
        if (digit < 0) {
            continue;
        }
        if (high < 0) {
            high = digit;
        } else {
            bytes.push_back(static_cast<std::byte>(high * 16 + digit));
            high = -1;
        }
    }
    return bytes;
}

inline std::vector<std::byte> bytes_of(std::string_view text) {
    const Bytes view = std::as_bytes(std::span(text));
    return {view.begin(), view.end()};
}

/// Bytes without any order.
inline std::vector<std::byte> random_bytes(std::size_t size, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<std::byte> bytes(size);
    std::ranges::generate(bytes, [&] { return static_cast<std::byte>(random() >> 24U); });
    return bytes;
}

/// Bytes full of matches of every kind: stretches of noise, of one byte, and of copies from any distance.
inline std::vector<std::byte> structured_bytes(std::size_t size, std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto up_to = [&](std::size_t most) { return random() % most + 1; };
    std::vector<std::byte> bytes;
    while (bytes.size() < size) {
        std::size_t run = up_to(random() % 16 == 0 ? 600 : 30);
        const auto kind = random() % 8;
        const std::size_t reach = std::min<std::size_t>(bytes.size(), kind == 7 ? 70'000 : 9'000);
        const std::size_t distance = reach == 0 ? 0 : up_to(kind < 3 ? std::min<std::size_t>(reach, 20) : reach);
        const auto one = static_cast<std::byte>(random() >> 24U);
        for (; run > 0; --run) {
            bytes.push_back(distance != 0 && kind < 8 && kind > 0 ? bytes[bytes.size() - distance]
                            : kind == 0 && run > 20               ? one
                                                                  : static_cast<std::byte>(random() >> 24U));
        }
    }
    bytes.resize(size);
    return bytes;
}

/// Bytes like those of a buffer full of events: headers that differ in little, counters, ids, text.
inline std::vector<std::byte> event_like_bytes(std::size_t size, std::uint32_t seed) {
    std::mt19937 random(seed);
    constexpr std::u16string_view names[] = {u"\\\\Device\\\\HarddiskVolume2\\\\Windows\\\\System32\\\\",
                                             u"Microsoft-Windows-Kernel-", u"svchost.exe",
                                             u"Request completed with status "};
    ByteWriter out;
    std::uint64_t time = 0x1D5'5AB3'4C7E'1200;
    while (out.size() < size) {
        const std::uint32_t kind = random() % 6;
        time += random() % 4096;
        out.u16(static_cast<std::uint16_t>(0x50 + 16 * kind)).u16(0xC013).u16(0).u16(0x240);
        out.u32(static_cast<std::uint32_t>(4 + 4 * (random() % 40))).u32(static_cast<std::uint32_t>(8 + 4 * (random() % 9)));
        out.u64(time);
        out.u64(0x9E3779B97F4A7C15 * (kind + 1)).u64(0x12345678 * (kind + 3));
        out.u16(static_cast<std::uint16_t>(kind)).u16(0x11).u32(0x04000000).u64(0x8000000000000000 | kind);
        out.u32(random() % 8).u32(random() % 16);
        for (std::uint32_t i = 0; i < kind; ++i) {
            out.u64(0xFFFFF80000000000 | (random() % 64 * 4096 + random() % 32));
        }
        if (kind % 2 == 1) {
            out.zero_terminated16(names[random() % std::size(names)]);
        } else {
            out.u32(random()).u32(0).u64(random() % 100'000);
        }
        out.align(8);
    }
    std::vector<std::byte> bytes = out.take();
    bytes.resize(size);
    return bytes;
}

} // namespace etl::test

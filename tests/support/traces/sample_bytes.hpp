// Bytes to compress: the same for the same seed, on every machine.
#pragma once

#include <etl/byte_writer.hpp>

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
        const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
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

/// Numbers that are the same for the same seed.
class Random {
public:
    explicit Random(std::uint32_t seed) : engine_(seed) {}

    std::uint32_t number() { return static_cast<std::uint32_t>(engine_()); }

    /// 0 to `end` - 1.
    std::uint32_t below(std::size_t end) {
        return static_cast<std::uint32_t>(number() % static_cast<std::uint32_t>(end));
    }

    std::byte byte() { return static_cast<std::byte>(number() >> 24U); }

private:
    std::mt19937 engine_;
};

/// Bytes without any order.
inline std::vector<std::byte> random_bytes(std::size_t size, std::uint32_t seed) {
    Random random(seed);
    std::vector<std::byte> bytes(size);
    std::ranges::generate(bytes, [&] { return random.byte(); });
    return bytes;
}

/// Bytes full of matches of every kind: stretches of noise, and of copies from near and far.
inline std::vector<std::byte> structured_bytes(std::size_t size, std::uint32_t seed) {
    constexpr std::size_t reaches[] = {0, 1, 4, 20, 300, 9'000, 9'000, 70'000};
    Random random(seed);
    std::vector<std::byte> bytes;
    while (bytes.size() < size) {
        const std::size_t reach = std::min(bytes.size(), reaches[random.below(std::size(reaches))]);
        const std::size_t distance = reach == 0 ? 0 : random.below(reach) + 1;
        const std::size_t run = random.below(random.below(16) == 0 ? 600 : 30) + 1;
        for (std::size_t i = 0; i < run; ++i) {
            bytes.push_back(distance == 0 ? random.byte() : bytes[bytes.size() - distance]);
        }
    }
    bytes.resize(size);
    return bytes;
}

/// Bytes like those of a buffer full of events: headers that differ in little, counters, ids, text.
inline std::vector<std::byte> event_like_bytes(std::size_t size, std::uint32_t seed) {
    Random random(seed);
    constexpr std::u16string_view names[] = {
        u"\\\\Device\\\\HarddiskVolume2\\\\Windows\\\\System32\\\\", u"Microsoft-Windows-Kernel-",
        u"svchost.exe", u"Request completed with status "};
    ByteWriter out;
    std::uint64_t time = 0x1D5'5AB3'4C7E'1200;
    while (out.size() < size) {
        const std::uint32_t kind = random.below(6);
        time += random.below(4096);
        out.u16(static_cast<std::uint16_t>(0x50 + 16 * kind)).u16(0xC013).u16(0).u16(0x240);
        out.u32(static_cast<std::uint32_t>(4 + 4 * (random.below(40))))
            .u32(static_cast<std::uint32_t>(8 + 4 * (random.below(9))));
        out.u64(time);
        out.u64(0x9E3779B97F4A7C15 * (kind + 1)).u64(0x12345678 * (kind + 3));
        out.u16(static_cast<std::uint16_t>(kind))
            .u16(0x11)
            .u32(0x04000000)
            .u64(0x8000000000000000 | kind);
        out.u32(random.below(8)).u32(random.below(16));
        for (std::uint32_t i = 0; i < kind; ++i) {
            out.u64(0xFFFFF80000000000 | (random.below(64) * 4096 + random.below(32)));
        }
        if (kind % 2 == 1) {
            out.zero_terminated16(names[random.below(std::size(names))]);
        } else {
            out.u32(random.number()).u32(0).u64(random.below(100'000));
        }
        out.align(8);
    }
    std::vector<std::byte> bytes = out.take();
    bytes.resize(size);
    return bytes;
}

} // namespace etl::test

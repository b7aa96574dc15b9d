// Types for event values that have no C++ type. Values; thread-safe. Header-only.
// docs/format/decoding.md#types
#pragma once

#include "base/byte_writer.hpp"
#include "base/time.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <ratio>
#include <span>
#include <string_view>

namespace etl::provider {

/// A port number in native byte order.
struct Port {
    std::uint16_t value = 0;
};

/// The four bytes of an IPv4 address in network byte order.
struct Ipv4 {
    std::array<std::uint8_t, 4> bytes{};
};

struct Ipv6 {
    std::array<std::uint8_t, 16> bytes{};
};

/// SYSTEMTIME.
struct SystemTime {
    std::uint16_t year = 0, month = 0, day_of_week = 0, day = 0;
    std::uint16_t hour = 0, minute = 0, second = 0, milliseconds = 0;
};

/// A security identifier. S-1-5-32-544 is Sid(5, 32, 544).
class Sid {
public:
    static constexpr std::size_t max_subauthorities = 15;

    /// S-1-0-0, the Nobody SID.
    Sid() noexcept : Sid(0, 0) {}

    template <std::integral... Subauthority>
    explicit Sid(std::uint64_t authority, Subauthority... subauthorities) noexcept {
        static_assert(sizeof...(Subauthority) <= max_subauthorities);
        bytes_[0] = std::byte{1};
        bytes_[1] = static_cast<std::byte>(sizeof...(Subauthority));
        for (std::size_t i = 0; i < 6; ++i) { // 48 bits, big-endian
            bytes_[7 - i] = static_cast<std::byte>((authority >> (8 * i)) & 0xFFU);
        }
        (append(static_cast<std::uint32_t>(subauthorities)), ...);
    }

    /// Creates a SID from its binary form; empty if `bytes` is not a SID.
    static std::optional<Sid> from_bytes(Bytes bytes) noexcept {
        if (bytes.size() < head_size) {
            return std::nullopt;
        }
        const auto count = std::to_integer<std::size_t>(bytes[1]);
        if (count > max_subauthorities || bytes.size() != head_size + 4 * count) {
            return std::nullopt;
        }
        Sid sid;
        std::ranges::copy(bytes, sid.bytes_.begin());
        sid.size_ = bytes.size();
        return sid;
    }

    Bytes bytes() const noexcept { return Bytes(bytes_).first(size_); }

private:
    static constexpr std::size_t head_size = 8;

    void append(std::uint32_t subauthority) noexcept {
        store_le<std::uint32_t>(bytes_.data() + size_, subauthority);
        size_ += 4;
    }

    std::array<std::byte, head_size + 4 * max_subauthorities> bytes_{};
    std::size_t size_ = head_size;
};

/// Converts a system_clock time to FILETIME, rounded down to 100 ns.
template <typename Duration>
Filetime to_filetime(std::chrono::time_point<std::chrono::system_clock, Duration> time) {
    using Ticks = std::chrono::duration<std::int64_t, std::ratio<1, Filetime::per_second>>;
    return {Filetime::unix_epoch + std::chrono::floor<Ticks>(time.time_since_epoch()).count()};
}

inline void append_to(ByteWriter& to, Port port) {
    to.u8(static_cast<std::uint8_t>(port.value >> 8U)).u8(static_cast<std::uint8_t>(port.value));
}

inline void append_to(ByteWriter& to, const Ipv4& address) {
    to.bytes(std::as_bytes(std::span(address.bytes)));
}

inline void append_to(ByteWriter& to, const Ipv6& address) {
    to.bytes(std::as_bytes(std::span(address.bytes)));
}

inline void append_to(ByteWriter& to, const SystemTime& time) {
    to.u16(time.year).u16(time.month).u16(time.day_of_week).u16(time.day);
    to.u16(time.hour).u16(time.minute).u16(time.second).u16(time.milliseconds);
}

inline void append_to(ByteWriter& to, const Sid& sid) {
    to.bytes(sid.bytes());
}

inline void append_to(ByteWriter& to, Filetime time) {
    to.value(time.ticks);
}

inline void append_to(ByteWriter& to, const Guid& guid) {
    to.guid(guid);
}

/// Appends UTF-16 units, in a single copy on little-endian machines.
inline void append_to(ByteWriter& to, std::u16string_view text) {
    if constexpr (std::endian::native == std::endian::little) {
        to.bytes(std::as_bytes(std::span(text)));
    } else {
        to.text16(text);
    }
}

template <typename Number>
    requires std::integral<Number> || std::same_as<Number, float> || std::same_as<Number, double>
void append_to(ByteWriter& to, Number number) {
    to.value(number);
}

} // namespace etl::provider

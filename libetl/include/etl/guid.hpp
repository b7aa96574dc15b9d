// GUIDs in Windows byte order. Values; thread-safe.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace etl {

namespace detail {

/// Values by character, in either case; 0xFF: not a hex digit.
inline constexpr auto hex_values = [] {
    std::array<std::uint8_t, 256> table{};
    table.fill(0xFF);
    for (std::uint8_t i = 0; i < 16; ++i) {
        table[static_cast<unsigned char>("0123456789abcdef"[i])] = i;
        table[static_cast<unsigned char>("0123456789ABCDEF"[i])] = i;
    }
    return table;
}();

} // namespace detail

/// Sixteen bytes as stored on disk: u32, u16, u16 little-endian, then eight bytes.
struct Guid {
    std::array<std::byte, 16> bytes{};

    constexpr auto operator<=>(const Guid&) const = default;

    /// The default compares byte by byte, and events are recognized by their GUIDs.
    constexpr bool operator==(const Guid& other) const noexcept {
        if (std::is_constant_evaluated()) {
            return bytes == other.bytes;
        }
        return std::memcmp(bytes.data(), other.bytes.data(), sizeof bytes) == 0;
    }

    constexpr bool is_zero() const noexcept { return *this == Guid{}; }
};

/// Appends the 36 characters `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`, lowercase, no braces.
void append_guid(std::string& to, const Guid& guid);
std::string to_string(const Guid& guid);

/// Parses the same form in any case, with or without braces, ignoring surrounding blanks.
constexpr std::optional<Guid> parse_guid(std::string_view text) noexcept {
    while (!text.empty() && (text.front() == ' ' || text.front() == '{')) {
        text.remove_prefix(1);
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == '}')) {
        text.remove_suffix(1);
    }
    if (text.size() != 36) {
        return std::nullopt;
    }
    if (text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-') {
        return std::nullopt;
    }
    // Position of the digits of each byte. Branch-free per byte, because inputs contain many GUIDs.
    constexpr std::array<std::uint8_t, 16> places{6,  4,  2,  0,  11, 9,  16, 14,
                                                  19, 21, 24, 26, 28, 30, 32, 34};
    Guid guid;
    unsigned bad = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const unsigned high = detail::hex_values[static_cast<unsigned char>(text[places[i]])];
        const unsigned low = detail::hex_values[static_cast<unsigned char>(text[places[i] + 1U])];
        bad |= high | low;
        guid.bytes[i] = static_cast<std::byte>(high << 4U | (low & 15U));
    }
    if (bad > 15) {
        return std::nullopt;
    }
    return guid;
}

namespace literals {

/// "68fdd900-4a3e-11d1-84f4-0000f80464e3"_guid; invalid text does not compile.
consteval Guid operator""_guid(const char* text, std::size_t size) {
    return parse_guid({text, size}).value();
}

} // namespace literals

} // namespace etl

template <>
struct std::hash<etl::Guid> {
    std::size_t operator()(const etl::Guid& guid) const noexcept {
        std::uint64_t a = 0;
        std::uint64_t b = 0;
        std::memcpy(&a, guid.bytes.data(), 8);
        std::memcpy(&b, guid.bytes.data() + 8, 8);
        return static_cast<std::size_t>((a ^ (b * 0x9E3779B97F4A7C15ULL)) * 0xD6E8FEB86659FD93ULL);
    }
};

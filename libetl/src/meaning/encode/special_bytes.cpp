#include "encode/special_bytes.hpp"

#include <etl/time.hpp>

#include "base/address_text.hpp"
#include "base/layout.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace etl::encode {

namespace {

constexpr std::uint16_t family_ipv4 = 2;
constexpr std::uint16_t family_ipv6 = 23;

void put_big_endian16(std::byte* to, std::uint64_t value) noexcept {
    to[0] = static_cast<std::byte>(value >> 8U);
    to[1] = static_cast<std::byte>(value);
}

// A port at the end, if there is one.
bool take_port(std::string_view& text, char before, std::uint64_t& port) noexcept {
    const std::size_t at = text.rfind(':');
    if (at == std::string_view::npos || at == 0 || (before != 0 && text[at - 1] != before)) {
        return true;
    }
    TextScanner in(text.substr(at + 1));
    const auto value = in.number(0xFFFF);
    if (!value || !in.is_at_end()) {
        return false;
    }
    port = *value;
    text = text.substr(0, at);
    return true;
}

std::byte* put_ipv4_socket(std::byte* to, std::string_view text) noexcept {
    constexpr std::size_t size = 16;
    std::uint64_t port = 0;
    std::fill_n(to, size, std::byte{0});
    store_le(to, family_ipv4);
    if (!take_port(text, 0, port) || put_ipv4(to + 4, text) == nullptr) {
        return nullptr;
    }
    put_big_endian16(to + 2, port);
    return to + size;
}

std::byte* put_ipv6_socket(std::byte* to, std::string_view text) noexcept {
    constexpr std::size_t size = 28;
    std::uint64_t port = 0;
    std::fill_n(to, size, std::byte{0});
    store_le(to, family_ipv6);
    if (text.starts_with('[')) {
        if (!take_port(text, ']', port) || !text.ends_with(']')) {
            return nullptr;
        }
        text = text.substr(1, text.size() - 2);
    }
    if (const std::size_t percent = text.find('%'); percent != std::string_view::npos) {
        TextScanner in(text.substr(percent + 1));
        const auto scope = in.number(0xFFFFFFFF);
        if (!scope || !in.is_at_end()) {
            return nullptr;
        }
        store_le(to + 24, static_cast<std::uint32_t>(*scope));
        text = text.substr(0, percent);
    }
    put_big_endian16(to + 2, port);
    return put_ipv6(to + 8, text) == nullptr ? nullptr : to + size;
}

// Milliseconds of a fraction of a second. Eight digits are what decode makes of 1000 to 9999
// milliseconds and four zeros; from 10000 on they look like nanoseconds, and pass for those.
std::optional<std::uint16_t> milliseconds(std::string_view digits) noexcept {
    constexpr std::string_view finer = "0000";
    constexpr std::size_t wild = 4 + finer.size();
    std::string_view text = digits.substr(0, 3);
    const std::uint32_t scale = text.size() == 1 ? 100 : text.size() == 2 ? 10 : 1;
    if (digits.size() == wild && digits.ends_with(finer)) {
        text = digits.substr(0, wild - finer.size());
    }
    TextScanner in(text);
    const auto value = in.number(0xFFFF);
    if (!value || !in.is_at_end()) {
        return std::nullopt;
    }
    return static_cast<std::uint16_t>(*value * scale);
}

// 0: Sunday; of dates that do not exist as well.
std::uint16_t day_of_week(std::uint64_t year, std::uint64_t month, std::uint64_t day) noexcept {
    if (month == 0 || month > 12 || day == 0 || day > 31) {
        return 0;
    }
    const Filetime midnight = from_civil({.year = static_cast<std::int64_t>(year),
                                          .month = static_cast<unsigned>(month),
                                          .day = static_cast<unsigned>(day),
                                          .hour = 0,
                                          .minute = 0,
                                          .second = 0,
                                          .fraction = 0});
    constexpr std::int64_t a_day = 86'400 * Filetime::per_second;
    const std::int64_t days = midnight.ticks / a_day - (midnight.ticks % a_day < 0 ? 1 : 0);
    return static_cast<std::uint16_t>(((days + 1) % 7 + 7) % 7); // 1601-01-01 was a Monday
}

} // namespace

std::byte* put_socket_address(std::byte* to, std::string_view text) noexcept {
    const bool is_ipv6 = text.starts_with('[') || std::ranges::count(text, ':') > 1;
    return is_ipv6 ? put_ipv6_socket(to, text) : put_ipv4_socket(to, text);
}

std::byte* put_mac_address(std::byte* to, std::string_view text) noexcept {
    constexpr std::size_t max_bytes = 32;
    const std::size_t bytes = (text.size() + 1) / 3;
    if (text.size() != 3 * bytes - 1 || bytes > max_bytes) {
        return nullptr;
    }
    for (std::size_t i = 0; i < bytes; ++i) {
        TextScanner in(text.substr(3 * i, 2));
        const auto value = in.number(255, 16);
        const bool is_joined = i == 0 || text[3 * i - 1] == '-' || text[3 * i - 1] == ':';
        if (!value || !in.is_at_end() || !is_joined) {
            return nullptr;
        }
        *to++ = static_cast<std::byte>(*value);
    }
    return to;
}

std::byte* put_sid(std::byte* to, std::string_view text) noexcept {
    constexpr std::size_t max_parts = 15;
    TextScanner in(text);
    const auto revision = in.take("S-") ? in.number(255) : std::nullopt;
    if (!revision || !in.take("-")) {
        return nullptr;
    }
    const bool is_hex = in.take("0x");
    const auto authority = in.number((std::uint64_t{1} << 48U) - 1, is_hex ? 16 : 10);
    if (!authority) {
        return nullptr;
    }
    to[0] = static_cast<std::byte>(*revision);
    for (std::size_t i = 0; i < 6; ++i) {
        to[2 + i] = static_cast<std::byte>(*authority >> (40 - 8 * i));
    }
    std::size_t parts = 0;
    while (in.take("-")) {
        const auto part = in.number(0xFFFFFFFF);
        if (!part || parts == max_parts) {
            return nullptr;
        }
        store_le(to + 8 + 4 * parts++, static_cast<std::uint32_t>(*part));
    }
    to[1] = static_cast<std::byte>(parts);
    return in.is_at_end() ? to + 8 + 4 * parts : nullptr;
}

std::byte* put_systemtime(std::byte* to, std::string_view text) noexcept {
    constexpr std::array<std::string_view, 6> before{"", "-", "-", "T", ":", ":"};
    std::array<std::uint64_t, 6> parts{};
    TextScanner in(text);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i == 3 && in.is_at_end()) {
            break; // a date alone
        }
        const bool is_joined = in.take(before[i]) || (i == 3 && in.take(" "));
        const auto part = is_joined ? in.number(0xFFFF) : std::nullopt;
        if (!part) {
            return nullptr;
        }
        parts[i] = *part;
    }
    std::uint16_t fraction = 0;
    if (in.take(".")) {
        const auto read = milliseconds(in.digits());
        if (!read) {
            return nullptr;
        }
        fraction = *read;
    }
    if (!in.is_at_end() && !(in.take("Z") && in.is_at_end())) {
        return nullptr;
    }
    const std::uint16_t weekday = day_of_week(parts[0], parts[1], parts[2]);
    const auto part = [&](std::size_t i) { return static_cast<std::uint16_t>(parts[i]); };
    for (const std::uint16_t value :
         {part(0), part(1), weekday, part(2), part(3), part(4), part(5), fraction}) {
        store_le(to, value);
        to += 2;
    }
    return to;
}

} // namespace etl::encode

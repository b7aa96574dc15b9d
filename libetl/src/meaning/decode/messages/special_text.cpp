#include "decode/messages/special_text.hpp"

#include "base/layout.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>

namespace etl::decode {

namespace {

constexpr std::uint16_t family_ipv4 = 2;
constexpr std::uint16_t family_ipv6 = 23;

std::uint32_t big_endian16(const std::byte* at) noexcept {
    return std::to_integer<std::uint32_t>(at[0]) << 8U | std::to_integer<std::uint32_t>(at[1]);
}

void append_short_hex(std::string& to, std::uint32_t value) {
    char digits[8];
    to.append(digits, std::to_chars(digits, digits + sizeof digits, value, 16).ptr);
}

struct Run {
    std::size_t begin = 8;
    std::size_t length = 0;
};

// The first of the longest runs of two or more zero groups.
Run longest_zeros(const std::array<std::uint32_t, 8>& groups) noexcept {
    Run best;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        std::size_t length = 0;
        while (i + length < groups.size() && groups[i + length] == 0) {
            ++length;
        }
        if (length >= 2 && length > best.length) {
            best = {i, length};
        }
        i += length;
    }
    return best;
}

void append_padded(std::string& to, std::uint32_t value, std::uint32_t width) {
    std::uint32_t place = 1;
    for (std::uint32_t i = 1; i < width; ++i) {
        place *= 10;
    }
    for (; place > 1 && value < place; place /= 10) {
        to.push_back('0');
    }
    append_decimal(to, value);
}

void append_port(std::string& to, std::uint32_t port) {
    to.push_back(':');
    append_decimal(to, port);
}

void append_ipv6_socket(std::string& to, Bytes address, ZeroPort zero_port) {
    const std::uint32_t port = big_endian16(address.data() + 2);
    const bool shows_port = port != 0 || zero_port == ZeroPort::shown;
    const auto scope = address.size() >= 28 ? load_le<std::uint32_t>(address.data() + 24) : 0U;
    if (shows_port) {
        to.push_back('[');
    }
    append_ipv6(to, address.subspan(8).first<16>());
    if (scope != 0) {
        to.push_back('%');
        append_decimal(to, scope);
    }
    if (shows_port) {
        to.push_back(']');
        append_port(to, port);
    }
}

} // namespace

bool any_byte_set(Bytes bytes) noexcept {
    return std::ranges::any_of(bytes, [](std::byte byte) { return byte != std::byte{0}; });
}

void append_ipv4(std::string& to, std::span<const std::byte, 4> address) {
    for (std::size_t i = 0; i < address.size(); ++i) {
        if (i > 0) {
            to.push_back('.');
        }
        append_decimal(to, std::to_integer<unsigned>(address[i]));
    }
}

void append_ipv6(std::string& to, std::span<const std::byte, 16> address) {
    std::array<std::uint32_t, 8> groups{};
    for (std::size_t i = 0; i < groups.size(); ++i) {
        groups[i] = big_endian16(address.data() + 2 * i);
    }
    const bool is_mapped =
        std::all_of(groups.begin(), groups.begin() + 5, [](auto g) { return g == 0; }) &&
        groups[5] == 0xFFFF;
    if (is_mapped) {
        to.append("::ffff:");
        append_ipv4(to, address.last<4>());
        return;
    }
    const Run zeros = longest_zeros(groups);
    for (std::size_t i = 0; i < groups.size();) {
        if (i == zeros.begin) {
            to.append("::");
            i += zeros.length;
            continue;
        }
        if (i > 0 && i != zeros.begin + zeros.length) {
            to.push_back(':');
        }
        append_short_hex(to, groups[i++]);
    }
}

Bytes without_padding(Bytes address) noexcept {
    constexpr std::size_t ethernet = 6, eui64 = 8;
    std::size_t size = address.size();
    while (size > ethernet && address[size - 1] == std::byte{0}) {
        --size;
    }
    size = size > ethernet ? std::max(size, eui64) : size;
    return address.first(std::min(size, address.size()));
}

bool append_mac(std::string& to, Bytes address) {
    constexpr std::size_t max = 32; // IF_MAX_PHYS_ADDRESS_LENGTH
    constexpr char digits[] = "0123456789ABCDEF";
    if (address.empty() || address.size() > max) {
        return false;
    }
    for (const std::byte byte : address) {
        to.push_back(digits[std::to_integer<std::size_t>(byte >> 4U)]);
        to.push_back(digits[std::to_integer<std::size_t>(byte & std::byte{15})]);
        to.push_back('-');
    }
    to.pop_back();
    return true;
}

bool is_socket_address(Bytes address) noexcept {
    if (address.size() < 2) {
        return false;
    }
    const auto family = load_le<std::uint16_t>(address.data());
    return (family == family_ipv4 && address.size() >= 8) ||
           (family == family_ipv6 && address.size() >= 24);
}

bool append_socket_address(std::string& to, Bytes address, ZeroPort zero_port) {
    if (!is_socket_address(address)) {
        return false;
    }
    if (load_le<std::uint16_t>(address.data()) == family_ipv4) {
        append_ipv4(to, address.subspan(4).first<4>());
        const std::uint32_t port = big_endian16(address.data() + 2);
        if (port != 0 || zero_port == ZeroPort::shown) {
            append_port(to, port);
        }
        return true;
    }
    append_ipv6_socket(to, address, zero_port);
    return true;
}

bool append_sid(std::string& to, Bytes sid) {
    constexpr std::byte revision{1};
    constexpr std::byte max_parts{15};
    if (sid.size() < 8 || sid[0] != revision || sid[1] > max_parts ||
        sid.size() < 8 + 4 * std::to_integer<std::size_t>(sid[1])) {
        return false;
    }
    to.append("S-");
    append_decimal(to, std::to_integer<unsigned>(sid[0]));
    std::uint64_t authority = 0;
    for (std::size_t i = 2; i < 8; ++i) {
        authority = authority << 8U | std::to_integer<std::uint64_t>(sid[i]);
    }
    to.push_back('-');
    if (authority >> 32U != 0) {
        append_hex(to, authority);
    } else {
        append_decimal(to, authority);
    }
    const auto sub_authorities = std::to_integer<std::size_t>(sid[1]);
    for (std::size_t i = 0; i < sub_authorities; ++i) {
        to.push_back('-');
        append_decimal(to, load_le<std::uint32_t>(sid.data() + 8 + 4 * i));
    }
    return true;
}

void append_systemtime(std::string& to, std::span<const std::byte, 16> time, unsigned digits) {
    // Year, month, day of week, day, hour, minute, second, milliseconds.
    const auto part = [&](std::size_t i) {
        return std::uint32_t{load_le<std::uint16_t>(time.data() + 2 * i)};
    };
    append_padded(to, part(0), 4);
    to.push_back('-');
    append_padded(to, part(1), 2);
    to.push_back('-');
    append_padded(to, part(3), 2);
    to.push_back('T');
    append_padded(to, part(4), 2);
    to.push_back(':');
    append_padded(to, part(5), 2);
    to.push_back(':');
    append_padded(to, part(6), 2);
    to.push_back('.');
    append_padded(to, part(7), 3);
    to.append(digits - 3, '0');
}

void append_upper_hex(std::string& to, std::uint64_t value) {
    const std::size_t begin = to.size() + 2;
    append_hex(to, value);
    for (std::size_t i = begin; i < to.size(); ++i) {
        if (to[i] >= 'a') {
            to[i] = static_cast<char>(to[i] - 'a' + 'A');
        }
    }
}

Mapped append_mapped(std::string& to, const schema::ValueMap& map, std::uint64_t value,
                     std::string_view joint, HexCase hex_case) {
    if (map.kind == schema::ValueMap::Kind::value || value == 0) {
        for (const auto& [known, text] : map.entries) {
            if (known == value) {
                to.append(text);
                return Mapped::yes;
            }
        }
        return Mapped::no;
    }
    std::uint64_t left = value;
    bool is_first = true;
    for (const auto& [mask, text] : map.entries) {
        if (mask != 0 && (value & mask) == mask) {
            to.append(is_first ? std::string_view{} : joint).append(text);
            is_first = false;
            left &= ~std::uint64_t{mask};
        }
    }
    if (is_first) {
        return Mapped::no;
    }
    if (left != 0) {
        to.append(joint);
        hex_case == HexCase::upper ? append_upper_hex(to, left) : append_hex(to, left);
    }
    return Mapped::yes;
}

} // namespace etl::decode

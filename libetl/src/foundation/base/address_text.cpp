#include "base/address_text.hpp"

#include <array>

namespace etl {

namespace {

void put_big_endian16(std::byte* to, std::uint64_t value) noexcept {
    to[0] = static_cast<std::byte>(value >> 8U);
    to[1] = static_cast<std::byte>(value);
}

/// An IPv6 address while it is read.
struct Groups {
    std::array<std::uint16_t, 8> value{};
    std::size_t count = 0;
    std::optional<std::size_t> gap; // groups before the `::`

    bool add(std::uint64_t group) noexcept {
        if (count == value.size()) {
            return false;
        }
        value[count++] = static_cast<std::uint16_t>(group);
        return true;
    }

    // The last two groups as an IPv4 address.
    bool add_ipv4(std::string_view text) noexcept {
        std::array<std::byte, 4> bytes{};
        const auto pair = [&](std::size_t i) {
            return std::to_integer<std::uint64_t>(bytes[i]) << 8U |
                   std::to_integer<std::uint64_t>(bytes[i + 1]);
        };
        return put_ipv4(bytes.data(), text) != nullptr && add(pair(0)) && add(pair(2));
    }
};

bool read_groups(std::string_view text, Groups& groups) noexcept {
    if (text.starts_with("::")) {
        groups.gap = 0;
        text.remove_prefix(2);
    }
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(':'), text.size());
        const std::string_view group = text.substr(0, end);
        text.remove_prefix(end);
        if (group.contains('.')) {
            if (!text.empty() || !groups.add_ipv4(group)) {
                return false;
            }
            break;
        }
        TextScanner in(group);
        const auto value = in.number(0xFFFF, 16);
        if (!value || !in.is_at_end() || group.size() > 4 || !groups.add(*value)) {
            return false;
        }
        if (text.starts_with("::")) {
            if (groups.gap) {
                return false;
            }
            groups.gap = groups.count;
            text.remove_prefix(2);
        } else if (text.starts_with(':')) {
            text.remove_prefix(1);
            if (text.empty()) {
                return false;
            }
        }
    }
    return groups.gap ? groups.count < groups.value.size() : groups.count == groups.value.size();
}

} // namespace

std::byte* put_ipv4(std::byte* to, std::string_view text) noexcept {
    TextScanner in(text);
    for (int i = 0; i < 4; ++i) {
        const auto value = i == 0 || in.take(".") ? in.number(255) : std::nullopt;
        if (!value) {
            return nullptr;
        }
        *to++ = static_cast<std::byte>(*value);
    }
    return in.is_at_end() ? to : nullptr;
}

std::byte* put_ipv6(std::byte* to, std::string_view text) noexcept {
    Groups groups;
    if (!read_groups(text, groups)) {
        return nullptr;
    }
    const std::size_t before = groups.gap.value_or(groups.count);
    const std::size_t behind = groups.count - before;
    std::fill_n(to, 16, std::byte{0});
    for (std::size_t i = 0; i < groups.count; ++i) {
        const std::size_t place = i < before ? i : 8 - behind + (i - before);
        put_big_endian16(to + 2 * place, groups.value[i]);
    }
    return to + 16;
}

} // namespace etl

#include "anonymize/texts/binary_values.hpp"

#include <algorithm>

namespace etl::anonymize {

namespace {

constexpr std::size_t ipv4_size = 4, mac_size = 6, ipv6_size = 16;

template <std::size_t N>
std::array<std::uint8_t, N> octets(MutableBytes bytes) noexcept {
    std::array<std::uint8_t, N> octets{};
    std::ranges::transform(bytes.first(N), octets.begin(),
                           [](std::byte b) { return std::to_integer<std::uint8_t>(b); });
    return octets;
}

template <std::size_t N>
KindSet put(MutableBytes bytes, const std::array<std::uint8_t, N>& from,
            const std::array<std::uint8_t, N>& to, Kind kind) noexcept {
    std::ranges::transform(to, bytes.begin(), [](std::uint8_t b) { return std::byte{b}; });
    return from == to ? KindSet{0} : only(kind);
}

KindSet rewrite_ipv4(MutableBytes bytes, const Pseudonyms& pseudonyms) {
    const auto from = octets<ipv4_size>(bytes);
    return put(bytes, from, pseudonyms.ipv4(from), Kind::ip_address);
}

// In network order.
KindSet rewrite_ipv6(MutableBytes bytes, const Pseudonyms& pseudonyms) {
    const auto from = octets<ipv6_size>(bytes);
    Ipv6Groups groups{};
    for (std::size_t i = 0; i < groups.size(); ++i) {
        groups[i] = static_cast<std::uint16_t>(from[2 * i] << 8U | from[2 * i + 1]);
    }
    const Ipv6Groups renamed = pseudonyms.ipv6(groups);
    auto to = from;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        to[2 * i] = static_cast<std::uint8_t>(renamed[i] >> 8U);
        to[2 * i + 1] = static_cast<std::uint8_t>(renamed[i]);
    }
    return put(bytes, from, to, Kind::ip_address);
}

KindSet rewrite_mac(MutableBytes bytes, const Pseudonyms& pseudonyms) {
    const auto from = octets<mac_size>(bytes);
    return put(bytes, from, pseudonyms.mac(from), Kind::mac_address);
}

// SOCKADDR_IN: family, port, address. SOCKADDR_IN6: family, port, flow, address.
KindSet rewrite_socket_address(MutableBytes bytes, const Pseudonyms& pseudonyms) {
    constexpr std::uint16_t inet = 2, inet6 = 23;
    if (bytes.size() < 8) {
        return 0;
    }
    const auto family = load_le<std::uint16_t>(bytes.data());
    if (family == inet) {
        return rewrite_ipv4(bytes.subspan(4, ipv4_size), pseudonyms);
    }
    if (family == inet6 && bytes.size() >= 8 + ipv6_size) {
        return rewrite_ipv6(bytes.subspan(8, ipv6_size), pseudonyms);
    }
    return 0;
}

// Nobody says of which kind it is but its size.
KindSet rewrite_address(MutableBytes bytes, const Pseudonyms& pseudonyms) {
    if (bytes.size() == ipv4_size) {
        return rewrite_ipv4(bytes, pseudonyms);
    }
    if (bytes.size() == mac_size) {
        return rewrite_mac(bytes, pseudonyms);
    }
    const auto is_zero = [](std::byte b) { return b == std::byte{0}; };
    const bool is_ipv6 =
        bytes.size() == ipv6_size &&
        !(load_le<std::uint16_t>(bytes.data()) == 2 && std::ranges::all_of(bytes.last(8), is_zero));
    return is_ipv6 ? rewrite_ipv6(bytes, pseudonyms) : rewrite_socket_address(bytes, pseudonyms);
}

// Revision, number of sub-authorities, authority in network order, sub-authorities.
KindSet rewrite_sid(MutableBytes bytes, const Pseudonyms& pseudonyms) {
    constexpr std::size_t head = 8, max_parts = 15;
    if (bytes.size() < head || bytes[0] != std::byte{1}) {
        return 0;
    }
    const auto count = std::to_integer<std::size_t>(bytes[1]);
    if (count > max_parts || bytes.size() < head + 4 * count) {
        return 0;
    }
    std::uint64_t authority = 0;
    for (const std::byte b : bytes.subspan(2, 6)) {
        authority = authority << 8U | std::to_integer<std::uint64_t>(b);
    }
    std::array<std::uint32_t, max_parts> parts{};
    for (std::size_t i = 0; i < count; ++i) {
        parts[i] = load_le<std::uint32_t>(bytes.data() + head + 4 * i);
    }
    const auto before = parts;
    pseudonyms.sid(authority, std::span(parts.data(), count));
    for (std::size_t i = 0; i < count; ++i) {
        store_le(bytes.data() + head + 4 * i, parts[i]);
    }
    return parts == before ? KindSet{0} : only(Kind::sid);
}

// An integer of any size, signed or not: with as many digits.
KindSet rewrite_number(MutableBytes bytes, const Pseudonyms& pseudonyms) {
    if (bytes.empty() || bytes.size() > sizeof(std::uint64_t)) {
        return 0;
    }
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) {
        value = value << 8U | std::to_integer<std::uint64_t>(bytes[i]);
    }
    const std::uint64_t all_ones = ~std::uint64_t{0} >> (64 - 8 * bytes.size());
    const std::uint64_t max = std::min(all_ones, ~std::uint64_t{0} >> 1U);
    if (value == all_ones || value > max) { // -1, or no number of anything
        return 0;
    }
    const std::uint64_t to = pseudonyms.number(value, max);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::byte>(to >> 8 * i);
    }
    return to == value ? KindSet{0} : only(Kind::account_number);
}

} // namespace

KindSet rewrite_binary(MutableBytes bytes, Role role, const Pseudonyms& pseudonyms) {
    switch (role) {
    case Role::sid:
        return rewrite_sid(bytes, pseudonyms);
    case Role::ipv4:
        return bytes.size() < ipv4_size ? KindSet{0} : rewrite_ipv4(bytes, pseudonyms);
    case Role::ipv6:
        return bytes.size() < ipv6_size ? KindSet{0} : rewrite_ipv6(bytes, pseudonyms);
    case Role::socket_address:
        return rewrite_socket_address(bytes, pseudonyms);
    case Role::mac:
    case Role::mac_in_number: // the lowest byte comes first in memory too
        // Alone, in a number, in an array of eight characters, or in the 32 bytes of MIB_IF_ROW2.
        return bytes.size() == mac_size || bytes.size() == 8 || bytes.size() == 16 ||
                       bytes.size() == 32
                   ? rewrite_mac(bytes, pseudonyms)
                   : KindSet{0};
    case Role::secret_number:
        return rewrite_number(bytes, pseudonyms);
    case Role::address:
        return rewrite_address(bytes, pseudonyms);
    case Role::nothing:
    case Role::text:
    case Role::version:
    case Role::user:
    case Role::computer:
    case Role::command_line:
    case Role::script:
    case Role::path:
    case Role::registry:
    case Role::url:
    case Role::secret:
    case Role::phone:
    case Role::account_number:
    case Role::title:
    case Role::binary:
        break;
    }
    return 0;
}

bool is_all_zero(Bytes bytes) noexcept {
    return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
}

bool fill_with_zeros(MutableBytes bytes) noexcept {
    const bool had_content = !is_all_zero(bytes);
    std::ranges::fill(bytes, std::byte{0});
    return had_content;
}

} // namespace etl::anonymize

// What all layers of a captured packet have in common: addresses become pseudonyms, what may be
// payload becomes zeros. Private to anonymize. docs/anonymize.md#packets
#pragma once

#include "anonymize/texts/binary_values.hpp"

#include <algorithm>

namespace etl::anonymize {

/// The bytes from `at` on, at most `size` of them: fewer, or none, where the packet ends before.
inline MutableBytes part_of(MutableBytes bytes, std::size_t at,
                            std::size_t size = SIZE_MAX) noexcept {
    const std::size_t begin = std::min(at, bytes.size());
    return bytes.subspan(begin, std::min(size, bytes.size() - begin));
}

inline std::uint8_t octet(Bytes bytes, std::size_t at) noexcept {
    return at < bytes.size() ? std::to_integer<std::uint8_t>(bytes[at]) : std::uint8_t{0};
}

/// In network order; 0 where the packet ends before.
inline std::uint16_t load_be16(Bytes bytes, std::size_t at) noexcept {
    return static_cast<std::uint16_t>(octet(bytes, at) << 8U | octet(bytes, at + 1));
}

inline void store_be16(MutableBytes bytes, std::size_t at, std::uint16_t value) noexcept {
    if (has_range(bytes, at, 2)) {
        bytes[at] = static_cast<std::byte>(value >> 8U);
        bytes[at + 1] = static_cast<std::byte>(value & 0xFFU);
    }
}

/// Changes one packet in place. One thread.
class Scrubbing {
public:
    explicit Scrubbing(const Pseudonyms& pseudonyms) : pseudonyms_(&pseudonyms) {}

    void wipe(MutableBytes bytes) {
        const bool is_clean =
            std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
        std::ranges::fill(bytes, std::byte{0});
        changed_ |= is_clean ? KindSet{0} : only(Kind::redacted);
    }

    void wipe(MutableBytes bytes, std::size_t from) { wipe(part_of(bytes, from)); }

    /// An address of which a part is missing is wiped. The group address that an IPv6 host listens
    /// to for its neighbours holds the end of its own.
    void mac(MutableBytes bytes, std::size_t at) {
        const MutableBytes address = part_of(bytes, at, 6);
        if (load_be16(address, 0) == 0x3333 && octet(address, 2) == 0xFF) {
            wipe(address, 3);
        }
        replace(address, 6, Role::mac);
    }

    void ipv4(MutableBytes bytes, std::size_t at) { replace(part_of(bytes, at, 4), 4, Role::ipv4); }

    void ipv6(MutableBytes bytes, std::size_t at) {
        const MutableBytes address = part_of(bytes, at, 16);
        if (is_solicited_node(address)) {
            wipe(address, 13);
        }
        replace(address, 16, Role::ipv6);
    }

    KindSet changed() const noexcept { return changed_; }

private:
    static bool is_solicited_node(Bytes address) noexcept {
        constexpr std::uint8_t prefix[] = {0xFF, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xFF};
        return address.size() == 16 &&
               std::ranges::equal(address.first(13), prefix, {},
                                  [](std::byte b) { return std::to_integer<std::uint8_t>(b); });
    }

    void replace(MutableBytes address, std::size_t size, Role role) {
        if (address.size() == size) {
            changed_ |= rewrite_binary(address, role, *pseudonyms_);
        } else {
            wipe(address);
        }
    }

    const Pseudonyms* pseudonyms_;
    KindSet changed_ = 0;
};

} // namespace etl::anonymize

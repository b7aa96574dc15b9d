#include "anonymize/names/pseudonyms.hpp"

#include <algorithm>
#include <limits>

namespace etl::anonymize {

namespace {

constexpr unsigned letters = 36; // what names are made of: 0-9, a-z
constexpr unsigned rounds = 10;

// What a tweak begins with, so that equal numbers of different kinds have nothing in common.
enum Domain : std::uint64_t {
    name_pattern = 1,
    ipv4_part,
    ipv6_part,
    mac_part,
    sid_part,
    digits_of_number
};

constexpr unsigned digit_of(char16_t c) noexcept {
    const char16_t lower = folded(c);
    return is_digit(lower)                  ? static_cast<unsigned>(lower - u'0')
           : lower >= u'a' && lower <= u'z' ? 10U + static_cast<unsigned>(lower - u'a')
                                            : lower % letters;
}

constexpr char16_t letter_of(unsigned digit) noexcept {
    return static_cast<char16_t>(digit < 10 ? u'0' + digit : u'a' + (digit - 10));
}

} // namespace

std::uint64_t Pseudonyms::hash(Tweak tweak, std::uint64_t round,
                               std::uint64_t value) const noexcept {
    std::array<std::byte, 24> message;
    store_le(message.data(), tweak.what);
    store_le(message.data() + 8, round);
    store_le(message.data() + 16, value);
    return hash_(message);
}

template <typename Counts>
void Pseudonyms::permute(Units text, unsigned base, Tweak tweak, Counts counts) const noexcept {
    const auto half = static_cast<std::size_t>(std::ranges::count_if(text, counts)) / 2;
    for (std::uint64_t round = 0; round < rounds; ++round) {
        const bool first_changes = round % 2 == 0;
        const auto in_first = [&](std::size_t index) { return index < half; };
        std::uint64_t other = 0;
        std::size_t index = 0;
        for (const char16_t c : text) {
            if (counts(c) && in_first(index++) != first_changes) {
                other = Tweak{other}.then(digit_of(c) + 1).what;
            }
        }
        std::uint64_t stream = 0;
        std::size_t used = 0;
        index = 0;
        for (char16_t& c : text) {
            if (!counts(c) || in_first(index++) != first_changes) {
                continue;
            }
            if (used % 10 == 0) { // 36^10 is well below 2^64
                stream = hash(tweak, round << 32U | used, other);
            }
            c = letter_of(static_cast<unsigned>((digit_of(c) + stream) % base));
            stream /= base;
            ++used;
        }
    }
}

// The tweak is what stays: the place of all other characters, and what is no ASCII.
void Pseudonyms::rename(Units name) const noexcept {
    Tweak tweak{name_pattern};
    for (const char16_t c : name) {
        tweak = tweak.then(!is_wordy(c) || c >= 0x80 ? std::uint64_t{folded(c)} + 1 : 0);
    }
    for (char16_t& c : name) {
        if (is_wordy(c)) {
            c = letter_of(digit_of(c));
        }
    }
    permute(name, letters, tweak, is_wordy);
}

void Pseudonyms::redial(Units number) const noexcept {
    permute(number, 10, Tweak{digits_of_number}, is_digit);
}

std::uint64_t Pseudonyms::number(std::uint64_t value, std::uint64_t max) const noexcept {
    return same_digits(value, 10, max, Tweak{digits_of_number});
}

std::uint64_t Pseudonyms::permuted_bits(std::uint64_t value, unsigned bits,
                                        Tweak tweak) const noexcept {
    const unsigned half = bits / 2;
    const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
    std::uint64_t left = value >> half & mask;
    std::uint64_t right = value & mask;
    for (unsigned round = 0; round < rounds; ++round) {
        const std::uint64_t next = left ^ (hash(tweak, round, right) & mask);
        left = right;
        right = next;
    }
    return left << half | right;
}

std::uint64_t Pseudonyms::permuted(std::uint64_t value, std::uint64_t first, std::uint64_t last,
                                   Tweak tweak) const noexcept {
    if (value < first || value > last) {
        return value;
    }
    const std::uint64_t size = last - first + 1;
    auto bits = static_cast<unsigned>(std::bit_width(size - 1));
    bits = std::max(2U, bits + bits % 2);
    std::uint64_t walked = value - first;
    do { // leads back into the domain, for it began there
        walked = permuted_bits(walked, bits, tweak.then(first));
    } while (walked >= size);
    return first + walked;
}

// Keeps the number of digits, and zero.
std::uint64_t Pseudonyms::same_digits(std::uint64_t value, unsigned base, std::uint64_t max,
                                      Tweak tweak) const noexcept {
    if (value == 0) {
        return 0;
    }
    std::uint64_t first = 1;
    while (value / first >= base) {
        first *= base;
    }
    return permuted(value, first, std::min(first * base - 1, max), tweak);
}

std::array<std::uint8_t, 4> Pseudonyms::ipv4(std::array<std::uint8_t, 4> address) const noexcept {
    constexpr std::uint8_t loopback = 127, multicast = 224;
    if (address[0] == 0 || address[0] == loopback || address[0] >= multicast) {
        return address;
    }
    Tweak tweak{ipv4_part};
    std::array<std::uint8_t, 4> to{};
    for (std::size_t i = 0; i < 4; ++i) {
        std::uint64_t part = address[i];
        if (i == 0 && part >= 100) { // 100..223 without 127
            const std::uint64_t packed = part > loopback ? part - 1 : part;
            part = permuted(packed, 100, multicast - 2, tweak);
            part += part >= loopback ? 1U : 0U;
        } else {
            part = same_digits(part, 10, 254, tweak);
        }
        to[i] = static_cast<std::uint8_t>(part);
        tweak = tweak.then(address[i]);
    }
    return to;
}

bool holds_ipv4(const Ipv6Groups& groups) noexcept {
    const bool is_mapped =
        groups[5] == 0xFFFF && std::all_of(groups.begin(), groups.begin() + 5,
                                           [](std::uint16_t group) { return group == 0; });
    return is_mapped || (groups[5] == 0x5EFE && (groups[4] & 0xFDFFU) == 0);
}

std::uint16_t Pseudonyms::first_group(std::uint16_t group) const noexcept {
    const Tweak tweak{ipv6_part};
    const std::uint64_t to = group >= 0xFC00 ? permuted(group, 0xFC00, 0xFDFF, tweak)
                                             : permuted(group, 0x2000, 0x3FFF, tweak);
    return static_cast<std::uint16_t>(to);
}

Ipv6Groups Pseudonyms::ipv6(const Ipv6Groups& groups) const noexcept {
    return ipv6(groups, holds_ipv4(groups) ? 6 : 8);
}

Ipv6Groups Pseudonyms::ipv6_by_groups(const Ipv6Groups& groups) const noexcept {
    return ipv6(groups, 8);
}

// An IPv4 address follows the `own` first groups, unless these are all.
Ipv6Groups Pseudonyms::ipv6(const Ipv6Groups& groups, std::size_t own) const noexcept {
    const bool is_low = std::all_of(groups.begin(), groups.begin() + 7,
                                    [](std::uint16_t group) { return group == 0; });
    if (groups[0] >= 0xFF00 || (is_low && groups[7] <= 1)) {
        return groups;
    }
    Ipv6Groups to{};
    Tweak tweak{ipv6_part};
    const bool tells = holds_ipv4(groups);
    for (std::size_t i = 0; i < own; ++i) {
        const bool stays = tells && (i == 4 || i == 5); // what says that an IPv4 address follows
        to[i] = i == 0  ? first_group(groups[i])
                : stays ? groups[i]
                        : static_cast<std::uint16_t>(same_digits(groups[i], 16, 0xFFFF, tweak));
        tweak = tweak.then(groups[i]);
    }
    if (own == 6) {
        const auto high = [](std::uint16_t group) {
            return static_cast<std::uint8_t>(group >> 8U);
        };
        const auto low = [](std::uint16_t group) { return static_cast<std::uint8_t>(group); };
        const auto inside =
            ipv4({high(groups[6]), low(groups[6]), high(groups[7]), low(groups[7])});
        to[6] = static_cast<std::uint16_t>(inside[0] << 8U | inside[1]);
        to[7] = static_cast<std::uint16_t>(inside[2] << 8U | inside[3]);
    }
    return to;
}

std::array<std::uint8_t, 6> Pseudonyms::mac(std::array<std::uint8_t, 6> address) const noexcept {
    std::uint64_t number = 0;
    for (const std::uint8_t part : address) {
        number = number << 8U | part;
    }
    constexpr unsigned flags_at = 40; // of the first byte: group, locally administered
    if (number == 0 || (number >> flags_at & 1U) != 0) {
        return address;
    }
    const std::uint64_t flags = number >> flags_at & 3U;
    constexpr std::uint64_t low = (std::uint64_t{1} << flags_at) - 1;
    const std::uint64_t rest = number >> 42U << flags_at | (number & low);
    const std::uint64_t to = permuted_bits(rest, 46, Tweak{mac_part}.then(flags));
    number = to >> flags_at << 42U | flags << flags_at | (to & low);
    for (std::size_t i = 0; i < 6; ++i) {
        address[i] = static_cast<std::uint8_t>(number >> (8 * (5 - i)));
    }
    return address;
}

bool is_private_sid(std::uint64_t authority,
                    std::span<const std::uint32_t> sub_authorities) noexcept {
    if (sub_authorities.size() < 2) {
        return false;
    }
    const std::uint32_t first = sub_authorities[0];
    // Accounts of machines and domains; pools of web servers; virtual machines. Azure's accounts.
    return (authority == 5 && (first == 21 || first == 82 || first == 83)) ||
           (authority == 12 && first == 1);
}

void Pseudonyms::sid(std::uint64_t authority,
                     std::span<std::uint32_t> sub_authorities) const noexcept {
    if (!is_private_sid(authority, sub_authorities)) {
        return;
    }
    constexpr std::size_t domain_parts = 4; // S-1-5-21-a-b-c
    constexpr std::uint32_t first_own_account = 1000;
    Tweak tweak = Tweak{sid_part}.then(authority).then(sub_authorities[0]);
    for (std::size_t i = 1; i < sub_authorities.size(); ++i) {
        const std::uint32_t part = sub_authorities[i];
        const bool is_well_known = i >= domain_parts && part < first_own_account;
        if (!is_well_known) {
            sub_authorities[i] = static_cast<std::uint32_t>(
                same_digits(part, 10, std::numeric_limits<std::uint32_t>::max(), tweak));
        }
        tweak = tweak.then(part);
    }
}

} // namespace etl::anonymize

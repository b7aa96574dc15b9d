// Values into others of the same form, one to one, by a key. Each function is a permutation of its
// domain, so that different values stay different; where parts follow each other, each is permuted
// by those before it, so that common prefixes stay common. docs/anonymize.md#pseudonyms
// Private to anonymize. Immutable; any thread.
#pragma once

#include "anonymize/names/units.hpp"
#include "base/hashes.hpp"

namespace etl::anonymize {

/// Eight groups, as numbers.
using Ipv6Groups = std::array<std::uint16_t, 8>;

class Pseudonyms {
public:
    explicit Pseudonyms(const std::array<std::uint8_t, 16>& key) noexcept : hash_(key) {}

    /// Letters and digits of `name` become others, in lower case; other ASCII stays where it is.
    /// Names that differ in case only are the same.
    void rename(Units name) const noexcept;

    /// Digits become others, everything else stays. Numbers with the same digits are the same,
    /// whatever separates them.
    void redial(Units number) const noexcept;

    /// A number up to `max`, which is below 2^63; digits per number stay.
    std::uint64_t number(std::uint64_t value, std::uint64_t max) const noexcept;

    /// In the order of the text. Digits per number, loopback, 0.x, multicast and above stay, and so
    /// do zeros and a last 255.
    std::array<std::uint8_t, 4> ipv4(std::array<std::uint8_t, 4> address) const noexcept;

    /// Digits per group, ::, ::1, multicast and fe80 stay. An IPv4 address inside is one.
    Ipv6Groups ipv6(const Ipv6Groups& groups) const noexcept;

    /// The same as if no IPv4 address were inside: where a text has its digits to keep.
    Ipv6Groups ipv6_by_groups(const Ipv6Groups& groups) const noexcept;

    /// All zeros and addresses of groups stay.
    std::array<std::uint8_t, 6> mac(std::array<std::uint8_t, 6> address) const noexcept;

    /// The sub-authorities of a SID; digits per number stay, and so do all SIDs that Windows gives
    /// to everybody and accounts below 1000.
    void sid(std::uint64_t authority, std::span<std::uint32_t> sub_authorities) const noexcept;

private:
    /// What a permutation depends on beside the key.
    struct Tweak {
        std::uint64_t what = 0;

        constexpr Tweak then(std::uint64_t value) const noexcept {
            return {(what ^ value) * 0x9E3779B97F4A7C15U + std::rotl(what, 23)};
        }
    };

    /// A Feistel network over the units that count, whose halves are added to digit by digit.
    template <typename Counts>
    void permute(Units text, unsigned base, Tweak tweak, Counts counts) const noexcept;
    std::uint64_t hash(Tweak tweak, std::uint64_t round, std::uint64_t value) const noexcept;
    /// A permutation of the numbers of `bits` bits, an even number up to 64.
    std::uint64_t permuted_bits(std::uint64_t value, unsigned bits, Tweak tweak) const noexcept;
    /// A permutation of first..last; values outside stay.
    std::uint64_t permuted(std::uint64_t value, std::uint64_t first, std::uint64_t last,
                           Tweak tweak) const noexcept;
    std::uint64_t same_digits(std::uint64_t value, unsigned base, std::uint64_t max,
                              Tweak tweak) const noexcept;
    Ipv6Groups ipv6(const Ipv6Groups& groups, std::size_t own) const noexcept;
    std::uint16_t first_group(std::uint16_t group) const noexcept;

    SipHash hash_;
};

/// Whether the account, machine or directory behind a SID is somebody's own.
bool is_private_sid(std::uint64_t authority,
                    std::span<const std::uint32_t> sub_authorities) noexcept;

/// An IPv6 address whose last 32 bits are an IPv4 address (mapped, ISATAP).
bool holds_ipv4(const Ipv6Groups& groups) noexcept;

} // namespace etl::anonymize

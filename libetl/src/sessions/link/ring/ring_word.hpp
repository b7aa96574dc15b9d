// The word of a ring: how far its space is reserved, in 64 bits that one compare-and-swap changes.
// Pure. docs/machine-sessions-internals.md#ring
//
//     round:24 | position:40
//
// The position counts units of 8 bytes and wraps; the place in the ring is its remainder. The round
// counts the changes of the drain: a writer that read the word before one of them must read the
// clock again.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::link {

/// Of all places and sizes in a ring.
inline constexpr std::size_t unit = 8;

class RingWord {
    static constexpr unsigned position_bits = 40;
    static constexpr std::uint64_t position_mask = (std::uint64_t{1} << position_bits) - 1;

public:
    static constexpr std::uint64_t position(std::uint64_t word) noexcept {
        return word & position_mask;
    }

    /// The same round, with so many units more reserved.
    static constexpr std::uint64_t advanced(std::uint64_t word, std::uint64_t units) noexcept {
        return (word & ~position_mask) | ((word + units) & position_mask);
    }

    static constexpr std::uint64_t next_round(std::uint64_t word) noexcept {
        return word + (std::uint64_t{1} << position_bits);
    }

    /// The same round at another position.
    static constexpr std::uint64_t moved(std::uint64_t word, std::uint64_t position) noexcept {
        return (word & ~position_mask) | (position & position_mask);
    }

    /// Units from one position to a later one.
    static constexpr std::uint64_t distance(std::uint64_t from, std::uint64_t to) noexcept {
        return (to - from) & position_mask;
    }

    static constexpr std::uint64_t after(std::uint64_t position, std::uint64_t units) noexcept {
        return (position + units) & position_mask;
    }
};

/// The first 8 bytes of a reservation, stored as one number: its extent, what it contains, and the
/// registration. 0: nothing has been stored since the reservation.
struct RingHead {
    enum class Kind : std::uint8_t {
        none = 0,
        reserved = 1, // the record is being written
        event = 2,    // an EVENT record of a registration
    };

    Kind kind = Kind::none;
    std::uint32_t units = 0; // including these 8 bytes; 24 bits
    std::uint32_t registration = 0;

    static constexpr std::uint32_t most_units = 0x00FF'FFFF;

    constexpr std::uint64_t bits() const noexcept {
        return std::uint64_t{registration} << 32U | std::uint64_t(kind) << 24U | units;
    }

    static constexpr RingHead of(std::uint64_t bits) noexcept {
        return {.kind = static_cast<Kind>((bits >> 24U) & 0xFFU),
                .units = static_cast<std::uint32_t>(bits & most_units),
                .registration = static_cast<std::uint32_t>(bits >> 32U)};
    }
};

inline constexpr std::size_t ring_head_size = sizeof(std::uint64_t);

/// In place of a registration: the payload of the record is a classic one, for a session by its
/// number.
inline constexpr std::uint32_t first_classic_number = 0xFFFF'0000;

constexpr std::uint32_t classic_number(std::uint16_t session) noexcept {
    return first_classic_number | session;
}

/// 0: the number of a registration.
constexpr std::uint16_t classic_session(std::uint32_t number) noexcept {
    return number < first_classic_number ? 0 : static_cast<std::uint16_t>(number);
}

} // namespace etl::link

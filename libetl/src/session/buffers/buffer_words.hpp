// The word of a stripe: which session, which buffer is open and how far it is taken, in 64 bits
// that one compare-and-swap changes. Pure. docs/session-internals.md#words
//
//     ticket:16 | round | buffer | offset
//
// How many bits the last two have depends on the plan of the session; the round has all others: 10
// for 65535 buffers of 16 MB, 24 for 1000 of 64 KB. It counts changes of the buffer, and those that
// shall only make themselves felt.
#pragma once

#include <etl/format/buffer_header.hpp>
#include <etl/format/logfile_header.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace etl::session {

/// Of all places and sizes in a word: records are aligned to 8.
inline constexpr std::uint32_t unit = 8;
inline constexpr std::uint64_t first_unit = format::buffer_header::size / unit;

/// Of the next session. 0 is nobody's: words of no session have it.
constexpr std::uint16_t ticket_after(std::uint16_t ticket) noexcept {
    return ticket == 0xFFFF ? std::uint16_t{1} : static_cast<std::uint16_t>(ticket + 1);
}

/// The shape of words and what else a writer must know of its session, in a number, so that it is
/// read as a whole. Worth something only to who finds the ticket unchanged after it.
class Geometry {
public:
    static constexpr unsigned ticket_bits = 16;
    static constexpr std::uint32_t most_buffers = 0xFFFF; // and one number that means none

    enum Flag : std::uint64_t {
        refuses = std::uint64_t{1} << 40U, // backlog full
        waits = std::uint64_t{1} << 41U,   // BLOCKING
    };

    constexpr Geometry() = default;

    constexpr explicit Geometry(std::uint64_t bits) noexcept : bits_(bits) {}

    /// For buffers of `size` bytes, a multiple of 8 up to 16 MB, with numbers below `count`.
    static constexpr Geometry of(std::uint32_t size, std::uint32_t count,
                                 format::ClockType clock) noexcept {
        const std::uint64_t units = size / unit;
        return Geometry(units | std::uint64_t(std::bit_width(units)) << 24U |
                        std::uint64_t(std::bit_width(count)) << 30U | std::uint64_t(clock) << 36U);
    }

    constexpr std::uint64_t bits() const noexcept { return bits_; }

    constexpr bool has(Flag flag) const noexcept { return (bits_ & flag) != 0; }

    constexpr std::uint64_t size() const noexcept { return bits_ & mask(24); } // units

    constexpr format::ClockType clock() const noexcept {
        return static_cast<format::ClockType>((bits_ >> 36U) & 3U);
    }

    static constexpr std::uint16_t ticket(std::uint64_t word) noexcept {
        return static_cast<std::uint16_t>(word >> (64U - ticket_bits));
    }

    constexpr std::uint64_t offset(std::uint64_t word) const noexcept {
        return word & mask(offset_bits());
    }

    constexpr std::uint32_t buffer(std::uint64_t word) const noexcept {
        return static_cast<std::uint32_t>((word >> offset_bits()) & mask(buffer_bits()));
    }

    /// One that holds a record at least: a buffer is opened by who writes to it.
    constexpr bool has_buffer(std::uint64_t word) const noexcept {
        return buffer(word) != mask(buffer_bits());
    }

    /// All the same but for how far the buffer is taken.
    constexpr bool is_same_round(std::uint64_t a, std::uint64_t b) const noexcept {
        return (a >> offset_bits()) == (b >> offset_bits());
    }

    /// Of a session that begins: no buffer is open.
    constexpr std::uint64_t first(std::uint16_t of_ticket) const noexcept {
        return (std::uint64_t{of_ticket} << (64U - ticket_bits)) | nothing();
    }

    /// The next round, with another buffer of which so much is taken.
    constexpr std::uint64_t with_buffer(std::uint64_t word, std::uint32_t number,
                                        std::uint64_t taken) const noexcept {
        return next_round(word) | (std::uint64_t{number} << offset_bits()) | taken;
    }

    /// The next round, without a buffer; makes itself felt also where there was none.
    constexpr std::uint64_t without_buffer(std::uint64_t word) const noexcept {
        return next_round(word) | nothing();
    }

private:
    static constexpr std::uint64_t mask(unsigned count) noexcept {
        return (std::uint64_t{1} << count) - 1;
    }

    constexpr unsigned offset_bits() const noexcept { return (bits_ >> 24U) & 63U; }

    constexpr unsigned buffer_bits() const noexcept { return (bits_ >> 30U) & 63U; }

    constexpr unsigned round_at() const noexcept { return offset_bits() + buffer_bits(); }

    /// No buffer, and full to the end: who wants room finds none, whatever else he looks at.
    constexpr std::uint64_t nothing() const noexcept {
        return (mask(buffer_bits()) << offset_bits()) | size();
    }

    /// Ticket, and the round that comes next.
    constexpr std::uint64_t next_round(std::uint64_t word) const noexcept {
        const std::uint64_t rounds = mask(64U - ticket_bits) & ~mask(round_at());
        const std::uint64_t next = (word + (std::uint64_t{1} << round_at())) & rounds;
        return (word & ~mask(64U - ticket_bits)) | next;
    }

    std::uint64_t bits_ = 0;
};

} // namespace etl::session

// The word of a stripe: which session, which buffer is open and how far it is taken, in 64 bits
// that one compare-and-swap changes. Pure. docs/session-internals.md#words
//
//     ticket:16 | round | buffer | offset
//
// How many bits the last two have depends on the plan of the session; the round has all others: 10
// for 65535 buffers of 16 MB, 24 for 1000 of 64 KB. It counts changes of the buffer, and those that
// shall only make themselves felt.
#pragma once

#include "format/buffer_header.hpp"
#include "format/logfile_header.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace etl::session {

/// All positions and sizes in a word are multiples of it: records are aligned to 8.
inline constexpr std::uint32_t unit = 8;
inline constexpr std::uint64_t first_unit = format::buffer_header::size / unit;

/// Returns the ticket of the next session. Words without a session have ticket 0.
constexpr std::uint16_t ticket_after(std::uint16_t ticket) noexcept {
    return ticket == std::numeric_limits<std::uint16_t>::max()
               ? std::uint16_t{1}
               : static_cast<std::uint16_t>(ticket + 1);
}

/// The shape of words and what else a writer must know of its session, in a number, so that it is
/// read as a whole. Worth something only to who finds the ticket unchanged after it.
///
///     flags | clock:2 | bits of a buffer's number:6 | bits of an offset:6 | size of buffers:24
class Geometry {
    // Bits of words.
    static constexpr unsigned word_bits = 64;
    static constexpr unsigned ticket_bits = 16;
    static constexpr unsigned ticket_at = word_bits - ticket_bits;
    // Bits of a geometry.
    static constexpr unsigned size_bits = 24; // 16 MB are 2^21 units
    static constexpr unsigned width_bits = 6; // of a number of bits, 64 at most
    static constexpr unsigned clock_bits = 2;
    static constexpr unsigned offset_width_at = size_bits;
    static constexpr unsigned buffer_width_at = offset_width_at + width_bits;
    static constexpr unsigned clock_at = buffer_width_at + width_bits;
    static constexpr unsigned flags_at = 40;
    static_assert(clock_at + clock_bits <= flags_at);

    static constexpr std::uint64_t mask(unsigned count) noexcept {
        return (std::uint64_t{1} << count) - 1;
    }

public:
    static constexpr std::uint32_t max_buffers = 0xFFFF; // and one number that means none

    enum Flag : std::uint64_t {
        refuses = std::uint64_t{1} << flags_at,     // backlog full
        waits = std::uint64_t{1} << (flags_at + 1), // BLOCKING
    };

    constexpr Geometry() = default;

    constexpr explicit Geometry(std::uint64_t bits) noexcept : bits_(bits) {}

    /// For buffers of `size` bytes, a multiple of 8 up to 16 MB, with numbers below `count`.
    static constexpr Geometry of(std::uint32_t size, std::uint32_t count,
                                 format::ClockType clock) noexcept {
        const std::uint64_t units = size / unit;
        return Geometry(units | std::uint64_t(std::bit_width(units)) << offset_width_at |
                        std::uint64_t(std::bit_width(count)) << buffer_width_at |
                        std::uint64_t(clock) << clock_at);
    }

    constexpr std::uint64_t bits() const noexcept { return bits_; }

    constexpr bool has(Flag flag) const noexcept { return (bits_ & flag) != 0; }

    constexpr std::uint64_t size() const noexcept { return bits_ & mask(size_bits); } // units

    constexpr format::ClockType clock() const noexcept {
        return static_cast<format::ClockType>((bits_ >> clock_at) & mask(clock_bits));
    }

    static constexpr std::uint16_t ticket(std::uint64_t word) noexcept {
        return static_cast<std::uint16_t>(word >> ticket_at);
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

    /// Returns the word of a session that begins: no buffer is open.
    constexpr std::uint64_t first(std::uint16_t of_ticket) const noexcept {
        return (std::uint64_t{of_ticket} << ticket_at) | nothing();
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
    constexpr unsigned offset_bits() const noexcept {
        return static_cast<unsigned>((bits_ >> offset_width_at) & mask(width_bits));
    }

    constexpr unsigned buffer_bits() const noexcept {
        return static_cast<unsigned>((bits_ >> buffer_width_at) & mask(width_bits));
    }

    constexpr unsigned round_at() const noexcept { return offset_bits() + buffer_bits(); }

    /// No buffer, and full to the end: who wants room finds none, whatever else he looks at.
    constexpr std::uint64_t nothing() const noexcept {
        return (mask(buffer_bits()) << offset_bits()) | size();
    }

    /// Ticket, and the round that comes next.
    constexpr std::uint64_t next_round(std::uint64_t word) const noexcept {
        const std::uint64_t rounds = mask(ticket_at) & ~mask(round_at());
        const std::uint64_t next = (word + (std::uint64_t{1} << round_at())) & rounds;
        return (word & ~mask(ticket_at)) | next;
    }

    std::uint64_t bits_ = 0;
};

} // namespace etl::session

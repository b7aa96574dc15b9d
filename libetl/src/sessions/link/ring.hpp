// A ring: its word, the producer's side, and the host's side. docs/machine-sessions.md
#pragma once

#include <etl/bytes.hpp>

#include "base/function_ref.hpp"
#include "link/region.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace etl::link {

// The word of a ring: how far its space is reserved, in 64 bits that one compare-and-swap changes.
// Pure. docs/machine-sessions-internals.md#ring round:24 | position:40 The position counts units of
// 8 bytes and wraps; the place in the ring is its remainder. The round counts the changes of the
// drain: a writer that read the word before one of them must read the clock again.

/// All positions and sizes in a ring are multiples of it.
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

    static constexpr std::uint32_t max_units = 0x00FF'FFFF;

    constexpr std::uint64_t bits() const noexcept {
        return std::uint64_t{registration} << 32U | std::uint64_t(kind) << 24U | units;
    }

    static constexpr RingHead of(std::uint64_t bits) noexcept {
        return {.kind = static_cast<Kind>((bits >> 24U) & 0xFFU),
                .units = static_cast<std::uint32_t>(bits & max_units),
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

// RingWriter: the producer's side of a ring. Any number of threads, no lock, no system call; also
// from a signal handler. docs/machine-sessions-internals.md#ring

/// Space for one record. Must be committed.
struct RingPlace {
    std::byte* at = nullptr; // of the record, after the head
    std::int64_t time = 0;   // not before that of any earlier reservation of the ring
    std::atomic<std::uint64_t>* head = nullptr;
    RingHead committed{};
    bool crosses_quarter = false; // another quarter of the ring is filled
};

class RingWriter {
public:
    RingWriter() = default;

    /// `data` is mapped twice, one mapping after the other, so that no record has to wrap.
    RingWriter(StripeWords& words, std::byte* data, std::size_t size) noexcept
        : words_(&words), data_(data), units_(size / unit) {}

    /// Reserves space for `size` bytes. `clock` is read between the load of the word and the swap.
    /// Nothing: the ring has no space for it.
    template <typename Clock>
    std::optional<RingPlace> reserve(std::size_t size, std::uint32_t registration,
                                     const Clock& clock) noexcept {
        const std::uint64_t units = (size + ring_head_size + unit - 1) / unit;
        std::uint64_t word = words_->word.load(std::memory_order_acquire);
        std::int64_t time = 0;
        do { // NOLINT(cppcoreguidelines-avoid-do-while): the natural form of a swap
            if (!has_space(units, word)) [[unlikely]] {
                return std::nullopt;
            }
            time = clock();
        } while (!words_->word.compare_exchange_weak(word, RingWord::advanced(word, units),
                                                     std::memory_order_acq_rel,
                                                     std::memory_order_acquire));
        return place(RingWord::position(word), static_cast<std::uint32_t>(units), registration,
                     time);
    }

    /// The record is in place.
    static void commit(const RingPlace& place) noexcept {
        place.head->store(place.committed.bits(), std::memory_order_release);
    }

private:
    /// Space is freed up to a position after `word` if others have reserved more since it was
    /// loaded: then it is loaded again.
    bool has_space(std::uint64_t units, std::uint64_t& word) const noexcept {
        for (;;) {
            const std::uint64_t used = RingWord::distance(
                words_->consumed.load(std::memory_order_acquire), RingWord::position(word));
            if (units <= units_ && used <= units_ - units) [[likely]] {
                return true;
            }
            const std::uint64_t now = words_->word.load(std::memory_order_acquire);
            if (RingWord::position(now) == RingWord::position(word)) {
                return false;
            }
            word = now;
        }
    }

    RingPlace place(std::uint64_t position, std::uint32_t units, std::uint32_t registration,
                    std::int64_t time) const noexcept {
        const std::uint64_t index = position & (units_ - 1);
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): shared memory
        auto* head = reinterpret_cast<std::atomic<std::uint64_t>*>(data_ + index * unit);
        // First of all the extent: whoever finds part of the record finds where it ends.
        head->store(RingHead{RingHead::Kind::reserved, units, registration}.bits(),
                    std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_release);
        return {.at = data_ + index * unit + ring_head_size,
                .time = time,
                .head = head,
                .committed = {RingHead::Kind::event, units, registration},
                .crosses_quarter = (index ^ (index + units)) >= units_ / 4};
    }

    StripeWords* words_ = nullptr;
    std::byte* data_ = nullptr;
    std::uint64_t units_ = 0;
};

// RingReader: the host's side of a ring. Returns each committed record once, as a private copy, and
// frees its space. What the producer stores in the ring decides nothing but the content of its own
// records: every number is taken once and checked. One thread.
// docs/machine-sessions-internals.md#ring

/// A committed record.
struct RingRecord {
    RingHead head;
    Bytes bytes; // private copy, without the head; valid during the call
    /// A later record of the ring was returned before this one.
    bool is_late = false;
};

/// The result of one look at a ring.
struct RingLook {
    /// Every record reserved before begin() has been returned, except those passed or given up.
    bool is_complete = true;
    /// Records that are still being written were passed.
    bool has_passed = false;
    /// Reservations that were given up, by registration (0: not known).
    std::vector<std::uint32_t> given_up{};
    /// The memory contradicts the protocol; what could not be read has been skipped.
    bool is_garbled = false;
};

/// What to do with records that are still being written.
enum class Unfinished : std::uint8_t {
    wait,   // stop at the first; is_complete is false
    pass,   // return what follows; they are returned later, as late records
    forget, // the producer has ended: they are lost
};

/// Where the copies of one look go.
struct RingCopies {
    std::vector<std::byte>* to = nullptr; // each is appended
    /// The look stops after the record that exceeds it; late records do not count.
    std::size_t max = SIZE_MAX;
};

class RingReader {
public:
    using Take = FunctionRef<void(const RingRecord&)>;

    RingReader() = default;

    /// `data` is mapped twice, as for the writer.
    RingReader(StripeWords& words, std::byte* data, std::size_t size) noexcept
        : words_(&words), data_(data), units_(size / unit) {}

    /// Starts a new round. A record reserved later has a timestamp after this call.
    void begin() noexcept;

    /// Returns records reserved before begin(), in their order, once.
    RingLook look(Unfinished unfinished, RingCopies copies, Take take);

    /// Whether the producer has used half of the space.
    bool is_half_full() const noexcept;

private:
    struct Range {
        std::uint64_t from = 0, to = 0; // positions
    };

    struct Looking;

    std::uint64_t poke() noexcept;
    std::uint64_t load_head(std::uint64_t position) const noexcept;
    std::optional<std::uint64_t> first_stored(const Range& range) const noexcept;
    void look_at_passed(Looking& looking);
    /// Returns how far it got: `range.to`, or less if it has to stop.
    std::uint64_t scan(const Range& range, Looking& looking);
    void copy(std::uint64_t at, const RingHead& head, Looking& looking) const;
    void free_until(std::uint64_t position) noexcept;
    void return_home() noexcept;

    StripeWords* words_ = nullptr;
    std::byte* data_ = nullptr;
    std::uint64_t units_ = 0;
    std::uint64_t end_ = 0;      // reserved at begin()
    std::uint64_t read_ = 0;     // records before it have been returned, except `passed_`
    std::uint64_t consumed_ = 0; // space before it is free
    std::vector<Range> passed_;  // ascending
    bool is_garbled_ = false;    // found by begin()
};

} // namespace etl::link

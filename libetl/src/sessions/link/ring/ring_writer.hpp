// RingWriter: the producer's side of a ring. Any number of threads, no lock, no system call; also
// from a signal handler. docs/machine-sessions-internals.md#ring
#pragma once

#include "link/ring/region.hpp"
#include "link/ring/ring_word.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace etl::link {

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

} // namespace etl::link

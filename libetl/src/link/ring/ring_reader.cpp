#include "link/ring/ring_reader.hpp"

#include <cstring>

namespace etl::link {

namespace {

/// The largest record, its head, and padding.
constexpr std::uint64_t most_record_units = ((std::uint64_t{1} << 16U) / unit) + 1;

bool is_record(const RingHead& head) noexcept {
    return head.kind == RingHead::Kind::event;
}

} // namespace

RingLook RingReader::look(Unfinished unfinished, Take take) {
    RingLook look;
    const std::uint64_t end = poke();
    const std::uint64_t used = RingWord::distance(consumed_, end);
    if (used > units_ || RingWord::distance(consumed_, read_) > used) {
        look.is_garbled = true; // the word went back, or further than there is space
        passed_.clear();
        read_ = end;
        consumed_ = end; // not cleared: that would touch all of it
        words_->consumed.store(end, std::memory_order_release);
        return look;
    }
    if (!passed_.empty()) {
        const std::vector<Range> before = std::move(passed_);
        passed_.clear();
        const Unfinished still =
            unfinished == Unfinished::forget ? Unfinished::forget : Unfinished::pass;
        for (const Range& range : before) {
            scan(range, still, true, take, look);
        }
    }
    read_ = scan({read_, end}, unfinished, false, take, look);
    look.is_complete = read_ == end;
    free_until(passed_.empty() ? read_ : passed_.front().from);
    return look;
}

/// Starts a new round, so that whoever swaps later has read the clock after this. Returns the
/// position. A producer that keeps changing the word delays only its own events.
std::uint64_t RingReader::poke() noexcept {
    constexpr int tries = 1000;
    std::uint64_t word = words_->word.load(std::memory_order_acquire);
    for (int i = 0; i < tries; ++i) {
        if (words_->word.compare_exchange_weak(word, RingWord::next_round(word),
                                               std::memory_order_acq_rel,
                                               std::memory_order_acquire)) {
            break;
        }
    }
    return RingWord::position(word);
}

std::uint64_t RingReader::load_head(std::uint64_t position) const noexcept {
    const std::byte* at = data_ + (position & (units_ - 1)) * unit;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): shared memory
    return reinterpret_cast<const std::atomic<std::uint64_t>*>(at)->load(std::memory_order_acquire);
}

/// The first unit that is not zero: where the first reservation in the range begins that has stored
/// its head. Freed space is zero and heads are stored first, but they can appear during the search:
/// what was found may be the content of a record whose head was still 0 when it was read.
std::uint64_t RingReader::first_stored(const Range& range) const noexcept {
    std::uint64_t found = range.to;
    for (std::uint64_t to = range.to;; to = found) {
        std::uint64_t at = range.from;
        while (at != to && load_head(at) == 0) {
            at = RingWord::after(at, 1);
        }
        if (at == to) {
            return found;
        }
        found = at;
        std::atomic_thread_fence(std::memory_order_acquire);
    }
}

std::uint64_t RingReader::scan(const Range& range, Unfinished unfinished, bool is_late, Take take,
                               RingLook& look) {
    std::uint64_t at = range.from;
    while (at != range.to) {
        const RingHead head = RingHead::of(load_head(at));
        const bool is_stored = head.bits() != 0;
        const std::uint64_t left = RingWord::distance(at, range.to);
        if (is_stored && (head.units < 2 || head.units > left || head.units > most_record_units ||
                          (!is_record(head) && head.kind != RingHead::Kind::reserved))) {
            look.is_garbled = true;
            return range.to;
        }
        if (is_record(head)) {
            const std::byte* from = data_ + (at & (units_ - 1)) * unit + ring_head_size;
            copy_.assign(from, from + head.units * unit - ring_head_size);
            take({.head = head, .bytes = copy_, .is_late = is_late});
            at = RingWord::after(at, head.units);
            continue;
        }
        if (unfinished == Unfinished::wait) {
            return at;
        }
        const std::uint64_t next =
            is_stored ? RingWord::after(at, head.units) : first_stored({at, range.to});
        if (unfinished == Unfinished::pass) {
            passed_.push_back({at, next});
            look.has_passed = true;
        } else {
            look.given_up.push_back(head.registration);
        }
        at = next;
    }
    return at;
}

void RingReader::free_until(std::uint64_t position) noexcept {
    const std::uint64_t units = RingWord::distance(consumed_, position);
    if (units != 0) {
        std::memset(data_ + (consumed_ & (units_ - 1)) * unit, 0, units * unit);
        consumed_ = position;
        words_->consumed.store(position, std::memory_order_release);
    }
}

} // namespace etl::link

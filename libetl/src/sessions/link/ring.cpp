#include "link/ring.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace etl::link {

namespace {

/// The largest record, its head, and padding.
constexpr std::uint64_t max_record_units = ((std::uint64_t{1} << 16U) / unit) + 1;

/// Space is zeroed and freed in such pieces, while they are in the cache.
constexpr std::uint64_t free_units = (std::uint64_t{16} << 10U) / unit;

/// An empty ring continues at its home if it is farther from it.
constexpr std::uint64_t max_from_home = (std::uint64_t{64} << 10U) / unit;

/// Searches for one head. Another one is needed for each head that a writer stored during the last.
constexpr int max_searches = 64;

bool is_record(const RingHead& head) noexcept {
    return head.kind == RingHead::Kind::event;
}

} // namespace

/// One look while it runs.
struct RingReader::Looking {
    Unfinished unfinished;
    RingCopies copies;
    Take take;
    std::size_t max_size; // of all copies
    bool is_late = false;
    RingLook look{};
};

void RingReader::begin() noexcept {
    end_ = poke();
    const std::uint64_t used = RingWord::distance(consumed_, end_);
    if (used > units_ || RingWord::distance(consumed_, read_) > used) {
        is_garbled_ = true; // the word went back, or further than there is space
        passed_.clear();
        read_ = end_;
        consumed_ = end_; // not cleared: that would touch all of it
        words_->consumed.store(end_, std::memory_order_release);
    }
}

RingLook RingReader::look(Unfinished unfinished, RingCopies copies, Take take) {
    const std::size_t left = SIZE_MAX - copies.to->size();
    Looking looking{.unfinished = unfinished,
                    .copies = copies,
                    .take = take,
                    .max_size = copies.to->size() + std::min(copies.max, left)};
    looking.look.is_garbled = std::exchange(is_garbled_, false);
    look_at_passed(looking);
    read_ = scan({read_, end_}, looking);
    looking.look.is_complete = read_ == end_;
    free_until(passed_.empty() ? read_ : passed_.front().from);
    return_home();
    return std::move(looking.look);
}

bool RingReader::is_half_full() const noexcept {
    const std::uint64_t word = words_->word.load(std::memory_order_relaxed);
    return RingWord::distance(consumed_, RingWord::position(word)) > units_ / 2;
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
/// what was found may be the content of a record whose head was still 0 when it was read. Nothing:
/// a producer stores one before the other as long as it is searched.
std::optional<std::uint64_t> RingReader::first_stored(const Range& range) const noexcept {
    std::uint64_t found = range.to;
    for (int i = 0; i < max_searches; ++i) {
        std::uint64_t at = range.from;
        while (at != found && load_head(at) == 0) {
            at = RingWord::after(at, 1);
        }
        if (at == found) {
            return found;
        }
        found = at;
        std::atomic_thread_fence(std::memory_order_acquire);
    }
    return std::nullopt;
}

void RingReader::look_at_passed(Looking& looking) {
    if (passed_.empty()) {
        return;
    }
    const std::vector<Range> before = std::exchange(passed_, {});
    const Unfinished asked = looking.unfinished;
    looking.unfinished = asked == Unfinished::forget ? Unfinished::forget : Unfinished::pass;
    looking.is_late = true;
    for (const Range& range : before) {
        scan(range, looking);
    }
    looking.unfinished = asked;
    looking.is_late = false;
}

std::uint64_t RingReader::scan(const Range& range, Looking& looking) {
    std::uint64_t at = range.from;
    while (at != range.to) {
        const RingHead head = RingHead::of(load_head(at));
        const bool is_stored = head.bits() != 0;
        const std::uint64_t left = RingWord::distance(at, range.to);
        if (is_stored && (head.units < 2 || head.units > left || head.units > max_record_units ||
                          (!is_record(head) && head.kind != RingHead::Kind::reserved))) {
            looking.look.is_garbled = true;
            return range.to;
        }
        if (is_record(head)) {
            if (!looking.is_late && looking.copies.to->size() >= looking.max_size) {
                return at;
            }
            copy(at, head, looking);
            at = RingWord::after(at, head.units);
            if (!looking.is_late && passed_.empty() &&
                RingWord::distance(consumed_, at) >= free_units) {
                free_until(at);
            }
            continue;
        }
        if (looking.unfinished == Unfinished::wait) {
            return at;
        }
        const std::optional<std::uint64_t> found =
            is_stored ? RingWord::after(at, head.units) : first_stored({at, range.to});
        if (!found) {
            looking.look.is_garbled = true;
            return range.to;
        }
        const std::uint64_t next = *found;
        if (looking.unfinished == Unfinished::pass) {
            passed_.push_back({at, next});
            looking.look.has_passed = true;
        } else {
            looking.look.given_up.push_back(head.registration);
        }
        at = next;
    }
    return at;
}

void RingReader::copy(std::uint64_t at, const RingHead& head, Looking& looking) const {
    const std::byte* from = data_ + (at & (units_ - 1)) * unit + ring_head_size;
    const std::size_t size = head.units * unit - ring_head_size;
    std::vector<std::byte>& to = *looking.copies.to;
    to.insert(to.end(), from, from + size);
    looking.take({.head = head, .bytes = Bytes(to).last(size), .is_late = looking.is_late});
}

void RingReader::free_until(std::uint64_t position) noexcept {
    const std::uint64_t units = RingWord::distance(consumed_, position);
    if (units != 0) {
        std::memset(data_ + (consumed_ & (units_ - 1)) * unit, 0, units * unit);
        consumed_ = position;
        words_->consumed.store(position, std::memory_order_release);
    }
}

/// A ring that is emptied regularly uses the same few pages again and again, whatever its size:
/// they stay in the caches, and the others take no memory. There are two homes, half a ring apart,
/// so that the step to the next one leaves half of the ring to writers that see it before the
/// space is freed.
void RingReader::return_home() noexcept {
    const std::uint64_t half = units_ / 2;
    const std::uint64_t from_home = consumed_ & (half - 1);
    if (consumed_ != end_ || from_home < std::min(max_from_home, half / 4)) {
        return;
    }
    std::uint64_t word = words_->word.load(std::memory_order_relaxed);
    const std::uint64_t home = RingWord::after(consumed_, half - from_home);
    if (RingWord::position(word) == end_ &&
        words_->word.compare_exchange_strong(
            word, RingWord::moved(RingWord::next_round(word), home), std::memory_order_acq_rel)) {
        end_ = read_ = consumed_ = home;
        words_->consumed.store(home, std::memory_order_release);
    }
}

} // namespace etl::link

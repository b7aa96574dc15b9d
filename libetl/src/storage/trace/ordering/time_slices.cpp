#include "trace/ordering/time_slices.hpp"

#include "trace/limits.hpp"
#include "trace/ordering/merge.hpp"

#include <algorithm>
#include <utility>

namespace etl::trace {

namespace {

/// What a slice takes of one chain, if others do not end it before: enough of all chains that to
/// hand it over costs little, and few enough to stay in the cache.
std::size_t events_of_a_chain(std::size_t chains) noexcept {
    constexpr std::size_t of_all = 32U << 10U, min = 64, max = 8U << 10U;
    return std::clamp(of_all / std::max<std::size_t>(chains, 1), min, max);
}

/// Of fewer events, merging them takes less than to hand them over.
constexpr std::size_t handed_over_events = 512;

/// Whether a buffer, or the end of the chain, follows the one before it, and nothing is reported
/// when its time comes.
bool is_in_order(const LoadedBuffer& before, const ChainedBuffer& next) {
    if (!next.findings.empty()) {
        return false;
    }
    if (next.buffer) {
        next.buffer->restamp(before.last_time());
    }
    return !next.buffer || next.buffer->first_time() >= before.last_time();
}

} // namespace

bool TimeSlice::put_away() noexcept {
    parts_.clear();
    runs_.clear();
    bytes_ = 0;
    events_ = 0;
    return runs_.capacity() * sizeof(flow::Run) <= limits::sliced_bytes;
}

void TimeSlice::add(const OpenBuffer& part) {
    parts_.push_back(part);
    const LoadedBuffer& buffer = *part.buffer;
    const std::uint64_t all =
        buffer.context.bytes.size() + buffer.events.size() * sizeof(flow::Event);
    bytes_ += all * part.rest.size() / buffer.events.size();
    events_ += part.rest.size();
}

void TimeSlice::merge() {
    Merge merge;
    std::vector<std::size_t> of_slot; // the part in play
    const auto play = [&](std::size_t part) {
        const Merge::Slot slot = merge.add(parts_[part].rest, parts_[part].rank);
        of_slot.resize(std::max<std::size_t>(of_slot.size(), slot + 1UL));
        of_slot[slot] = part;
    };
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        if (i == 0 || parts_[i].chain != parts_[i - 1].chain) {
            play(i);
        }
    }
    while (!merge.empty()) {
        const Merge::Slot slot = merge.winner();
        runs_.push_back(merge.next());
        if (merge.slot_ended()) {
            const std::size_t ended = of_slot[slot], next = ended + 1;
            if (next < parts_.size() && parts_[next].chain == parts_[ended].chain) {
                play(next);
            }
        }
    }
}

void TimeSlices::begin(std::vector<OpenBuffer> open) {
    is_active_ = true;
    open_ = std::move(open);
    // As MergeOrder has it, of equal times: a slice then has them in the order of the chains.
    std::ranges::sort(open_, {}, &OpenBuffer::rank);
}

std::vector<OpenBuffer> TimeSlices::end() {
    is_active_ = false;
    return std::exchange(open_, {});
}

void TimeSlices::take_slice() {
    current_.reset(); // its memory is for the next one
    runs_ = {};
    next_ = 0;
    refill();
    if (merging_.empty()) {
        return;
    }
    Merging& first = merging_.front();
    if (first.done.valid()) {
        loading_->wait(first.done);
        first.done.get(); // throws what merging threw
    }
    current_ = std::move(first.slice);
    merging_bytes_ -= current_->bytes();
    merging_.pop_front();
    runs_ = current_->runs();
}

void TimeSlices::refill() {
    const std::size_t depth = std::size_t{2} * loading_->threads();
    while (merging_.size() < depth && merging_bytes_ < limits::sliced_bytes && cut_slice()) {
    }
}

/// False: there is nothing to cut.
bool TimeSlices::cut_slice() {
    if (open_.empty()) {
        return false;
    }
    const Cut cut = next_cut();
    const SlicePointer slice = shelf_->take();
    for (OpenBuffer& open : open_) {
        take_up_to(cut, open, *slice);
    }
    std::erase_if(open_, [](const OpenBuffer& open) { return !open.buffer; });
    if (slice->events() == 0) {
        return false;
    }
    merging_bytes_ += slice->bytes();
    merging_.push_back({slice, {}});
    if (slice->events() < handed_over_events) {
        slice->merge();
    } else {
        merging_.back().done = loading_->start([slice] { slice->merge(); });
    }
    return true;
}

/// The latest time up to which all chains are known to be in order.
TimeSlices::Cut TimeSlices::next_cut() {
    Cut cut;
    for (const OpenBuffer& open : open_) {
        extend(open, cut);
    }
    return cut;
}

/// Leaves out this event, unless it is left out already.
void TimeSlices::cut_at(const flow::Event& event, Cut& cut) noexcept {
    if (cut.is_end || event.raw_time < cut.time) {
        cut = {.time = event.raw_time, .is_end = false};
    }
}

/// Looks how far this chain reaches, up to the cut that the others allow, and cuts there. Of a
/// buffer, events can be taken if the merge would have the next one waiting: loaded, and in order.
void TimeSlices::extend(const OpenBuffer& open, Cut& cut) {
    const Chain& chain = (*chains_)[open.chain];
    const std::size_t wanted = events_of_a_chain(open_.size());
    flow::Run last = open.rest;
    std::size_t before = 0; // events of the chain before those
    const LoadedBuffer* waiting = chain.waiting.get();
    for (std::size_t ahead = 0;; ++ahead) {
        if (!cut.is_end && last.back().raw_time >= cut.time) {
            return;
        }
        if (before + last.size() > wanted) {
            cut_at(last[wanted - before], cut);
            return;
        }
        if (waiting == nullptr) {
            return; // the chain ends
        }
        const ChainedBuffer& behind = chain.loader->peek(ahead);
        if (!is_in_order(*waiting, behind)) {
            cut_at(last.back(), cut);
            return;
        }
        before += last.size();
        last = waiting->events.view();
        waiting = behind.buffer.get();
    }
}

void TimeSlices::take_up_to(const Cut& cut, OpenBuffer& open, TimeSlice& into) {
    while (open.buffer) {
        const flow::Run all = open.rest;
        const auto end = cut.is_end
                             ? all.end()
                             : std::ranges::lower_bound(all, cut.time, {}, &flow::Event::raw_time);
        if (end != all.begin()) {
            open.rest = {all.begin(), end};
            into.add(open);
        }
        if (end != all.end()) {
            open.rest = {end, all.end()};
            return;
        }
        advance(open);
    }
}

/// To the next buffer of the chain, as TimeOrder opens it.
void TimeSlices::advance(OpenBuffer& open) {
    Chain& chain = (*chains_)[open.chain];
    open.buffer = std::exchange(chain.waiting, nullptr);
    if (!open.buffer) {
        chain.open_count = 0;
        return;
    }
    open.rest = open.buffer->events.view();
    open.rank = chain.rank++;
    chain.last_time = open.buffer->last_time();
    load_waiting(chain, *loading_, *findings_);
}

} // namespace etl::trace

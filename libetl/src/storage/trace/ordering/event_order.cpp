#include "trace/ordering/event_order.hpp"

#include "base/limits.hpp"
#include "trace/limits.hpp"

#include <algorithm>
#include <limits>

namespace etl::trace {

FileOrder::FileOrder(const LoadRequest& request, std::span<const BufferEntry> entries,
                     BufferStreams streams, const ReaderOptions& options, TraceFindings& findings)
    : is_by_processor_(options.order == Order::buffers), findings_(findings),
      last_times_(is_by_processor_ ? etl::limits::processors : 0, no_time),
      loading_(request, entries, options.threads, streams.streams.size()) {
    if (!streams.streams.empty()) {
        chain_ = loading_.begin(std::move(streams.streams.front()));
    }
}

/// That of the last event before this buffer, which records without a stamp inherit.
std::int64_t& FileOrder::time_before(const LoadedBuffer& buffer) noexcept {
    return is_by_processor_ ? last_times_[buffer.context.processor] : last_time_;
}

flow::Run FileOrder::next_run() {
    current_ = loading_.next(chain_, findings_);
    if (!current_) {
        return {};
    }
    std::int64_t& before = time_before(*current_);
    current_->restamp(before);
    before = current_->last_time();
    return current_->events.view();
}

namespace {

/// How many buffers of one processor may be open at once to put disordered events right.
constexpr std::size_t reorder_span = 2;

/// Of fewer chains the runs are longer: to merge them takes less than to hand over what was merged.
constexpr std::size_t sliced_chains = 16;

/// Where sources are kept apart a chain begins no earlier than those numbered before it. What is
/// selected of it may, though.
std::size_t chains_at_once(const BufferStreams& streams, const ReaderOptions& options) {
    if (!streams.has_sources) {
        return std::numeric_limits<std::size_t>::max();
    }
    return options.select ? limits::merged_buffers : limits::open_buffers;
}

} // namespace

void LoadedBuffer::restamp(std::int64_t before) noexcept {
    std::int64_t time = before;
    if (unstamped < events.size()) {
        // Never later than what follows: the events of a buffer are in order.
        const std::int64_t next = events.view()[unstamped].raw_time;
        time = before == no_time ? next : std::min(before, next);
    } else if (before == no_time) {
        time = context.trace->reference_time;
    }
    for (flow::Event& event : events.all().first(unstamped)) {
        event.raw_time = time;
    }
    unstamped = 0;
}

TimeOrder::TimeOrder(const LoadRequest& request, std::span<const BufferEntry> entries,
                     BufferStreams streams, const ReaderOptions& options, TraceFindings& findings)
    : is_by_epoch_(options.order == Order::recorded), is_bounded_(streams.is_bounded),
      findings_(findings), beginnings_(streams.by_beginning(entries, options.order)),
      begin_at_once_(chains_at_once(streams, options)), slices_(chains_, loading_, findings),
      loading_(request, entries, options.threads, streams.streams.size()) {
    for (BufferStream& stream : streams.streams) {
        chains_.push_back({.stream = std::move(stream)});
        chains_.back().rank = chains_.back().stream.rank;
    }
}

/// What was recorded after the clock was set back begins when its time has come, or, as recorded,
/// when nothing recorded before it is left.
bool TimeOrder::is_too_early(const BufferStream& stream) const {
    if (merged_.empty()) {
        return false;
    }
    return is_by_epoch_ ? stream.epoch != epoch_ : stream.first_time > horizon_;
}

bool TimeOrder::has_room() const noexcept {
    return merged_.count() < limits::merged_buffers && merged_.memory() < limits::inflated_bytes;
}

/// Chains begin before their turn, as many as there is room for, and then one when the one before
/// is about to give its first event: of thousands of sources that follow each other few are open.
void TimeOrder::begin_those_due() {
    while (begun_ < beginnings_.size()) {
        const BufferStream& next = chains_[beginnings_[begun_]].stream;
        if (is_too_early(next)) {
            return;
        }
        if (is_by_epoch_ && next.epoch != epoch_) {
            epoch_ = next.epoch;
            last_time_ = no_time; // what comes may be earlier
        }
        const bool is_early = merged_.count() < begin_at_once_;
        const bool is_due = !newest_ || merged_.empty() || merged_.next_slot() == *newest_;
        if (!merged_.empty() && !is_early && !is_due) {
            return;
        }
        if (!merged_.empty() && !has_room() && is_bounded_) {
            newest_ = is_due ? std::nullopt : newest_; // as soon as there is
            return;
        }
        const std::uint32_t number = beginnings_[begun_++];
        Chain& chain = chains_[number];
        chain.loader = loading_.begin(std::move(chain.stream));
        open_next(number);
    }
}

Merge::Slot TimeOrder::open(std::uint32_t number, BufferPointer buffer) {
    Chain& chain = chains_[number];
    chain.last_time = std::max(chain.last_time, buffer->last_time());
    horizon_ = std::max(horizon_, chain.last_time);
    if (buffer->first_time() < last_time_) {
        findings_.report({.severity = Severity::note,
                          .what = "events are out of order beyond the two-buffer window",
                          .where = buffer->context.where,
                          .buffer = buffer->context.number,
                          .offset = {},
                          .bytes_skipped = 0});
    }
    ++chain.open_count;
    const flow::Run events = buffer->events.view();
    return merged_.add({std::move(buffer), events, chain.rank++, number});
}

/// Opens the next buffer of a chain when none is open, and with it the one behind it if that
/// reaches back into its time.
void TimeOrder::open_next(std::uint32_t number) {
    Chain& chain = chains_[number];
    while (chain.open_count < reorder_span) {
        if (!chain.waiting) {
            load_waiting(chain, loading_, findings_);
            if (!chain.waiting) {
                return;
            }
        }
        if (chain.open_count > 0 && chain.waiting->first_time() >= chain.last_time) {
            return;
        }
        const bool is_first = !std::exchange(chain.has_begun, true);
        const Merge::Slot slot = open(number, std::exchange(chain.waiting, nullptr));
        newest_ = is_first ? slot : newest_;
    }
}

/// Event by event, of what is open.
flow::Run TimeOrder::merge_next() {
    if (const auto ended = merged_.take_ended()) {
        --chains_[*ended].open_count;
        open_next(*ended);
        until_slices_ -= until_slices_ > 0 ? 1U : 0U;
    }
    begin_those_due();
    if (merged_.empty()) [[unlikely]] {
        merged_.let_go();
        return {};
    }
    if (loading_.threads() > 0 && until_slices_ == 0 && begin_slices()) [[unlikely]] {
        return slices_.next_run();
    }
    return merged_.next_run();
}

/// All chains are in play, so many that merging them is work for several threads, and no buffer
/// reaches back into the time of the one before.
bool TimeOrder::is_in_order() const noexcept {
    return !is_bounded_ && begun_ == beginnings_.size() && merged_.count() >= sliced_chains &&
           std::ranges::all_of(chains_, [](const Chain& chain) { return chain.open_count < 2; });
}

/// There are none to be had here: they are tried again later.
void TimeOrder::postpone_slices() noexcept {
    until_slices_ = std::max<std::size_t>(merged_.count(), 1);
}

/// False: they are postponed.
bool TimeOrder::begin_slices() {
    if (!is_in_order()) {
        postpone_slices();
        return false;
    }
    slices_.begin(merged_.take_all());
    return true;
}

void TimeOrder::end_slices() {
    for (OpenBuffer& open : slices_.end()) {
        merged_.add(std::move(open));
    }
    postpone_slices();
}

flow::Run TimeOrder::next_run() {
    flow::Run run = slices_.is_active() ? slices_.next_run() : merge_next();
    if (run.empty() && slices_.is_active()) [[unlikely]] {
        end_slices();
        run = merge_next();
    }
    if (!run.empty()) [[likely]] {
        last_time_ = run.back().raw_time;
    }
    return run;
}

} // namespace etl::trace

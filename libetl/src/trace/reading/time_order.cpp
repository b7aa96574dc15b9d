#include "trace/reading/time_order.hpp"

#include <etl/trace/limits.hpp>

#include <algorithm>
#include <limits>

namespace etl::trace {

namespace {

/// How many buffers of one processor may be open at once to put disordered events right.
constexpr std::size_t reorder_span = 2;

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
      begin_at_once_(chains_at_once(streams, options)),
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
    return merged_.add(std::move(buffer), chain.rank++, number);
}

/// Opens the next buffer of a chain when none is open, and with it the one behind it if that
/// reaches back into its time.
void TimeOrder::open_next(std::uint32_t number) {
    Chain& chain = chains_[number];
    while (chain.open_count < reorder_span) {
        if (!chain.waiting) {
            chain.waiting = loading_.next(chain.loader, findings_);
            if (!chain.waiting) {
                return;
            }
            chain.waiting->restamp(chain.last_time);
        }
        if (chain.open_count > 0 && chain.waiting->first_time() >= chain.last_time) {
            return;
        }
        const bool is_first = !std::exchange(chain.has_begun, true);
        const Merge::Slot slot = open(number, std::exchange(chain.waiting, nullptr));
        newest_ = is_first ? slot : newest_;
    }
}

flow::Run TimeOrder::next_run() {
    if (const auto ended = merged_.take_ended()) {
        --chains_[*ended].open_count;
        open_next(*ended);
    }
    begin_those_due();
    if (merged_.empty()) [[unlikely]] {
        merged_.let_go();
        return {};
    }
    const flow::Run run = merged_.next_run();
    last_time_ = run.back().raw_time;
    return run;
}

} // namespace etl::trace

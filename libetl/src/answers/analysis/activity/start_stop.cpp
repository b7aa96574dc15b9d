#include "analysis/activity/start_stop.hpp"

#include <algorithm>

namespace etl::analysis {

namespace {

/// Those beyond are shown as guessed. 40 bytes each.
constexpr std::size_t max_undecided = 1U << 20U;

} // namespace

void StartStop::start(const Context& context) {
    context_ = &context;
    events_.start(context);
    pairs_.start(context);
}

void StartStop::add(const Record& record) {
    if (const auto edge = events_.read(record)) {
        pairs_.add(*edge);
    }
}

bool StartStop::is_shown(const StartStopEdge& edge) const {
    return edge.in_range && (*context_->owners)[edge.owner].is_selected;
}

bool StartStop::Nesting::remove(std::uint64_t serial) {
    const bool is_innermost = starts_.back().serial == serial;
    std::ranges::lower_bound(starts_, serial, {}, &Start::serial)->is_open = false;
    ++closed_;
    while (!starts_.empty() && !starts_.back().is_open) {
        starts_.pop_back();
        --closed_;
    }
    if (closed_ > starts_.size() / 2) {
        std::erase_if(starts_, [](const Start& start) { return !start.is_open; });
        closed_ = 0;
    }
    return is_innermost;
}

void StartStop::started(const StartStopEdge& start) {
    nesting_[row_of(start)].push(start.serial);
}

void StartStop::finish() {
    for (const Undecided& slice : undecided_) {
        show(slice, pairs_.is_ambiguous(slice.group));
    }
    undecided_ = {};
    pairs_.finish();
}

void StartStop::stopped(const StartStopEdge& start, const StartStopEdge& stop,
                        PairCertainty certainty) {
    const ThreadRow thread = row_of(start);
    const bool is_innermost = nesting_[thread].remove(start.serial);
    if (!stop.in_range || !(*context_->owners)[start.owner].is_selected) {
        return;
    }
    const Undecided slice{.from = start.time,
                          .to = stop.time,
                          .thread = thread,
                          .kind = start.kind,
                          .group = stop.group,
                          .is_nested = is_innermost && row_of(stop) == thread};
    if (certainty == PairCertainty::by_group && undecided_.size() < max_undecided) {
        undecided_.push_back(slice);
    } else {
        show(slice, certainty != PairCertainty::sure);
    }
}

void StartStop::show(const Undecided& slice, bool is_guess) {
    const StartStopEvents::Kind& kind = events_.kind(slice.kind);
    const std::string name =
        std::string(events_.text(kind.activity)).append(is_guess ? " (guessed)" : "");
    ++slices_;
    guesses_ += is_guess ? 1 : 0;
    sink_->slice({.from = slice.from,
                  .to = slice.to,
                  .thread = slice.thread,
                  .processor = {},
                  .category = events_.text(kind.provider),
                  .name = name,
                  .is_nested = slice.is_nested});
}

void StartStop::unpaired(const StartStopEdge& edge) {
    if (edge.serial != 0) {
        nesting_[row_of(edge)].remove(edge.serial);
    }
    if (!is_shown(edge)) {
        return;
    }
    const StartStopEvents::Kind& kind = events_.kind(edge.kind);
    const std::string name =
        std::string(events_.text(kind.activity)).append(edge.is_start ? "/Start" : "/Stop");
    ++marks_;
    ++(edge.is_start ? unpaired_starts_ : unpaired_stops_);
    sink_->mark({.time = edge.time,
                 .thread = row_of(edge),
                 .category = events_.text(kind.provider),
                 .name = name});
}

} // namespace etl::analysis

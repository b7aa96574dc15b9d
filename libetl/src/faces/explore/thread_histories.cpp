#include "explore/thread_histories.hpp"

#include "explore/growing_windows.hpp"

#include <algorithm>
#include <utility>

namespace etl::explore {

namespace {

using analysis::ThreadId;
using analysis::ThreadInterval;

constexpr unsigned max_looks_ahead = 64;

bool contains(const ThreadInterval& one, std::int64_t time) noexcept {
    return one.begin < time && time <= one.end;
}

} // namespace

/// The first interval of each thread, which may begin in an earlier piece.
void ThreadHistories::keep_first_ones() {
    for (auto& [thread, intervals] : threads_) {
        if (!intervals.empty()) {
            later_.insert_or_assign(thread, std::move(intervals.front()));
        }
    }
    threads_.clear();
}

std::expected<void, TraceError> ThreadHistories::load_earlier() {
    // A thread that runs is only known to have run when it is switched out.
    const std::int64_t to =
        is_loaded_ ? from_ : std::min(saturating_sum(range_.end, range_.second), range_.last);
    const std::int64_t first = is_loaded_ ? to : range_.end;
    const bool is_last = takes_all(length_, range_.start, first);
    const std::int64_t from = is_last ? range_.start : first - length_;
    auto history = load_(from, to, {});
    if (!history) {
        return std::unexpected(std::move(history.error()));
    }
    keep_first_ones();
    for (ThreadInterval& one : history->intervals) {
        if (!is_loaded_ || !one.is_open) { // others are known from later pieces
            threads_[one.thread].push_back(std::move(one));
        }
    }
    from_ = std::max(from, std::min(history->missing_until, saturating_sum(to, -2)) + 1);
    if (from_ > from) {
        length_ = saturating_difference(to, from_); // is kept
    } else if (!is_last && length_ < saturating_difference(range_.end, range_.start)) {
        length_ *= growth;
    }
    is_loaded_ = true;
    return {};
}

/// Who ends a wait that goes on after the first piece.
ThreadHistories::Found ThreadHistories::look_ahead(ThreadInterval& wait) {
    GrowingWindows windows(wait.end, range_.last, range_.second);
    while (wait.is_open && !windows.is_at_end() && looks_ahead_ < max_looks_ahead) {
        ++looks_ahead_;
        const auto [from, to] = windows.next();
        auto history = load_(from, to, {wait.thread.tid});
        if (!history) {
            return std::unexpected(std::move(history.error()));
        }
        const auto found = std::ranges::find_if(history->intervals, [&](const auto& one) {
            return one.state == wait.state && one.begin == wait.begin && !one.is_open;
        });
        if (found != history->intervals.end()) {
            const std::string process = std::exchange(wait.process, {});
            wait = std::move(*found);
            wait.process = process;
            break;
        }
    }
    wait.is_open = false; // it is not looked for again
    return &wait;
}

ThreadHistories::Found ThreadHistories::before(const ThreadId& thread, std::int64_t time) {
    while (!is_loaded_ || (time <= from_ && from_ > range_.start)) {
        if (auto loaded = load_earlier(); !loaded) {
            return std::unexpected(std::move(loaded.error()));
        }
    }
    ThreadInterval* one = nullptr;
    if (const auto found = threads_.find(thread); found != threads_.end()) {
        const auto at = std::ranges::lower_bound(found->second, time, {}, &ThreadInterval::end);
        one = at != found->second.end() && contains(*at, time) ? &*at : nullptr;
    }
    if (const auto later = later_.find(thread); one == nullptr && later != later_.end()) {
        one = contains(later->second, time) ? &later->second : nullptr;
    }
    const bool has_no_end =
        one != nullptr && one->is_open && one->state == ThreadInterval::State::waiting;
    return has_no_end ? look_ahead(*one) : Found(one);
}

std::int64_t ThreadHistories::known_before(const ThreadId& thread, std::int64_t time) const {
    const auto found = threads_.find(thread);
    if (found != threads_.end()) {
        const auto at = std::ranges::lower_bound(found->second, time, {}, &ThreadInterval::end);
        if (at != found->second.begin()) {
            return std::max(std::prev(at)->end, from_);
        }
    }
    return std::max(from_, range_.start);
}

} // namespace etl::explore

#include "flow/filters.hpp"

#include <algorithm>

namespace etl::flow {

Run WhereFilter::next_run() {
    while (true) {
        while (!rest_.empty() && !predicate_(rest_.front())) {
            rest_ = rest_.subspan(1);
        }
        if (!rest_.empty()) {
            const auto end = std::ranges::find_if_not(rest_.subspan(1), std::ref(predicate_));
            const Run run(rest_.begin(), end);
            // What ended the run was asked about already.
            rest_ = end == rest_.end() ? Run{} : Run(end + 1, rest_.end());
            return run;
        }
        rest_ = upstream_->next_run();
        if (rest_.empty()) {
            return {};
        }
    }
}

RawWindow TimeFilter::Window::raw(const Clock& clock) const noexcept {
    RawWindow window;
    if (from) {
        window.from = clock.to_raw(*from);
    }
    if (to) {
        window.to = clock.to_raw(*to);
    }
    return window;
}

const RawWindow& TimeFilter::window_of(const TraceInfo& trace) {
    if (known_ != &trace) {
        known_ = &trace;
        raw_ = window_.raw(trace.clock);
    }
    return raw_;
}

void TimeFilter::count_untimed(Run left_out) noexcept {
    if (untimed_ != nullptr) {
        *untimed_ +=
            static_cast<std::uint64_t>(std::ranges::count(left_out, false, &Event::has_time));
    }
}

Run TimeFilter::next_run() {
    while (!ended_) {
        if (rest_.empty()) {
            rest_ = upstream_->next_run();
            if (rest_.empty()) {
                return {};
            }
        }
        const RawWindow window = window_of(rest_.front().trace());
        const bool is_bounded = window_.from || window_.to;
        const auto fits = [&](const Event& event) { return !is_bounded || window.contains(event); };
        const auto ends = [&](const Event& event) {
            return order_ == Upstream::ordered && event.has_time && window.to &&
                   event.raw_time >= *window.to;
        };
        const auto begin = std::ranges::find_if(
            rest_, [&](const Event& event) { return fits(event) || ends(event); });
        count_untimed({rest_.begin(), begin});
        const auto end = std::find_if_not(begin, rest_.end(), fits);
        const Run run(begin, end);
        ended_ = end != rest_.end() && ends(*end);
        rest_ = ended_ ? Run{} : Run(end, rest_.end());
        if (!run.empty()) {
            return run;
        }
    }
    return {};
}

Run CountFilter::next_run() {
    while (left_ > 0) {
        Run run = upstream_->next_run();
        if (run.empty()) {
            break;
        }
        const std::size_t skipped =
            static_cast<std::size_t>(std::min<std::uint64_t>(skip_, run.size()));
        skip_ -= skipped;
        run = run.subspan(skipped);
        run = run.first(static_cast<std::size_t>(std::min<std::uint64_t>(left_, run.size())));
        left_ -= run.size();
        if (!run.empty()) {
            return run;
        }
    }
    return {};
}

} // namespace etl::flow

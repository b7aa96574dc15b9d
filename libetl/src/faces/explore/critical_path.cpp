#include "explore/critical_path.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace etl::explore {

namespace {

using analysis::ThreadId;
using analysis::ThreadInterval;
using analysis::WakerKind;
using State = ThreadInterval::State;
using Steps = std::expected<std::vector<Step>, TraceError>;

constexpr std::size_t max_depth = 64;                   // waits that are explained by each other
constexpr std::size_t max_waits = 64, max_steps = 1024; // of follow_wait()

Step step_of(const ThreadInterval& interval, std::int64_t begin, std::int64_t end) {
    Step step{name_of(interval.state), interval, interval.state == State::waiting};
    step.interval.begin = begin;
    step.interval.end = end;
    return step;
}

Step step_of(std::string_view state, const ThreadId& thread, std::int64_t begin, std::int64_t end) {
    return {state, {.thread = thread, .process = {}, .begin = begin, .end = end}, false};
}

/// The walk: `time_` only falls. Steps are in the order in which they are found.
class PathWalk {
public:
    PathWalk(ThreadHistories& histories, const ThreadId& thread, std::int64_t start,
             std::int64_t end)
        : histories_(&histories), open_{{thread, start}}, start_(start), time_(end) {}

    Steps walk() {
        while (time_ > start_) {
            if (time_ <= open_.back().least) {
                open_.pop_back(); // the wait that it explains has begun
                continue;
            }
            if (steps_.size() + 1 >= max_path_steps) {
                add(step_of("unknown", open_.front().thread, start_, time_));
                break;
            }
            const auto found = histories_->before(open_.back().thread, time_);
            if (!found) {
                return std::unexpected(found.error());
            }
            go_back(*found);
        }
        std::ranges::reverse(steps_);
        return std::move(steps_);
    }

private:
    /// A thread that explains what the one before it waited for.
    struct Open {
        ThreadId thread;
        std::int64_t least = 0; // not before this time
    };

    void go_back(const ThreadInterval* found) {
        const Open& open = open_.back();
        if (found == nullptr) {
            const std::int64_t known = histories_->known_before(open.thread, time_);
            add(step_of("unknown", open.thread, std::max(open.least, std::min(known, time_ - 1)),
                        time_));
        } else if (found->state == State::waiting) {
            explain(*found);
        } else {
            add(step_of(*found, std::max(open.least, found->begin), time_));
        }
    }

    bool is_open(const ThreadId& thread) const {
        return std::ranges::find(open_, thread, &Open::thread) != open_.end();
    }

    void explain(const ThreadInterval& wait) {
        const std::int64_t begin = std::max(open_.back().least, wait.begin);
        if (wait.kind == WakerKind::thread && wait.waker && !is_open(*wait.waker) &&
            open_.size() < max_depth) {
            name_waker(wait);
            open_.push_back({*wait.waker, begin});
            return;
        }
        Step step = step_of(wait, begin, time_);
        if (wait.kind == WakerKind::thread && wait.waker && is_open(*wait.waker)) {
            step.state = "cycle";
        }
        if (wait.kind == WakerKind::disk && wait.issued && *wait.issued > begin) {
            if (*wait.issued < time_) {
                step.interval.begin = *wait.issued; // it is not known what was before
            } else {
                step.interval.kind = WakerKind::unknown;
            }
        }
        add(std::move(step));
    }

    /// The step after the wait begins with it.
    void name_waker(const ThreadInterval& wait) {
        if (!steps_.empty() && steps_.back().interval.thread == wait.thread &&
            steps_.back().interval.begin == time_) {
            Step& step = steps_.back();
            step.has_waker = true;
            step.interval.reason = wait.reason;
            step.interval.kind = wait.kind;
            step.interval.waker = wait.waker;
        }
    }

    void add(Step step) {
        time_ = step.interval.begin;
        const bool goes_on = !steps_.empty() && step.state == "unknown" &&
                             steps_.back().state == "unknown" &&
                             steps_.back().interval.thread == step.interval.thread;
        if (goes_on) {
            steps_.back().interval.begin = time_;
        } else {
            steps_.push_back(std::move(step));
        }
    }

    ThreadHistories* histories_;
    std::vector<Open> open_;
    std::int64_t start_, time_;
    std::vector<Step> steps_;
};

} // namespace

std::string_view name_of(State state) noexcept {
    return state == State::running ? "running" : state == State::ready ? "ready" : "waiting";
}

Steps critical_path(ThreadHistories& histories, const ThreadId& thread, std::int64_t start,
                    std::int64_t end) {
    return PathWalk(histories, thread, start, end).walk();
}

Steps follow_wait(ThreadHistories& histories, const ThreadInterval& first) {
    std::vector<Step> steps;
    std::set<ThreadId> seen;
    std::optional<ThreadInterval> wait = first;
    std::int64_t least = first.begin;
    for (std::size_t waits = 0; wait && waits < max_waits; ++waits) {
        seen.insert(wait->thread);
        least = std::max(least, wait->begin);
        std::int64_t time = wait->end;
        steps.push_back(step_of(*wait, least, time));
        const auto waker = wait->kind == WakerKind::thread ? wait->waker : std::nullopt;
        wait.reset();
        if (!waker) {
            break; // a cause, or unknown
        }
        if (seen.contains(*waker)) {
            steps.push_back(step_of("cycle", *waker, least, time));
            break;
        }
        while (time > least && !wait && steps.size() < max_steps) {
            const auto one = histories.before(*waker, time);
            if (!one) {
                return std::unexpected(one.error());
            }
            if (*one == nullptr) {
                steps.push_back(step_of("unknown", *waker, least, time));
                break;
            }
            if ((*one)->state == State::waiting) {
                wait = **one;
                break;
            }
            const std::int64_t begin = std::max(least, (*one)->begin);
            steps.push_back(step_of(**one, begin, time));
            time = begin;
        }
    }
    return steps;
}

} // namespace etl::explore

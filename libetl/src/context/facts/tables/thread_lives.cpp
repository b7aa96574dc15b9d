#include "facts/tables/thread_lives.hpp"

#include <optional>

namespace etl::facts {

namespace {

using Seen = ThreadLives::Seen;
using Life = ThreadLives::Life;

/// The first and the last time at which a thread is stated to be of one process, without another
/// one, an end, or a start in between.
struct Stated {
    std::uint32_t process = 0;
    std::int64_t first = 0, last = 0;
    bool has_start = false, has_end = false; // recorded: they are `first` and `last`
};

auto thread_order(const Seen& seen) noexcept {
    return std::tuple(seen.key, seen.time, seen.moment, seen.value, seen.has_value, seen.recorder);
}

void leave_repetitions(std::vector<Seen>& seen) {
    std::ranges::sort(seen, {}, thread_order);
    seen.erase(std::ranges::unique(seen, {}, thread_order).begin(), seen.end());
}

// The same change in the records of both recorders, whose times differ by microseconds.
bool is_repeated(const Seen& last, const Seen& seen) noexcept {
    return last.moment == seen.moment &&
           (seen.moment == Moment::begin || seen.moment == Moment::end) &&
           last.recorder != seen.recorder &&
           (!last.has_value || !seen.has_value || last.value == seen.value);
}

void state(std::vector<Stated>& all, const Seen& seen) {
    const bool is_open = !all.empty() && !all.back().has_end;
    const bool is_same = is_open && (!seen.has_value || all.back().process == seen.value);
    switch (seen.moment) {
    case Moment::begin:
        all.push_back({seen.value, seen.time, seen.time, true, false});
        break;
    case Moment::gone:
    case Moment::present:
        if (is_same) {
            all.back().last = seen.time;
        } else {
            all.push_back({seen.value, seen.time, seen.time});
        }
        break;
    case Moment::end:
        if (is_same) {
            all.back().last = seen.time;
            all.back().has_end = true;
        } else if (seen.has_value) {
            all.push_back({seen.value, seen.time, seen.time, false, true});
        }
        break;
    }
}

/// What the events about one thread say.
std::vector<Stated> stated_by(std::span<const Seen> events) {
    std::vector<Stated> all;
    const Seen* last = nullptr;
    for (const Seen& seen : events) {
        if (last != nullptr && is_repeated(*last, seen)) {
            if (seen.moment == Moment::end && seen.recorder == Recorder::classes && !all.empty()) {
                all.back().last = seen.time;
            }
            last = nullptr;
            continue;
        }
        state(all, seen);
        last = &seen;
    }
    return all;
}

void add_event(std::vector<Stated>& all, const Stated& next) {
    if (!all.empty() && !all.back().has_end && !next.has_start &&
        all.back().process == next.process) {
        all.back().last = next.last;
        all.back().has_end = next.has_end;
    } else {
        all.push_back(next);
    }
}

// A thread that has ended still logs: it runs to its last switch.
void add_statement(std::vector<Stated>& all, const ThreadStatement& next) {
    if (all.empty() || all.back().process != next.process) {
        all.push_back({next.process, next.time, next.time});
    } else if (!all.back().has_end) {
        all.back().last = next.time;
    }
}

/// Adds the statements of other records; those between two events that say the same are not
/// needed if they agree, and wrong if they do not.
std::vector<Stated> completed(std::span<const Stated> events,
                              std::span<const ThreadStatement> others) {
    std::vector<Stated> all;
    auto other = others.begin();
    for (const Stated& event : events) {
        for (; other != others.end() && other->time < event.first; ++other) {
            add_statement(all, *other);
        }
        while (other != others.end() && other->time <= event.last) {
            ++other;
        }
        add_event(all, event);
    }
    for (; other != others.end(); ++other) {
        add_statement(all, *other);
    }
    return all;
}

/// When a thread ID changed from one process to the next, of which neither the end nor the start
/// is recorded: in the middle, so that the nearer statement counts.
std::int64_t change_between(const Stated& one, const Stated& next, std::int64_t end_of_process,
                            std::int64_t begin_of_process) noexcept {
    const std::uint64_t between =
        static_cast<std::uint64_t>(next.first) - static_cast<std::uint64_t>(one.last);
    const std::uint64_t middle = static_cast<std::uint64_t>(one.last) + between / 2 + 1;
    std::int64_t change = between == 0 ? next.first : static_cast<std::int64_t>(middle);
    if (end_of_process > one.last) {
        change = std::min(change, end_of_process);
    }
    if (begin_of_process <= next.first) {
        change = std::max(change, begin_of_process);
    }
    return change;
}

void add_lives(std::vector<Life>& lives, std::uint32_t thread, std::span<const Stated> all,
               ThreadLives::BoundsOf bounds_of) {
    const Stated* before = nullptr;
    for (const Stated& one : all) {
        const std::int64_t begin_of_process = bounds_of(one.process, one.first).first;
        std::int64_t begin = begin_of_process <= one.first ? begin_of_process : always;
        if (one.has_start) {
            begin = one.first;
        } else if (before != nullptr && before->has_end) {
            begin = std::max(begin, before->last);
        } else if (before != nullptr) {
            begin = change_between(*before, one, bounds_of(before->process, before->last).second,
                                   begin_of_process);
        }
        if (before != nullptr) {
            lives.back().end = before->has_end ? before->last : begin;
        }
        lives.push_back({thread, one.process, begin, forever});
        before = &one;
    }
    if (before != nullptr && before->has_end) {
        lives.back().end = before->last;
    }
}

} // namespace

bool ThreadLives::add(const Seen& seen, std::size_t most) {
    if (seen_.size() >= most && !is_full_) {
        leave_repetitions(seen_);
        is_full_ = seen_.size() > most - most / 8; // sorting again would not pay
    }
    if (seen_.size() >= most) {
        return false;
    }
    seen_.push_back(seen);
    return true;
}

void ThreadLives::build(BoundsOf bounds_of) {
    leave_repetitions(seen_);
    const std::vector<ThreadStatement> statements = spans_.take();
    auto seen = seen_.cbegin();
    auto other = statements.cbegin();
    while (seen != seen_.cend() || other != statements.cend()) {
        const std::uint32_t thread = other == statements.cend()  ? seen->key
                                     : seen == seen_.cend()      ? other->thread
                                     : seen->key < other->thread ? seen->key
                                                                 : other->thread;
        const auto seen_end =
            std::find_if(seen, seen_.cend(), [&](const Seen& one) { return one.key != thread; });
        const auto other_end =
            std::find_if(other, statements.cend(),
                         [&](const ThreadStatement& one) { return one.thread != thread; });
        add_lives(lives_, thread, completed(stated_by({seen, seen_end}), {other, other_end}),
                  bounds_of);
        seen = seen_end;
        other = other_end;
    }
    seen_ = {};
    lives_.shrink_to_fit();
}

namespace {

/// The first life of a thread that begins after a time, or what follows all of them.
auto first_after(std::span<const Life> lives, std::uint32_t thread, std::int64_t time) noexcept {
    return std::ranges::upper_bound(lives, std::pair(thread, time), {}, [](const Life& life) {
        return std::pair(life.thread, life.begin);
    });
}

} // namespace

const Life* ThreadLives::latest(std::uint32_t thread, std::int64_t time) const noexcept {
    const std::span<const Life> all = lives_;
    const auto after = first_after(all, thread, time);
    return after != all.begin() && (after - 1)->thread == thread ? &*(after - 1) : nullptr;
}

Thread ThreadLives::around(std::uint32_t thread, std::int64_t time) const noexcept {
    const std::span<const Life> all = lives_;
    const auto after = first_after(all, thread, time);
    Thread found;
    if (after != all.begin() && (after - 1)->thread == thread) {
        found.process = (after - 1)->process;
        found.begin = (after - 1)->begin;
    }
    if (after != all.end() && after->thread == thread) {
        found.end = after->begin;
    }
    return found;
}

} // namespace etl::facts

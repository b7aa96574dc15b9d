// Why a thread waited: the wait, who ended it, what that thread did meanwhile, and so on.
// docs/explore.md#follow
#include "analysis/groups.hpp"
#include "analysis/thread_history.hpp"
#include "explore/explorer_state.hpp"
#include "format/thread_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace etl::explore {

namespace {

using analysis::Cell;
using analysis::ThreadId;
using analysis::ThreadInterval;
using State = ThreadInterval::State;

constexpr std::size_t max_waits = 64, max_steps = 1024;

/// Intervals of threads, in the order of their ends.
class Histories {
public:
    explicit Histories(std::vector<ThreadInterval> intervals) {
        for (ThreadInterval& interval : intervals) {
            by_thread_[interval.thread].push_back(std::move(interval));
        }
    }

    /// What a thread did just before a time; null: that is not known.
    const ThreadInterval* before(const ThreadId& thread, std::int64_t time) const {
        const auto found = by_thread_.find(thread);
        if (found == by_thread_.end()) {
            return nullptr;
        }
        const auto& all = found->second;
        const auto at = std::ranges::lower_bound(all, time, {}, &ThreadInterval::end);
        return at != all.end() && at->begin < time ? &*at : nullptr;
    }

private:
    std::map<ThreadId, std::vector<ThreadInterval>> by_thread_;
};

/// Makes rows of steps.
class Steps {
public:
    explicit Steps(const flow::Clock& clock) : clock_(&clock) {
        using analysis::key_column;
        using analysis::Unit;
        table_ = {.name = "follow", .is_ordered = true};
        table_.columns = {key_column("process", Unit::text),
                          key_column("pid", Unit::id),
                          key_column("tid", Unit::id),
                          key_column("state", Unit::text),
                          key_column("begin", Unit::time),
                          key_column("end", Unit::time),
                          analysis::plain_column("duration_ns", Unit::nanoseconds),
                          key_column("reason", Unit::text),
                          key_column("waker", Unit::text),
                          key_column("waker_pid", Unit::id),
                          key_column("waker_tid", Unit::id)};
    }

    bool is_full() const noexcept { return table_.rows.size() >= max_steps; }

    /// The part of an interval from `begin` to `end`, raw.
    void add(const ThreadInterval& one, std::int64_t begin, std::int64_t end) {
        const bool is_wait = one.state == State::waiting;
        table_.rows.push_back(
            {{one.process.empty() ? Cell() : Cell(one.process), id(one.thread.pid),
              std::uint64_t{one.thread.tid}, std::string(name_of(one.state)), time(begin),
              time(end), duration(begin, end), is_wait ? reason_of(one.reason) : Cell(),
              is_wait ? waker_of(one) : Cell(), one.waker ? id(one.waker->pid) : Cell(),
              one.waker ? Cell(std::uint64_t{one.waker->tid}) : Cell()}});
    }

    /// The last step: why it goes no further.
    void end_with(std::string_view state, const ThreadId& thread, std::int64_t begin,
                  std::int64_t end) {
        table_.rows.push_back(
            {{Cell(), id(thread.pid), std::uint64_t{thread.tid}, std::string(state), time(begin),
              time(end), duration(begin, end), Cell(), Cell(), Cell(), Cell()}});
    }

    analysis::Table take() { return std::move(table_); }

private:
    static Cell id(const std::optional<std::uint32_t>& number) {
        return number ? Cell(std::uint64_t{*number}) : Cell();
    }

    static std::string_view name_of(State state) noexcept {
        return state == State::running ? "running" : state == State::ready ? "ready" : "waiting";
    }

    static Cell reason_of(std::uint8_t reason) {
        const std::string_view name = format::wait_reason_name(reason);
        return name.empty() ? std::to_string(reason) : std::string(name);
    }

    static Cell waker_of(const ThreadInterval& wait) {
        return std::string(wait.by_dpc ? "DPC" : wait.waker ? "thread" : "unknown");
    }

    Cell time(std::int64_t raw) const {
        return static_cast<std::uint64_t>(clock_->to_filetime(raw).ticks);
    }

    Cell duration(std::int64_t begin, std::int64_t end) const {
        return analysis::nanoseconds_of(static_cast<std::uint64_t>(end - begin),
                                        clock_->frequency());
    }

    const flow::Clock* clock_;
    analysis::Table table_;
};

/// Walks back from the end of a wait, never before its begin.
analysis::Table walk(const Histories& histories, const ThreadInterval& first,
                     const flow::Clock& clock) {
    Steps steps(clock);
    std::set<ThreadId> seen;
    const ThreadInterval* wait = &first;
    std::int64_t least = first.begin;
    for (std::size_t waits = 0; wait != nullptr && waits < max_waits; ++waits) {
        seen.insert(wait->thread);
        least = std::max(least, wait->begin);
        steps.add(*wait, least, wait->end);
        std::int64_t time = wait->end;
        const auto waker = wait->by_dpc ? std::nullopt : wait->waker;
        wait = nullptr;
        if (!waker || waker->tid == 0) {
            break; // a cause, or unknown
        }
        if (seen.contains(*waker)) {
            steps.end_with("cycle", *waker, least, time);
            break;
        }
        while (time > least && wait == nullptr && !steps.is_full()) {
            const ThreadInterval* const one = histories.before(*waker, time);
            if (one == nullptr) {
                steps.end_with("unknown", *waker, least, time);
                break;
            }
            if (one->state == State::waiting) {
                wait = one;
                break;
            }
            steps.add(*one, std::max(least, one->begin), time);
            time = std::max(least, one->begin);
        }
    }
    return steps.take();
}

std::string text_of(Filetime time) {
    return std::to_string(time.ticks);
}

using History = std::expected<std::vector<ThreadInterval>, TraceError>;

/// What happened in a window.
History history_of(OpenedTraces& opened, const FollowQuestion& question, const Selection& window,
                   bool is_of_all, const Stop* stop) {
    auto asked = opened.ask(window, stop, ProcessFilter::events);
    if (!asked) {
        return std::unexpected(std::move(asked.error()));
    }
    analysis::HistoryRequest request{.input = question.input};
    if (!is_of_all) {
        request.tids = {question.tid};
    }
    auto history = analysis::thread_history(asked->traces, request);
    return is_stopped(stop) ? History(std::unexpected(stopped_error())) : std::move(history);
}

/// The first wait of the thread that ends at or after a time. Windows grow until it is in one.
std::expected<std::optional<ThreadInterval>, TraceError>
wait_of(OpenedTraces& opened, const FollowQuestion& question, Filetime at, const Stop* stop) {
    const Filetime end = opened.traces().bounds().end.value_or(Filetime{INT64_MAX});
    for (std::int64_t length = Filetime::per_second;; length *= 8) {
        const bool is_last = at.ticks > end.ticks - length || length > INT64_MAX / 16;
        const Selection window{.from = text_of(at),
                               .to = is_last ? std::string() : text_of({at.ticks + length})};
        auto history = history_of(opened, question, window, false, stop);
        if (!history) {
            return std::unexpected(std::move(history.error()));
        }
        const auto wait = std::ranges::find(*history, State::waiting, &ThreadInterval::state);
        if (wait != history->end()) {
            return std::move(*wait);
        }
        if (is_last) {
            return std::nullopt;
        }
    }
}

} // namespace

std::expected<Answer, TraceError> Explorer::follow(const FollowQuestion& question,
                                                   const Stop* stop) const {
    OpenedTraces& opened = state_->traces;
    const auto& readers = opened.traces().readers();
    if (question.input == 0 || question.input > readers.size()) {
        return wrong(ErrorCode::not_found, "input", fmt::format("no trace {}", question.input));
    }
    auto asked = opened.ask({.from = question.at}, stop, ProcessFilter::events);
    if (!asked) {
        TraceError error = std::move(asked.error());
        error.about = error.about == "from" ? "at" : error.about;
        return std::unexpected(std::move(error));
    }
    const Filetime at = asked->filters.window.from.value_or(opened.traces().bounds().start);
    const auto wait = wait_of(opened, question, at, stop);
    if (!wait) {
        return std::unexpected(wait.error());
    }
    const flow::Clock& clock = readers[question.input - 1]->info().clock;
    Answer answer{.table = Steps(clock).take()};
    if (!*wait) {
        answer.remarks.push_back(
            fmt::format("no wait of thread {} ends at this time or later", question.tid));
        answer.rows = 0;
        return answer;
    }
    // A running thread is only known to have run when it is switched out.
    const Filetime end{clock.to_filetime((*wait)->end).ticks + Filetime::per_second};
    auto history = history_of(
        opened, question, {.from = text_of(clock.to_filetime((*wait)->begin)), .to = text_of(end)},
        true, stop);
    if (!history) {
        return std::unexpected(std::move(history.error()));
    }
    answer.table = walk(Histories(*std::move(history)), **wait, clock);
    answer.rows = answer.table.rows.size();
    return answer;
}

} // namespace etl::explore

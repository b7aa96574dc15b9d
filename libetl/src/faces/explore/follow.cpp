// Why a thread waited, and what it did between two times with what it waited for.
// docs/explore.md#follow
#include "analysis/groups.hpp"
#include "analysis/thread_history.hpp"
#include "explore/critical_path.hpp"
#include "explore/explorer_state.hpp"
#include "explore/growing_windows.hpp"
#include "format/thread_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace etl::explore {

namespace {

using analysis::Cell;
using analysis::ThreadInterval;
using analysis::WakerKind;
using State = ThreadInterval::State;
using StepsFound = std::expected<std::vector<Step>, TraceError>;

analysis::Table empty_table() {
    using analysis::key_column;
    using analysis::Unit;
    analysis::Table table{.name = "follow", .is_ordered = true};
    table.columns = {key_column("process", Unit::text),
                     key_column("pid", Unit::id),
                     key_column("tid", Unit::id),
                     key_column("state", Unit::text),
                     key_column("begin", Unit::time),
                     key_column("end", Unit::time),
                     analysis::plain_column("duration_ns", Unit::nanoseconds),
                     key_column("reason", Unit::text),
                     key_column("waker", Unit::text),
                     key_column("waker_pid", Unit::id),
                     key_column("waker_tid", Unit::id),
                     key_column("what", Unit::text)};
    return table;
}

Cell id(const std::optional<std::uint32_t>& number) {
    return number ? Cell(std::uint64_t{*number}) : Cell();
}

Cell text(std::string_view text) {
    return text.empty() ? Cell() : Cell(std::string(text));
}

Cell reason_of(std::uint8_t reason) {
    const std::string_view name = format::wait_reason_name(reason);
    return name.empty() ? std::to_string(reason) : std::string(name);
}

analysis::Row row_of(const Step& step, const flow::Clock& clock) {
    const ThreadInterval& one = step.interval;
    const auto time = [&](std::int64_t raw) {
        return Cell(static_cast<std::uint64_t>(clock.to_filetime(raw).ticks));
    };
    const auto& waker = one.waker;
    const bool has_waker = step.has_waker;
    return {{text(one.process), id(one.thread.pid), std::uint64_t{one.thread.tid},
             std::string(step.state), time(one.begin), time(one.end),
             analysis::nanoseconds_of(
                 static_cast<std::uint64_t>(saturating_difference(one.end, one.begin)),
                 clock.frequency()),
             has_waker ? reason_of(one.reason) : Cell(),
             has_waker ? text(analysis::name_of(one.kind)) : Cell(),
             has_waker && waker ? id(waker->pid) : Cell(),
             has_waker && waker ? Cell(std::uint64_t{waker->tid}) : Cell(), text(one.what)}};
}

std::string text_of(Filetime time) {
    return std::to_string(time.ticks);
}

/// A question about threads of one trace.
class Following {
public:
    Following(OpenedTraces& opened, const FollowQuestion& question, const Stop* stop)
        : opened_(&opened), question_(&question), stop_(stop),
          clock_(&opened.traces().readers()[question.input - 1]->info().clock),
          last_(saturating_sum(clock_->to_raw(end_of_trace()), 1)) {}

    const flow::Clock& clock() const noexcept { return *clock_; }

    /// What was not recorded.
    const std::vector<std::string>& remarks() const noexcept { return remarks_; }

    Filetime end_of_trace() const {
        const auto& bounds = opened_->traces().bounds();
        return bounds.end.value_or(bounds.start);
    }

    /// The steps of a window of the thread.
    StepsFound path(Filetime from, Filetime to) {
        const std::int64_t start = clock_->to_raw(from), end = clock_->to_raw(to);
        auto thread = thread_at(start, end);
        if (!thread) {
            return std::unexpected(std::move(thread.error()));
        }
        auto histories = histories_of(start, end);
        return critical_path(histories, *thread, start, end);
    }

    /// The steps of the first wait that ends at a time or after it. Empty: there is none.
    StepsFound wait(Filetime at) {
        auto wait = wait_of(at);
        if (!wait) {
            return std::unexpected(std::move(wait.error()));
        }
        if (!*wait) {
            return std::vector<Step>();
        }
        auto histories = histories_of((*wait)->begin, (*wait)->end);
        return follow_wait(histories, **wait);
    }

    /// Names what ended the waits of steps.
    std::expected<void, TraceError> name(std::vector<Step>& steps) {
        std::vector<ThreadInterval> waits;
        for (const Step& step : steps) {
            waits.push_back(step.interval);
        }
        if (std::ranges::none_of(waits, [](const ThreadInterval& one) {
                return one.routine != 0 || one.file != 0;
            })) {
            return {};
        }
        auto asked = opened_->ask({}, stop_, ProcessFilter::events);
        if (!asked) {
            return std::unexpected(std::move(asked.error()));
        }
        auto named = analysis::name_wakers(asked->traces, question_->input, waits);
        if (!named || is_stopped(stop_)) {
            return std::unexpected(named ? stopped_error() : std::move(named.error()));
        }
        opened_->keep(*asked);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            steps[i].interval = std::move(waits[i]);
        }
        return {};
    }

private:
    ThreadHistories histories_of(std::int64_t start, std::int64_t end) {
        const auto load = [this](std::int64_t from, std::int64_t to,
                                 std::vector<std::uint32_t> tids) {
            return history_of(from, to, std::move(tids));
        };
        return {load, {.start = start, .end = end, .last = last_, .second = clock_->frequency()}};
    }

    /// What happened in a window.
    ThreadHistories::Loaded history_of(std::int64_t from, std::int64_t to,
                                       std::vector<std::uint32_t> tids) {
        const Filetime end{saturating_sum(clock_->to_filetime(to).ticks, 1)};
        auto asked = opened_->ask({.from = text_of(clock_->to_filetime(from)),
                                   .to = to >= last_ ? std::string() : text_of(end)},
                                  stop_, ProcessFilter::events);
        if (!asked) {
            return std::unexpected(std::move(asked.error()));
        }
        auto history = analysis::thread_history(
            asked->traces, {.input = question_->input, .tids = std::move(tids)});
        if (is_stopped(stop_)) {
            return std::unexpected(stopped_error());
        }
        if (history && remarks_.empty()) {
            remarks_ = history->remarks;
        }
        return history;
    }

    /// The first intervals of the thread that end at a time or after it, and for which a test is
    /// true. Windows grow until one has them.
    template <typename Test>
    std::expected<std::optional<ThreadInterval>, TraceError> first(std::int64_t from, Test&& test) {
        for (GrowingWindows windows(from, last_, clock_->frequency()); !windows.is_at_end();) {
            const auto [begin, end] = windows.next();
            auto history = history_of(begin, end, {question_->tid});
            if (!history) {
                return std::unexpected(std::move(history.error()));
            }
            const auto found = std::ranges::find_if(history->intervals, test);
            if (found != history->intervals.end()) {
                return std::move(*found);
            }
        }
        return std::nullopt;
    }

    std::expected<std::optional<ThreadInterval>, TraceError> wait_of(Filetime at) {
        return first(clock_->to_raw(at), [](const ThreadInterval& one) {
            return one.state == State::waiting && !one.is_open;
        });
    }

    /// The thread that had the ID in a window, or just before it.
    std::expected<analysis::ThreadId, TraceError> thread_at(std::int64_t start, std::int64_t end) {
        auto found = first(start, [](const ThreadInterval&) { return true; });
        if (!found) {
            return std::unexpected(std::move(found.error()));
        }
        return *found && (*found)->begin < end ? (*found)->thread
                                               : analysis::ThreadId{.tid = question_->tid};
    }

    OpenedTraces* opened_;
    const FollowQuestion* question_;
    const Stop* stop_;
    const flow::Clock* clock_;
    std::int64_t last_; // no event is at this time or later
    std::vector<std::string> remarks_;
};

} // namespace

std::expected<Answer, TraceError> Explorer::follow(const FollowQuestion& question,
                                                   const Stop* stop) const {
    OpenedTraces& opened = state_->traces;
    if (question.input == 0 || question.input > opened.traces().readers().size()) {
        return wrong(ErrorCode::not_found, "input", fmt::format("no trace {}", question.input));
    }
    const bool has_window = !question.from.empty() || !question.to.empty();
    if (has_window && !question.at.empty()) {
        return wrong(ErrorCode::invalid_option, "at", "either a time or a window");
    }
    auto asked = opened.ask({.from = has_window ? question.from : question.at, .to = question.to},
                            stop, ProcessFilter::events);
    if (!asked) {
        TraceError error = std::move(asked.error());
        error.about = error.about == "from" && !has_window ? "at" : error.about;
        return std::unexpected(std::move(error));
    }
    Following following(opened, question, stop);
    const auto& window = asked->filters.window;
    const Filetime start = opened.traces().bounds().start, last = following.end_of_trace();
    const Filetime from = std::max(window.from.value_or(start), start);
    const Filetime to = std::min(window.to.value_or(last), last);
    auto steps = has_window ? following.path(from, to) : following.wait(from);
    if (!steps) {
        return std::unexpected(std::move(steps.error()));
    }
    if (auto named = following.name(*steps); !named) {
        return std::unexpected(std::move(named.error()));
    }
    Answer answer{.table = empty_table()};
    for (const Step& step : *steps) {
        answer.table.rows.push_back(row_of(step, following.clock()));
    }
    answer.rows = answer.table.rows.size();
    if (steps->empty() && !has_window) {
        answer.remarks.push_back(
            fmt::format("no wait of thread {} ends at this time or later", question.tid));
    }
    if (has_window && steps->size() >= max_path_steps) {
        answer.remarks.push_back(fmt::format(
            "more than {} rows: what is before them is not followed; ask about a shorter window",
            max_path_steps));
    }
    answer.remarks.insert(answer.remarks.end(), following.remarks().begin(),
                          following.remarks().end());
    return answer;
}

} // namespace etl::explore

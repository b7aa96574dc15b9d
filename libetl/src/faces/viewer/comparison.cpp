#include "viewer/comparison.hpp"

#include "analysis/compared_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <tuple>
#include <utility>

namespace etl::viewer {

namespace {

using explore::Answer;

std::unexpected<TraceError> wrong(std::string about, std::string detail) {
    return std::unexpected(
        TraceError{{.code = ErrorCode::invalid_option}, std::move(about), std::move(detail)});
}

constexpr std::int64_t ticks_of_second = 10'000'000;

/// `+1.5s` of a FILETIME; other forms are kept.
void make_relative(std::string& time, Filetime begin) {
    if (const auto filetime = filetime_of(time)) {
        const std::int64_t after =
            std::max(saturating_difference(filetime->ticks, begin.ticks), std::int64_t{0});
        time = fmt::format("+{}.{:07}s", after / ticks_of_second, after % ticks_of_second);
    }
}

/// Whether a trace has only a part of a window.
bool leaves(const explore::Selection& selection, const Side& side) {
    const auto window = side.explorer->window_of(selection);
    if (!window || side.begin >= side.end) {
        return false;
    }
    const auto [from, to] = *window;
    return (from && (*from < side.begin || *from >= side.end)) ||
           (to && (*to > side.end || *to <= side.begin));
}

double seconds_of(const Side& side) {
    return (static_cast<double>(side.end.ticks) - static_cast<double>(side.begin.ticks)) /
           static_cast<double>(ticks_of_second);
}

bool is_whole(const explore::Selection& selection) {
    return selection.from.empty() && selection.to.empty();
}

/// What the sides say, told apart, and whether they are of different lengths.
void add_remarks(Answer& to, const Answer& first, const Selections& selections, const Side& before,
                 const Side& after) {
    constexpr double tolerance = 0.01;
    for (const std::string& remark : first.remarks) {
        to.remarks.push_back("before: " + remark);
    }
    const double a = seconds_of(before), b = seconds_of(after);
    if (is_whole(selections.before) && is_whole(selections.after) &&
        std::abs(a - b) > tolerance * std::max(a, b)) {
        to.remarks.push_back(fmt::format("the traces are of different lengths: {:.3g} s before, "
                                         "{:.3g} s after; select a window that both have",
                                         a, b));
    }
    for (const auto& [name, selection, side] : {std::tuple("before", &selections.before, &before),
                                                std::tuple("after", &selections.after, &after)}) {
        if (leaves(*selection, *side)) {
            to.remarks.push_back(fmt::format(
                "the trace {} has only a part of the window: select one that both have", name));
        }
    }
}

bool have_same_columns(const analysis::Table& a, const analysis::Table& b) {
    return std::ranges::equal(a.columns, b.columns, {}, &analysis::Column::name,
                              &analysis::Column::name);
}

/// Whether the rows or stacks are of several machines or boots (analysis::OriginKeys).
bool tells_machines_apart(const analysis::Table& table) {
    return table.find("machine").has_value();
}

/// All rows of a side.
std::expected<Answer, TraceError> table_of(const Side& side, explore::TableQuestion question,
                                           const Stop* stop) {
    question.sort.clear();
    question.rows = {.first = 0, .count = explore::max_rows};
    auto answer = side.explorer->table(question, stop);
    if (answer && answer->rows && *answer->rows > answer->table.rows.size()) {
        return wrong("rows", fmt::format("the table has {} rows, more than {}; the command "
                                         "compares all",
                                         *answer->rows, explore::max_rows));
    }
    return answer;
}

/// Whether a time is that of one trace alone.
bool is_absolute(const std::string& time) {
    return !time.empty() && time.front() != '+' && time.front() != '-';
}

} // namespace

std::expected<Selections, TraceError> selections_of(const Request& request, Filetime begin) {
    Selections both{request.selection, request.selection};
    if (request.before_from.empty() != request.before_to.empty()) {
        return wrong(request.before_from.empty() ? "before_from" : "before_to",
                     "expected both before_from and before_to, or neither");
    }
    if (!request.before_from.empty()) {
        both.before.from = request.before_from;
        both.before.to = request.before_to;
        return both;
    }
    for (const auto& [name, time] :
         {std::pair("from", &explore::Selection::from), std::pair("to", &explore::Selection::to)}) {
        make_relative(both.after.*time, begin);
        if (is_absolute(both.after.*time)) {
            return wrong(name, "a comparison needs times after the begins of both traces, as +5s, "
                               "or before_from and before_to");
        }
        both.before.*time = both.after.*time;
    }
    return both;
}

std::expected<Answer, TraceError> compared_table(const Side& before, const Side& after,
                                                 const Selections& selections,
                                                 explore::TableQuestion question,
                                                 const Stop* stop) {
    const auto* const kind = analysis::find_kind(question.name);
    if (kind == nullptr || !kind->is_compared) {
        return wrong("name", fmt::format("the table '{}' cannot be compared", question.name));
    }
    question.selection = selections.before;
    auto first = table_of(before, question, stop);
    if (!first) {
        return first;
    }
    question.selection = selections.after;
    auto second = table_of(after, question, stop);
    if (!second) {
        return second;
    }
    if (!have_same_columns(first->table, second->table) || tells_machines_apart(first->table)) {
        return wrong("is_compared",
                     "tables of several machines or boots are compared by `etl diff` only");
    }
    Answer answer{.table = analysis::joined(std::move(first->table), std::move(second->table)),
                  .remarks = std::move(second->remarks)};
    add_remarks(answer, *first, selections, before, after);
    if (question.sort.empty() && !answer.table.is_ordered) {
        answer.table.sort_by(answer.table.sort_column, question.is_reversed);
    }
    return explore::sorted_page(std::move(answer), question.sort, question.is_reversed,
                                question.rows);
}

std::expected<Answer, TraceError> compared_flame(const Side& before, const Side& after,
                                                 const Selections& selections,
                                                 explore::FlameQuestion question,
                                                 const Stop* stop) {
    if (question.fold_percent != 0.0) {
        return wrong("fold_percent",
                     "frames that are small in one trace can be large in the other");
    }
    question.has_process_ids = false;
    explore::FlameQuestion all =
        question; // branches that are small in one can be large in the other
    all.smallest_share = 0.0;
    all.largest_depth = 0;
    all.nodes = explore::FlameQuestion{}.nodes;
    all.selection = selections.before;
    const auto first = before.explorer->flame(all, stop);
    if (!first) {
        return first;
    }
    all.selection = selections.after;
    auto answer = after.explorer->flame(all, stop);
    if (!answer || answer->table.stacks == nullptr || first->table.stacks == nullptr) {
        return answer;
    }
    if (tells_machines_apart(first->table) || tells_machines_apart(answer->table)) {
        return wrong("is_compared", "flame graphs of several machines or boots are compared by "
                                    "`etl flame --against` only");
    }
    analysis::StackTree& tree = *answer->table.stacks;
    tree.compare_with(*first->table.stacks);
    const double weight =
        static_cast<double>(tree.weight()) + static_cast<double>(tree.weight_before());
    tree.merge_below(static_cast<std::uint64_t>(std::ceil(question.smallest_share * weight)),
                     question.largest_depth);
    tree.merge_smallest(question.nodes);
    add_remarks(*answer, *first, selections, before, after);
    return answer;
}

} // namespace etl::viewer

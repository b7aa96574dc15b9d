// Questions that tables answer.
#include "analysis/dataset_table.hpp"
#include "analysis/dataset_tracks.hpp"
#include "analysis/groups.hpp"
#include "analysis/limits.hpp"
#include "analysis/stack_patterns.hpp"
#include "explore/explorer_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace etl::explore {

namespace {

using analysis::TableForm;

std::expected<void, TraceError> check(const TableQuestion& question) {
    namespace limits = analysis::limits;
    if (question.slices == 0 || question.slices > limits::analysis_slices) {
        return wrong(ErrorCode::invalid_option, "slices",
                     fmt::format("expected 1 to {}", limits::analysis_slices));
    }
    if (question.per_kind == 0 || question.per_kind > limits::analysis_slowest) {
        return wrong(ErrorCode::invalid_option, "per_kind",
                     fmt::format("expected 1 to {}", limits::analysis_slowest));
    }
    return check_count(question.rows.count);
}

/// The table of a question, complete.
std::expected<Answer, TraceError> answer_of(OpenedTraces& opened, const TableForm& form,
                                            const Selection& selection,
                                            analysis::TableOptions options, const Stop* stop) {
    const auto filter = form.has_processes ? ProcessFilter::table : ProcessFilter::events;
    auto asked = opened.ask(selection, stop, filter);
    if (!asked) {
        return std::unexpected(std::move(asked.error()));
    }
    analysis::TableRequest request{.table = std::move(options), .processes = {}};
    if (filter == ProcessFilter::table) {
        request.processes = selection.processes;
    }
    auto table = analysis::table_of(asked->traces, form, request);
    if (is_stopped(stop)) {
        return std::unexpected(stopped_error());
    }
    if (!table) {
        return std::unexpected(std::move(table.error()));
    }
    opened.keep(*asked);
    for (std::string& line : analysis::remarks_of(table->coverage)) {
        asked->messages->add(std::move(line));
    }
    return Answer{.table = *std::move(table), .remarks = asked->messages->take()};
}

/// The form of a kind of flame graph; that of named events if it is none of them.
const TableForm& form_of(const std::string& kind) {
    const TableForm* const form = analysis::find_table("flame", kind);
    return form != nullptr && !kind.empty() ? *form : *analysis::find_table("flame", "event");
}

/// Adds a test of the name of events.
Selection of_events(Selection selection, const std::string& name) {
    const bool is_id = !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
    const std::string test = fmt::format("event == {}", is_id ? name : quoted(name));
    selection.where =
        selection.where.empty() ? test : fmt::format("({}) and {}", selection.where, test);
    return selection;
}

} // namespace

std::expected<Answer, TraceError> Explorer::table(const TableQuestion& question,
                                                  const Stop* stop) const {
    if (auto checked = check(question); !checked) {
        return std::unexpected(std::move(checked.error()));
    }
    const TableForm* const form = analysis::find_table(question.name, question.by);
    if (form == nullptr) {
        return wrong(ErrorCode::not_found, analysis::find_kind(question.name) ? "by" : "name",
                     fmt::format("no table '{}'{}", question.name,
                                 question.by.empty() ? "" : fmt::format(" by '{}'", question.by)));
    }
    auto answer = answer_of(state_->traces, *form, question.selection,
                            {.slices = question.slices,
                             .excludes_interrupts = question.excludes_interrupts,
                             .per_kind = question.per_kind,
                             .source = question.source},
                            stop);
    if (!answer) {
        return answer;
    }
    return sorted_page(*std::move(answer), question.sort, question.is_reversed, question.rows);
}

namespace {

/// Patterns of a question, once its stacks are known.
std::expected<analysis::StackPatterns, TraceError> patterns_of(const FlameQuestion& question,
                                                               std::string grouping) {
    const analysis::StackPatternTexts texts{.grouping = std::move(grouping),
                                            .folding = question.folding,
                                            .include = question.include,
                                            .exclude = question.exclude,
                                            .fold_percent = question.fold_percent};
    auto patterns = analysis::StackPatterns::parse(texts);
    if (patterns) {
        return *std::move(patterns);
    }
    const analysis::StackPatternError& error = patterns.error();
    const std::string_view text = error.about == "grouping"  ? texts.grouping
                                  : error.about == "folding" ? texts.folding
                                  : error.about == "include" ? texts.include
                                  : error.about == "exclude" ? texts.exclude
                                                             : std::string_view();
    return wrong(ErrorCode::invalid_option, std::string(error.about),
                 text.empty() ? error.what : match::describe(text, error));
}

bool has_patterns(const FlameQuestion& question) {
    return !question.grouping.empty() || !question.folding.empty() || !question.include.empty() ||
           !question.exclude.empty() || question.fold_percent != 0.0;
}

/// Errors in patterns, before events are read.
std::expected<void, TraceError> check(const FlameQuestion& question) {
    if (!(question.smallest_share >= 0.0 && question.smallest_share <= 1.0)) {
        return wrong(ErrorCode::invalid_option, "smallest_share", "expected 0 to 1");
    }
    const bool depends_on_stacks = question.grouping == analysis::own_code;
    auto patterns = patterns_of(question, depends_on_stacks ? "" : question.grouping);
    return patterns ? std::expected<void, TraceError>()
                    : std::unexpected(std::move(patterns.error()));
}

std::expected<void, TraceError> apply_patterns(const FlameQuestion& question, Answer& answer,
                                               const Stop* stop) {
    analysis::StackTree& tree = *answer.table.stacks;
    std::string grouping = question.grouping;
    if (grouping == analysis::own_code) {
        const auto others = patterns_of(question, "");
        const auto own = analysis::own_code_grouping(tree, others ? others->steps() : 0);
        grouping = own ? own->grouping : "module-entries";
        if (own && own->omitted > 0) {
            answer.remarks.push_back(
                fmt::format("own code in {} of {} folders is grouped as OTHER: there are too many",
                            own->omitted, own->folders));
        } else if (!own) {
            answer.remarks.emplace_back(
                "the folders of these processes do not tell their own code: grouped by "
                "module-entries");
        }
    }
    const auto patterns = patterns_of(question, grouping);
    if (!patterns) {
        return std::unexpected(patterns.error());
    }
    tree = patterns->apply(tree, stop);
    if (is_stopped(stop)) {
        return std::unexpected(stopped_error());
    }
    return {};
}

/// What a question asks to see of its tree.
void change_view(const FlameQuestion& question, Answer& answer) {
    analysis::StackTree& tree = *answer.table.stacks;
    if (!question.focus.empty()) {
        tree = question.is_inverted ? analysis::callers_of(tree, question.focus)
                                    : analysis::callees_of(tree, question.focus);
        if (tree.nodes.empty()) {
            answer.remarks.push_back(fmt::format("no stack has the frame '{}'", question.focus));
        }
    } else if (question.is_inverted) {
        tree = analysis::inverted(tree);
    }
    const double least = std::ceil(question.smallest_share * static_cast<double>(tree.weight()));
    tree.merge_below(static_cast<std::uint64_t>(least), question.largest_depth);
    tree.merge_smallest(question.nodes);
}

} // namespace

std::expected<Answer, TraceError> Explorer::flame(const FlameQuestion& question,
                                                  const Stop* stop) const {
    if (auto checked = check(question); !checked) {
        return std::unexpected(std::move(checked.error()));
    }
    const TableForm& form = form_of(question.kind);
    auto answer = answer_of(state_->traces, form,
                            form.by == "event" && question.kind != form.by
                                ? of_events(question.selection, question.kind)
                                : question.selection,
                            {.has_process_ids = question.has_process_ids,
                             .has_image_paths = has_patterns(question),
                             .source = question.source},
                            stop);
    if (!answer) {
        return answer;
    }
    answer->rows = answer->table.rows.size();
    if (answer->table.stacks) {
        if (has_patterns(question)) {
            if (auto applied = apply_patterns(question, *answer, stop); !applied) {
                return std::unexpected(std::move(applied.error()));
            }
        }
        change_view(question, *answer);
    }
    return answer;
}

namespace {

std::expected<analysis::TracksRequest, TraceError> request_of(const LodQuestion& question) {
    if (question.columns == 0 || question.columns > analysis::limits::analysis_slices) {
        return wrong(ErrorCode::invalid_option, "columns",
                     fmt::format("expected 1 to {}", analysis::limits::analysis_slices));
    }
    analysis::TracksRequest request{.bins = question.columns,
                                    .processes = question.selection.processes};
    for (const std::string& word : question.kinds) {
        const auto kind = analysis::find_track_kind(word);
        if (!kind) {
            return wrong(ErrorCode::invalid_option, "kinds",
                         fmt::format("expected one of {}; found '{}'",
                                     fmt::join(analysis::track_kind_names(), ", "), word));
        }
        request.kinds.push_back(*kind);
    }
    return request;
}

} // namespace

std::expected<TracksAnswer, TraceError>
Explorer::tracks(const LodQuestion& question, const Stop* stop,
                 const std::function<bool(const analysis::Track&)>& wants) const {
    auto request = request_of(question);
    if (!request) {
        return std::unexpected(request.error());
    }
    request->wants = wants;
    auto asked = state_->traces.ask(question.selection, stop, ProcessFilter::table);
    if (!asked) {
        return std::unexpected(std::move(asked.error()));
    }
    auto tracks = analysis::tracks_of(asked->traces, *request);
    if (is_stopped(stop)) {
        return std::unexpected(stopped_error());
    }
    if (!tracks) {
        return std::unexpected(std::move(tracks.error()));
    }
    for (std::string& line : analysis::remarks_of(analysis::coverage_of(*tracks))) {
        asked->messages->add(std::move(line));
    }
    if (tracks->size() > 1) {
        asked->messages->add(
            fmt::format("tracks of {} machines or boots are shown together, and can have the same "
                        "names: open one trace at a time, or use `etl tracks`, to tell them apart",
                        tracks->size()));
    }
    return TracksAnswer{.traces = *std::move(tracks), .remarks = asked->messages->take()};
}

std::expected<Answer, TraceError> Explorer::lod(const LodQuestion& question,
                                                const Stop* stop) const {
    auto answer = std::expected<Answer, TraceError>();
    if (state_->traces.traces().may_have_several_origins()) {
        const auto request = request_of(question);
        if (!request) {
            return std::unexpected(request.error());
        }
        // Its rows have columns that tell machines and boots apart.
        answer = answer_of(state_->traces, *analysis::find_table("tracks", {}), question.selection,
                           {.slices = request->bins, .tracks = {.kinds = request->kinds}}, stop);
    } else {
        auto found = tracks(question, stop);
        answer = found ? std::expected<Answer, TraceError>(
                             Answer{.table = analysis::table_of(std::move(found->traces)),
                                    .remarks = std::move(found->remarks)})
                       : std::unexpected(std::move(found.error()));
    }
    if (answer) {
        answer->table.total.clear();
        answer->rows = answer->table.rows.size();
    }
    return answer;
}

namespace {

std::string_view name_of(analysis::FrameKind kind) noexcept {
    using enum analysis::FrameKind;
    switch (kind) {
    case user:
        return "user";
    case kernel:
        return "kernel";
    case managed:
        return "managed";
    case process:
        return "process";
    case group:
        return "group";
    case mark:
        break;
    }
    return "mark";
}

} // namespace

std::expected<Answer, TraceError> sorted_page(Answer answer, const std::string& sort,
                                              bool is_reversed, const Rows& rows) {
    if (!sort.empty()) {
        const auto column = answer.table.find(sort);
        if (!column) {
            return wrong(ErrorCode::not_found, "sort",
                         fmt::format("the table has no column '{}'", sort));
        }
        answer.table.sort_by(*column, is_reversed);
    }
    std::vector<analysis::Row>& all = answer.table.rows;
    answer.rows = all.size();
    answer.first_row = rows.first;
    const auto first = std::min<std::uint64_t>(rows.first, all.size());
    const auto count = std::min<std::uint64_t>(rows.count, all.size() - first);
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(first + count), all.end());
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(first));
    return answer;
}

analysis::Table nodes_of(const analysis::StackTree& tree) {
    using analysis::Unit;
    analysis::Table table{.name = "frames", .is_ordered = true};
    table.columns = {
        analysis::key_column("depth", Unit::id),      analysis::key_column("module", Unit::text),
        analysis::key_column("function", Unit::text), analysis::key_column("kind", Unit::text),
        analysis::sum_column("weight", tree.unit),    analysis::sum_column("own", tree.unit),
        analysis::sum_column("count", Unit::count),   analysis::sum_column("merged", Unit::count),
        analysis::sum_column("folded", tree.unit)};
    const std::vector<std::uint64_t> weights = analysis::totals_of(tree);
    std::vector<std::uint64_t> depths(tree.nodes.size());
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const analysis::StackNode& node = tree.nodes[i];
        const analysis::StackFrame& frame = tree.frames[node.frame];
        depths[i] = node.parent == analysis::StackNode::none ? 0 : depths[node.parent] + 1;
        table.rows.push_back(
            {{depths[i], frame.module, frame.function, std::string(name_of(frame.kind)), weights[i],
              node.weight, node.count, node.merged, node.folded}});
    }
    return table;
}

} // namespace etl::explore

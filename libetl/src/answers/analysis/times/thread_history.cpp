#include "analysis/thread_history.hpp"

#include "analysis/dataset_table.hpp"
#include "analysis/groups.hpp"
#include "analysis/samples.hpp"
#include "analysis/scheduling/scheduling.hpp"
#include "analysis/table_list.hpp"
#include "gather/scopes.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace etl::analysis {

namespace {

enum HistoryColumn : std::size_t {
    history_input,
    history_tid,
    history_pid,
    history_process,
    history_state,
    history_begin,
    history_end,
    history_reason,
    history_by_dpc,
    history_waker,
    history_waker_pid,
    history_columns,
};

/// A table that no verb shows, so that windows and states are those of all tables.
class History final : public Analyzer, private SchedulingSink {
public:
    explicit History(const TableOptions& options) : wanted_(options.stacks.threads) {
        std::ranges::sort(wanted_);
    }

    void subscribe(Subscriptions& subscriptions) override { scheduling_.subscribe(subscriptions); }

    void start(Context& context) override {
        Analyzer::start(context);
        scheduling_.start(context);
    }

    void add(const Record& record) override { scheduling_.add(record); }

    Table finish() override {
        scheduling_.finish();
        Table table{.name = "history", .is_ordered = true};
        for (const std::string_view name : {"input", "tid", "pid", "process", "state", "begin",
                                            "end", "reason", "by_dpc", "waker", "waker_pid"}) {
            table.columns.push_back(plain_column(name, Unit::id));
        }
        table.rows = std::move(rows_);
        if (!scheduling_.has_switches()) {
            set_missing(table, "context switches", {}, record_switches);
        }
        table.coverage.remainders.push_back({"too_many", is_full_ ? 1U : 0U});
        return table;
    }

    void save(Archive& to) override { scheduling_.save(to); }

    void stitch(Archive& from) override { scheduling_.stitch(from); }

private:
    using State = ThreadInterval::State;

    void ran(std::uint16_t /*processor*/, ThreadRef thread, std::int64_t from,
             std::int64_t to) override {
        add(thread, State::running, from, to);
    }

    void switched(std::uint16_t /*processor*/, ThreadRef /*thread*/,
                  const Record& /*record*/) override {}

    void waited(const Wait& wait, const SwitchIn& /*at*/) override {
        if (Row* const row = add(wait.thread, State::waiting, wait.from, wait.to)) {
            row->cells[history_reason] = std::uint64_t{wait.reason};
            row->cells[history_by_dpc] = std::uint64_t{wait.by_dpc ? 1U : 0U};
            if (wait.waker && !wait.by_dpc) {
                Owners& owners = *context().owners;
                row->cells[history_waker] = std::uint64_t{owners.id_of(*wait.waker)};
                row->cells[history_waker_pid] = pid_cell(owners[owners.owner_of(*wait.waker)]);
            }
        }
    }

    void was_ready(ThreadRef thread, std::int64_t from, const Wait* /*after*/,
                   const SwitchIn& at) override {
        add(thread, State::ready, from, at.time);
    }

    /// Null: it is not wanted.
    Row* add(ThreadRef thread, State state, std::int64_t from, std::int64_t to) {
        Owners& owners = *context().owners;
        const std::uint32_t tid = owners.id_of(thread);
        const bool is_wanted = wanted_.empty() || std::ranges::binary_search(wanted_, tid);
        if (tid == 0 || to < context().begin || !is_wanted) {
            return nullptr;
        }
        if (rows_.size() >= max_history) {
            is_full_ = true;
            return nullptr;
        }
        const Owner& owner = owners[owners.owner_of(thread)];
        rows_.push_back(
            {{std::uint64_t{context().trace->file} + 1, std::uint64_t{tid}, pid_cell(owner),
              name_cell(owner), static_cast<std::uint64_t>(state), static_cast<std::uint64_t>(from),
              static_cast<std::uint64_t>(to), Cell{}, Cell{}, Cell{}, Cell{}}});
        return &rows_.back();
    }

    std::vector<std::uint32_t> wanted_; // empty: all
    Scheduling scheduling_{*this};
    std::vector<Row> rows_;
    bool is_full_ = false;
};

extern const TableKind history_kind;

constexpr auto history_forms = forms_of(history_kind, {{.needs = TableNeeds::processes,
                                                        .make = make<History>,
                                                        .parts = PartsOf::carried,
                                                        .state = "scheduling"}});

constinit const TableKind history_kind{.name = "history", .forms = history_forms};

std::optional<std::uint32_t> id_in(const Cell& cell) {
    const auto* const number = std::get_if<std::uint64_t>(&cell);
    return number != nullptr ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
}

ThreadInterval interval_of(std::span<Cell> cells) {
    const auto number = [&](std::size_t column) { return std::get<std::uint64_t>(cells[column]); };
    ThreadInterval interval{
        .thread = {static_cast<std::uint32_t>(number(history_tid)), id_in(cells[history_pid])},
        .process = {},
        .state = static_cast<ThreadInterval::State>(number(history_state)),
        .begin = static_cast<std::int64_t>(number(history_begin)),
        .end = static_cast<std::int64_t>(number(history_end))};
    if (auto* const name = std::get_if<std::string>(&cells[history_process])) {
        interval.process = std::move(*name);
    }
    if (interval.state == ThreadInterval::State::waiting) {
        interval.reason = static_cast<std::uint8_t>(number(history_reason));
        interval.by_dpc = number(history_by_dpc) != 0;
        if (const auto waker = id_in(cells[history_waker])) {
            interval.waker = ThreadId{*waker, id_in(cells[history_waker_pid])};
        }
    }
    return interval;
}

std::unexpected<TraceError> no_history(ErrorCode code, const dataset::Dataset& traces,
                                       std::uint32_t input, const char* what) {
    return std::unexpected(
        TraceError{{.code = code, .what = what}, traces.inputs()[input - 1].name(), {}});
}

} // namespace

std::expected<std::vector<ThreadInterval>, TraceError>
thread_history(dataset::Dataset& traces, const HistoryRequest& request) {
    const gather::Scopes scopes(traces.readers());
    const auto is_of_trace = [&](const gather::Scope& scope) {
        return std::ranges::find(scope.readers, request.input - 1) != scope.readers.end();
    };
    if (std::ranges::count_if(scopes.all(), is_of_trace) != 1) {
        return no_history(ErrorCode::unsupported, traces, request.input,
                          "threads of a trace of several machines or boots");
    }
    auto table = table_of(traces, history_forms.front(),
                          {.table = {.stacks = {.threads = request.tids}}, .processes = {}});
    if (!table) {
        return std::unexpected(std::move(table.error()));
    }
    const auto is_too_many = [](const Remainder& one) {
        return one.name == "too_many" && one.value != 0;
    };
    if (std::ranges::any_of(table->coverage.remainders, is_too_many)) {
        auto error = no_history(ErrorCode::limit, traces, request.input, "intervals of threads");
        error.error().need = max_history;
        error.error().detail = "the wait is too long to follow; ask about a later time in it";
        return error;
    }
    // Rows of traces that are read together have the number of the first one.
    const auto group = std::ranges::find_if(scopes.groups(), [&](const gather::ScopeGroup& one) {
        return std::ranges::find(one.readers, request.input - 1) != one.readers.end();
    });
    const std::uint64_t input = group->readers.front() + 1;
    std::vector<ThreadInterval> history;
    for (Row& row : table->rows) { // columns that tell machines apart come first
        const std::span cells = std::span(row.cells).last(history_columns);
        if (std::get<std::uint64_t>(cells[history_input]) == input) {
            history.push_back(interval_of(cells));
        }
    }
    std::ranges::stable_sort(history, {}, &ThreadInterval::end);
    return history;
}

} // namespace etl::analysis

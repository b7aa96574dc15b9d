#include "analysis/thread_history.hpp"

#include "analysis/dataset_table.hpp"
#include "analysis/disk_operations.hpp"
#include "analysis/frames.hpp"
#include "analysis/groups.hpp"
#include "analysis/samples.hpp"
#include "analysis/scheduling/scheduling.hpp"
#include "analysis/table_list.hpp"
#include "base/text.hpp"
#include "gather/scopes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <span>
#include <unordered_map>
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
    history_is_open,
    history_reason,
    history_ended_by,
    history_waker,
    history_waker_pid,
    history_routine,
    history_file,
    history_issued,
    history_columns,
};

/// State of the row that says up to when intervals are missing.
constexpr std::uint64_t missing_state = 0xFF;

constexpr std::uint8_t delay_reasons[] = {4, 11}; // DelayExecution, WrDelayExecution

/// ReadyThread events, with what caused them: DPCs and ISRs are recorded when they have ended, and
/// disk I/O shortly before it readies a thread. Bounded: the oldest ones are forgotten.
class Readies {
public:
    struct Ready {
        std::int64_t time = 0;
        std::uint16_t interrupt = 0; // hook of the one that contains it; 0: none so far
        std::uint64_t routine = 0;
        std::optional<DiskCompletion> disk{}; // the last of the thread
    };

    void add(std::uint32_t thread, std::uint16_t processor, std::int64_t time) {
        if (all_.size() >= max_readies) {
            all_.pop_front();
            ++forgotten_;
        }
        const auto disk = completions_.find(thread);
        all_.push_back(
            {.time = time,
             .disk = disk != completions_.end() ? std::optional(disk->second) : std::nullopt});
        const std::uint64_t number = forgotten_ + all_.size() - 1;
        of_threads_.insert_or_assign(thread, number);
        if (processor >= limits::analysis_processors) {
            return;
        }
        pending_.resize(std::max<std::size_t>(pending_.size(), processor + std::size_t{1}));
        auto& pending = pending_[processor];
        pending.push_back(number);
        if (pending.size() > limits::analysis_nested_interrupts) {
            pending.pop_front();
        }
    }

    void add(const DiskCompletion& completion) {
        if (completions_.size() >= limits::analysis_operations) {
            completions_.clear();
        }
        if (completion.thread != flow::no_id) {
            completions_.insert_or_assign(completion.thread, completion);
        }
    }

    /// An interrupt that ended: the innermost one of those that contain an event counts.
    void end_interrupt(std::uint16_t hook, std::uint16_t processor, const Interval& interval,
                       std::uint64_t routine) {
        if (processor >= pending_.size()) {
            return;
        }
        auto& pending = pending_[processor];
        while (!pending.empty()) {
            Ready* const ready = find(pending.back());
            if (ready != nullptr && ready->time < interval.from) {
                break; // it may be inside of an outer one
            }
            if (ready != nullptr) {
                ready->interrupt = hook;
                ready->routine = routine;
            }
            pending.pop_back();
        }
    }

    /// The number of the last one of a thread, if it is at this time.
    std::optional<std::uint64_t> number_of(std::uint32_t thread, std::int64_t time) {
        const auto found = of_threads_.find(thread);
        const Ready* const ready = found != of_threads_.end() ? find(found->second) : nullptr;
        return ready != nullptr && ready->time == time ? std::optional(found->second)
                                                       : std::nullopt;
    }

    /// Null: forgotten.
    Ready* find(std::uint64_t number) noexcept {
        const bool is_there = number >= forgotten_ && number - forgotten_ < all_.size();
        return is_there ? &all_[static_cast<std::size_t>(number - forgotten_)] : nullptr;
    }

private:
    static constexpr std::size_t max_readies = 2 * max_history;

    std::deque<Ready> all_;
    std::uint64_t forgotten_ = 0;
    std::unordered_map<std::uint32_t, std::uint64_t> of_threads_;
    std::unordered_map<std::uint32_t, DiskCompletion> completions_; // the last of each thread
    std::vector<std::deque<std::uint64_t>> pending_;                // by processor
};

/// A table that no verb shows, so that windows and states are those of all tables.
class History final : public Analyzer, private SchedulingSink {
public:
    explicit History(const TableOptions& options) : wanted_(options.stacks.threads) {
        std::ranges::sort(wanted_);
    }

    void subscribe(Subscriptions& subscriptions) override {
        scheduling_.subscribe(subscriptions, Scheduling::Records::from_analyzer);
        DiskOperations::subscribe(subscriptions);
        for (const InterruptKind& kind : interrupt_kinds) {
            subscriptions.hook(kind.hook, first_interrupt_tag + kind.hook,
                               {"InitialTime", "Routine"}, Use::context);
        }
    }

    void start(Context& context) override {
        Analyzer::start(context);
        scheduling_.start(context);
        operations_.start(context);
    }

    void add(const Record& record) override {
        if (record.tag >= first_interrupt_tag) {
            readies_.end_interrupt(static_cast<std::uint16_t>(record.tag - first_interrupt_tag),
                                   record.processor(), interval_of(record, 0), record.number(1));
            return;
        }
        if (DiskOperations::takes(record.tag)) {
            if (const auto completion = operations_.take(record)) {
                readies_.add(*completion);
            }
            return;
        }
        if (record.tag == Scheduling::ready_tag && record.has(0)) {
            readies_.add(record.number32(0), record.processor(), record.time);
        }
        scheduling_.add(record);
    }

    Table finish() override {
        scheduling_.finish();
        if (!context().is_part) {
            scheduling_.show_open();
        }
        Table table{.name = "history", .is_ordered = true};
        for (std::size_t i = 0; i < history_columns; ++i) {
            table.columns.push_back(plain_column(names[i], Unit::id));
        }
        std::ranges::for_each(all_,
                              [&](const Interval& one) { table.rows.push_back(row_of(one)); });
        if (missing_until_) {
            table.rows.push_back(missing_row());
        }
        if (!scheduling_.has_switches()) {
            set_missing(table, "context switches", {}, record_switches);
        }
        return table;
    }

    void save(Archive& to) override { scheduling_.save(to); }

    void stitch(Archive& from) override { scheduling_.stitch(from); }

private:
    using State = ThreadInterval::State;

    static constexpr std::uint32_t first_interrupt_tag = 0x10000;
    static constexpr std::string_view names[] = {
        "input",  "tid",  "pid",   "process",   "state",   "begin", "end",   "is_open",
        "reason", "kind", "waker", "waker_pid", "routine", "file",  "issued"};

    struct Interval {
        std::uint32_t tid = 0;
        OwnerRef owner = Owners::unknown;
        State state = State::running;
        std::int64_t begin = 0, end = 0;
        bool is_open = false, by_dpc = false;
        bool is_cut = false; // a wait that only the end of its thread ended
        std::uint8_t reason = 0;
        std::optional<ThreadRef> waker{};
        std::optional<std::uint64_t> ready{}; // number in readies_
    };

    void ran(std::uint16_t /*processor*/, ThreadRef thread, std::int64_t from,
             std::int64_t to) override {
        add(of(thread, State::running, from, to));
    }

    void still_ran(std::uint16_t /*processor*/, ThreadRef thread, std::int64_t from,
                   std::int64_t to) override {
        Interval one = of(thread, State::running, from, to);
        one.is_open = true;
        add(one);
    }

    void switched(std::uint16_t /*processor*/, ThreadRef /*thread*/,
                  const Record& /*record*/) override {}

    void waited(const Wait& wait, const SwitchIn& /*at*/) override {
        Interval one = of(wait.thread, State::waiting, wait.from, wait.to);
        one.reason = wait.reason;
        one.by_dpc = wait.by_dpc;
        one.waker = wait.waker;
        one.ready = readies_.number_of(one.tid, wait.to);
        add(one);
    }

    void was_ready(ThreadRef thread, std::int64_t from, const Wait* /*after*/,
                   const SwitchIn& at) override {
        add(of(thread, State::ready, from, at.time));
    }

    void still(const OpenState& state) override {
        const std::int64_t end = context().end;
        add_states(state, context().owners->of_thread_id(state.thread, end), end, true);
    }

    void ended(const OpenState& state, std::int64_t time) override {
        Owners& owners = *context().owners;
        const std::int64_t since = state.waits_since.value_or(state.ready_since.value_or(time));
        add_states(state, owners.owner_of(owners.thread(state.thread, since)), time, false);
    }

    /// States that no switch has ended, up to `end`.
    void add_states(const OpenState& state, OwnerRef owner, std::int64_t end, bool are_open) {
        Interval one{.tid = state.thread,
                     .owner = owner,
                     .end = end,
                     .by_dpc = state.by_dpc,
                     .reason = state.reason,
                     .waker = state.waker};
        if (state.waits_since) {
            one.state = State::waiting;
            one.begin = *state.waits_since;
            one.end = state.ready_since.value_or(end);
            one.is_open = are_open && !state.ready_since;
            one.is_cut = !are_open && !state.ready_since;
            one.ready = state.ready_since ? readies_.number_of(one.tid, one.end) : std::nullopt;
            add(one);
        }
        if (state.ready_since) {
            one.state = State::ready;
            one.begin = *state.ready_since;
            one.end = end;
            one.is_open = are_open;
            add(one);
        }
    }

    Interval of(ThreadRef thread, State state, std::int64_t from, std::int64_t to) const {
        Owners& owners = *context().owners;
        return {.tid = owners.id_of(thread),
                .owner = owners.owner_of(thread),
                .state = state,
                .begin = from,
                .end = to};
    }

    void add(const Interval& one) {
        const bool is_wanted = wanted_.empty() || std::ranges::binary_search(wanted_, one.tid);
        if (one.tid == 0 || one.end < context().begin || !is_wanted) {
            return;
        }
        all_.push_back(one);
        if (all_.size() > max_history) {
            missing_until_ = std::max(missing_until_.value_or(all_.front().end), all_.front().end);
            all_.pop_front();
        }
    }

    /// docs/explore.md#follow
    WakerKind kind_of(const Interval& wait, const Readies::Ready* ready) const {
        const bool in_interrupt = ready != nullptr && ready->interrupt != 0;
        if (!in_interrupt && !wait.by_dpc) {
            const Owners& owners = *context().owners;
            return !wait.waker                      ? WakerKind::unknown
                   : owners.id_of(*wait.waker) != 0 ? WakerKind::thread
                                                    : WakerKind::idle;
        }
        const std::string_view name = in_interrupt ? name_of_interrupt(ready->interrupt) : "";
        const bool is_delay =
            std::ranges::find(delay_reasons, wait.reason) != std::end(delay_reasons);
        if (name == "timer_dpc" || is_delay) {
            return WakerKind::timer;
        }
        if (ready != nullptr && is_completed(wait, *ready)) {
            return WakerKind::disk;
        }
        return name.starts_with("isr") ? WakerKind::interrupt : WakerKind::dpc;
    }

    static std::string_view name_of_interrupt(std::uint16_t hook) noexcept {
        return std::ranges::find(interrupt_kinds, hook, &InterruptKind::hook)->name;
    }

    /// Whether a request of the thread was completed in the wait, and shortly before its end.
    bool is_completed(const Interval& wait, const Readies::Ready& ready) const {
        constexpr std::int64_t per_second = 1000; // 1 ms
        return ready.disk && ready.disk->time >= wait.begin && ready.disk->time <= ready.time &&
               ready.time - ready.disk->time <= context().trace->clock.frequency() / per_second;
    }

    Row row_of(const Interval& one) {
        const Owners& owners = *context().owners;
        const Owner& owner = owners[one.owner];
        Row row{std::vector<Cell>(history_columns)};
        row.cells[history_input] = std::uint64_t{context().trace->file} + 1;
        row.cells[history_tid] = std::uint64_t{one.tid};
        row.cells[history_pid] = pid_cell(owner);
        row.cells[history_process] = name_cell(owner);
        row.cells[history_state] = static_cast<std::uint64_t>(one.state);
        row.cells[history_begin] = static_cast<std::uint64_t>(one.begin);
        row.cells[history_end] = static_cast<std::uint64_t>(one.end);
        row.cells[history_is_open] = std::uint64_t{one.is_open ? 1U : 0U};
        if (one.state == State::waiting) {
            add_waker(row, one);
        }
        return row;
    }

    void add_waker(Row& row, const Interval& wait) {
        const Readies::Ready* const ready = wait.ready ? readies_.find(*wait.ready) : nullptr;
        const WakerKind kind = wait.is_cut ? WakerKind::unknown : kind_of(wait, ready);
        row.cells[history_reason] = std::uint64_t{wait.reason};
        row.cells[history_ended_by] = static_cast<std::uint64_t>(kind);
        row.cells[history_routine] = ready != nullptr ? ready->routine : 0;
        if (kind == WakerKind::thread) {
            Owners& owners = *context().owners;
            row.cells[history_waker] = std::uint64_t{owners.id_of(*wait.waker)};
            row.cells[history_waker_pid] = pid_cell(owners[owners.owner_of(*wait.waker)]);
        }
        if (kind == WakerKind::disk) {
            const DiskCompletion& disk = *ready->disk;
            row.cells[history_file] = disk.file.value_or(0);
            const auto issued = disk.issued        ? disk.issued
                                : disk.has_elapsed ? std::optional(disk.begin)
                                                   : std::nullopt;
            row.cells[history_issued] = issued ? Cell(static_cast<std::uint64_t>(*issued)) : Cell();
        }
    }

    Row missing_row() const {
        Row row{std::vector<Cell>(history_columns)};
        row.cells[history_input] = std::uint64_t{context().trace->file} + 1;
        row.cells[history_state] = missing_state;
        row.cells[history_end] = static_cast<std::uint64_t>(*missing_until_);
        return row;
    }

    std::vector<std::uint32_t> wanted_; // empty: all
    Scheduling scheduling_{*this};
    DiskOperations operations_;
    Readies readies_;
    std::deque<Interval> all_;
    std::optional<std::int64_t> missing_until_;
};

extern const TableKind history_kind;

constexpr auto history_forms = forms_of(history_kind, {{.needs = TableNeeds::processes,
                                                        .make = make<History>,
                                                        .parts = PartsOf::carried,
                                                        .state = "scheduling"}});

constinit const TableKind history_kind{.name = "history", .forms = history_forms};

std::optional<std::uint64_t> number_in(const Cell& cell) {
    const auto* const number = std::get_if<std::uint64_t>(&cell);
    return number != nullptr ? std::optional(*number) : std::nullopt;
}

std::optional<std::uint32_t> id_in(const Cell& cell) {
    const auto number = number_in(cell);
    return number ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
}

ThreadInterval interval_of(std::span<Cell> cells) {
    const auto number = [&](std::size_t column) { return number_in(cells[column]).value_or(0); };
    ThreadInterval interval{
        .thread = {static_cast<std::uint32_t>(number(history_tid)), id_in(cells[history_pid])},
        .process = {},
        .state = static_cast<ThreadInterval::State>(number(history_state)),
        .begin = static_cast<std::int64_t>(number(history_begin)),
        .end = static_cast<std::int64_t>(number(history_end)),
        .is_open = number(history_is_open) != 0,
        .reason = static_cast<std::uint8_t>(number(history_reason)),
        .kind = static_cast<WakerKind>(number(history_ended_by)),
        .routine = number(history_routine),
        .file = number(history_file)};
    if (auto* const name = std::get_if<std::string>(&cells[history_process])) {
        interval.process = std::move(*name);
    }
    if (const auto waker = id_in(cells[history_waker])) {
        interval.waker = ThreadId{*waker, id_in(cells[history_waker_pid])};
    }
    if (const auto issued = number_in(cells[history_issued])) {
        interval.issued = static_cast<std::int64_t>(*issued);
    }
    return interval;
}

/// The number of the only scope of an input; nothing: there are several.
std::optional<std::size_t> scope_of(const gather::Scopes& scopes, std::uint32_t input) {
    const auto has_input = [&](const gather::Scope& scope) {
        return std::ranges::find(scope.readers, input - 1) != scope.readers.end();
    };
    const auto& all = scopes.all();
    const auto found = std::ranges::find_if(all, has_input);
    return std::ranges::count_if(all, has_input) == 1
               ? std::optional(static_cast<std::size_t>(found - all.begin()))
               : std::nullopt;
}

/// Whether a module is of the network.
bool is_of_network(std::string_view module) {
    const std::string name = to_lower_ascii(module);
    return name == "ndis.sys" || name == "tcpip.sys";
}

} // namespace

std::string_view name_of(WakerKind kind) noexcept {
    constexpr std::string_view kinds[] = {"unknown", "thread", "idle",    "DPC",
                                          "timer",   "disk",   "network", "interrupt"};
    return kinds[static_cast<std::size_t>(kind)];
}

std::expected<ThreadHistory, TraceError> thread_history(dataset::Dataset& traces,
                                                        const HistoryRequest& request) {
    const gather::Scopes scopes(traces.readers());
    if (!scope_of(scopes, request.input)) {
        return std::unexpected(
            TraceError{{.code = ErrorCode::unsupported,
                        .what = "threads of a trace of several machines or boots"},
                       traces.inputs()[request.input - 1].name(),
                       {}});
    }
    auto table = table_of(traces, history_forms.front(),
                          {.table = {.stacks = {.threads = request.tids}}, .processes = {}});
    if (!table) {
        return std::unexpected(std::move(table.error()));
    }
    // Rows of traces that are read together have the number of the first one.
    const auto group = std::ranges::find_if(scopes.groups(), [&](const gather::ScopeGroup& one) {
        return std::ranges::find(one.readers, request.input - 1) != one.readers.end();
    });
    const std::uint64_t input = group->readers.front() + 1;
    ThreadHistory history;
    history.remarks = remarks_of(table->coverage);
    for (Row& row : table->rows) { // columns that tell machines apart come first
        const std::span cells = std::span(row.cells).last(history_columns);
        if (number_in(cells[history_input]) != input) {
            continue;
        }
        if (number_in(cells[history_state]) == missing_state) {
            history.missing_until = static_cast<std::int64_t>(*number_in(cells[history_end]));
        } else {
            history.intervals.push_back(interval_of(cells));
        }
    }
    std::ranges::stable_sort(history.intervals, {}, &ThreadInterval::end);
    return history;
}

std::expected<void, TraceError> name_wakers(dataset::Dataset& traces, std::uint32_t input,
                                            std::span<ThreadInterval> waits) {
    const Filetime start = traces.bounds().start; // stacks are not needed
    const auto number = scope_of(gather::Scopes(traces.readers()), input);
    const auto context = traces.context({.schemas = gather::SchemaScope::facts,
                                         .facts = facts::Scope::everything,
                                         .stacks = {.from = start, .to = start}});
    if (!context) {
        return std::unexpected(context.error());
    }
    if (!number || *number >= context->facts->size()) {
        return {};
    }
    const facts::Facts& facts = (*context->facts)[*number];
    const facts::FrameNames names(traces.symbols());
    for (ThreadInterval& wait : waits) {
        if (wait.kind == WakerKind::disk && wait.file != 0) {
            wait.what = std::string(facts.file(wait.file, wait.end));
        } else if (wait.routine != 0) {
            const auto name =
                names.find(facts, {.process = 0, .address = wait.routine, .time = wait.end});
            if (name) {
                const std::string function =
                    name->function.empty() ? fmt::format("0x{:x}", name->offset) : name->function;
                Function{.module = name->module, .name = function}.append_to(wait.what);
                wait.kind = wait.kind == WakerKind::dpc && is_of_network(name->module)
                                ? WakerKind::network
                                : wait.kind;
            }
        }
    }
    return {};
}

} // namespace etl::analysis

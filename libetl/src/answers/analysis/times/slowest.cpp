#include "analysis/analyzer.hpp"
#include "analysis/disk_operations.hpp"
#include "analysis/groups.hpp"
#include "analysis/names.hpp"
#include "analysis/parts/archive.hpp"
#include "analysis/parts/pairs.hpp"
#include "analysis/samples.hpp"
#include "analysis/scheduling/scheduling.hpp"
#include "analysis/start_stop_pairs.hpp"
#include "analysis/table_list.hpp"
#include "analysis/times/file_operations.hpp"
#include "analysis/times/gc_pauses.hpp"
#include "analysis/times/longest.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace etl::analysis {

// File operations that began, with what names them. docs/analysis.md#slowest

class SlowFiles {
public:
    struct Operation {
        std::int64_t time = 0;
        OwnerRef owner = Owners::unknown;
        std::uint32_t thread = flow::no_id;
        std::uint64_t key = 0, object = 0;
        std::uint64_t path = 0; // of texts_
        std::uint32_t type = 0; // 0: of an earlier part; `path` is its name
    };

    /// Before the first event.
    void start(Context& context) {
        context_ = &context;
        operations_.start(context);
    }

    void begin(const Record& record) {
        if (is_path_of_operation(record)) {
            return;
        }
        Operation operation{.time = record.time,
                            .thread = record.number32(FileField::thread),
                            .key = record.number(FileField::file_key),
                            .object = record.number(FileField::file_object),
                            .type = record.tag};
        operation.owner = context_->owners->of_thread_id(operation.thread, record.time);
        const std::string opened = terminated_utf16(record.rest(FileField::open_path));
        operation.path = opened.empty() ? 0 : texts_.number_of(opened);
        operations_.begin(record.number(FileField::irp), operation);
    }

    /// Calls `ended(operation, end)` if the operation is known.
    template <typename Ended>
    void end(std::uint64_t irp, const IntervalEnd& end, Ended&& ended) {
        if (const auto operation = operations_.end(irp, [&] { return end; })) {
            ended(*operation, end);
        }
    }

    std::string name_of(const Operation& operation) const {
        if (operation.type == 0) {
            return std::string(texts_.text(operation.path));
        }
        std::string_view name = context_->facts->file(operation.key, operation.time);
        name = name.empty() ? context_->facts->file(operation.object, operation.time) : name;
        name = name.empty() ? texts_.text(operation.path) : name;
        return std::string(file_operation_name(operation.type)) + (name.empty() ? "" : " ") +
               std::string(name);
    }

    std::uint64_t dropped() const noexcept { return operations_.dropped(); }

    /// As those of Analyzer.
    void save(Archive& to) { operations_.save(to, visitors()); }

    template <typename Ended>
    void stitch(Archive& from, Ended&& ended) {
        operations_.stitch(from, visitors(), std::forward<Ended>(ended),
                           [](const Operation& /*replaced*/) {});
    }

private:
    using Operations = Pairs<std::uint64_t, Operation, IntervalEnd>; // by IRP

    Operations::Visitors visitors();
    void visit(Archive& archive, Operation& operation);

    Context* context_ = nullptr;
    Texts texts_;
    Operations operations_;
};

/// The file has the name that the facts of its part know.
inline void SlowFiles::visit(Archive& archive, Operation& operation) {
    std::uint64_t name = archive.is_reading() ? 0 : texts_.number_of(name_of(operation));
    archive.number(operation.time);
    visit_owner(archive, *context_->owners, operation.owner);
    archive.number(operation.thread);
    visit_text(archive, texts_, name);
    if (archive.is_reading()) {
        operation.path = name;
    }
}

inline SlowFiles::Operations::Visitors SlowFiles::visitors() {
    return {.key = [](Archive& archive, std::uint64_t& irp) { archive.number(irp); },
            .begin = [this](Archive& archive, Operation& operation) { visit(archive, operation); },
            .end = [](Archive& archive, IntervalEnd& end) { analysis::visit(archive, end); }};
}

// etl slowest. docs/analysis.md#slowest

namespace {

enum SlowTag : std::uint32_t { slow_gc = 1, slow_dpc, slow_isr, slow_file_end, slow_fault };

class Slowest final : public Analyzer, private SchedulingSink, private StartStopSink {
public:
    explicit Slowest(const TableOptions& options)
        : longest_(std::clamp<std::size_t>(options.per_kind, 1, limits::analysis_slowest)) {}

    void subscribe(Subscriptions& subscriptions) override {
        subscriptions.everything_described();
        scheduling_.subscribe(subscriptions);
        DiskOperations::subscribe(subscriptions);
        GcPauses::subscribe(subscriptions, slow_gc);
        for (const std::uint16_t hook :
             std::initializer_list<std::uint16_t>{0x0F42, 0x0F44, 0x0F45}) {
            subscriptions.hook(hook, slow_dpc, {"InitialTime", "Routine"});
        }
        for (const std::uint16_t hook :
             std::initializer_list<std::uint16_t>{0x0F32, 0x0F43, 0x0F5F}) {
            subscriptions.hook(hook, slow_isr, {"InitialTime", "Routine"});
        }
        ask_for_file_operations(subscriptions, slow_file_end);
        subscriptions.hook(0x0220, slow_fault, {"InitialTime", "FileObject", "TThreadId"});
    }

    void start(Context& context) override {
        Analyzer::start(context);
        scheduling_.start(context);
        disk_.start(context);
        pauses_.start(context);
        events_.start(context);
        activities_.start(context);
        files_.start(context);
    }

    void add(const Record& record) override {
        switch (record.tag) {
        case everything_tag:
            if (const auto edge = events_.read(record)) {
                activities_.add(*edge);
            }
            break;
        case slow_gc:
            add_gc(record);
            break;
        case slow_dpc:
        case slow_isr:
            add_interrupt(record);
            break;
        case slow_file_end:
            if (!is_file_repetition(record, context())) {
                add_operation_end(record);
            }
            break;
        case slow_fault:
            add_fault(record);
            break;
        default:
            if (DiskOperations::takes(record.tag)) {
                add_disk(record);
            } else if (is_file_operation(record.tag)) {
                if (!is_file_repetition(record, context())) {
                    files_.begin(record);
                }
            } else {
                scheduling_.add(record);
            }
            break;
        }
    }

    Table finish() override {
        scheduling_.finish();
        activities_.finish();
        Table table;
        table.name = "slowest";
        table.columns = {key_column("kind", Unit::text),
                         key_column("paired_by", Unit::text),
                         ticks_column("duration_ns", Adding::maximum),
                         key_column("begin", Unit::time),
                         key_column("process", Unit::text),
                         key_column("pid", Unit::id),
                         key_column("tid", Unit::id),
                         key_column("what", Unit::text),
                         key_column("buffer", Unit::id),
                         key_column("offset", Unit::id),
                         key_column("buffer_at", Unit::address)};
        table.sort_column = 2;
        const bool is_part = context().is_part; // the longest of all are chosen from those of each
        for (std::size_t kind = 0; kind < static_cast<std::size_t>(Slow::kinds) && !is_part;
             ++kind) {
            for (const SlowInterval& interval : longest_.of(static_cast<Slow>(kind))) {
                table.rows.push_back({.cells = cells_of(static_cast<Slow>(kind), interval)});
            }
        }
        report_missing(table);
        table.coverage.remainders.push_back(
            {"shorter_intervals", is_part ? 0 : longest_.shorter()});
        table.coverage.remainders.push_back({"guessed_pairs", guesses()});
        table.coverage.remainders.push_back({"unpaired_starts", unpaired_starts_});
        table.coverage.remainders.push_back({"unpaired_stops", unpaired_stops_});
        table.coverage.remainders.push_back(
            {"dropped_operations", files_.dropped() + activities_.dropped() + events_.dropped() +
                                       pauses_.dropped() + disk_.dropped()});
        table.coverage.remainders.push_back({"dropped_switches", scheduling_.dropped()});
        return table;
    }

    void save(Archive& to) override {
        longest_.save(to, *context().owners);
        scheduling_.save(to);
        disk_.save(to);
        pauses_.save(to);
        activities_.save(to);
        files_.save(to);
    }

    void stitch(Archive& from) override {
        longest_.stitch(from, *context().owners);
        stitch_operations(from);
        activities_.stitch(from);
        files_.stitch(from, [this](const SlowFiles::Operation& operation, const IntervalEnd& end) {
            add_file(operation, end);
        });
    }

    void save_state(Archive& to) override {
        scheduling_.save(to);
        disk_.save(to);
        pauses_.save(to);
        activities_.save_state(to);
        files_.save(to);
    }

    void load_state(Archive& from) override {
        stitch_operations(from);
        activities_.load_state(from);
        files_.stitch(from, [](const SlowFiles::Operation&, const IntervalEnd&) {});
    }

private:
    void stitch_operations(Archive& from) {
        scheduling_.stitch(from);
        disk_.stitch(from, [this](const DiskCompletion& one) { add_completion(one); });
        pauses_.stitch(from, [this](const GcPause& pause) { add_pause(pause); });
    }

    static IntervalEnd end_of(const Record& record) {
        return {record.time, record.in_range, place_of(*record.event)};
    }

    std::vector<Cell> cells_of(Slow kind, const SlowInterval& one) const {
        const Owner& owner = (*context().owners)[one.owner];
        return {Cell(std::string(name(kind))),
                one.paired_by == Pairing::none ? Cell() : Cell(std::string(name(pairing_of(one)))),
                one.ticks,
                static_cast<std::uint64_t>(context().trace->clock.to_filetime(one.begin).ticks),
                name_cell(owner),
                pid_cell(owner),
                one.thread == flow::no_id ? Cell() : Cell(std::uint64_t{one.thread}),
                one.what.empty() ? Cell() : Cell(one.what),
                one.end.buffer,
                std::uint64_t{one.end.offset},
                one.end.file_offset};
    }

    void report_missing(Table& table) const {
        const auto report = [&](bool has, std::string_view source, std::string_view record) {
            if (!has) {
                table.coverage.not_recorded.push_back({source, {}, record});
            }
        };
        report(disk_.has_completions(), "disk I/O", record_disk);
        report(has_file_ends_, "file I/O completions", record_files);
        report(scheduling_.has_switches() && scheduling_.has_readies(), "ReadyThread",
               record_readies);
        report(has_interrupts_, "DPCs and ISRs", "xperf -on DPC+INTERRUPT, or wpr -start CPU");
        report(pauses_.has_events(), "suspensions", record_gc);
    }

    bool counts(bool in_range, OwnerRef owner) const {
        return in_range && (*context().owners)[owner].is_selected;
    }

    SlowInterval interval(const IntervalEnd& end, std::int64_t begin, OwnerRef owner,
                          std::uint32_t thread) const {
        return {.ticks = context().cut(begin, end.time),
                .begin = std::max(std::min(begin, end.time), context().begin),
                .owner = owner,
                .thread = thread == 0 ? flow::no_id : thread,
                .end = end.place};
    }

    std::string file_name(std::uint64_t object, std::int64_t time) const {
        return std::string(context().facts->file(object, time));
    }

    static Pairing pairing_of(PairedBy by, PairCertainty certainty) noexcept {
        return certainty == PairCertainty::guessed ? Pairing::guessed
               : by == PairedBy::activity          ? Pairing::activity
                                                   : Pairing::fields;
    }

    /// When all events were added.
    Pairing pairing_of(const SlowInterval& one) const {
        const bool is_guess = one.group != 0 && activities_.is_ambiguous(one.group);
        return is_guess ? Pairing::guessed : one.paired_by;
    }

    std::uint64_t guesses() const {
        std::uint64_t all = guesses_;
        for (const auto& [group, pairs] : by_group_) {
            all += activities_.is_ambiguous(group) ? pairs : 0;
        }
        return all;
    }

    void stopped(const StartStopEdge& start, const StartStopEdge& stop,
                 PairCertainty certainty) override {
        if (!counts(stop.in_range, start.owner)) {
            return;
        }
        SlowInterval one =
            interval({stop.time, true, stop.place}, start.time, start.owner, start.thread);
        one.paired_by = pairing_of(stop.by, certainty);
        guesses_ += certainty == PairCertainty::guessed ? 1 : 0;
        if (certainty == PairCertainty::by_group) {
            one.group = stop.group;
            ++by_group_[stop.group];
        }
        longest_.add(Slow::activity, std::move(one),
                     [&] { return std::string(events_.text(events_.kind(stop.kind).event)); });
    }

    void unpaired(const StartStopEdge& edge) override {
        if (counts(edge.in_range, edge.owner)) {
            ++(edge.is_start ? unpaired_starts_ : unpaired_stops_);
        }
    }

    void add_gc(const Record& record) {
        if (const auto pause = pauses_.add(record)) {
            add_pause(*pause);
        }
    }

    void add_pause(const GcPause& pause) {
        const GcPause::End& end = pause.end;
        if (end.counts) {
            longest_.add(Slow::gc_pause,
                         interval({end.time, true, end.place}, pause.begin, end.owner, end.thread),
                         [] { return std::string(); });
        }
    }

    void add_interrupt(const Record& record) {
        has_interrupts_ = true;
        const auto stored = static_cast<std::int64_t>(record.number(0));
        const bool is_valid = record.has(0) && stored <= record.time;
        if (!record.in_range || !is_valid || context().owners->is_selective()) {
            return; // of no process
        }
        const bool is_dpc = record.tag == slow_dpc;
        longest_.add(
            is_dpc ? Slow::dpc : Slow::isr,
            interval(end_of(record), stored, is_dpc ? Owners::dpc : Owners::isr, flow::no_id), [&] {
                const CodeName name = code_name(
                    context(), {.process = 0, .address = record.number(1), .time = record.time});
                return name.module.empty() || name.function.contains('!')
                           ? name.function
                           : name.module + '!' + name.function;
            });
    }

    void add_operation_end(const Record& record) {
        has_file_ends_ = true;
        files_.end(record.number(0), end_of(record),
                   [this](const SlowFiles::Operation& operation, const IntervalEnd& end) {
                       add_file(operation, end);
                   });
    }

    void add_file(const SlowFiles::Operation& operation, const IntervalEnd& end) {
        if (counts(end.in_range, operation.owner)) {
            longest_.add(Slow::file,
                         interval(end, operation.time, operation.owner, operation.thread),
                         [&] { return files_.name_of(operation); });
        }
    }

    void add_fault(const Record& record) {
        enum FaultField : unsigned { begin, object, thread };

        const std::uint32_t id = record.number32(thread);
        const OwnerRef owner = context().owners->of_thread_id(id, record.time);
        if (counts(record.in_range, owner)) {
            longest_.add(Slow::hard_fault,
                         interval(end_of(record), static_cast<std::int64_t>(record.number(begin)),
                                  owner, id),
                         [&] { return file_name(record.number(object), record.time); });
        }
    }

    void add_disk(const Record& record) {
        if (const auto one = disk_.take(record)) {
            add_completion(*one);
        }
    }

    void add_completion(const DiskCompletion& one) {
        if (counts(one.in_range, one.owner) && one.has_elapsed) {
            longest_.add(Slow::disk,
                         interval({one.time, true, one.place}, one.begin, one.owner, one.thread),
                         [&] { return std::string(disk_.file_name(one)); });
        }
    }

    void ran(std::uint16_t /*processor*/, ThreadRef /*thread*/, std::int64_t /*from*/,
             std::int64_t /*to*/) override {}

    void switched(std::uint16_t /*processor*/, ThreadRef /*thread*/,
                  const Record& /*record*/) override {}

    void was_ready(ThreadRef thread, std::int64_t from, const Wait* /*after*/,
                   const SwitchIn& at) override {
        Owners& owners = *context().owners;
        const OwnerRef owner = owners.owner_of(thread);
        if (counts(at.in_range, owner)) {
            longest_.add(Slow::ready,
                         interval({at.time, true, at.place}, from, owner, owners.id_of(thread)),
                         [] { return std::string(); });
        }
    }

    Longest longest_;
    Scheduling scheduling_{*this};
    DiskOperations disk_;
    GcPauses pauses_;
    StartStopEvents events_;
    StartStopPairs activities_{events_, *this};
    SlowFiles files_;
    std::unordered_map<std::uint32_t, std::uint64_t> by_group_; // pairs; PairCertainty::by_group
    std::uint64_t guesses_ = 0, unpaired_starts_ = 0, unpaired_stops_ = 0;
    bool has_interrupts_ = false, has_file_ends_ = false;
};

constexpr auto slowest_forms =
    forms_of(slowest_table, {
                                {.needs = TableNeeds::facts_and_schemas,
                                 .make = make<Slowest>,
                                 .parts = PartsOf::carried,
                                 .state = "slowest",
                                 .title = "What took longest",
                                 .events = "buffer == {buffer} && offset == {offset}",
                                 .events_options = "--raw",
                                 .places = {.report = 20, .brief = 10}},
                            });

} // namespace

constinit const TableKind slowest_table{
    .name = "slowest",
    .summary = "Print the disk requests, file operations, ... that took longest",
    .question = "Single operations, with their events",
    .examples = R"(  etl slowest trace.etl
  etl slowest --per-kind 1000 --process kettle --format csv -o slowest.csv trace.etl)",
    .options = {TableOption::per_kind, TableOption::symbols},
    .mcp_options = "limit format per-kind",
    .mcp_place = 1,
    .forms = slowest_forms,
};

} // namespace etl::analysis

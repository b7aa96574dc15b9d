#include "analysis/table_list.hpp"
#include "analysis/times/longest.hpp"
#include "analysis/times/operations.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace etl::analysis {

// etl slowest. docs/analysis.md#slowest

namespace {

class Slowest final : public Operations {
public:
    explicit Slowest(const TableOptions& options)
        : longest_(std::clamp<std::size_t>(options.per_kind, 1, limits::analysis_slowest)) {}

    Table finish() override {
        finish_operations();
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
        report_dropped(table);
        return table;
    }

    void save(Archive& to) override {
        longest_.save(to, *context().owners);
        Operations::save(to);
    }

    void stitch(Archive& from) override {
        longest_.stitch(from, *context().owners);
        Operations::stitch(from);
    }

private:
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
        const bool is_guess = one.group != 0 && activities().is_ambiguous(one.group);
        return is_guess ? Pairing::guessed : one.paired_by;
    }

    std::uint64_t guesses() const {
        std::uint64_t all = guesses_;
        for (const auto& [group, pairs] : by_group_) {
            all += activities().is_ambiguous(group) ? pairs : 0;
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
                     [&] { return std::string(events().text(events().kind(stop.kind).event)); });
    }

    void unpaired(const StartStopEdge& edge) override {
        if (counts(edge.in_range, edge.owner)) {
            ++(edge.is_start ? unpaired_starts_ : unpaired_stops_);
        }
    }

    void paused(const GcPause& pause) override {
        const GcPause::End& end = pause.end;
        if (end.counts) {
            longest_.add(Slow::gc_pause,
                         interval({end.time, true, end.place}, pause.begin, end.owner, end.thread),
                         [] { return std::string(); });
        }
    }

    void interrupted(const EndedInterrupt& one) override {
        if (!one.end.in_range || context().owners->is_selective()) {
            return; // of no process
        }
        longest_.add(
            one.is_dpc() ? Slow::dpc : Slow::isr,
            interval(one.end, one.begin, one.is_dpc() ? Owners::dpc : Owners::isr, flow::no_id),
            [&] {
                const CodeName name = code_name(
                    context(), {.process = 0, .address = one.routine, .time = one.end.time});
                return name.module.empty() || name.function.contains('!')
                           ? name.function
                           : name.module + '!' + name.function;
            });
    }

    void completed(const FileOperations::Operation& operation, const IntervalEnd& end) override {
        if (counts(end.in_range, operation.owner)) {
            longest_.add(Slow::file,
                         interval(end, operation.time, operation.owner, operation.thread),
                         [&] { return files().name_of(operation); });
        }
    }

    void faulted(const HardFault& fault) override {
        if (counts(fault.end.in_range, fault.owner)) {
            longest_.add(Slow::hard_fault,
                         interval(fault.end, fault.begin, fault.owner, fault.thread),
                         [&] { return file_name(fault.file, fault.end.time); });
        }
    }

    void transferred(const DiskCompletion& one) override {
        if (counts(one.in_range, one.owner) && one.has_elapsed) {
            longest_.add(Slow::disk,
                         interval({one.time, true, one.place}, one.begin, one.owner, one.thread),
                         [&] { return std::string(disk().file_name(one)); });
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
    std::unordered_map<std::uint32_t, std::uint64_t> by_group_; // pairs; PairCertainty::by_group
    std::uint64_t guesses_ = 0, unpaired_starts_ = 0, unpaired_stops_ = 0;
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

// etl slowest. docs/analysis.md#slowest
#include "analysis/disk_operations.hpp"
#include "analysis/group_table.hpp"
#include "analysis/names_cache.hpp"
#include "analysis/samples.hpp"
#include "analysis/scheduling/scheduling.hpp"
#include "analysis/times/activities.hpp"
#include "analysis/times/event_names.hpp"
#include "analysis/times/file_operations.hpp"
#include "analysis/times/gc_pauses.hpp"
#include "analysis/times/longest.hpp"
#include "analysis/times/makers.hpp"
#include "analysis/utf16.hpp"

#include <algorithm>

namespace etl::analysis {

namespace {

enum SlowTag : std::uint32_t { slow_gc = 1, slow_dpc, slow_isr, slow_file_end, slow_fault };

class Slowest final : public Analyzer, private SchedulingSink {
public:
    explicit Slowest(const TableOptions& options)
        : longest_(std::clamp<std::size_t>(options.per_kind, 1, limits::analysis_slowest)) {}

    void ask(Wishes& wishes) override {
        wishes.everything();
        scheduling_.ask(wishes);
        DiskOperations::ask(wishes);
        GcPauses::ask(wishes, slow_gc);
        for (const std::uint16_t hook :
             std::initializer_list<std::uint16_t>{0x0F42, 0x0F44, 0x0F45}) {
            wishes.hook(hook, slow_dpc, {"InitialTime", "Routine"});
        }
        for (const std::uint16_t hook :
             std::initializer_list<std::uint16_t>{0x0F32, 0x0F43, 0x0F5F}) {
            wishes.hook(hook, slow_isr, {"InitialTime", "Routine"});
        }
        ask_for_file_operations(wishes);
        wishes.hook(0x0400U | file_completion, slow_file_end, {"IrpPtr"});
        wishes.hook(0x0220, slow_fault, {"InitialTime", "FileObject", "TThreadId"});
    }

    void start(Context& context) override {
        Analyzer::start(context);
        scheduling_.start(context);
        decoder_.emplace(*context.schemas);
    }

    void add(const Record& record) override {
        switch (record.tag) {
        case everything_tag:
            add_any(record);
            break;
        case slow_gc:
            add_gc(record);
            break;
        case slow_dpc:
        case slow_isr:
            add_interrupt(record);
            break;
        case slow_file_end:
            add_operation_end(record);
            break;
        case slow_fault:
            add_fault(record);
            break;
        default:
            if (DiskOperations::takes(record.tag)) {
                add_disk(record);
            } else if (is_file_operation(record.tag)) {
                add_operation(record);
            } else {
                scheduling_.add(record);
            }
            break;
        }
    }

    Table finish() override {
        scheduling_.finish();
        Table table;
        table.name = "slowest";
        table.columns = {
            key_column("kind", Unit::text),  ticks_column("duration_ns", Adding::maximum),
            key_column("begin", Unit::time), key_column("process", Unit::text),
            key_column("pid", Unit::id),     key_column("tid", Unit::id),
            key_column("what", Unit::text),  key_column("buffer", Unit::id),
            key_column("offset", Unit::id),  key_column("buffer_at", Unit::address)};
        table.sort_column = 1;
        for (std::size_t kind = 0; kind < static_cast<std::size_t>(Slow::kinds); ++kind) {
            for (const SlowInterval& interval : longest_.of(static_cast<Slow>(kind))) {
                table.rows.push_back({.cells = cells_of(static_cast<Slow>(kind), interval)});
            }
        }
        report_missing(table);
        table.coverage.remainders.push_back({"shorter_intervals", longest_.shorter()});
        table.coverage.remainders.push_back(
            {"dropped_operations", dropped_ + activities_.dropped() + pauses_.dropped()});
        table.coverage.remainders.push_back({"dropped_switches", scheduling_.dropped()});
        return table;
    }

private:
    struct Operation {
        std::int64_t time = 0;
        OwnerRef owner = Owners::unknown;
        std::uint32_t thread = flow::no_id;
        std::uint64_t key = 0, object = 0;
        std::uint64_t path = 0; // of texts_
        std::uint32_t type = 0;
    };

    std::vector<Cell> cells_of(Slow kind, const SlowInterval& one) const {
        const Owner& owner = (*context().owners)[one.owner];
        return {Cell(std::string(name(kind))),
                one.ticks,
                static_cast<std::uint64_t>(context().trace->clock.to_filetime(one.begin).ticks),
                name_cell(owner),
                pid_cell(owner),
                one.thread == flow::no_id ? Cell() : Cell(std::uint64_t{one.thread}),
                one.what.empty() ? Cell() : Cell(one.what),
                one.buffer,
                std::uint64_t{one.offset},
                one.file_offset};
    }

    void report_missing(Table& table) const {
        const auto report = [&](bool has, std::string_view source, std::string_view record) {
            if (!has) {
                table.coverage.not_recorded.push_back({source, {}, record});
            }
        };
        report(disk_.has_completions(), "disk I/O", record_disk);
        report(has_file_ends_, "file I/O completions",
               "xperf -on FILE_IO+FILE_IO_INIT, or wpr -start FileIO");
        report(scheduling_.has_switches() && scheduling_.has_readies(), "ReadyThread",
               record_readies);
        report(has_interrupts_, "DPCs and ISRs", "xperf -on DPC+INTERRUPT, or wpr -start CPU");
        report(pauses_.has_events(), "suspensions", record_gc);
    }

    bool counts(const Record& record, OwnerRef owner) const {
        return record.in_range && (*context().owners)[owner].is_selected;
    }

    SlowInterval interval(const Record& record, std::int64_t begin, OwnerRef owner,
                          std::uint32_t thread) const {
        return {.ticks = context().cut(begin, record.time),
                .begin = std::max(std::min(begin, record.time), context().begin),
                .owner = owner,
                .thread = thread == 0 ? flow::no_id : thread};
    }

    std::string file_name(std::uint64_t object, std::int64_t time) const {
        return std::string(context().facts->file(object, time));
    }

    void add_any(const Record& record) {
        const flow::Event& event = *record.event;
        if (!format::is_event(event.kind)) {
            return;
        }
        const auto begun = activities_.add(event);
        if (!begun) {
            return;
        }
        const auto process = flow::stored<format::event_record::process_id>(event);
        const OwnerRef owner = context().owners->process_now(process, record.time);
        if (counts(record, owner)) {
            const auto thread = flow::stored<format::event_record::thread_id>(event);
            longest_.add(Slow::activity, interval(record, *begun, owner, thread), event, [&] {
                const decode::DecodedEvent& decoded = decoder_->decode(event);
                return provider_of(decoded) + '/' +
                       decoded.kind->event.value_or(std::to_string(decoded.header.id));
            });
        }
    }

    void add_gc(const Record& record) {
        const auto pause = pauses_.add(record);
        const OwnerRef owner = context().owners->process_now(record.process, record.time);
        if (pause && counts(record, owner)) {
            longest_.add(Slow::gc_pause, interval(record, pause->begin, owner, record.thread),
                         *record.event, [] { return std::string(); });
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
        longest_.add(is_dpc ? Slow::dpc : Slow::isr,
                     interval(record, stored, is_dpc ? Owners::dpc : Owners::isr, flow::no_id),
                     *record.event, [&] {
                         const CodeName name = code_name(
                             context(),
                             {.process = 0, .address = record.number(1), .time = record.time});
                         return name.module.empty() || name.function.contains('!')
                                    ? name.function
                                    : name.module + '!' + name.function;
                     });
    }

    void add_operation(const Record& record) {
        Operation operation{.time = record.time,
                            .thread = record.number32(FileField::thread),
                            .key = record.number(FileField::file_key),
                            .object = record.number(FileField::file_object),
                            .type = record.tag};
        operation.owner = context().owners->of_thread_id(operation.thread, record.time);
        const std::string opened = terminated_utf16(record.rest(FileField::open_path));
        operation.path = opened.empty() ? 0 : texts_.number_of(opened);
        if (open_.size() >= limits::analysis_operations &&
            !open_.contains(record.number(FileField::irp))) {
            ++dropped_;
            return;
        }
        open_[record.number(FileField::irp)] = operation;
    }

    void add_operation_end(const Record& record) {
        has_file_ends_ = true;
        const auto found = open_.find(record.number(0));
        if (found == open_.end()) {
            return;
        }
        const Operation operation = found->second;
        open_.erase(found);
        if (counts(record, operation.owner)) {
            longest_.add(Slow::file,
                         interval(record, operation.time, operation.owner, operation.thread),
                         *record.event, [&] { return file_of(operation); });
        }
    }

    std::string file_of(const Operation& operation) const {
        std::string name = file_name(operation.key, operation.time);
        name = name.empty() ? file_name(operation.object, operation.time) : name;
        const Cell path = texts_.cell(operation.path);
        const auto* const opened = std::get_if<std::string>(&path);
        name = name.empty() && opened != nullptr ? *opened : name;
        return std::string(file_operation_name(operation.type)) + (name.empty() ? "" : " ") + name;
    }

    void add_fault(const Record& record) {
        enum Field : unsigned { begin, object, thread };

        const std::uint32_t id = record.number32(thread);
        const OwnerRef owner = context().owners->of_thread_id(id, record.time);
        if (counts(record, owner)) {
            longest_.add(
                Slow::hard_fault,
                interval(record, static_cast<std::int64_t>(record.number(begin)), owner, id),
                *record.event, [&] { return file_name(record.number(object), record.time); });
        }
    }

    void add_disk(const Record& record) {
        const auto operation = disk_.take(record);
        if (!operation) {
            return;
        }
        const OwnerRef owner = context().owners->of_thread_id(operation->thread, record.time);
        if (counts(record, owner) && record.has(DiskOperations::elapsed)) {
            longest_.add(
                Slow::disk,
                interval(record, DiskOperations::begin_of(record), owner, operation->thread),
                *record.event, [&] {
                    return record.has(DiskOperations::file)
                               ? file_name(record.number(DiskOperations::file), record.time)
                               : std::string();
                });
        }
    }

    void ran(std::uint16_t /*processor*/, ThreadRef /*thread*/, std::int64_t /*from*/,
             std::int64_t /*to*/) override {}

    void switched(std::uint16_t /*processor*/, ThreadRef /*thread*/,
                  const Record& /*record*/) override {}

    void was_ready(ThreadRef thread, std::int64_t from, const Wait* /*after*/,
                   const Record& record) override {
        Owners& owners = *context().owners;
        const OwnerRef owner = owners.owner_of(thread);
        if (counts(record, owner)) {
            longest_.add(Slow::ready, interval(record, from, owner, owners.id_of(thread)),
                         *record.event, [] { return std::string(); });
        }
    }

    Longest longest_;
    Scheduling scheduling_{*this};
    DiskOperations disk_;
    GcPauses pauses_;
    Activities activities_;
    std::optional<decode::Decoder> decoder_;
    Texts texts_;
    std::unordered_map<std::uint64_t, Operation> open_; // by IRP
    std::uint64_t dropped_ = 0;
    bool has_interrupts_ = false, has_file_ends_ = false;
};

} // namespace

std::unique_ptr<Analyzer> make_slowest(const TableOptions& options) {
    return std::make_unique<Slowest>(options);
}

} // namespace etl::analysis

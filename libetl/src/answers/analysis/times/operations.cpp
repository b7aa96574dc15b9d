#include "analysis/times/operations.hpp"

namespace etl::analysis {

namespace {

enum OperationTag : std::uint32_t { gc_tag = 1, file_end_tag, fault_tag, interrupt_tag = 20 };

IntervalEnd end_of(const Record& record) {
    return {record.time, record.in_range, place_of(*record.event)};
}

bool is_interrupt(std::uint32_t tag) noexcept {
    return tag >= interrupt_tag && tag < interrupt_tag + std::size(interrupt_kinds);
}

} // namespace

void Operations::subscribe(Subscriptions& subscriptions) {
    const Kinds wanted = wanted_kinds();
    if (wanted.activities) {
        subscriptions.everything_described();
    }
    if (wanted.threads) {
        scheduling_.subscribe(subscriptions);
    }
    if (wanted.disk) {
        DiskOperations::subscribe(subscriptions);
    }
    if (wanted.pauses) {
        GcPauses::subscribe(subscriptions, gc_tag);
    }
    for (std::uint32_t i = 0; i < std::size(interrupt_kinds) && wanted.interrupts; ++i) {
        subscriptions.hook(interrupt_kinds[i].hook, interrupt_tag + i, {"InitialTime", "Routine"});
    }
    if (wanted.files) {
        ask_for_file_operations(subscriptions, file_end_tag);
    }
    if (wanted.faults) {
        subscriptions.hook(0x0220, fault_tag, {"InitialTime", "FileObject", "TThreadId"});
    }
}

void Operations::start(Context& context) {
    Analyzer::start(context);
    scheduling_.start(context);
    disk_.start(context);
    pauses_.start(context);
    events_.start(context);
    activities_.start(context);
    files_.start(context);
}

void Operations::add(const Record& record) {
    if (record.tag == everything_tag) {
        if (const auto edge = events_.read(record)) {
            activities_.add(*edge);
        }
    } else if (record.tag == gc_tag) {
        if (const auto pause = pauses_.add(record)) {
            paused(*pause);
        }
    } else if (is_interrupt(record.tag)) {
        add_interrupt(record);
    } else if (record.tag == fault_tag) {
        add_fault(record);
    } else if (DiskOperations::takes(record.tag)) {
        if (const auto one = disk_.take(record)) {
            transferred(*one);
        }
    } else if (record.tag == file_end_tag || is_file_operation(record.tag)) {
        if (is_file_repetition(record, context())) {
            return;
        }
        if (record.tag == file_end_tag) {
            has_file_ends_ = true;
            files_.end(
                record.number(0), end_of(record),
                [this](const auto& operation, const auto& end) { completed(operation, end); });
        } else {
            files_.begin(record);
        }
    }
}

void Operations::add_interrupt(const Record& record) {
    has_interrupts_ = true;
    if (has_begin(record, 0)) {
        interrupted({.kind = record.tag - interrupt_tag,
                     .processor = record.processor(),
                     .routine = record.number(1),
                     .end = end_of(record),
                     .begin = static_cast<std::int64_t>(record.number(0))});
    }
}

void Operations::add_fault(const Record& record) {
    enum FaultField : unsigned { begin, object, thread };

    const std::uint32_t id = record.number32(thread);
    faulted({.file = record.number(object),
             .owner = context().owners->of_thread_id(id, record.time),
             .thread = id,
             .end = end_of(record),
             .begin = static_cast<std::int64_t>(record.number(begin))});
}

void Operations::report_missing(Table& table) const {
    const auto report = [&](bool has, std::string_view source, std::string_view record) {
        if (!has) {
            table.coverage.not_recorded.push_back({source, {}, record});
        }
    };
    report(disk_.has_completions(), "disk I/O", record_disk);
    report(has_file_ends_, "file I/O completions", record_files);
    report(scheduling_.has_switches() && scheduling_.has_readies(), "ReadyThread", record_readies);
    report(has_interrupts_, "DPCs and ISRs", record_interrupts);
    report(pauses_.has_events(), "suspensions", record_gc);
}

void Operations::report_dropped(Table& table) const {
    table.coverage.remainders.push_back(
        {"dropped_operations", files_.dropped() + activities_.dropped() + events_.dropped() +
                                   pauses_.dropped() + disk_.dropped()});
    table.coverage.remainders.push_back({"dropped_switches", scheduling_.dropped()});
}

void Operations::save(Archive& to) {
    scheduling_.save(to);
    disk_.save(to);
    pauses_.save(to);
    activities_.save(to);
    files_.save(to);
}

void Operations::stitch(Archive& from) {
    stitch_operations(from);
    activities_.stitch(from);
    files_.stitch(from,
                  [this](const auto& operation, const auto& end) { completed(operation, end); });
}

void Operations::save_state(Archive& to) {
    scheduling_.save(to);
    disk_.save(to);
    pauses_.save(to);
    activities_.save_state(to);
    files_.save(to);
}

void Operations::load_state(Archive& from) {
    stitch_operations(from);
    activities_.load_state(from);
    files_.stitch(from, [](const FileOperations::Operation&, const IntervalEnd&) {});
}

void Operations::stitch_operations(Archive& from) {
    scheduling_.stitch(from);
    disk_.stitch(from, [this](const DiskCompletion& one) { transferred(one); });
    pauses_.stitch(from, [this](const GcPause& pause) { paused(pause); });
}

} // namespace etl::analysis

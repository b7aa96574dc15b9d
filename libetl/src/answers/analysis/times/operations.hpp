// Operations that begin and end: disk requests, file operations, collections, interrupts, faults,
// activities, and what threads do. Private to analysis. docs/analysis.md#slowest
#pragma once

#include "analysis/analyzer.hpp"
#include "analysis/disk_operations.hpp"
#include "analysis/groups.hpp"
#include "analysis/names.hpp"
#include "analysis/parts/archive.hpp"
#include "analysis/parts/pairs.hpp"
#include "analysis/samples.hpp"
#include "analysis/scheduling/scheduling.hpp"
#include "analysis/start_stop_pairs.hpp"
#include "analysis/times/file_operations.hpp"
#include "analysis/times/gc_pauses.hpp"

#include <string>

namespace etl::analysis {

/// File operations that began, with what names them.
class FileOperations {
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
inline void FileOperations::visit(Archive& archive, Operation& operation) {
    std::uint64_t name = archive.is_reading() ? 0 : texts_.number_of(name_of(operation));
    archive.number(operation.time);
    visit_owner(archive, *context_->owners, operation.owner);
    archive.number(operation.thread);
    visit_text(archive, texts_, name);
    if (archive.is_reading()) {
        operation.path = name;
    }
}

inline FileOperations::Operations::Visitors FileOperations::visitors() {
    return {.key = [](Archive& archive, std::uint64_t& irp) { archive.number(irp); },
            .begin = [this](Archive& archive, Operation& operation) { visit(archive, operation); },
            .end = [](Archive& archive, IntervalEnd& end) { analysis::visit(archive, end); }};
}

/// An interrupt that ended, with its index in interrupt_kinds.
struct EndedInterrupt {
    std::size_t kind = 0;
    std::uint16_t processor = 0;
    std::uint64_t routine = 0;
    IntervalEnd end;
    std::int64_t begin = 0; // raw

    static constexpr std::size_t first_isr = 3;

    bool is_dpc() const noexcept { return kind < first_isr; }
};

/// A page that was read from a file.
struct HardFault {
    std::uint64_t file = 0; // object
    OwnerRef owner = Owners::unknown;
    std::uint32_t thread = flow::no_id;
    IntervalEnd end;
    std::int64_t begin = 0; // raw
};

/// Finds all of them for the analyzers that derive from it, which receive them in the order of
/// their ends, whether they end in the range or not.
class Operations : public Analyzer, protected SchedulingSink, protected StartStopSink {
public:
    /// What there is to find.
    struct Kinds {
        bool threads = true, disk = true, pauses = true, interrupts = true, files = true,
             faults = true, activities = true;
    };

    void subscribe(Subscriptions& subscriptions) override;
    void start(Context& context) override;
    void add(const Record& record) override;
    void save(Archive& to) override;
    void stitch(Archive& from) override;
    void save_state(Archive& to) override;
    void load_state(Archive& from) override;

protected:
    /// What is to be found, before the first event.
    virtual Kinds wanted_kinds() const { return {}; }

    virtual void paused(const GcPause& pause) = 0;
    virtual void interrupted(const EndedInterrupt& interrupt) = 0;
    virtual void faulted(const HardFault& fault) = 0;
    virtual void transferred(const DiskCompletion& one) = 0;
    virtual void completed(const FileOperations::Operation& operation, const IntervalEnd& end) = 0;

    /// Ends what is open, in finish().
    void finish_operations() {
        scheduling_.finish();
        activities_.finish();
    }

    /// Lists the sources that the trace does not contain.
    void report_missing(Table& table) const;

    /// Adds what was forgotten.
    void report_dropped(Table& table) const;

    Scheduling& scheduling() noexcept { return scheduling_; }

    const Scheduling& scheduling() const noexcept { return scheduling_; }

    const StartStopEvents& events() const noexcept { return events_; }

    const StartStopPairs& activities() const noexcept { return activities_; }

    const FileOperations& files() const noexcept { return files_; }

    const DiskOperations& disk() const noexcept { return disk_; }

private:
    void add_interrupt(const Record& record);
    void add_fault(const Record& record);
    void stitch_operations(Archive& from);

    Scheduling scheduling_{*this};
    DiskOperations disk_;
    GcPauses pauses_;
    StartStopEvents events_;
    StartStopPairs activities_{events_, *this};
    FileOperations files_;
    bool has_interrupts_ = false, has_file_ends_ = false;
};

} // namespace etl::analysis

// etl timeline. docs/analysis.md#timeline
#include "analysis/disk_operations.hpp"
#include "analysis/group_table.hpp"
#include "analysis/groups.hpp"
#include "analysis/samples.hpp"
#include "analysis/scheduling/scheduling.hpp"
#include "analysis/times/makers.hpp"
#include "analysis/times/slices.hpp"

#include <algorithm>

namespace etl::analysis {

namespace {

constexpr std::uint32_t disk_tag = 1;

class Timeline final : public Analyzer, private SchedulingSink {
public:
    explicit Timeline(const TableOptions& options)
        : scheduling_(*this, options.excludes_interrupts), slices_(options.slices) {}

    void ask(Wishes& wishes) override {
        wishes.everything();
        scheduling_.ask(wishes);
        Samples::ask(wishes);
        constexpr auto flush = format::DiskOperation::flush; // transfers nothing
        for (const auto& [hook, operation] : format::disk_hooks) {
            if (operation != flush) {
                wishes.hook(hook, disk_tag, {"TransferSize"});
            }
        }
        for (const auto& [id, operation] : format::disk_events) {
            if (operation != flush) {
                wishes.provider(format::kernel_disk_guid, disk_tag, {id}, Use::values,
                                {"TransferSize"});
            }
        }
    }

    void start(Context& context) override {
        Analyzer::start(context);
        scheduling_.start(context);
        slices_.start(context);
        sums_.resize(slices_.count());
    }

    void add(const Record& record) override {
        switch (record.tag) {
        case everything_tag:
            add_any(record);
            break;
        case Samples::sample_tag:
        case Samples::interval_tag:
        case Samples::counter_tag:
            if (samples_.take(record) && record.number32(Samples::thread_id) != 0) {
                ++of(record).samples;
            }
            break;
        case disk_tag:
            has_disk_ = true;
            if (record.in_range && !is_disk_repetition(record, context())) {
                of(record).disk_bytes += record.number(0);
            }
            break;
        default:
            scheduling_.add(record);
            break;
        }
    }

    Table finish() override {
        scheduling_.finish();
        Table table;
        table.name = "timeline";
        table.is_ordered = true;
        table.columns = {key_column("slice", Unit::id),
                         key_column("begin", Unit::time),
                         sum_column("events"),
                         sum_column("bytes", Unit::bytes),
                         sum_column("samples"),
                         ticks_column("running_ns"),
                         sum_column("disk_bytes", Unit::bytes),
                         sum_column("lost")};
        for (std::size_t i = 0; i < sums_.size(); ++i) {
            const Sums& sums = sums_[i];
            table.rows.push_back(
                {.cells = {std::uint64_t{i},
                           static_cast<std::uint64_t>(
                               context().trace->clock.to_filetime(slices_.begin(i)).ticks),
                           sums.events, sums.bytes, sums.samples, sums.running, sums.disk_bytes,
                           sums.lost}});
        }
        samples_.report_counts(table, {"samples"});
        if (!scheduling_.has_switches()) {
            set_missing(table, "context switches", {"running_ns"}, record_switches);
        }
        scheduling_.report_excluded(table.coverage);
        if (!has_disk_) {
            set_missing(table, "disk I/O", {"disk_bytes"}, record_disk);
        }
        return table;
    }

    void save(Archive& to) override { scheduling_.save(to); }

    void stitch(Archive& from) override { scheduling_.stitch(from); }

private:
    struct Sums {
        std::uint64_t events = 0, bytes = 0, samples = 0, running = 0, disk_bytes = 0, lost = 0;
    };

    Sums& of(const Record& record) { return sums_[slices_.of(record.time)]; }

    void add_any(const Record& record) {
        if (!record.in_range) {
            return;
        }
        Sums& sums = of(record);
        ++sums.events;
        sums.bytes += record.event->size;
        sums.lost += is_lost_event(*record.event) ? 1U : 0U;
    }

    void ran(std::uint16_t /*processor*/, ThreadRef thread, std::int64_t from,
             std::int64_t to) override {
        if (context().owners->id_of(thread) != 0) {
            slices_.spread(from, to, [&](std::size_t slice, std::uint64_t ticks) {
                sums_[slice].running += ticks;
            });
        }
    }

    void switched(std::uint16_t /*processor*/, ThreadRef /*thread*/,
                  const Record& /*record*/) override {}

    void was_ready(ThreadRef /*thread*/, std::int64_t /*from*/, const Wait* /*after*/,
                   const SwitchIn& /*at*/) override {}

    Scheduling scheduling_;
    Samples samples_;
    Slices slices_;
    std::vector<Sums> sums_; // by slice
    bool has_disk_ = false;
};

} // namespace

std::unique_ptr<Analyzer> make_timeline(const TableOptions& options) {
    return std::make_unique<Timeline>(options);
}

} // namespace etl::analysis

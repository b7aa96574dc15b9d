// Stacks of samples, waits, and disk I/O. docs/flame.md#stacks
#include "analysis/counter_samples.hpp"
#include "analysis/disk_operations.hpp"
#include "analysis/sampled_stacks.hpp"
#include "analysis/samples.hpp"
#include "analysis/scheduling/scheduling.hpp"
#include "analysis/stack_sums.hpp"
#include "analysis/tables/makers.hpp"

namespace etl::analysis {

namespace {

/// The stacks of what takes samples out of the records: Samples, CounterSamples.
template <typename Sampled>
class SampleStacks : public Analyzer {
public:
    void ask(Wishes& wishes) final {
        Sampled::ask(wishes);
        StackSums::ask(wishes);
    }

    void start(Context& context) final {
        Analyzer::start(context);
        samples_.start(context);
    }

    void add(const Record& record) final {
        if (!stacks_.take(record) && samples_.take(record)) {
            add_sample(record);
        }
    }

protected:
    SampleStacks(Sampled samples, bool has_process_ids)
        : samples_(std::move(samples)), stacks_(has_process_ids) {}

    Sampled& samples() noexcept { return samples_; }

    StackSums& stacks() noexcept { return stacks_; }

private:
    virtual void add_sample(const Record& record) = 0;

    Sampled samples_;
    StackSums stacks_;
};

/// As `etl cpu --by function`.
class CpuStacks final : public SampleStacks<Samples> {
public:
    explicit CpuStacks(bool has_process_ids) : SampleStacks({}, has_process_ids) {}

    Table finish() override {
        Table table =
            stacks().table(context(), {"samples", sum_column("sampled_ns", Unit::nanoseconds)});
        samples().report(table, {"samples", "sampled_ns"});
        return table;
    }

private:
    void add_sample(const Record& record) override {
        if (const auto source = Samples::source_of(record, *context().owners)) {
            stacks().add(context(),
                         {.owner = source->is_interrupt() ? source->interrupt : source->owner,
                          .weight = samples().weight(record),
                          .place = source->place});
        }
    }
};

/// As `etl cpu --source`: samples, below the name of their source; of one source, its events.
class CounterStacks final : public SampleStacks<CounterSamples> {
public:
    explicit CounterStacks(const TableOptions& options)
        : SampleStacks(CounterSamples(options.source), options.has_process_ids),
          has_one_source_(!options.source.empty()) {}

    Table finish() override {
        const bool has_events = has_one_source_ && has_interval_;
        const Column weight = sum_column(has_events ? "events" : "samples");
        Table table = stacks().table(context(), {"samples", weight});
        samples().report(table, {"samples", "events"});
        return table;
    }

private:
    void add_sample(const Record& record) override {
        const auto place = samples().place_of(record);
        if (!place) {
            return;
        }
        const std::uint32_t source = CounterSamples::source_of(record);
        const auto events = samples().weight(record);
        has_interval_ = has_interval_ || events;
        name_ = has_one_source_ ? std::string() : samples().name(source);
        stacks().add(context(), {.owner = place->is_interrupt() ? place->interrupt : place->owner,
                                 .above = name_,
                                 .weight = has_one_source_ ? events.value_or(1) : 1,
                                 .place = place->place});
    }

    bool has_one_source_, has_interval_ = false;
    std::string name_;
};

/// As `etl waits`. The stack of a switch is that of the new thread: it explains the wait that ends.
class WaitStacks final : public Analyzer, private SchedulingSink {
public:
    explicit WaitStacks(bool has_process_ids) : stacks_(has_process_ids) {}

    void ask(Wishes& wishes) override {
        scheduling_.ask(wishes);
        StackSums::ask(wishes);
    }

    void start(Context& context) override {
        Analyzer::start(context);
        scheduling_.start(context);
    }

    void add(const Record& record) override {
        if (!stacks_.take(record)) {
            scheduling_.add(record);
        }
    }

    Table finish() override {
        scheduling_.finish();
        Table table = stacks_.table(context(), {"waits", ticks_column("wait_ns")});
        if (!scheduling_.has_switches()) {
            set_missing(table, "context switches", {"waits", "wait_ns"}, record_switches);
        }
        table.coverage.remainders.push_back({"dropped_switches", scheduling_.dropped()});
        return table;
    }

private:
    void ran(std::uint16_t /*processor*/, ThreadRef /*thread*/, std::int64_t /*from*/,
             std::int64_t /*to*/) override {}

    void switched(std::uint16_t /*processor*/, ThreadRef /*thread*/,
                  const Record& /*record*/) override {}

    void was_ready(ThreadRef /*thread*/, std::int64_t /*from*/, const Wait* /*after*/,
                   const SwitchIn& /*at*/) override {}

    void waited(const Wait& one, const SwitchIn& at) override {
        Owners& owners = *context().owners;
        const OwnerRef owner = owners.owner_of(one.thread);
        if (at.in_range && owners[owner].is_selected) {
            const std::uint32_t process = owners[owner].pid.value_or(0);
            stacks_.add(context(), {.owner = owner,
                                    .weight = context().cut(one.from, one.to),
                                    .place = {.process = process,
                                              .thread = owners.id_of(one.thread),
                                              .time = at.time,
                                              .has_user_mode = process > system_process}});
        }
    }

    Scheduling scheduling_{*this};
    StackSums stacks_;
};

/// As `etl disk`. The stack is that of the event with which the operation began.
class DiskStacks final : public Analyzer {
public:
    explicit DiskStacks(bool has_process_ids) : stacks_(has_process_ids) {}

    void ask(Wishes& wishes) override {
        DiskOperations::ask(wishes);
        StackSums::ask(wishes);
    }

    void start(Context& context) override {
        Analyzer::start(context);
        operations_.start(context);
    }

    void add(const Record& record) override {
        if (stacks_.take(record)) {
            return;
        }
        if (const auto operation = operations_.take(record)) {
            add_operation(*operation);
        }
    }

    Table finish() override {
        Table table = stacks_.table(context(), {"operations", ticks_column("elapsed_ns")});
        if (!operations_.has_completions()) {
            set_missing(table, "disk I/O", {"operations", "elapsed_ns"}, record_disk);
        } else if (!operations_.has_times()) {
            set_missing(table, "disk I/O times", {"elapsed_ns"}, record_disk);
        }
        return table;
    }

private:
    void add_operation(const DiskCompletion& operation) {
        const Owner& owner = (*context().owners)[operation.owner];
        if (!operation.in_range || !owner.is_selected) {
            return;
        }
        const std::uint32_t process = owner.pid.value_or(0);
        const StackSums::Entry entry{.owner = operation.owner,
                                     .weight = context().cut(operation.begin, operation.time),
                                     .place = {.process = process,
                                               .thread = operation.issued_by,
                                               .time = operation.issued.value_or(operation.time),
                                               .has_user_mode = process > system_process}};
        if (operation.issued) {
            stacks_.add(context(), entry);
        } else {
            stacks_.add(context(), entry, std::span<const std::uint64_t>{});
        }
    }

    DiskOperations operations_;
    StackSums stacks_;
};

} // namespace

std::unique_ptr<Analyzer> make_flame(FlameOf what, const TableOptions& options) {
    switch (what) {
    case FlameOf::cpu:
        return std::make_unique<CpuStacks>(options.has_process_ids);
    case FlameOf::counters:
        return std::make_unique<CounterStacks>(options);
    case FlameOf::waits:
        return std::make_unique<WaitStacks>(options.has_process_ids);
    case FlameOf::disk:
        return std::make_unique<DiskStacks>(options.has_process_ids);
    case FlameOf::allocations:
    case FlameOf::events:
        break;
    }
    return make_event_flame(what == FlameOf::allocations, options);
}

} // namespace etl::analysis

// Stacks of samples, waits, disk I/O, allocations of .NET, and any events. docs/flame.md#stacks
#include "analysis/counter_samples.hpp"
#include "analysis/disk_operations.hpp"
#include "analysis/samples.hpp"
#include "analysis/scheduling/scheduling.hpp"
#include "analysis/stack_tree.hpp"
#include "analysis/table_list.hpp"
#include "facts/annotator.hpp"
#include "format/known_guids.hpp"

namespace etl::analysis {

namespace {

/// The stacks of what takes samples out of the records: Samples, CounterSamples.
template <typename Sampled>
class SampleStacks : public Analyzer {
public:
    void subscribe(Subscriptions& subscriptions) final {
        Sampled::subscribe(subscriptions);
        StackSums::subscribe(subscriptions);
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
    SampleStacks(Sampled samples, const TableOptions& options)
        : samples_(std::move(samples)), stacks_(options) {}

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
    explicit CpuStacks(const TableOptions& options) : SampleStacks({}, options) {}

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
        : SampleStacks(CounterSamples(options.source), options),
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
    explicit WaitStacks(const TableOptions& options) : stacks_(options) {}

    void subscribe(Subscriptions& subscriptions) override {
        scheduling_.subscribe(subscriptions);
        StackSums::subscribe(subscriptions);
    }

    void start(Context& context) override {
        Analyzer::start(context);
        scheduling_.start(context);
    }

    void add(const Record& record) override { stacks_.take(record); }

    Table finish() override {
        scheduling_.finish();
        Table table = stacks_.table(context(), {"waits", ticks_column("wait_ns")});
        if (!scheduling_.has_switches()) {
            set_missing(table, "context switches", {"waits", "wait_ns"}, record_switches);
        }
        table.coverage.remainders.push_back({"dropped_switches", scheduling_.dropped()});
        return table;
    }

    void load_state(Archive& from) override { scheduling_.stitch(from); }

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
    explicit DiskStacks(const TableOptions& options) : stacks_(options) {}

    void subscribe(Subscriptions& subscriptions) override {
        DiskOperations::subscribe(subscriptions);
        StackSums::subscribe(subscriptions);
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

    void load_state(Archive& from) override {
        operations_.stitch(from, [](const DiskCompletion&) {});
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

constexpr std::uint16_t tick_event = 10;
constexpr std::uint32_t allocation_tag = 500;

/// Finds the process and the stack of an event, as `etl dump --enrich` shows them.
class EventStacks {
public:
    explicit EventStacks(const Context& context)
        : decoder_(*context.schemas), annotator_(context.all_facts) {}

    /// Valid until the next call.
    const facts::Notes& find(const flow::Event& event) {
        const decode::DecodedEvent& decoded = decoder_.decode(event);
        return annotator_.find_stack(decoded, decoder_.generation());
    }

private:
    decode::Decoder decoder_;
    facts::Annotator annotator_;
};

/// The process whose code the frames of a stack are.
std::uint32_t process_of_frames(const facts::Notes& notes) noexcept {
    return notes.stack_process_id != flow::no_id ? notes.stack_process_id : 0;
}

/// The address that a sample interrupted is its first field.
std::optional<std::uint64_t> sampled_address(const flow::Event& event) {
    const flow::EventHeader header = flow::read_header(event);
    if (!has_range(header.payload, 0, header.pointer_size)) {
        return std::nullopt;
    }
    return header.pointer_size == 4 ? load_le<std::uint32_t>(header.payload.data())
                                    : load_le<std::uint64_t>(header.payload.data());
}

/// Counts events that match the filters, as `etl stats`.
class AnyEventStacks final : public Analyzer {
public:
    explicit AnyEventStacks(const TableOptions& options) : stacks_(options) {}

    void subscribe(Subscriptions& subscriptions) override {
        StackSums::subscribe(subscriptions);
        subscriptions.everything_in_range();
    }

    void start(Context& context) override {
        Analyzer::start(context);
        events_.emplace(context);
    }

    void add(const Record& record) override {
        if (stacks_.take(record) || !record.in_range) {
            return;
        }
        const facts::Notes& found = events_->find(*record.event);
        const OwnerRef owner = context().owners->process(found.process_id, record.time);
        if ((*context().owners)[owner].is_selected) {
            const std::uint32_t process = process_of_frames(found);
            stacks_.add(context(),
                        {.owner = owner,
                         .weight = 1,
                         .place = {.process = process,
                                   .time = record.time,
                                   .sampled = found.is_interrupt ? sampled_address(*record.event)
                                                                 : std::nullopt,
                                   .has_user_mode = process > system_process}},
                        found.stack);
        }
    }

    Table finish() override { return stacks_.table(context(), {"events", sum_column("events")}); }

private:
    std::optional<EventStacks> events_;
    StackSums stacks_;
};

/// Bytes that .NET allocated between AllocationTick events, as `etl gc`.
class AllocationStacks final : public Analyzer {
public:
    explicit AllocationStacks(const TableOptions& options) : stacks_(options) {}

    void subscribe(Subscriptions& subscriptions) override {
        StackSums::subscribe(subscriptions);
        subscriptions.provider(format::dotnet_runtime_guid, allocation_tag, {tick_event});
    }

    void start(Context& context) override {
        Analyzer::start(context);
        events_.emplace(context);
    }

    void add(const Record& record) override {
        if (!stacks_.take(record)) {
            has_ticks_ = true;
            add_allocation(record);
        }
    }

    Table finish() override {
        Table table =
            stacks_.table(context(), {"allocations", sum_column("allocated_bytes", Unit::bytes)});
        if (!has_ticks_) {
            set_missing(table, "allocation ticks", {"allocations", "allocated_bytes"},
                        "Microsoft-Windows-DotNETRuntime, keyword 0x1 (GC), level verbose");
        }
        return table;
    }

private:
    template <typename T>
    static std::optional<std::uint64_t> number_at(Bytes payload, std::size_t offset) noexcept {
        return has_range(payload, offset, sizeof(T))
                   ? std::optional<std::uint64_t>(load_le<T>(payload.data() + offset))
                   : std::nullopt;
    }

    // v0: AllocationAmount, AllocationKind u32; v1: ClrInstanceID u16; v2: AllocationAmount64 u64
    static std::uint64_t bytes_of(const Record& record) noexcept {
        const auto wide =
            record.version >= 2 ? number_at<std::uint64_t>(record.payload, 10) : std::nullopt;
        return wide ? *wide : number_at<std::uint32_t>(record.payload, 0).value_or(0);
    }

    void add_allocation(const Record& record) {
        const OwnerRef owner = context().owners->process_now(record.process, record.time);
        if (!record.in_range || !(*context().owners)[owner].is_selected) {
            return;
        }
        const facts::Notes& found = events_->find(*record.event);
        stacks_.add(context(),
                    {.owner = owner,
                     .weight = bytes_of(record),
                     .place = {.process = record.process,
                               .thread = record.thread,
                               .time = record.time,
                               .has_user_mode = true}},
                    found.stack);
    }

    std::optional<EventStacks> events_;
    StackSums stacks_;
    bool has_ticks_ = false;
};

constexpr auto flame_forms = forms_of(flame_table, {
                                                       {.by = "cpu",
                                                        .needs = TableNeeds::all_facts,
                                                        .make = make<CpuStacks>,
                                                        .state = "samples",
                                                        .ignores_earlier_events = true},
                                                       {.by = "counter",
                                                        .needs = TableNeeds::all_facts,
                                                        .make = make<CounterStacks>,
                                                        .state = "counters",
                                                        .ignores_earlier_events = true},
                                                       {.by = "wait",
                                                        .needs = TableNeeds::all_facts,
                                                        .make = make<WaitStacks>,
                                                        .state = "scheduling"},
                                                       {.by = "disk",
                                                        .needs = TableNeeds::all_facts,
                                                        .make = make<DiskStacks>,
                                                        .state = "disk",
                                                        .has_earlier_stacks = true},
                                                       {.by = "alloc",
                                                        .needs = TableNeeds::all_facts,
                                                        .make = make<AllocationStacks>,
                                                        .ignores_earlier_events = true},
                                                       {.by = "event",
                                                        .needs = TableNeeds::facts_and_schemas,
                                                        .make = make<AnyEventStacks>,
                                                        .ignores_earlier_events = true},
                                                   });

} // namespace

constinit const TableKind flame_table{
    .name = "flame",
    .question = "Which stacks have the most samples, waits, or other events?",
    .options = {TableOption::source, TableOption::symbols},
    .is_queried = false,
    .forms = flame_forms,
};

} // namespace etl::analysis

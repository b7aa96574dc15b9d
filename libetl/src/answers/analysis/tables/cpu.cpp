// etl cpu. docs/analysis.md#cpu
#include "analysis/groups.hpp"
#include "analysis/names.hpp"
#include "analysis/parts/archive.hpp"
#include "analysis/samples.hpp"
#include "analysis/scheduling/scheduling.hpp"
#include "analysis/table_list.hpp"

#include <algorithm>
#include <utility>

namespace etl::analysis {

namespace {

enum class CpuBy : std::uint8_t { process, thread };
enum class FramesBy : std::uint8_t { module, function, process_module, process_function };

void report_missing(Table& table, const Scheduling& scheduling, bool has_ready) {
    if (!scheduling.has_switches()) {
        set_missing(table, "context switches", {"running_ns", "idle_ns", "switches"},
                    record_switches);
    }
    if (has_ready && !(scheduling.has_readies() && scheduling.has_switches())) {
        set_missing(table, "ReadyThread", {"ready_ns"}, record_readies);
    }
}

class Cpu : public Analyzer, protected SchedulingSink {
public:
    explicit Cpu(const TableOptions& options) : scheduling_(*this, options.excludes_interrupts) {}

    void subscribe(Subscriptions& subscriptions) override {
        scheduling_.subscribe(subscriptions);
        Samples::subscribe(subscriptions);
    }

    void start(Context& context) override {
        Analyzer::start(context);
        samples_.start(context);
        scheduling_.start(context);
    }

    void add(const Record& record) override {
        if (samples_.take(record)) {
            add_sample(record);
        }
    }

    Table finish() override {
        scheduling_.finish();
        Table table = fill();
        report_missing(table, scheduling_, has_ready());
        const std::uint64_t known =
            scheduling_.processors() * (static_cast<std::uint64_t>(context().end) -
                                        static_cast<std::uint64_t>(context().begin));
        const std::uint64_t all = ran_ + scheduling_.excluded();
        const std::uint64_t unknown = context().is_part ? 0 : known - std::min(known, all);
        table.coverage.remainders = {{"unknown_ns", unknown, true},
                                     {"dropped_switches", scheduling_.dropped()}};
        samples_.report(table,
                        {"samples", "sampled_ns", "idle_samples", "dpc_samples", "isr_samples"});
        scheduling_.report_excluded(table.coverage);
        add_percent(table, scheduling_.has_switches() ? "running_ns" : "sampled_ns");
        return table;
    }

    void save(Archive& to) override {
        to.number(ran_);
        scheduling_.save(to);
    }

    void stitch(Archive& from) override {
        std::uint64_t ran = 0;
        from.number(ran);
        ran_ += ran;
        scheduling_.stitch(from);
    }

    void save_state(Archive& to) override { scheduling_.save(to); }

    void load_state(Archive& from) override { scheduling_.stitch(from); }

protected:
    virtual void add_sample(const Record& record) = 0;
    virtual Table fill() = 0;
    virtual bool has_ready() const = 0;

    std::uint64_t weight(const Record& record) const noexcept { return samples_.weight(record); }

    /// Returns the part in the range, and counts it as known.
    std::uint64_t known_part(std::int64_t from, std::int64_t to) {
        const std::uint64_t part = context().cut(from, to);
        ran_ += part;
        return part;
    }

private:
    Scheduling scheduling_;
    Samples samples_;
    std::uint64_t ran_ = 0;
};

class CpuByThread final : public Cpu {
public:
    CpuByThread(CpuBy by, const TableOptions& options)
        : Cpu(options), by_thread_(by == CpuBy::thread) {}

private:
    struct Sums {
        std::uint64_t samples = 0, sampled = 0, running = 0, switches = 0, ready = 0;
    };

    static constexpr std::size_t values = 5;

    Sums& of(ThreadRef thread) {
        if (thread >= sums_.size()) [[unlikely]] {
            sums_.resize(std::max<std::size_t>(thread + std::size_t{1}, sums_.size() * 2));
        }
        return sums_[thread];
    }

    void add_sample(const Record& record) override {
        const OwnerRef interrupt = Samples::interrupt_of(record);
        Sums& sums =
            interrupt != Owners::unknown
                ? interrupts_[interrupt - Owners::dpc]
                : of(context().owners->thread(record.number32(Samples::thread_id), record.time));
        ++sums.samples;
        sums.sampled += weight(record);
    }

    void ran(std::uint16_t /*processor*/, ThreadRef thread, std::int64_t from,
             std::int64_t to) override {
        of(thread).running += known_part(from, to);
    }

    void switched(std::uint16_t /*processor*/, ThreadRef thread, const Record& record) override {
        of(thread).switches += record.in_range ? 1U : 0U;
    }

    void was_ready(ThreadRef thread, std::int64_t from, const Wait* /*after*/,
                   const SwitchIn& at) override {
        of(thread).ready += at.in_range ? context().cut(from, at.time) : 0;
    }

    bool has_ready() const override { return true; }

    void add_thread_sums(Groups& groups, OwnerRef owner, std::uint64_t thread,
                         const Sums& sums) const {
        const std::array<std::uint64_t, values> all{sums.samples, sums.sampled, sums.running,
                                                    sums.switches, sums.ready};
        if (std::ranges::all_of(all, [](std::uint64_t value) { return value == 0; })) {
            return;
        }
        std::uint64_t* const to = groups.find({owner, thread, 0});
        for (std::size_t i = 0; i < values; ++i) {
            to[i] += all[i];
        }
    }

    Table fill() override {
        Owners& owners = *context().owners;
        Groups groups(values);
        for (ThreadRef thread = 0; thread < sums_.size() && thread < owners.threads(); ++thread) {
            const bool is_idle = owners.id_of(thread) == 0;
            const OwnerRef owner = owners.owner_of(thread);
            const std::uint32_t id = owners.id_of(thread);
            const std::uint64_t row = !by_thread_ || is_idle || id == flow::no_id ? no_part : id;
            add_thread_sums(groups, owner, row, sums_[thread]);
        }
        add_thread_sums(groups, Owners::dpc, no_part, interrupts_[0]);
        add_thread_sums(groups, Owners::isr, no_part, interrupts_[1]);
        return table_of(groups);
    }

    Table table_of(const Groups& groups) const {
        const Owners& owners = *context().owners;
        Table table;
        table.name = "cpu";
        table.columns = {key_column("process", Unit::text), key_column("pid", Unit::id)};
        if (by_thread_) {
            table.columns.push_back(key_column("tid", Unit::id));
        }
        table.columns.insert(table.columns.end(),
                             {sum_column("samples"), sum_column("sampled_ns", Unit::nanoseconds),
                              ticks_column("running_ns"), sum_column("switches"),
                              ticks_column("ready_ns")});
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const Owner& owner = owners[static_cast<OwnerRef>(groups.key(i)[0])];
            if (!owner.is_selected) {
                continue;
            }
            Row row{.cells = {name_cell(owner), pid_cell(owner)}};
            row.in_total = groups.key(i)[0] != Owners::idle;
            if (by_thread_) {
                row.cells.push_back(number_cell(groups.key(i)[1]));
            }
            for (std::size_t k = 0; k < values; ++k) {
                row.cells.emplace_back(groups.values(i)[k]);
            }
            table.rows.push_back(std::move(row));
        }
        return table;
    }

    bool by_thread_;
    std::vector<Sums> sums_;           // by ThreadRef
    std::array<Sums, 2> interrupts_{}; // DPC, ISR
};

class CpuByProcessor final : public Cpu {
public:
    using Cpu::Cpu;

private:
    enum Value : std::size_t {
        samples_value,
        sampled,
        idle_samples,
        dpc_samples,
        isr_samples,
        running,
        idle,
        switches,
        values,
    };

    using Sums = std::array<std::uint64_t, values>;

    Sums& of(std::uint16_t processor) {
        if (processor >= sums_.size()) {
            sums_.resize(processor + std::size_t{1});
        }
        return sums_[processor];
    }

    void add_sample(const Record& record) override {
        Owners& owners = *context().owners;
        const OwnerRef interrupt = Samples::interrupt_of(record);
        const OwnerRef owner =
            interrupt != Owners::unknown
                ? interrupt
                : owners.of_thread_id(record.number32(Samples::thread_id), record.time);
        if (!owners[owner].is_selected) {
            return;
        }
        Sums& sums = of(record.processor());
        if (owner == Owners::idle) {
            ++sums[idle_samples];
            return;
        }
        ++sums[samples_value];
        sums[sampled] += weight(record);
        sums[dpc_samples] += owner == Owners::dpc ? 1U : 0U;
        sums[isr_samples] += owner == Owners::isr ? 1U : 0U;
    }

    void ran(std::uint16_t processor, ThreadRef thread, std::int64_t from,
             std::int64_t to) override {
        const OwnerRef owner = context().owners->owner_of(thread);
        const std::uint64_t part = known_part(from, to);
        if ((*context().owners)[owner].is_selected) {
            of(processor)[owner == Owners::idle ? idle : running] += part;
        }
    }

    void switched(std::uint16_t processor, ThreadRef thread, const Record& record) override {
        const OwnerRef owner = context().owners->owner_of(thread);
        if (record.in_range && (*context().owners)[owner].is_selected) {
            ++of(processor)[switches];
        }
    }

    void was_ready(ThreadRef /*thread*/, std::int64_t /*from*/, const Wait* /*after*/,
                   const SwitchIn& /*at*/) override {}

    bool has_ready() const override { return false; }

    Table fill() override {
        Table table;
        table.name = "cpu";
        table.columns = {key_column("cpu", Unit::id),
                         sum_column("samples"),
                         sum_column("sampled_ns", Unit::nanoseconds),
                         sum_column("idle_samples"),
                         sum_column("dpc_samples"),
                         sum_column("isr_samples"),
                         ticks_column("running_ns"),
                         ticks_column("idle_ns"),
                         sum_column("switches")};
        for (std::size_t i = 0; i < sums_.size(); ++i) {
            const Sums& sums = sums_[i];
            if (std::ranges::all_of(sums, [](std::uint64_t value) { return value == 0; })) {
                continue;
            }
            Row& row = table.rows.emplace_back();
            row.cells = {std::uint64_t{i}};
            row.cells.insert(row.cells.end(), sums.begin(), sums.end());
        }
        return table;
    }

    std::vector<Sums> sums_; // by processor; their numbers have 16 bits
};

/// Counts samples by the names of the functions on their stacks.
class NamedSamples : public Analyzer {
public:
    void subscribe(Subscriptions& subscriptions) final {
        Samples::subscribe(subscriptions);
        NamesCache::subscribe(subscriptions);
    }

    void start(Context& context) final {
        Analyzer::start(context);
        samples_.start(context);
    }

    void add(const Record& record) final {
        if (!Samples::takes(record.tag)) {
            names_.forget();
        } else if (samples_.take(record)) {
            add_sample(record);
        }
    }

protected:
    virtual void add_sample(const Record& record) = 0;

    Samples samples_;
    NamesCache names_;
};

class CpuByFrame final : public NamedSamples {
public:
    explicit CpuByFrame(FramesBy by)
        : by_function_(by == FramesBy::function || by == FramesBy::process_function),
          by_process_(by == FramesBy::process_module || by == FramesBy::process_function) {}

    Table finish() override {
        std::vector<KeyColumn> keys;
        if (by_process_) {
            keys.push_back({KeyPart::owner, {}});
        }
        keys.push_back({KeyPart::text, "module"});
        if (by_function_) {
            keys.push_back({KeyPart::text, "function"});
        }
        const Column columns[] = {
            sum_column("samples"), sum_column("sampled_ns", Unit::nanoseconds),
            sum_column("inclusive_samples"), sum_column("inclusive_ns", Unit::nanoseconds)};
        Table table = table_of("cpu", sums_, *context().owners, names_.texts(), keys, columns);
        const std::uint32_t first = *table.find("samples");
        table.columns[first + 2].total_of = first;
        table.columns[first + 3].total_of = first + 1;
        samples_.report(table, {"samples", "sampled_ns", "inclusive_samples", "inclusive_ns"});
        table.coverage.remainders.push_back({"samples_without_stack", without_stack_});
        add_percent(table, "sampled_ns");
        return table;
    }

private:
    enum class Frame : bool { instruction, return_address };

    enum Value : std::size_t { count, time, inclusive_count, inclusive_time, values };

    void add_sample(const Record& record) override {
        const auto source = Samples::source_of(record, *context().owners);
        if (!source) {
            return;
        }
        owner_ = source->owner;
        process_ = source->place.process;
        weight_ = samples_.weight(record);
        time_ = record.time;
        ++sample_;
        const std::uint64_t address = record.number(Samples::address);
        std::uint64_t* const leaf = add_frame(address, Frame::instruction);
        ++leaf[count];
        leaf[time] += weight_;
        const auto add_return = [&](std::uint64_t frame) {
            add_frame(frame, Frame::return_address);
        };
        if (!for_each_return_address(context(), source->place.thread, record.time, address,
                                     add_return)) {
            ++without_stack_;
        }
    }

    /// Counts a frame once per sample.
    std::uint64_t* add_frame(std::uint64_t address, Frame frame) {
        const NamesCache::Name name =
            names_.name(context(), {.process = process_,
                                    .address = address,
                                    .time = time_,
                                    .is_return_address = frame == Frame::return_address});
        const std::uint64_t function = by_function_ ? name.function : 0;
        const GroupKey key = by_process_ ? GroupKey{owner_, name.module, function}
                                         : GroupKey{name.module, function, 0};
        std::uint64_t& last = *last_sample_.find(key);
        std::uint64_t* const row = sums_.find(key);
        if (last != sample_) {
            last = sample_;
            ++row[inclusive_count];
            row[inclusive_time] += weight_;
        }
        return row;
    }

    bool by_function_, by_process_;
    Groups sums_{values};
    Groups last_sample_{1}; // number of the sample that a row counted last
    std::uint64_t sample_ = 0, weight_ = 0, without_stack_ = 0;
    OwnerRef owner_ = Owners::unknown;
    std::uint32_t process_ = 0;
    std::int64_t time_ = 0;
};

class CpuByCall final : public NamedSamples {
public:
    Table finish() override {
        const KeyColumn keys[] = {{KeyPart::text, "caller"}, {KeyPart::text, "callee"}};
        const Column columns[] = {sum_column("samples"),
                                  sum_column("sampled_ns", Unit::nanoseconds)};
        Table table = table_of("cpu", sums_, *context().owners, texts_, keys, columns);
        table.sort_column = *table.find("sampled_ns");
        samples_.report(table, {"samples", "sampled_ns"});
        return table;
    }

private:
    enum Value : std::size_t { count, time, values };

    void add_sample(const Record& record) override {
        const auto source = Samples::source_of(record, *context().owners);
        if (!source) {
            return;
        }
        const std::uint32_t thread = source->place.thread, process = source->place.process;
        const std::uint64_t weight = samples_.weight(record);
        const std::uint64_t sampled = record.number(Samples::address);
        ++sample_;
        std::uint64_t callee = name_of(process, sampled, record.time, false);
        for_each_return_address(
            context(), thread, record.time, sampled, [&](std::uint64_t address) {
                const std::uint64_t caller = name_of(process, address, record.time, true);
                add_call({caller, callee, 0}, weight);
                callee = caller;
            });
    }

    /// Counts a call once per sample.
    void add_call(const GroupKey& key, std::uint64_t weight) {
        std::uint64_t& last = *last_sample_.find(key);
        if (std::exchange(last, sample_) == sample_) {
            return;
        }
        std::uint64_t* const row = sums_.find(key);
        ++row[count];
        row[time] += weight;
    }

    /// The number of `module!function`.
    std::uint64_t name_of(std::uint32_t process, std::uint64_t address, std::int64_t at,
                          bool is_return_address) {
        const NamesCache::Name name =
            names_.name(context(), {.process = process,
                                    .address = address,
                                    .time = at,
                                    .is_return_address = is_return_address});
        return full_names_.number_of(name, names_.texts(), texts_);
    }

    Texts texts_;
    FullNames full_names_;
    Groups sums_{values};
    Groups last_sample_{1};
    std::uint64_t sample_ = 0;
};

constexpr std::string_view thread_sums[] = {"samples", "sampled_ns", "running_ns", "switches"};
constexpr std::string_view processor_sums[] = {"samples",     "sampled_ns",  "idle_samples",
                                               "dpc_samples", "isr_samples", "running_ns",
                                               "idle_ns",     "switches"};
constexpr std::string_view frame_sums[] = {"samples", "sampled_ns", "inclusive_samples",
                                           "inclusive_ns"};

constexpr auto cpu_forms = forms_of(
    cpu_table,
    {
        {.by = "process",
         .needs = TableNeeds::processes,
         .make = make<CpuByThread, CpuBy::process>,
         .parts = PartsOf::carried,
         .state = "scheduling",
         .kept_as = "thread",
         .window_sums = thread_sums,
         .title = "CPU by process",
         .events = "event in (PerfInfo/SampleProf, Thread/CSwitch) && process == {process}",
         .places = {.report = 30, .brief = 20, .top = 1, .tracerpt = 11}},
        {.by = "thread",
         .needs = TableNeeds::processes,
         .make = make<CpuByThread, CpuBy::thread>,
         .parts = PartsOf::carried,
         .state = "scheduling",
         .kept_as = "thread",
         .window_sums = thread_sums,
         .title = "CPU by thread",
         .events = "ThreadId == {tid} || NewThreadId == {tid} || OldThreadId == {tid}",
         .places = {.report = 31, .top = 2, .tracerpt = 30}},
        {.by = "processor",
         .needs = TableNeeds::processes,
         .make = make<CpuByProcessor>,
         .parts = PartsOf::carried,
         .state = "scheduling",
         .window_sums = processor_sums,
         .title = "CPU by processor",
         .events = "event in (PerfInfo/SampleProf, Thread/CSwitch) && cpu == {cpu}",
         .places = {.report = 32}},
        {.by = "module",
         .needs = TableNeeds::all_facts,
         .make = make<CpuByFrame, FramesBy::module>,
         .parts = PartsOf::added,
         .state = "samples",
         .window_sums = frame_sums,
         .title = "CPU by module",
         .events = "event == PerfInfo/SampleProf",
         .events_options = "--enrich",
         .places = {.report = 34, .top = 3, .tracerpt = 50}},
        {.by = "function",
         .needs = TableNeeds::all_facts,
         .make = make<CpuByFrame, FramesBy::function>,
         .parts = PartsOf::added,
         .state = "samples",
         .window_sums = frame_sums,
         .title = "CPU by function",
         .events = "event == PerfInfo/SampleProf",
         .events_options = "--enrich",
         .places = {.report = 33, .brief = 21, .top = 4, .tracerpt = 51}},
        {.by = "process-module",
         .needs = TableNeeds::all_facts,
         .make = make<CpuByFrame, FramesBy::process_module>,
         .parts = PartsOf::added,
         .state = "samples"},
        {.by = "process-function",
         .needs = TableNeeds::all_facts,
         .make = make<CpuByFrame, FramesBy::process_function>,
         .parts = PartsOf::added,
         .state = "samples"},
        {.by = "call",
         .needs = TableNeeds::all_facts,
         .make = make<CpuByCall>,
         .parts = PartsOf::added,
         .state = "samples"},
    });

} // namespace

constinit const TableKind cpu_table{
    .name = "cpu",
    .summary = "Print which processes, threads, or functions used the processors",
    .question = "Why is a processor busy?",
    .examples = R"(  etl cpu trace.etl
  etl cpu --by thread --process kettle trace.etl
  etl cpu --by processor --from +2s --to +5s --format csv -o cpu.csv trace.etl
  etl cpu --source CacheMisses --by function trace.etl)",
    .options = {TableOption::without_interrupts, TableOption::source, TableOption::symbols},
    .is_compared = true,
    .mcp_options = "sort limit format by without-interrupts",
    .counters = &counters_table,
    .forms = cpu_forms,
};

} // namespace etl::analysis

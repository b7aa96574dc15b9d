// etl cpu by process, thread, and processor. docs/analysis.md#cpu
#include "analysis/group_table.hpp"
#include "analysis/parts/archive.hpp"
#include "analysis/samples.hpp"
#include "analysis/scheduling/scheduling.hpp"
#include "analysis/tables/makers.hpp"

#include <algorithm>

namespace etl::analysis {

namespace {

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

    void ask(Wishes& wishes) override {
        scheduling_.ask(wishes);
        Samples::ask(wishes);
    }

    void start(Context& context) override {
        Analyzer::start(context);
        samples_.start(context);
        scheduling_.start(context);
    }

    void add(const Record& record) override {
        if (!Samples::takes(record.tag)) {
            scheduling_.add(record);
        } else if (samples_.take(record)) {
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
    CpuByThread(const TableOptions& options, bool by_thread)
        : Cpu(options), by_thread_(by_thread) {}

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

    void add_sums(Groups& groups, OwnerRef owner, std::uint64_t thread, const Sums& sums) const {
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
            add_sums(groups, owner, row, sums_[thread]);
        }
        add_sums(groups, Owners::dpc, no_part, interrupts_[0]);
        add_sums(groups, Owners::isr, no_part, interrupts_[1]);
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

} // namespace

std::unique_ptr<Analyzer> make_cpu(CpuBy by, const TableOptions& options) {
    if (by == CpuBy::processor) {
        return std::make_unique<CpuByProcessor>(options);
    }
    return std::make_unique<CpuByThread>(options, by == CpuBy::thread);
}

} // namespace etl::analysis

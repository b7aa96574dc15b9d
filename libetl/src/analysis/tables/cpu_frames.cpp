// etl cpu by module and function. docs/analysis.md#cpu
#include "analysis/group_table.hpp"
#include "analysis/names_cache.hpp"
#include "analysis/tables/makers.hpp"
#include "analysis/tables/samples.hpp"

namespace etl::analysis {

namespace {

class CpuByFrame final : public Analyzer {
public:
    explicit CpuByFrame(bool by_function) : by_function_(by_function) {}

    void ask(Wishes& wishes) override {
        Samples::ask(wishes);
        NamesCache::ask(wishes);
    }

    void add(const Record& record) override {
        if (!Samples::takes(record.tag)) {
            names_.forget();
        } else if (samples_.take(record)) {
            add_sample(record);
        }
    }

    Table finish() override {
        const KeyColumn keys[] = {{KeyPart::text, "module"}, {KeyPart::text, "function"}};
        const Column columns[] = {
            sum_column("samples"), sum_column("sampled_ns", Unit::nanoseconds),
            sum_column("inclusive_samples"), sum_column("inclusive_ns", Unit::nanoseconds)};
        Table table = table_of("cpu", sums_, *context().owners, names_.texts(),
                               std::span(keys).first(by_function_ ? 2 : 1), columns);
        const std::uint32_t first = *table.find("samples");
        table.columns[first + 2].total_of = first;
        table.columns[first + 3].total_of = first + 1;
        if (!samples_.has_samples()) {
            set_missing(table, "samples",
                        {"samples", "sampled_ns", "inclusive_samples", "inclusive_ns"},
                        record_samples);
        }
        table.coverage.remainders.push_back({"samples_without_stack", without_stack_});
        add_percent(table, "sampled_ns");
        return table;
    }

private:
    enum class Frame : bool { instruction, return_address };

    enum Value : std::size_t { count, time, inclusive_count, inclusive_time, values };

    void add_sample(const Record& record) {
        Owners& owners = *context().owners;
        const std::uint32_t thread = record.number32(Samples::thread_id);
        if (thread == 0 && Samples::interrupt_of(record) == Owners::unknown) {
            return; // Idle
        }
        const Owner& owner = owners[owners.of_thread_id(thread, record.time)];
        if (owners.is_selective() && !owner.is_selected) {
            return;
        }
        process_ = owner.pid.value_or(0);
        weight_ = samples_.weight(record);
        time_ = record.time;
        ++sample_;
        const std::uint64_t address = record.number(Samples::address);
        std::uint64_t* const leaf = add_frame(address, Frame::instruction);
        ++leaf[count];
        leaf[time] += weight_;
        if (!add_stack(thread, address)) {
            ++without_stack_;
        }
    }

    /// The first part of each kind that belongs to the thread.
    bool add_stack(std::uint32_t thread, std::uint64_t address) {
        const facts::StackPart* kernel = nullptr;
        const facts::StackPart* user = nullptr;
        const auto all = context().facts->stacks(time_);
        for (const facts::StackPart& part :
             all.first(std::min(all.size(), limits::analysis_stack_parts))) {
            const bool is_kernel = part.where == facts::StackPart::Where::kernel;
            const facts::StackPart*& mine = is_kernel ? kernel : user;
            if (part.thread == thread && mine == nullptr) {
                mine = &part;
            }
        }
        bool is_first = true;
        for (const facts::StackPart* const part : {kernel, user}) {
            if (part == nullptr) {
                continue;
            }
            for (const std::uint64_t frame : context().facts->frames(*part)) {
                if (!std::exchange(is_first, false) || frame != address) {
                    add_frame(frame, Frame::return_address);
                }
            }
        }
        return !is_first;
    }

    /// Counts a frame once per sample.
    std::uint64_t* add_frame(std::uint64_t address, Frame frame) {
        const NamesCache::Name name =
            names_.name(context(), {.process = process_,
                                    .address = address,
                                    .time = time_,
                                    .is_return_address = frame == Frame::return_address});
        const GroupKey key{name.module, by_function_ ? name.function : 0, 0};
        std::uint64_t& last = *last_sample_.find(key);
        std::uint64_t* const row = sums_.find(key);
        if (last != sample_) {
            last = sample_;
            ++row[inclusive_count];
            row[inclusive_time] += weight_;
        }
        return row;
    }

    bool by_function_;
    Samples samples_;
    NamesCache names_;
    Groups sums_{values};
    Groups last_sample_{1}; // number of the sample that a row counted last
    std::uint64_t sample_ = 0, weight_ = 0, without_stack_ = 0;
    std::uint32_t process_ = 0;
    std::int64_t time_ = 0;
};

} // namespace

std::unique_ptr<Analyzer> make_cpu_frames(FramesBy by) {
    return std::make_unique<CpuByFrame>(by == FramesBy::function);
}

} // namespace etl::analysis

// etl cpu by module and function. docs/analysis.md#cpu
#include "analysis/group_table.hpp"
#include "analysis/names_cache.hpp"
#include "analysis/sampled_stacks.hpp"
#include "analysis/samples.hpp"
#include "analysis/tables/makers.hpp"

namespace etl::analysis {

namespace {

class CpuByFrame final : public Analyzer {
public:
    explicit CpuByFrame(FramesBy by)
        : by_function_(by == FramesBy::function || by == FramesBy::process_function),
          by_process_(by == FramesBy::process_module || by == FramesBy::process_function) {}

    void ask(Wishes& wishes) override {
        Samples::ask(wishes);
        NamesCache::ask(wishes);
    }

    void start(Context& context) override {
        Analyzer::start(context);
        samples_.start(context);
    }

    void add(const Record& record) override {
        if (!Samples::takes(record.tag)) {
            names_.forget();
        } else if (samples_.take(record)) {
            add_sample(record);
        }
    }

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

    void add_sample(const Record& record) {
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
    Samples samples_;
    NamesCache names_;
    Groups sums_{values};
    Groups last_sample_{1}; // number of the sample that a row counted last
    std::uint64_t sample_ = 0, weight_ = 0, without_stack_ = 0;
    OwnerRef owner_ = Owners::unknown;
    std::uint32_t process_ = 0;
    std::int64_t time_ = 0;
};

} // namespace

std::unique_ptr<Analyzer> make_cpu_frames(FramesBy by) {
    return std::make_unique<CpuByFrame>(by);
}

} // namespace etl::analysis

// etl cpu by call: which functions called which. docs/analysis.md#cpu
#include "analysis/full_names.hpp"
#include "analysis/group_table.hpp"
#include "analysis/sampled_stacks.hpp"
#include "analysis/samples.hpp"
#include "analysis/tables/makers.hpp"

#include <utility>

namespace etl::analysis {

namespace {

class CpuByCall final : public Analyzer {
public:
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

    void add_sample(const Record& record) {
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

    Samples samples_;
    NamesCache names_;
    Texts texts_;
    FullNames full_names_;
    Groups sums_{values};
    Groups last_sample_{1};
    std::uint64_t sample_ = 0;
};

} // namespace

std::unique_ptr<Analyzer> make_cpu_calls() {
    return std::make_unique<CpuByCall>();
}

} // namespace etl::analysis

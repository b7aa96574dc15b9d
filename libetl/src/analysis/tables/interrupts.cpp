// etl interrupts. docs/analysis.md#interrupts
#include "analysis/group_table.hpp"
#include "analysis/names_cache.hpp"
#include "analysis/tables/makers.hpp"

#include <algorithm>
#include <bit>

namespace etl::analysis {

namespace {

struct InterruptKind {
    std::uint16_t hook;
    std::string_view name;
};

constexpr InterruptKind interrupt_kinds[] = {{0x0F44, "dpc"},          {0x0F45, "timer_dpc"},
                                             {0x0F42, "threaded_dpc"}, {0x0F43, "isr"},
                                             {0x0F32, "isr_msi"},      {0x0F5F, "isr_pass"}};

constexpr std::size_t histogram_size = 65;

class Interrupts final : public Analyzer {
public:
    explicit Interrupts(bool by_routine) : by_routine_(by_routine) {}

    void ask(Wishes& wishes) override {
        for (std::uint32_t i = 0; i < std::size(interrupt_kinds); ++i) {
            wishes.hook(interrupt_kinds[i].hook, i, {"InitialTime", "Routine"});
        }
        NamesCache::ask(wishes);
    }

    void add(const Record& record) override {
        if (record.tag == NamesCache::image_tag) {
            names_.forget();
            return;
        }
        has_interrupts_ = true;
        add_interrupt(record);
    }

    Table finish() override {
        std::vector<KeyColumn> keys{{KeyPart::number, "kind"}, {KeyPart::text, "module"}};
        if (by_routine_) {
            keys.push_back({KeyPart::text, "function"});
        }
        std::vector<Column> columns{sum_column("count"), ticks_column("total_ns"),
                                    ticks_column("exclusive_ns"),
                                    ticks_column("max_ns", Adding::maximum)};
        const auto fixed = columns.size();
        columns.resize(fixed + histogram_size);
        Table table =
            table_of("interrupts", groups_, *context().owners, names_.texts(), keys, columns);
        arrange(table, fixed + keys.size());
        table.sort_column = *table.find("total_ns");
        if (!has_interrupts_) {
            set_missing(table, "DPCs and ISRs",
                        {"count", "total_ns", "exclusive_ns", "mean_ns", "max_ns", "histogram"},
                        "xperf -on DPC+INTERRUPT, or wpr -start CPU");
        }
        table.coverage.remainders.push_back({"invalid_times", invalid_});
        return table;
    }

private:
    enum Value : std::size_t { count, total, exclusive, max, first_bucket };

    struct Interval {
        std::int64_t from = 0, to = 0;
    };

    /// Turns the numbers of kinds into names, and the last columns into lists; adds the mean.
    static void arrange(Table& table, std::size_t buckets) {
        table.columns[0].unit = Unit::text;
        table.columns.resize(buckets);
        const std::uint32_t total = *table.find("total_ns");
        const auto mean = static_cast<std::ptrdiff_t>(*table.find("max_ns"));
        table.columns.push_back({.name = "histogram", .unit = Unit::histogram});
        table.columns.insert(table.columns.begin() + mean,
                             {.name = "mean_ns",
                              .unit = Unit::nanoseconds,
                              .adding = Adding::ratio,
                              .ratio = {.numerator = total, .denominator = total - 1}});
        for (Row& row : table.rows) {
            if (const auto* const kind = std::get_if<std::uint64_t>(&row.cells.front())) {
                row.cells[0] = std::string(interrupt_kinds[*kind].name); // not that of all others
            }
            std::vector<std::uint64_t> histogram;
            for (std::size_t i = buckets; i < row.cells.size(); ++i) {
                histogram.push_back(std::get<std::uint64_t>(row.cells[i]));
            }
            while (!histogram.empty() && histogram.back() == 0) {
                histogram.pop_back();
            }
            row.cells.resize(buckets);
            row.cells.emplace_back(std::move(histogram));
            row.cells.insert(row.cells.begin() + mean, Cell{});
        }
    }

    void add_interrupt(const Record& record) {
        const auto stored = static_cast<std::int64_t>(record.number(0));
        const bool is_valid = record.has(0) && stored <= record.time;
        const Interval interval{is_valid ? stored : record.time, record.time};
        const std::uint64_t inside = inside_of(record.processor(), interval);
        if (!record.in_range) {
            return;
        }
        invalid_ += is_valid ? 0 : 1;
        const NamesCache::Name name = names_.name(
            context(), {.process = 0, .address = record.number(1), .time = record.time});
        const std::uint64_t time = context().cut(interval.from, interval.to);
        std::uint64_t* const row =
            groups_.find({record.tag, name.module, by_routine_ ? name.function : 0});
        ++row[count];
        row[total] += time;
        row[exclusive] += time - std::min(time, inside);
        row[max] = std::max(row[max], time);
        constexpr std::uint64_t per_microsecond = 1000;
        const std::uint64_t us =
            nanoseconds_of(time, context().trace->clock.frequency()) / per_microsecond;
        ++row[first_bucket + static_cast<std::size_t>(std::bit_width(us))];
    }

    /// Returns the time of the interrupts inside an interval; they are inside no other.
    std::uint64_t inside_of(std::uint16_t processor, const Interval& outer) {
        if (processor >= limits::analysis_processors) {
            return 0;
        }
        if (processor >= ended_.size()) {
            ended_.resize(processor + std::size_t{1});
        }
        std::vector<Interval>& ended = ended_[processor];
        std::uint64_t inside = 0;
        while (!ended.empty() && ended.back().from >= outer.from && outer.to > outer.from) {
            inside += context().cut(ended.back().from, ended.back().to);
            ended.pop_back();
        }
        // What ended before this one began is inside none that is still to come, unless that one
        // contains both.
        if (ended.size() >= limits::analysis_nested_interrupts) {
            ended.erase(ended.begin());
        }
        ended.push_back(outer);
        return inside;
    }

    bool by_routine_;
    NamesCache names_;
    Groups groups_{first_bucket + histogram_size};
    std::vector<std::vector<Interval>> ended_; // by processor, in order
    std::uint64_t invalid_ = 0;
    bool has_interrupts_ = false;
};

} // namespace

std::unique_ptr<Analyzer> make_interrupts(InterruptsBy by) {
    return std::make_unique<Interrupts>(by == InterruptsBy::routine);
}

} // namespace etl::analysis

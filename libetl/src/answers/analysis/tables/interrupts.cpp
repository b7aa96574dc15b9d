// etl interrupts. docs/analysis.md#interrupts
#include "analysis/groups.hpp"
#include "analysis/names.hpp"
#include "analysis/scheduling/scheduling.hpp"
#include "analysis/table_list.hpp"
#include "analysis/times/slices.hpp"

#include <algorithm>
#include <bit>

namespace etl::analysis {

namespace {

enum class InterruptsBy : std::uint8_t { routine, module, slice };

constexpr std::size_t histogram_size = 65;

class Interrupts final : public Analyzer {
public:
    Interrupts(InterruptsBy by, const TableOptions& options)
        : by_(by), factor_(options.bucket_factor), slices_(options.slices) {}

    void subscribe(Subscriptions& subscriptions) override {
        for (std::uint32_t i = 0; i < std::size(interrupt_kinds); ++i) {
            subscriptions.hook(interrupt_kinds[i].hook, i, {"InitialTime", "Routine"});
        }
        NamesCache::subscribe(subscriptions);
    }

    void start(Context& context) override {
        Analyzer::start(context);
        if (by_ == InterruptsBy::slice) {
            slices_.start(context);
        }
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
        const std::vector<KeyColumn> keys = key_columns();
        std::vector<Column> columns{sum_column("count"), ticks_column("total_ns"),
                                    ticks_column("exclusive_ns"),
                                    ticks_column("max_ns", Adding::maximum)};
        const auto fixed = columns.size();
        columns.resize(fixed + histogram_size);
        Table table =
            table_of("interrupts", groups_, *context().owners, names_.texts(), keys, columns);
        arrange(table, fixed + keys.size());
        table.sort_column = *table.find("total_ns");
        if (by_ == InterruptsBy::slice) {
            add_begins(table);
        }
        if (!has_interrupts_) {
            set_missing(table, "DPCs and ISRs",
                        {"count", "total_ns", "exclusive_ns", "mean_ns", "max_ns", "histogram"},
                        record_interrupts);
        }
        table.coverage.remainders.push_back({"invalid_times", invalid_});
        if (dropped_ != 0) {
            table.coverage.remainders.push_back({"dropped_interrupts", dropped_});
        }
        return table;
    }

    void save(Archive& to) override {
        visit(to, across_);
        visit(to, ended_);
        to.number(dropped_);
    }

    void stitch(Archive& from) override {
        std::vector<Nested> across;
        std::vector<Ended> ended;
        std::uint64_t dropped = 0;
        visit(from, across);
        visit(from, ended);
        from.number(dropped);
        dropped_ += dropped;
        for (const Nested& one : across) {
            add_across(one);
        }
        ended_.resize(std::max(ended_.size(), std::min(ended.size(), limits::analysis_processors)));
        for (std::size_t i = 0; i < std::min(ended.size(), ended_.size()); ++i) {
            ended_[i].forget(ended[i].most);
            auto& intervals = ended_[i].intervals;
            intervals.insert(intervals.end(), ended[i].intervals.begin(), ended[i].intervals.end());
        }
    }

private:
    /// What ended on a processor, in order. What ended before another one began is inside none
    /// that is still to come, unless that one contains both.
    struct Ended {
        std::vector<Interval> intervals;
        std::size_t most = 0; // so far

        /// Of what was before, as much as can be left if there were `more` behind it.
        void forget(std::size_t more) {
            const std::size_t left = limits::analysis_nested_interrupts -
                                     std::min(limits::analysis_nested_interrupts, more);
            if (intervals.size() > left) {
                intervals.erase(intervals.begin(),
                                intervals.end() - static_cast<std::ptrdiff_t>(left));
            }
        }
    };

    /// An interrupt, and what it contains of those that ended before it.
    struct Nested {
        std::uint16_t processor = 0;
        Interval interval{};
        std::size_t most = 0;      // Ended::most before it
        std::uint64_t inside = 0;  // ticks
        bool contains_all = false; // of a part: it may contain more, of earlier parts
        GroupKey row{};
        bool in_range = false;
    };

    void visit(Archive& archive, std::vector<Nested>& across) {
        archive.list(across, [&](Nested& one) {
            archive.number(one.processor);
            visit(archive, one.interval);
            archive.number(one.most);
            archive.number(one.inside);
            const std::vector<KeyColumn> keys = key_columns(); // the first is the kind
            for (std::size_t i = 0; i < keys.size(); ++i) {
                visit_key_part(archive, keys[i].part, *context().owners, names_.texts(),
                               one.row[i]);
            }
            archive.number(one.in_range);
            if (one.row[0] >= std::size(interrupt_kinds)) {
                archive.fail();
                one.in_range = false;
            }
        });
    }

    static void visit(Archive& archive, std::vector<Ended>& ended) {
        archive.list(ended, [&](Ended& one) {
            archive.list(one.intervals, [&](Interval& interval) { visit(archive, interval); });
            archive.number(one.most);
        });
    }

    static void visit(Archive& archive, Interval& interval) {
        archive.number(interval.from);
        archive.number(interval.to);
    }

    enum Value : std::size_t { count, total, exclusive, max, first_bucket };

    std::vector<KeyColumn> key_columns() const {
        switch (by_) {
        case InterruptsBy::slice:
            return {{KeyPart::number, "kind"}, {KeyPart::number, "slice"}};
        case InterruptsBy::module:
            return {{KeyPart::number, "kind"}, {KeyPart::text, "module"}};
        case InterruptsBy::routine:
            break;
        }
        return {{KeyPart::number, "kind"}, {KeyPart::text, "module"}, {KeyPart::text, "function"}};
    }

    GroupKey key_of(const Record& record) {
        if (by_ == InterruptsBy::slice) {
            return {record.tag, slices_.of(record.time), 0};
        }
        const NamesCache::Name name = names_.name(
            context(), {.process = 0, .address = record.number(1), .time = record.time});
        return {record.tag, name.module, by_ == InterruptsBy::routine ? name.function : 0};
    }

    /// Adds the begin of each slice, and sorts by it.
    void add_begins(Table& table) const {
        constexpr std::size_t slice = 1;
        table.columns.insert(table.columns.begin() + slice + 1, key_column("begin", Unit::time));
        for (Row& row : table.rows) {
            const auto* const number = std::get_if<std::uint64_t>(&row.cells[slice]);
            Cell begin;
            if (number != nullptr) {
                begin = static_cast<std::uint64_t>(
                    context().trace->clock.to_filetime(slices_.begin(*number)).ticks);
            }
            row.cells.insert(row.cells.begin() + slice + 1, begin);
        }
        ++table.sort_column;
        Ratio& mean = table.columns[*table.find("mean_ns")].ratio;
        mean.denominator = mean.numerator++;
        std::ranges::sort(table.rows, {}, [](const Row& row) {
            return std::pair(row.cells[slice], row.cells.front());
        });
        table.is_ordered = true;
    }

    std::size_t bucket_of(std::uint64_t ns) const noexcept {
        constexpr std::uint64_t per_microsecond = 1000;
        if (factor_ < 2) {
            return static_cast<std::size_t>(std::bit_width(ns / per_microsecond));
        }
        std::size_t bucket = 0;
        for (std::uint64_t most = per_microsecond; ns > most && bucket + 1 < histogram_size;
             ++bucket) {
            most = most > ns / factor_ ? ns : most * factor_;
        }
        return bucket;
    }

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
        const Interval interrupt = interval_of(record, 0);
        Nested nested = nested_in(record.processor(), interrupt);
        const bool is_across = nested.contains_all && context().continues();
        if (record.in_range) {
            nested.row = key_of(record);
            nested.in_range = true;
            invalid_ += has_begin(record, 0) ? 0U : 1U;
            add_interrupt(nested, is_across);
        }
        if (is_across && across_.size() < limits::analysis_part_keys) {
            across_.push_back(nested);
        } else {
            dropped_ += is_across ? 1U : 0U;
        }
    }

    void add_interrupt(const Nested& one, bool is_across) {
        const std::uint64_t time = context().cut(one.interval.from, one.interval.to);
        std::uint64_t* const row = groups_.find(one.row);
        ++row[count];
        row[total] += time;
        row[exclusive] += is_across ? 0 : time - std::min(time, one.inside);
        row[max] = std::max(row[max], time);
        ++row[first_bucket + bucket_of(nanoseconds_of(time, context().trace->clock.frequency()))];
    }

    /// Adds an interrupt to those that ended, and returns it without its row.
    Nested nested_in(std::uint16_t processor, const Interval& outer) {
        Nested one{.processor = processor, .interval = outer};
        if (processor >= limits::analysis_processors) {
            return one;
        }
        if (processor >= ended_.size()) {
            ended_.resize(processor + std::size_t{1});
        }
        Ended& ended = ended_[processor];
        one.most = ended.most;
        add_outer(ended.intervals, outer, [&](const Interval& inner) {
            one.inside += context().cut(inner.from, inner.to);
        });
        one.contains_all = ended.intervals.size() == 1;
        ended.most = std::max(ended.most, ended.intervals.size());
        ended.forget(0);
        return one;
    }

    /// Adds what an interrupt contains of earlier parts.
    void add_across(const Nested& one) {
        std::uint64_t inside = one.inside;
        if (one.processor < ended_.size()) {
            Ended& before = ended_[one.processor];
            before.forget(one.most);
            add_outer(before.intervals, one.interval, [&](const Interval& inner) {
                inside += context().cut(inner.from, inner.to);
            });
            before.intervals.pop_back(); // it is among those of its part
        }
        if (one.in_range) {
            const std::uint64_t time = context().cut(one.interval.from, one.interval.to);
            groups_.find(one.row)[exclusive] += time - std::min(time, inside);
        }
    }

    InterruptsBy by_;
    std::uint64_t factor_;
    Slices slices_;
    NamesCache names_;
    Groups groups_{first_bucket + histogram_size};
    std::vector<Ended> ended_; // by processor
    std::vector<Nested> across_;
    std::uint64_t invalid_ = 0, dropped_ = 0;
    bool has_interrupts_ = false;
};

constexpr std::string_view interrupt_sums[] = {"count"};

constexpr auto interrupts_forms =
    forms_of(interrupts_table, {
                                   {.by = "routine",
                                    .needs = TableNeeds::all_facts,
                                    .has_processes = false,
                                    .make = make<Interrupts, InterruptsBy::routine>,
                                    .parts = PartsOf::carried,
                                    .state = "interrupts",
                                    .window_sums = interrupt_sums,
                                    .title = "DPCs and ISRs",
                                    .events = "event in (PerfInfo/*DPC, PerfInfo/ISR*)",
                                    .events_options = "--enrich",
                                    .places = {.report = 50, .brief = 80}},
                                   {.by = "module",
                                    .needs = TableNeeds::all_facts,
                                    .has_processes = false,
                                    .make = make<Interrupts, InterruptsBy::module>,
                                    .parts = PartsOf::carried,
                                    .state = "interrupts",
                                    .places = {.tracerpt = 41}},
                                   {.by = "slice",
                                    .has_processes = false,
                                    .make = make<Interrupts, InterruptsBy::slice>,
                                    .parts = PartsOf::carried,
                                    .state = "interrupts",
                                    .has_slices = true},
                               });

} // namespace

constinit const TableKind interrupts_table{
    .name = "interrupts",
    .summary = "Print the durations of DPCs and ISRs by routine",
    .question = "Which driver delays others?",
    .examples = R"(  etl interrupts trace.etl
  etl interrupts --by module --sort max_ns trace.etl)",
    .options = {TableOption::slices, TableOption::symbols},
    .is_compared = true,
    .forms = interrupts_forms,
};

} // namespace etl::analysis

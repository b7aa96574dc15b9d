// etl cpu --source: samples of hardware counters. docs/analysis.md#counters
#include "analysis/counter_samples.hpp"
#include "analysis/names.hpp"
#include "analysis/samples.hpp"
#include "analysis/table_list.hpp"

#include <utility>

namespace etl::analysis {

namespace {

enum class CountersBy : std::uint8_t {
    source,
    process,
    thread,
    processor,
    module,
    function,
    process_module,
    process_function,
    call,
};

class Counters final : public Analyzer {
public:
    Counters(CountersBy by, const TableOptions& options) : by_(by), samples_(options.source) {}

    void subscribe(Subscriptions& subscriptions) override {
        CounterSamples::subscribe(subscriptions);
        CounterSamples::ask_switches(subscriptions);
        if (has_frames()) {
            NamesCache::subscribe(subscriptions);
        }
    }

    void start(Context& context) override {
        Analyzer::start(context);
        samples_.start(context);
    }

    void add(const Record& record) override {
        if (!CounterSamples::takes(record.tag)) {
            names_.forget();
        } else if (samples_.take(record)) {
            add_sample(record);
        }
    }

    Table finish() override {
        Table table;
        table.name = "counters";
        table.columns = {key_column("source", Unit::text)};
        add_key_columns(table.columns);
        table.columns.insert(table.columns.end(), {sum_column("samples"), sum_column("events")});
        if (has_inclusive()) {
            table.columns.insert(table.columns.end(),
                                 {sum_column("inclusive_samples"), sum_column("inclusive_events")});
        }
        for (const std::string_view events : {"events", "inclusive_events"}) {
            if (const auto column = table.find(events)) {
                table.columns[*column].unit_of = 0; // the source
            }
        }
        for (std::size_t row = 0; row < sums_.size(); ++row) {
            table.rows.push_back(row_of(row));
        }
        complete(table);
        return table;
    }

private:
    enum Value : std::size_t { count, weight, all_count, all_weight, values };

    /// What is said about the table, and what its total is.
    void complete(Table& table) {
        table.sort_column = *table.find("samples");
        const std::uint32_t first = table.sort_column;
        if (has_inclusive()) {
            table.columns[first + 2].total_of = first;
            table.columns[first + 3].total_of = first + 1;
        }
        table.coverage.remainders.push_back({"dropped_rows", sums_.dropped()});
        samples_.report(table, {"samples", "events", "inclusive_samples", "inclusive_events"});
        table.coverage.remainders.push_back(
            {"samples_without_stack", has_frames() ? without_stack_ : 0});
        table.coverage.remainders.push_back({"samples_without_interval", without_interval_});
    }

    bool has_frames() const noexcept { return by_ >= CountersBy::module; }

    bool has_inclusive() const noexcept { return has_frames() && by_ != CountersBy::call; }

    bool has_function() const noexcept {
        return by_ == CountersBy::function || by_ == CountersBy::process_function;
    }

    bool has_process() const noexcept {
        return by_ == CountersBy::process || by_ == CountersBy::thread ||
               by_ == CountersBy::process_module || by_ == CountersBy::process_function;
    }

    /// Source and owner in one, so that a key has two more parts.
    static std::uint64_t head_of(std::uint32_t source, OwnerRef owner) noexcept {
        return std::uint64_t{source} << 32U | owner;
    }

    static std::uint32_t source_of(const GroupKey& key) noexcept {
        return static_cast<std::uint32_t>(key[0] >> 32U);
    }

    void add_key_columns(std::vector<Column>& columns) const {
        if (has_process()) {
            columns.push_back(key_column("process", Unit::text));
            columns.push_back(key_column("pid", Unit::id));
        }
        if (by_ == CountersBy::thread) {
            columns.push_back(key_column("tid", Unit::id));
        } else if (by_ == CountersBy::processor) {
            columns.push_back(key_column("cpu", Unit::id));
        } else if (by_ == CountersBy::call) {
            columns.push_back(key_column("caller", Unit::text));
            columns.push_back(key_column("callee", Unit::text));
        } else if (has_frames()) {
            columns.push_back(key_column("module", Unit::text));
        }
        if (has_function()) {
            columns.push_back(key_column("function", Unit::text));
        }
    }

    void add_key_cells(std::vector<Cell>& cells, const GroupKey& key) const {
        if (has_process()) {
            const Owner& owner = (*context().owners)[static_cast<OwnerRef>(key[0])];
            cells.push_back(name_cell(owner));
            cells.push_back(pid_cell(owner));
        }
        if (by_ == CountersBy::thread || by_ == CountersBy::processor) {
            cells.push_back(number_cell(key[1]));
        } else if (by_ == CountersBy::call) {
            cells.push_back(texts_.cell(key[1]));
            cells.push_back(texts_.cell(key[2]));
        } else if (has_frames()) {
            cells.push_back(names_.texts().cell(key[1]));
        }
        if (has_function()) {
            cells.push_back(names_.texts().cell(key[2]));
        }
    }

    Row row_of(std::size_t number) {
        const GroupKey& key = sums_.key(number);
        const std::uint64_t* const sums = sums_.values(number);
        const bool is_other = sums_.is_other(number);
        Row row;
        if (is_other) {
            std::vector<Column> keys;
            add_key_columns(keys);
            row.cells.resize(keys.size() + 1);
            row.cells.front() = "(other)";
        } else {
            row.cells.emplace_back(samples_.name(source_of(key)));
            add_key_cells(row.cells, key);
        }
        const bool has_events = !is_other && samples_.has_interval(source_of(key));
        const auto add = [&](std::uint64_t of_samples, std::uint64_t of_events) {
            row.cells.emplace_back(of_samples);
            row.cells.push_back(has_events ? Cell{of_events} : Cell{});
        };
        add(sums[count], sums[weight]);
        if (has_inclusive()) {
            add(sums[all_count], sums[all_weight]);
        }
        without_interval_ += has_events ? 0 : sums[count];
        return row;
    }

    void add_sample(const Record& record) {
        const auto place = samples_.place_of(record);
        if (!place) {
            return;
        }
        weight_ = samples_.weight(record).value_or(0);
        ++sample_;
        const std::uint32_t source = CounterSamples::source_of(record);
        if (has_frames()) {
            const bool of_process = has_process();
            add_frames(record, *place, head_of(source, of_process ? place->owner : 0));
            return;
        }
        const OwnerRef owner = !has_process()          ? 0
                               : place->is_interrupt() ? place->interrupt
                                                       : place->owner;
        GroupKey key{head_of(source, owner), 0, 0};
        if (by_ == CountersBy::thread) {
            key[1] = place->is_interrupt() ? no_part : place->place.thread;
        } else if (by_ == CountersBy::processor) {
            key[1] = record.processor();
        }
        add(sums_.find(key) + count);
    }

    /// Adds the sample to two values.
    void add(std::uint64_t* to) const {
        to[count] += 1;
        to[weight] += weight_;
    }

    void add_frames(const Record& record, const Samples::Source& of, std::uint64_t head) {
        const std::uint64_t address = record.number(Samples::address);
        NamesCache::Name callee = name_of(record, of, address, false);
        if (has_inclusive()) {
            add(inclusive({head, callee.module, has_function() ? callee.function : 0}) + count);
        }
        const bool has_stack = for_each_return_address(
            context(), of.place.thread, record.time, address, [&](std::uint64_t frame) {
                const NamesCache::Name caller = name_of(record, of, frame, true);
                if (has_inclusive()) {
                    inclusive({head, caller.module, has_function() ? caller.function : 0});
                } else {
                    inclusive({head, full_name(caller), full_name(callee)});
                }
                callee = caller;
            });
        without_stack_ += has_stack ? 0U : 1U;
    }

    /// Counts a frame or a call once per sample, and returns its row.
    std::uint64_t* inclusive(const GroupKey& key) {
        std::uint64_t& last = *last_sample_.find(key);
        std::uint64_t* const row = sums_.find(key);
        if (std::exchange(last, sample_) != sample_) {
            add(row + (has_inclusive() ? all_count : count));
        }
        return row;
    }

    NamesCache::Name name_of(const Record& record, const Samples::Source& of, std::uint64_t address,
                             bool is_return_address) {
        return names_.name(context(), {.process = of.place.process,
                                       .address = address,
                                       .time = record.time,
                                       .is_return_address = is_return_address});
    }

    std::uint64_t full_name(const NamesCache::Name& name) {
        return full_names_.number_of(name, names_.texts(), texts_);
    }

    CountersBy by_;
    CounterSamples samples_;
    NamesCache names_;
    Texts texts_; // of calls
    FullNames full_names_;
    Groups sums_{values};
    Groups last_sample_{1};    // number of the sample that a row counted last
    std::uint64_t weight_ = 0; // events of the sample; 0: unknown
    std::uint64_t sample_ = 0, without_stack_ = 0, without_interval_ = 0;
};

constexpr auto counters_forms =
    forms_of(counters_table, {
                                 {.by = "source",
                                  .needs = TableNeeds::processes,
                                  .make = make<Counters, CountersBy::source>,
                                  .parts = PartsOf::added,
                                  .state = "counters"},
                                 {.by = "process",
                                  .needs = TableNeeds::processes,
                                  .make = make<Counters, CountersBy::process>,
                                  .parts = PartsOf::added,
                                  .state = "counters"},
                                 {.by = "thread",
                                  .needs = TableNeeds::processes,
                                  .make = make<Counters, CountersBy::thread>,
                                  .parts = PartsOf::added,
                                  .state = "counters"},
                                 {.by = "processor",
                                  .needs = TableNeeds::processes,
                                  .make = make<Counters, CountersBy::processor>,
                                  .parts = PartsOf::added,
                                  .state = "counters"},
                                 {.by = "module",
                                  .needs = TableNeeds::all_facts,
                                  .make = make<Counters, CountersBy::module>,
                                  .parts = PartsOf::added,
                                  .state = "counters"},
                                 {.by = "function",
                                  .needs = TableNeeds::all_facts,
                                  .make = make<Counters, CountersBy::function>,
                                  .parts = PartsOf::added,
                                  .state = "counters"},
                                 {.by = "process-module",
                                  .needs = TableNeeds::all_facts,
                                  .make = make<Counters, CountersBy::process_module>,
                                  .parts = PartsOf::added,
                                  .state = "counters"},
                                 {.by = "process-function",
                                  .needs = TableNeeds::all_facts,
                                  .make = make<Counters, CountersBy::process_function>,
                                  .parts = PartsOf::added,
                                  .state = "counters"},
                                 {.by = "call",
                                  .needs = TableNeeds::all_facts,
                                  .make = make<Counters, CountersBy::call>,
                                  .parts = PartsOf::added,
                                  .state = "counters"},
                             });

} // namespace

constinit const TableKind counters_table{
    .name = "counters",
    .question = "Which code causes the events that hardware counters count?",
    .options = {TableOption::source, TableOption::symbols},
    .forms = counters_forms,
};

} // namespace etl::analysis

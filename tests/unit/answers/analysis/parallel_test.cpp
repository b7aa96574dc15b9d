#include "tests/unit/answers/analysis/analyzed.hpp"

#include <deque>

namespace etl::analysis::parallel_test {
namespace {

constexpr unsigned threads = 3;

/// As table_of(), with the buffers given to the threads in turn, the last one first.
std::optional<Table> parallel_table_of(test::Image image, const Asked& asked) {
    const auto reader = reader_of(std::move(image));
    const TableForm* const kind = find_table(asked.table, asked.by);
    EXPECT_TRUE(kind->is_order_free);
    PassOptions options = options_of(*reader, asked);
    options.range = range_of(*reader);
    ParallelJob job{.analyzers = {}, .options = options};
    for (unsigned thread = 0; thread < threads; ++thread) {
        job.analyzers.push_back(kind->make({}));
    }
    const auto show = [&](FunctionRef<void(unsigned, flow::Run)> visit) {
        struct Kept {
            flow::BufferContext context;
            std::vector<flow::Event> events;
        };
        std::deque<Kept> buffers; // contexts stay where they are
        reader->for_each_buffer(1, [&](unsigned, const trace::BufferEntry&, flow::Run events) {
            if (events.empty()) {
                return;
            }
            Kept& kept = buffers.emplace_back(*events.front().buffer,
                                              std::vector(events.begin(), events.end()));
            for (flow::Event& event : kept.events) {
                event.buffer = &kept.context;
            }
        });
        for (std::size_t i = buffers.size(); i-- > 0;) {
            visit(static_cast<unsigned>(i % threads), buffers[i].events);
        }
    };
    auto table = std::move(run_in_parallel(show, reader->info(), {&job, 1}).front());
    return table ? std::optional(finished(*std::move(table))) : std::nullopt;
}

std::vector<std::vector<std::string>> cells_of(const Table& table) {
    std::vector<std::vector<std::string>> rows;
    for (const Row& row : table.rows) {
        std::ranges::transform(row.cells, std::back_inserter(rows.emplace_back()), shown);
    }
    std::ranges::transform(table.total, std::back_inserter(rows.emplace_back()), shown);
    const Coverage& coverage = table.coverage;
    rows.push_back({std::to_string(coverage.begin->ticks), std::to_string(coverage.end->ticks),
                    std::to_string(coverage.duration_ns), std::to_string(coverage.events),
                    std::to_string(coverage.used_events)});
    return rows;
}

/// Events of two processes on several processors.
test::Image busy_trace() {
    std::vector<Placed> records{{0, process_record(start_tick, Life::start, 100, "kettle.exe")},
                                {0, process_record(start_tick + 1, Life::start, 200, "teapot.exe")},
                                {0, thread_record(start_tick + 2, Life::start, 100, 101)},
                                {0, thread_record(start_tick + 3, Life::start, 200, 201)}};
    for (std::int64_t i = 0; i < 400; ++i) {
        const auto processor = static_cast<std::uint16_t>(i % 5);
        records.push_back(
            {processor, sample_in(start_tick + 100 + i, 0x1000, i % 3 == 0 ? 101 : 201)});
        records.push_back({processor, switch_from(start_tick + 101 + i, 201, 101)});
    }
    return trace_of(records);
}

class InParallel : public testing::TestWithParam<std::string_view> {};

TEST_P(InParallel, TheTableIsTheSame) {
    const Asked asked{.table = "stats", .by = GetParam()};
    const auto table = parallel_table_of(busy_trace(), asked);
    ASSERT_TRUE(table);
    EXPECT_FALSE(table->rows.empty());
    EXPECT_EQ(cells_of(*table), cells_of(table_of(busy_trace(), asked)));
}

TEST_P(InParallel, TheTableOfARangeIsTheSame) {
    const Asked asked{
        .table = "stats", .by = GetParam(), .from = start_tick + 150, .to = start_tick + 320};
    const auto table = parallel_table_of(busy_trace(), asked);
    ASSERT_TRUE(table);
    EXPECT_EQ(cells_of(*table), cells_of(table_of(busy_trace(), asked)));
}

INSTANTIATE_TEST_SUITE_P(Stats, InParallel, testing::Values("provider", "event", "process"),
                         [](const auto& of) { return std::string(of.param); });

/// A table of which rows were dropped.
class Limited final : public Analyzer {
public:
    void subscribe(Subscriptions& /*subscriptions*/) override {}

    void add(const Record& /*record*/) override {}

    Table finish() override {
        Table table{.name = "limited"};
        table.coverage.remainders.push_back({"dropped", dropped});
        return table;
    }

    std::uint64_t dropped = 0;
};

TEST(InParallelBeyondALimit, ThereIsNoTable) {
    const auto reader = reader_of(busy_trace());
    PassOptions options = options_of(*reader, {});
    options.range = range_of(*reader);
    ParallelJob jobs[2]{{.analyzers = {}, .options = options},
                        {.analyzers = {}, .options = options}};
    const auto add_to = [](ParallelJob& job) -> Limited& {
        return static_cast<Limited&>(*job.analyzers.emplace_back(std::make_unique<Limited>()));
    };
    Limited& first = add_to(jobs[0]);
    Limited& second = add_to(jobs[0]);
    add_to(jobs[1]);
    const auto has_tables = [&] {
        const auto tables =
            run_in_parallel([](FunctionRef<void(unsigned, flow::Run)>) {}, reader->info(), jobs);
        return std::pair(tables[0].has_value(), tables[1].has_value());
    };
    EXPECT_EQ(has_tables(), std::pair(true, true));
    first.dropped = 1;
    EXPECT_EQ(has_tables(), std::pair(false, true));
    first.dropped = 0;
    second.dropped = 1;
    EXPECT_EQ(has_tables(), std::pair(false, true));
}

/// Counts how often a trace is read.
class Counted final : public flow::Source {
public:
    explicit Counted(flow::Source& source) : source_(&source) {}

    flow::Run next_run() override {
        const flow::Run run = source_->next_run();
        events += run.size();
        return run;
    }

    flow::Pin pin() const override { return source_->pin(); }

    const Error* error() const noexcept override { return source_->error(); }

    std::size_t events = 0;

private:
    flow::Source* source_;
};

TEST(OnePass, GivesTheTablesOfOnePassForEach) {
    std::vector<Asked> asked;
    for (const TableForm* const form : table_forms()) {
        asked.push_back({.table = form->kind->name, .by = form->by});
        asked.push_back({.table = form->kind->name,
                         .by = form->by,
                         .processes = {.ids = {100}},
                         .from = start_tick + 150,
                         .to = start_tick + 320});
    }
    const auto reader = reader_of(busy_trace());
    std::vector<std::unique_ptr<Analyzer>> analyzers;
    std::vector<Job> jobs;
    for (const Asked& one : asked) {
        analyzers.push_back(find_table(one.table, one.by)->make({}));
        jobs.push_back({analyzers.back().get(), options_of(*reader, one)});
        jobs.back().options.range = range_of(*reader);
    }
    Counted source(*reader);
    auto all = run(source, reader->info(), jobs);
    ASSERT_TRUE(all);
    ASSERT_EQ(all->size(), asked.size());
    constexpr std::size_t events = 1 + 4 + 800; // with the log file header
    EXPECT_EQ(source.events, events);
    for (std::size_t i = 0; i < asked.size(); ++i) {
        EXPECT_EQ(cells_of(finished(std::move((*all)[i]))),
                  cells_of(table_of(busy_trace(), asked[i])))
            << asked[i].table << ' ' << asked[i].by;
    }
}

TEST(OnePass, EndsWhenNoTableNeedsMore) {
    const auto reader = reader_of(busy_trace());
    const Asked early{.table = "stats", .by = "event", .to = start_tick + 1};
    const auto first = find_table(early.table, early.by)->make({}),
               second = find_table(early.table, early.by)->make({});
    const Job jobs[]{{first.get(), options_of(*reader, early)},
                     {second.get(), options_of(*reader, early)}};
    Counted source(*reader);
    ASSERT_TRUE(run(source, reader->info(), jobs));
    EXPECT_LT(source.events, 100U);
}

} // namespace
} // namespace etl::analysis::parallel_test

#include "analysis/team_work.hpp"
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

/// The coverage apart from cells_of().
std::vector<std::string> notes_of(const Coverage& coverage) {
    std::vector<std::string> notes;
    for (const OtherVersion& one : coverage.other_versions) {
        notes.push_back(one.event_class + ' ' + std::to_string(one.version) + ' ' +
                        std::to_string(one.events));
    }
    for (const NotRecorded& one : coverage.not_recorded) {
        notes.emplace_back(one.source);
    }
    for (const Remainder& one : coverage.remainders) {
        notes.push_back(std::string(one.name) + ' ' + std::to_string(one.value));
    }
    return notes;
}

/// Expects of each table that it is the same in one pass for all as in its own. Returns the number
/// of events that were read.
std::size_t expect_tables_of_own_passes(const test::Image& image, const std::vector<Asked>& asked,
                                        unsigned with_threads = 1) {
    const auto reader = reader_of(image);
    std::vector<std::unique_ptr<Analyzer>> analyzers;
    std::vector<Job> jobs;
    for (const Asked& one : asked) {
        analyzers.push_back(find_table(one.table, one.by)->make({}));
        jobs.push_back({analyzers.back().get(), options_of(*reader, one)});
        jobs.back().options.range = range_of(*reader);
    }
    Counted source(*reader);
    auto all = run(source, reader->info(), jobs, {}, with_threads);
    EXPECT_TRUE(all && all->size() == asked.size());
    for (std::size_t i = 0; all && i < all->size(); ++i) {
        const Table own = table_of(image, asked[i]), mine = finished(std::move((*all)[i]));
        EXPECT_EQ(cells_of(mine), cells_of(own)) << asked[i].table << ' ' << asked[i].by;
        EXPECT_EQ(notes_of(mine.coverage), notes_of(own.coverage))
            << asked[i].table << ' ' << asked[i].by;
    }
    return source.events;
}

std::vector<Asked> all_forms(const Asked& with) {
    std::vector<Asked> asked;
    for (const TableForm* const form : table_forms()) {
        Asked& one = asked.emplace_back(with);
        one.table = form->kind->name;
        one.by = form->by;
    }
    return asked;
}

TEST(OnePass, GivesTheTablesOfOnePassForEach) {
    std::vector<Asked> asked = all_forms({});
    std::ranges::copy(
        all_forms({.processes = {.ids = {100}}, .from = start_tick + 150, .to = start_tick + 320}),
        std::back_inserter(asked));
    constexpr std::size_t events = 1 + 4 + 800; // with the log file header
    EXPECT_EQ(expect_tables_of_own_passes(busy_trace(), asked), events);
    expect_tables_of_own_passes(busy_trace(), asked, threads);
}

TEST(OnePass, FindsTheProcessesOfEachTableWhateverOthersHaveAskedBefore) {
    const std::vector<Placed> records{
        {0, process_record(start_tick, Life::start, 100, "kettle.exe")},
        {0, thread_record(start_tick + 1, Life::start, 100, 101)},
        {0, sample_in(start_tick + 10, 0x1000, 101)},
        {0, process_record(start_tick + 20, Life::start, 100, "teapot.exe")}, // the end is missing
        {0, switch_from(start_tick + 30, 101, 0)},
        {0, switch_from(start_tick + 40, 0, 101)},
        {0, switch_from(start_tick + 50, 101, 0)}};
    expect_tables_of_own_passes(trace_of(records), all_forms({}));
}

TEST(OnePass, CountsShortEventsForTheTablesThatReadThem) {
    ByteWriter payload;
    payload.u32(101); // of a switch: without the old thread
    expect_tables_of_own_passes(trace_of({{0, sample_in(start_tick, 0x1000, 101)},
                                          {0, kernel_record(0x0524, 4, start_tick + 10, payload)},
                                          {0, switch_from(start_tick + 20, 101, 0)}}),
                                all_forms({}));
}

TEST(Team, ReadsAPartWithAllReadersBeforeTheNextOne) {
    constexpr std::size_t parts = 3, readers = 2;
    TeamWork work;
    work.begin(parts, readers);
    std::string order; // a letter for each part: P prepared, R read
    while (const auto task = work.next()) {
        order += task->reader ? 'R' : 'P';
        order += std::to_string(task->part);
        work.finish(*task);
    }
    EXPECT_EQ(order, "P0P1R0R0P2R1R1R2R2");
}

TEST(Team, GoesOnWithReadersThatAreFree) {
    TeamWork work;
    work.begin(2, 2);
    work.finish(*work.next());
    work.finish(*work.next());
    const auto slow = work.next();
    ASSERT_EQ(slow->reader, 0U);
    for (const std::size_t part : {0U, 1U}) {
        const auto task = work.next();
        ASSERT_TRUE(task && task->reader == 1U);
        EXPECT_EQ(task->part, part);
        work.finish(*task);
    }
    work.finish(*slow);
    const auto last = work.next();
    ASSERT_TRUE(last && last->reader == 0U);
    EXPECT_FALSE(work.next()) << "another thread does what is left";
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

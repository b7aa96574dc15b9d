#include "tests/unit/analysis/analyzed.hpp"

#include <deque>

namespace etl::analysis {
namespace {

constexpr unsigned threads = 3;

/// As table_of(), with the buffers given to the threads in turn, the last one first.
std::optional<Table> parallel_table_of(test::Image image, const Asked& asked) {
    const auto reader = reader_of(std::move(image));
    const TableKind* const kind = find_table(asked.table, asked.by);
    EXPECT_TRUE(kind->is_order_free);
    PassOptions options = options_of(*reader, asked);
    options.range = range_of(*reader);
    std::vector<std::unique_ptr<Analyzer>> analyzers;
    for (unsigned thread = 0; thread < threads; ++thread) {
        analyzers.push_back(kind->make({}));
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
    auto table = run_in_parallel(show, reader->info(), analyzers, options);
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
    void ask(Wishes& /*wishes*/) override {}

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
    std::vector<std::unique_ptr<Analyzer>> analyzers;
    auto& first = static_cast<Limited&>(*analyzers.emplace_back(std::make_unique<Limited>()));
    auto& second = static_cast<Limited&>(*analyzers.emplace_back(std::make_unique<Limited>()));
    const auto show = [](FunctionRef<void(unsigned, flow::Run)>) {};
    EXPECT_TRUE(run_in_parallel(show, reader->info(), analyzers, options));
    first.dropped = 1;
    EXPECT_FALSE(run_in_parallel(show, reader->info(), analyzers, options));
    first.dropped = 0;
    second.dropped = 1;
    EXPECT_FALSE(run_in_parallel(show, reader->info(), analyzers, options));
}

} // namespace
} // namespace etl::analysis

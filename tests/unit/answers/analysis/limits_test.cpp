#include "analysis/groups.hpp"
#include "analysis/times/slices.hpp"
#include "tests/unit/answers/analysis/analyzed.hpp"

#include <array>

namespace etl::analysis::limits_test {
namespace {

TEST(Owners, OfMoreProcessesThanTheLimitAreUnknown) {
    const facts::Facts facts;
    Owners owners(facts, {});
    constexpr std::uint32_t first = 4, ids = analysis::limits::analysis_threads + 10;
    for (std::uint32_t id = first; id < first + ids; ++id) {
        owners.process_now(id, 0);
    }
    EXPECT_EQ(owners.process(first + ids - 1, 0), Owners::unknown);
    EXPECT_NE(owners.process(first, 0), Owners::unknown);
    EXPECT_GT(owners.dropped(), 10U);
}

TEST(Owners, OfMoreThreadsThanTheLimitAreUnknown) {
    const facts::Facts facts;
    Owners owners(facts, {});
    constexpr std::uint32_t first = 1U << 20U, ids = analysis::limits::analysis_threads + 10;
    for (std::uint32_t id = first; id < first + ids; ++id) {
        owners.thread(id, 0);
    }
    EXPECT_EQ(owners.threads(), analysis::limits::analysis_threads);
    EXPECT_EQ(owners.dropped(), 11U) << "the first is that of all beyond the limit";
    EXPECT_EQ(owners.of_thread_id(first + ids - 1, 0), Owners::unknown);
}

TEST(Slices, OfAnUnknownRangeAreOne) {
    Slices slices(60);
    Context context;
    context.begin = 1;
    slices.start(context);
    EXPECT_EQ(slices.of(1), 0U);
    EXPECT_EQ(slices.of(1'000'000), 0U);
}

TEST(Groups, WithManyColumnsHaveFewerRows) {
    Groups narrow(2);
    Groups wide(1U << 20U);
    for (std::uint64_t key = 0; key < 10; ++key) {
        ++*narrow.find({key, 0, 0});
        ++*wide.find({key, 0, 0});
    }
    EXPECT_EQ(narrow.size(), 10U);
    EXPECT_EQ(narrow.dropped(), 0U);
    EXPECT_EQ(wide.size(), 5U);
    EXPECT_EQ(wide.dropped(), 6U);
    EXPECT_TRUE(wide.is_other(4));
}

TEST(Processes, MayEndAtTheFirstTimeThereIs) {
    constexpr std::int64_t first = std::numeric_limits<std::int64_t>::min();
    const Table table = table_of({process_record(first, Life::end, 100, "kettle.exe"),
                                  process_record(start_tick, Life::start, 200, "teapot.exe")},
                                 {"processes", ""});
    EXPECT_EQ(rows_of(table, {"process", "pid"}), (Rows{"teapot.exe 200"}));
}

/// Interrupts of more routines than a table has rows, made without a trace of that size.
TEST(Interrupts, OfTooManyRoutinesShareARow) {
    const facts::Facts facts;
    const facts::FrameNames names;
    const flow::TraceInfo trace;
    Owners owners(facts, {});
    Context context{.trace = &trace, .facts = &facts, .owners = &owners, .names = &names};
    const auto analyzer = find_table("interrupts", "routine")->make({});
    analyzer->start(context);
    const flow::BufferContext buffer;
    const flow::Event event{.buffer = &buffer};
    constexpr std::array<FieldPlace, 2> places{FieldPlace{0, 8, ~std::uint64_t{0}},
                                               FieldPlace{8, 8, ~std::uint64_t{0}}};
    std::array<std::byte, 16> payload{};
    const Record record{
        .event = &event, .payload = payload, .places = places.data(), .in_range = true};
    constexpr std::uint64_t routines = 70'000;
    for (std::uint64_t routine = 0; routine < routines; ++routine) {
        store_le<std::uint64_t>(payload.data() + 8, routine);
        analyzer->add(record);
    }
    const Table table = analyzer->finish();
    ASSERT_LT(table.rows.size(), routines);
    EXPECT_EQ(shown(table.rows.front().cells[0]), "dpc");
    EXPECT_EQ(shown(table.rows.back().cells[0]), "(other)");
}

} // namespace
} // namespace etl::analysis::limits_test

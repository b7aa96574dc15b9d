#include "flow/mux.hpp"
#include "tests/unit/storage/flow/made_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::flow::mux_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Clock milliseconds_since(std::int64_t start) {
    format::LogfileHeader header;
    header.reserved_flags = 1;
    header.perf_freq = 1'000;
    header.start_time = start;
    return Clock(header, 0);
}

/// (which source, which of its events) in the order given.
std::vector<std::pair<int, unsigned>> order_of(Mux& mux, const std::vector<MadeSource*>& sources) {
    std::vector<std::pair<int, unsigned>> order;
    for (flow::Run run = mux.next_run(); !run.empty(); run = mux.next_run()) {
        for (const Event& event : run) {
            for (std::size_t i = 0; i < sources.size(); ++i) {
                if (sources[i]->pin() && mux.pin() == sources[i]->pin()) {
                    order.emplace_back(static_cast<int>(i), event.size);
                }
            }
        }
    }
    return order;
}

TEST(Mux, MergesByTime) {
    MadeSource a(Runs{{1, 4, 5}, {9}});
    MadeSource b(Runs{{2, 3}, {6, 7, 8}});
    Mux mux({&a, &b});
    EXPECT_THAT(times_of(mux), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9));
}

TEST(Mux, GivesTiesToTheSourceThatWasGivenFirst) {
    MadeSource a(Runs{{1, 2, 2}, {2, 3}});
    MadeSource b(Runs{{2, 2, 3}});
    Mux mux({&a, &b});
    using P = std::pair<int, unsigned>;
    EXPECT_THAT(order_of(mux, {&a, &b}), ElementsAre(P(0, 0), P(0, 1), P(0, 2), P(0, 3), P(1, 0),
                                                     P(1, 1), P(0, 4), P(1, 2)));
}

TEST(Mux, ComparesWallTimeOfDifferentClocks) {
    MadeSource filetime(Runs{{1'000'000, 1'010'000, 1'020'000}});   // raw is FILETIME
    MadeSource qpc(Runs{{0, 1, 2}}, milliseconds_since(1'005'000)); // 1005000, 1015000, 1025000
    Mux mux({&filetime, &qpc});
    EXPECT_THAT(times_of(mux), ElementsAre(1'000'000, 0, 1'010'000, 1, 1'020'000, 2));
}

TEST(Mux, BreaksTiesAcrossClocksByTheOrderOfSources) {
    MadeSource fine(Runs{{999'999, 1'000'000, 1'000'001}});
    MadeSource coarse(Runs{{0, 0}}, milliseconds_since(1'000'000));
    Mux mux({&coarse, &fine});
    EXPECT_THAT(times_of(mux), ElementsAre(999'999, 0, 0, 1'000'000, 1'000'001));
    MadeSource fine2(Runs{{999'999, 1'000'000, 1'000'001}});
    MadeSource coarse2(Runs{{0, 0}}, milliseconds_since(1'000'000));
    Mux mux2({&fine2, &coarse2});
    EXPECT_THAT(times_of(mux2), ElementsAre(999'999, 1'000'000, 0, 0, 1'000'001));
}

TEST(Mux, TakesSourcesOfAnyLength) {
    MadeSource none(Runs{});
    MadeSource one(Runs{{5}});
    MadeSource also_none(Runs{});
    Mux mux({&none, &one, &also_none});
    EXPECT_THAT(times_of(mux), ElementsAre(5));
    Mux empty({});
    EXPECT_THAT(times_of(empty), IsEmpty());
}

TEST(Mux, PutsOutWholeRunsWhereSourcesDoNotOverlap) {
    MadeSource a(Runs{{1, 2, 3}});
    MadeSource b(Runs{{4, 5, 6}});
    Mux mux({&a, &b});
    EXPECT_EQ(mux.next_run().size(), 3U);
    EXPECT_EQ(mux.next_run().size(), 3U);
}

TEST(Mux, KeepsTheLastRunAliveUntilItIsAskedAgain) {
    MadeSource a(Runs{{1}, {3}});
    MadeSource b(Runs{{2}});
    Mux mux({&a, &b});
    const flow::Run run = mux.next_run();
    EXPECT_EQ(run.front().raw_time, 1);
    EXPECT_EQ(a.asked(), 1); // asked again only when its run may go
    EXPECT_NE(mux.pin(), nullptr);
}

TEST(Mux, TellsTheErrorOfASourceAndGivesTheRest) {
    MadeSource a(Runs{{1}, {5}});
    a.set_error({.code = ErrorCode::io_failure});
    MadeSource b(Runs{{2}, {9}});
    Mux mux({&a, &b});
    EXPECT_THAT(times_of(mux), ElementsAre(1, 2, 5, 9));
    ASSERT_NE(mux.error(), nullptr);
    EXPECT_EQ(mux.error()->code, ErrorCode::io_failure);
}

TEST(Mux, SurvivesTheEndsOfTime) {
    constexpr auto last = std::numeric_limits<std::int64_t>::max();
    MadeSource a(Runs{{std::numeric_limits<std::int64_t>::min(), last}});
    MadeSource b(Runs{{last, last}});
    Mux mux({&a, &b});
    EXPECT_EQ(times_of(mux).size(), 4U);
}

} // namespace
} // namespace etl::flow::mux_test

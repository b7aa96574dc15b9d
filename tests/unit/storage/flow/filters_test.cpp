#include "flow/filters.hpp"
#include "tests/unit/storage/flow/made_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::flow::filters_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(WhereFilter, PassesOnWhatFits) {
    MadeSource source(Runs{{1, 2, 3, 4}, {5, 7}, {6, 8, 9}});
    WhereFilter even(source, [](const Event& e) { return e.raw_time % 2 == 0; });
    EXPECT_THAT(times_of(even), ElementsAre(2, 4, 6, 8));
}

TEST(WhereFilter, HandsOnRunsWithoutCopying) {
    MadeSource source(Runs{{1, 2, 2, 2, 3}});
    WhereFilter twos(source, [](const Event& e) { return e.raw_time == 2; });
    const flow::Run run = twos.next_run();
    EXPECT_EQ(run.size(), 3U);
    EXPECT_EQ(twos.pin(), source.pin());
    EXPECT_EQ(run.data(), static_cast<const std::vector<Event>*>(source.pin().get())->data() + 1);
}

TEST(WhereFilter, MayPassNothing) {
    MadeSource source(Runs{{1}, {2}, {3}});
    WhereFilter none(source, [](const Event&) { return false; });
    EXPECT_THAT(times_of(none), IsEmpty());
}

TEST(WhereFilter, AsksOncePerEvent) {
    MadeSource source(Runs{{1, 2, 3}, {4, 5, 6}});
    int asked = 0;
    WhereFilter filter(source, [&](const Event& e) {
        ++asked;
        return e.raw_time % 2 == 0;
    });
    times_of(filter);
    EXPECT_EQ(asked, 6);
}

TEST(TimeFilter, TakesFromAndExcludesTo) {
    MadeSource source(Runs{{1, 2, 3}, {3, 4, 5}});
    TimeFilter window(source, {.from = Filetime{2}, .to = Filetime{4}},
                      TimeFilter::Upstream::ordered);
    EXPECT_THAT(times_of(window), ElementsAre(2, 3, 3));
}

/// Every second event has no time of its own.
class HalfTimed final : public Source {
public:
    Run next_run() override {
        const Run run = made_.next_run();
        events_.assign(run.begin(), run.end());
        for (std::size_t i = 1; i < events_.size(); i += 2) {
            events_[i].has_time = false;
        }
        return events_;
    }

    Pin pin() const override { return nullptr; }

    const Error* error() const noexcept override { return nullptr; }

private:
    MadeSource made_{Runs{{1, 1, 2, 2, 3, 3}, {4, 4}}};
    std::vector<Event> events_;
};

TEST(TimeFilter, LeavesOutAndCountsEventsWithoutAUsableTime) {
    HalfTimed source, all;
    std::atomic<std::uint64_t> untimed = 0;
    TimeFilter window(source, {.from = Filetime{2}, .to = {}}, TimeFilter::Upstream::ordered,
                      &untimed);
    EXPECT_THAT(times_of(window), ElementsAre(2, 3, 4));
    EXPECT_EQ(untimed, 4U);
    TimeFilter none(all, {}, TimeFilter::Upstream::ordered, &untimed);
    EXPECT_THAT(times_of(none), ElementsAre(1, 1, 2, 2, 3, 3, 4, 4));
    EXPECT_EQ(untimed, 4U);
}

/// The run 0, 1, untimed, 3, 4, untimed, 10, untimed, and one of 11.
class UntimedWithin final : public Source {
public:
    Run next_run() override {
        const Run run = made_.next_run();
        events_.assign(run.begin(), run.end());
        if (made_.asked() == 1) {
            events_[2].has_time = events_[5].has_time = events_[7].has_time = false;
        }
        return events_;
    }

    Pin pin() const override { return nullptr; }

    const Error* error() const noexcept override { return nullptr; }

    int asked() const noexcept { return made_.asked(); }

private:
    MadeSource made_{Runs{{0, 1, 1, 3, 4, 4, 10, 10}, {11}}};
    std::vector<Event> events_;
};

TEST(TimeFilter, EventsWithoutAUsableTimeDoNotEndTheWindow) {
    for (const auto order : {TimeFilter::Upstream::ordered, TimeFilter::Upstream::unordered}) {
        UntimedWithin source;
        std::atomic<std::uint64_t> untimed = 0;
        TimeFilter window(source, {.from = {}, .to = Filetime{5}}, order, &untimed);
        EXPECT_THAT(times_of(window), ElementsAre(0, 1, 3, 4));
        const bool is_ordered = order == TimeFilter::Upstream::ordered;
        EXPECT_EQ(source.asked(), is_ordered ? 1 : 3);
        EXPECT_EQ(untimed, is_ordered ? 2U : 3U); // what follows the window is not looked at
    }
}

TEST(TimeFilter, AnEventWithoutAUsableTimeMayBeTheLastOneBeforeTheEnd) {
    UntimedWithin source;
    TimeFilter window(source, {.from = Filetime{3}, .to = Filetime{10}},
                      TimeFilter::Upstream::ordered);
    EXPECT_THAT(times_of(window), ElementsAre(3, 4));
    EXPECT_EQ(source.asked(), 1);
}

TEST(TimeFilter, OnAnOrderedSourceEndsAtTheFirstEventThatIsTooLate) {
    MadeSource source(Runs{{1, 2}, {3, 9}, {10, 11}});
    TimeFilter window(source, {.from = {}, .to = Filetime{4}}, TimeFilter::Upstream::ordered);
    EXPECT_THAT(times_of(window), ElementsAre(1, 2, 3));
    EXPECT_EQ(source.asked(), 2);
}

TEST(TimeFilter, OnAnUnorderedSourceLooksAtAll) {
    MadeSource source(Runs{{9, 1, 9, 2}, {3, 9}, {10, 2}});
    TimeFilter window(source, {.from = Filetime{2}, .to = Filetime{4}},
                      TimeFilter::Upstream::unordered);
    EXPECT_THAT(times_of(window), ElementsAre(2, 3, 2));
}

TEST(TimeFilter, ComparesWallTime) {
    format::LogfileHeader header;
    header.reserved_flags = 1;
    header.perf_freq = 1'000; // one tick is 10000 FILETIME units
    header.start_time = 1'000'000;
    MadeSource source(Runs{{0, 1, 2, 3}}, Clock(header, 0));
    TimeFilter window(source, {.from = Filetime{1'000'001}, .to = Filetime{1'020'001}},
                      TimeFilter::Upstream::ordered);
    EXPECT_THAT(times_of(window), ElementsAre(1, 2));
}

TEST(CountFilter, SkipsThenLimits) {
    MadeSource source(Runs{{1, 2, 3}, {4, 5, 6}, {7}});
    CountFilter filter(source, {.skip = 2, .limit = 3});
    EXPECT_THAT(times_of(filter), ElementsAre(3, 4, 5));
    EXPECT_EQ(source.asked(), 2); // nothing is read behind the last event wanted
}

TEST(CountFilter, MaySkipWholeRuns) {
    MadeSource source(Runs{{1, 2}, {3, 4}, {5}});
    CountFilter filter(source, {.skip = 4, .limit = {}});
    EXPECT_THAT(times_of(filter), ElementsAre(5));
}

TEST(CountFilter, OfNothingAsksForNothing) {
    MadeSource source(Runs{{1, 2}});
    CountFilter filter(source, {.skip = 0, .limit = 0});
    EXPECT_THAT(times_of(filter), IsEmpty());
    EXPECT_EQ(source.asked(), 0);
}

TEST(Filters, PassOnTheErrorOfTheirSource) {
    MadeSource source(Runs{{1}});
    source.set_error({.code = ErrorCode::io_failure});
    WhereFilter where(source, [](const Event&) { return true; });
    TimeFilter time(where, {}, TimeFilter::Upstream::ordered);
    CountFilter count(time, {});
    times_of(count);
    ASSERT_NE(count.error(), nullptr);
    EXPECT_EQ(count.error()->code, ErrorCode::io_failure);
}

} // namespace
} // namespace etl::flow::filters_test

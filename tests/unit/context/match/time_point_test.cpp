#include "match/time_point.hpp"

#include <gtest/gtest.h>

namespace etl::match::time_point_test {
namespace {

constexpr TimeBounds bounds{.start = {133'603'920'000'000'000}, // 2024-05-17T04:00:00Z
                            .end = Filetime{133'603'920'600'000'000},
                            .utc_offset_minutes = 0};

std::string resolved(std::string_view text, const TimeBounds& within = bounds) {
    const auto point = parse_time_point(text);
    const auto time = point ? point->resolve(within) : std::nullopt;
    std::string shown = point ? "unknown" : "none";
    if (time) {
        shown.clear();
        append_rfc3339(shown, *time);
    }
    return shown;
}

TEST(TimePoint, ReadsAllUsualForms) {
    EXPECT_EQ(resolved("2010-10-29 19:10"), "2010-10-29T19:10:00.0000000Z");
    EXPECT_EQ(resolved("2010-10-29T19:10:05.25Z"), "2010-10-29T19:10:05.2500000Z");
    EXPECT_EQ(resolved("2010-10-29T19:10:05+02:00"), "2010-10-29T17:10:05.0000000Z");
    EXPECT_EQ(resolved("2010-10-29"), "2010-10-29T00:00:00.0000000Z");
    EXPECT_EQ(resolved("19:10:05.25"), "2024-05-17T19:10:05.2500000Z");
    EXPECT_EQ(resolved("19:10"), "2024-05-17T19:10:00.0000000Z");
    EXPECT_EQ(resolved("+5s"), "2024-05-17T04:00:05.0000000Z");
    EXPECT_EQ(resolved("5s"), "2024-05-17T04:00:05.0000000Z");
    EXPECT_EQ(resolved("1.5ms"), "2024-05-17T04:00:00.0015000Z");
    EXPECT_EQ(resolved("2m"), "2024-05-17T04:02:00.0000000Z");
    EXPECT_EQ(resolved("-10s"), "2024-05-17T04:00:50.0000000Z");
    EXPECT_EQ(resolved("133603920000000000"), "2024-05-17T04:00:00.0000000Z");
}

TEST(TimePoint, TakesTimesWithoutAZoneAsLocal) {
    TimeBounds local = bounds;
    local.utc_offset_minutes = 120; // the day begins two hours earlier
    EXPECT_EQ(resolved("2010-10-29 19:10", local), "2010-10-29T17:10:00.0000000Z");
    EXPECT_EQ(resolved("2010-10-29T19:10:00Z", local), "2010-10-29T19:10:00.0000000Z");
    EXPECT_EQ(resolved("06:00", local), "2024-05-17T04:00:00.0000000Z");
}

TEST(TimePoint, KnowsWhatItDoesNotKnow) {
    EXPECT_EQ(resolved("-10s", {.start = bounds.start, .end = {}}), "unknown");
    for (const char* none :
         {"", "x", "+", "-", "5x", "19:1", "25:00x", "2010-13-29", "2010-10-29 1", "1e400s"}) {
        EXPECT_EQ(resolved(none), "none") << none;
    }
}

TEST(TimePoint, EndsAtTheEndsOfTime) {
    const TimeBounds wild{.start = {std::numeric_limits<std::int64_t>::max() - 5},
                          .end = Filetime{std::numeric_limits<std::int64_t>::min() + 5},
                          .utc_offset_minutes = 0};
    EXPECT_EQ(parse_time_point("+5s")->resolve(wild)->ticks,
              std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(parse_time_point("-5s")->resolve(wild)->ticks,
              std::numeric_limits<std::int64_t>::min());
}

} // namespace
} // namespace etl::match::time_point_test

#include <etl/time.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <random>
#include <type_traits>

namespace etl::time_test {
namespace {

using Ticks = std::numeric_limits<std::int64_t>;

std::string text_of(std::int64_t ticks, std::string_view zone = "Z") {
    std::string text;
    append_rfc3339(text, Filetime{ticks}, zone);
    return text;
}

TEST(Filetime, IsWrittenWithSevenDigits) {
    EXPECT_EQ(text_of(0), "1601-01-01T00:00:00.0000000Z");
    EXPECT_EQ(text_of(1), "1601-01-01T00:00:00.0000001Z");
    EXPECT_EQ(text_of(Filetime::unix_epoch), "1970-01-01T00:00:00.0000000Z");
    EXPECT_EQ(text_of(132'756'659'758'001'567), "2021-09-09T12:59:35.8001567Z");
    EXPECT_EQ(text_of(Filetime::unix_epoch, "+02:00"), "1970-01-01T00:00:00.0000000+02:00");
}

TEST(Filetime, BeforeItsEpochIsWrittenToo) {
    EXPECT_EQ(text_of(-1), "1600-12-31T23:59:59.9999999Z");
    EXPECT_EQ(text_of(-Filetime::per_second), "1600-12-31T23:59:59.0000000Z");
    EXPECT_EQ(text_of(from_civil({0, 1, 1, 0, 0, 0, 0}).ticks), "0000-01-01T00:00:00.0000000Z");
    EXPECT_EQ(text_of(from_civil({0, 1, 1, 0, 0, 0, 0}).ticks - 1),
              "-0001-12-31T23:59:59.9999999Z");
}

TEST(Filetime, BehindTheYear9999HasASign) {
    const Filetime last = from_civil({9999, 12, 31, 23, 59, 59, 9'999'999});
    EXPECT_EQ(last.ticks, 2'650'467'743'999'999'999);
    EXPECT_EQ(text_of(last.ticks), "9999-12-31T23:59:59.9999999Z");
    EXPECT_EQ(text_of(last.ticks + 1), "+10000-01-01T00:00:00.0000000Z");
}

TEST(Filetime, HasATextAtBothEndsOf64Bits) {
    EXPECT_EQ(text_of(Ticks::max()), "+30828-09-14T02:48:05.4775807Z");
    EXPECT_EQ(text_of(Ticks::min()), "-27627-04-19T21:11:54.5224192Z");
}

TEST(Filetime, GoesThroughTheCalendarAndBack) {
    std::mt19937_64 random(9);
    for (int i = 0; i < 100'000; ++i) {
        const Filetime time{static_cast<std::int64_t>(random())};
        const CivilTime civil = to_civil(time);
        ASSERT_TRUE(civil.month >= 1 && civil.month <= 12 && civil.day >= 1 && civil.day <= 31 &&
                    civil.hour < 24 && civil.minute < 60 && civil.second < 60 &&
                    civil.fraction < 10'000'000U);
        ASSERT_EQ(from_civil(civil), time);
        ASSERT_EQ(parse_rfc3339(text_of(time.ticks)), time) << text_of(time.ticks);
    }
    for (const std::int64_t edge :
         {Ticks::min(), Ticks::min() + 1, Ticks::max() - 1, Ticks::max()}) {
        EXPECT_EQ(from_civil(to_civil({edge})), Filetime{edge});
        EXPECT_EQ(parse_rfc3339(text_of(edge)), Filetime{edge});
    }
}

TEST(Filetime, KnowsLeapYears) {
    constexpr std::int64_t day = Filetime::per_second * 86'400;
    EXPECT_EQ(text_of(from_civil({2000, 2, 28, 0, 0, 0, 0}).ticks + day).substr(0, 10),
              "2000-02-29");
    EXPECT_EQ(text_of(from_civil({1900, 2, 28, 0, 0, 0, 0}).ticks + day).substr(0, 10),
              "1900-03-01");
    EXPECT_EQ(text_of(from_civil({2024, 2, 28, 0, 0, 0, 0}).ticks + day).substr(0, 10),
              "2024-02-29");
}

TEST(CivilTime, CarriesWildFields) {
    const auto text = [](const CivilTime& civil) { return text_of(from_civil(civil).ticks); };
    EXPECT_EQ(text({2021, 13, 1, 0, 0, 0, 0}), "2022-01-01T00:00:00.0000000Z");
    EXPECT_EQ(text({2021, 0, 1, 0, 0, 0, 0}), "2020-12-01T00:00:00.0000000Z");
    EXPECT_EQ(text({2021, 1, 0, 0, 0, 0, 0}), "2020-12-31T00:00:00.0000000Z");
    EXPECT_EQ(text({2021, 1, 1, 25, 61, 61, 10'000'000}), "2021-01-02T02:02:02.0000000Z");
}

TEST(CivilTime, SaturatesOutside64Bits) {
    constexpr auto max = std::numeric_limits<unsigned>::max();
    EXPECT_EQ(from_civil({Ticks::max(), max, max, max, max, max, max}).ticks, Ticks::max());
    EXPECT_EQ(from_civil({Ticks::min(), 0, 0, 0, 0, 0, 0}).ticks, Ticks::min());
    EXPECT_EQ(from_civil({30828, 9, 14, 2, 48, 5, 4'775'808}).ticks, Ticks::max());
    EXPECT_EQ(from_civil({-27627, 4, 19, 21, 11, 54, 5'224'191}).ticks, Ticks::min());
}

TEST(ParseRfc3339, ReadsDateAloneAndFractions) {
    const auto at = [](std::string_view text) { return parse_rfc3339(text).value().ticks; };
    EXPECT_EQ(at("1970-01-01"), Filetime::unix_epoch);
    EXPECT_EQ(at("1970-01-01T00:00:00"), Filetime::unix_epoch);
    EXPECT_EQ(at("1970-01-01t00:00:01z"), Filetime::unix_epoch + Filetime::per_second);
    EXPECT_EQ(at("1970-01-01 00:00:00.1"), Filetime::unix_epoch + 1'000'000);
    EXPECT_EQ(at("1970-01-01T00:00:00.0000001Z"), Filetime::unix_epoch + 1);
    EXPECT_EQ(at("1970-01-01T00:00:00.000000199Z"), Filetime::unix_epoch + 1);
    EXPECT_EQ(at("1970-01-01T02:30:00+02:30"), Filetime::unix_epoch);
    EXPECT_EQ(at("1969-12-31T16:00:00-08:00"), Filetime::unix_epoch);
    EXPECT_EQ(at("2016-12-31T23:59:60Z"), at("2017-01-01"));
    EXPECT_EQ(at("2024-02-29"), from_civil({2024, 2, 29, 0, 0, 0, 0}).ticks);
}

TEST(ParseRfc3339, RejectsEverythingElse) {
    for (const std::string_view text : {"",
                                        "now",
                                        "2021",
                                        "2021-09",
                                        "2021-9-09",
                                        "2021-00-01",
                                        "2021-13-01",
                                        "2021-01-00",
                                        "2021-02-29",
                                        "1900-02-29",
                                        "2021-04-31",
                                        "2021-01-01T",
                                        "2021-01-01T00:00",
                                        "2021-01-01T24:00:00",
                                        "2021-01-01T00:60:00",
                                        "2021-01-01T00:00:61",
                                        "2021-01-01T00:00:00.",
                                        "2021-01-01T00:00:00.0123456789",
                                        "2021-01-01T00:00:00ZZ",
                                        "2021-01-01T00:00:00+0200",
                                        "2021-01-01T00:00:00+24:00",
                                        "2021-01-01T00:00:00 Z",
                                        "2021-01-01Z",
                                        " 2021-01-01",
                                        "12021-01-01",
                                        "+999999-01-01",
                                        "-999999-01-01",
                                        "+30828-09-14T02:48:05.4775808Z",
                                        "-27627-04-19T21:11:54.5224191Z"}) {
        EXPECT_FALSE(parse_rfc3339(text)) << text;
    }
}

TEST(UnixTime, CountsFrom1970) {
    EXPECT_EQ(unix_ticks({Filetime::unix_epoch}), 0);
    EXPECT_EQ(unix_ticks({Filetime::unix_epoch - 1}), -1);
    EXPECT_EQ(unix_nanoseconds({Filetime::unix_epoch + 12}), 1200);
    EXPECT_EQ(unix_nanoseconds({0}), std::nullopt); // 1601
    EXPECT_EQ(unix_nanoseconds({Filetime::unix_epoch - Ticks::max() / 100}),
              -(Ticks::max() / 100 * 100));
}

TEST(UnixTime, DoesNotOverflow) {
    EXPECT_EQ(unix_ticks({Ticks::min()}), Ticks::min());
    EXPECT_EQ(unix_ticks({Ticks::min() + Filetime::unix_epoch}), Ticks::min());
    EXPECT_EQ(unix_ticks({Ticks::max()}), Ticks::max() - Filetime::unix_epoch);
    EXPECT_EQ(unix_nanoseconds({Ticks::min()}), std::nullopt);
    EXPECT_EQ(unix_nanoseconds({Ticks::max()}), std::nullopt);
}

using std::chrono::duration;
using std::chrono::nanoseconds;
using std::chrono::seconds;

// Whole numbers of milliseconds or more convert by themselves; what could lose a part does not.
static_assert(std::is_convertible_v<seconds, Milliseconds>);
static_assert(!std::is_constructible_v<Milliseconds, nanoseconds>);
static_assert(!std::is_constructible_v<Milliseconds, duration<double>>);
static_assert(std::is_convertible_v<Milliseconds, nanoseconds>);
static_assert(!std::is_convertible_v<Milliseconds, seconds>);

TEST(Milliseconds, ConvertWithChrono) {
    EXPECT_EQ(Milliseconds(seconds(3)).count, 3000);
    EXPECT_EQ(Milliseconds(std::chrono::hours(-1)).count, -3'600'000);
    const nanoseconds exact = Milliseconds(7);
    EXPECT_EQ(exact.count(), 7'000'000);
}

TEST(SaturatingDifference, StaysInRange) {
    using Limits = std::numeric_limits<std::int64_t>;
    EXPECT_EQ(saturating_difference(7, 9), -2);
    EXPECT_EQ(saturating_difference(Limits::max(), -1), Limits::max());
    EXPECT_EQ(saturating_difference(-2, Limits::max()), Limits::min());
    EXPECT_EQ(saturating_difference(-1, Limits::min()), Limits::max());
    EXPECT_EQ(saturating_difference(0, Limits::min()), Limits::max());
    EXPECT_EQ(saturating_difference(-5, Limits::min()), Limits::max() - 4);
}

} // namespace
} // namespace etl::time_test

#include "analysis/event_counts.hpp"

#include <gtest/gtest.h>

namespace etl::analysis::event_counts_test {
namespace {

EventCounts sample() {
    return {.events = 100,
            .irregular = 3,
            .cuts = {{{{1000}, 10}, 20}, {{{2000}, 20}, 50}, {{{3000}, 30}, 100}}};
}

TEST(EventCounts, AreTheSameAfterAFile) {
    EXPECT_EQ(parse_event_counts(encode(sample())), sample());
    EXPECT_EQ(parse_event_counts(encode(EventCounts{})), EventCounts{});
}

TEST(EventCounts, FindTheCutBeforeARowOrTime) {
    const EventCounts counts = sample();
    EXPECT_FALSE(counts.last_up_to(19));
    EXPECT_EQ(counts.last_up_to(20)->events, 20U);
    EXPECT_EQ(counts.last_up_to(99)->events, 50U);
    EXPECT_EQ(counts.last_up_to(UINT64_MAX)->events, 100U);
    EXPECT_FALSE(counts.last_before(9));
    EXPECT_EQ(counts.last_before(10)->events, 20U);
    EXPECT_EQ(counts.last_before(29)->events, 50U);
}

TEST(EventCounts, RefuseWhatIsDamaged) {
    const auto section = encode(sample());
    for (std::size_t size = 0; size < section.size(); ++size) {
        EXPECT_FALSE(parse_event_counts(Bytes(section).first(size))) << size;
    }
    auto other = section;
    other[8] = std::byte{2};
    EXPECT_EQ(parse_event_counts(other).error().code, ErrorCode::unsupported);
    other = section;
    other.push_back(std::byte{});
    EXPECT_FALSE(parse_event_counts(other));
    const auto is_refused = [](const EventCounts& counts) {
        const auto parsed = parse_event_counts(encode(counts));
        return !parsed && parsed.error().code == ErrorCode::malformed;
    };
    EventCounts counts = sample();
    counts.cuts[1].events = 20; // no event between two cuts
    EXPECT_TRUE(is_refused(counts));
    counts = sample();
    counts.cuts[2].cut.raw = 20;
    EXPECT_TRUE(is_refused(counts));
    counts = sample();
    counts.cuts[2].cut.time = {2000};
    EXPECT_TRUE(is_refused(counts));
    counts = sample();
    counts.events = 99;
    EXPECT_TRUE(is_refused(counts));
    counts = sample();
    counts.irregular = 101;
    EXPECT_TRUE(is_refused(counts));
}

} // namespace
} // namespace etl::analysis::event_counts_test

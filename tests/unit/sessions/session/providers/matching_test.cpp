// Which events a session takes, by level and keyword: a table; and what is known of it in front of
// the sessions.
#include "tests/unit/sessions/session/stand_in_session.hpp"

#include <gtest/gtest.h>

#include <string>

namespace etl::session::matching_test {
namespace {

constexpr std::uint64_t channel = 0x8000000000000000;

struct Match {
    const char* id;
    std::uint8_t session_level;
    std::uint64_t any, all;
    std::uint32_t property;
    std::uint8_t event_level;
    std::uint64_t keyword;
    bool passes;
};

constexpr std::uint32_t ignore_0 = enable_property::ignore_keyword_0;
constexpr std::uint32_t enable_0 = enable_property::enable_keyword_0;

constexpr Match matches[] = {
    {"V210", 4, 0, 0, 0, 4, 0x1, true},
    {"V211", 4, 0, 0, 0, 2, 0x1, true},
    {"V212", 3, 0, 0, 0, 4, 0x1, false},
    {"V213", 1, 0, 0, 0, 0, 0x1, true},
    {"V214", 0, 0, 0, 0, 5, 0x1, true},
    {"V215", 255, 0, 0, 0, 200, 0x1, true},
    {"V216", 5, 0, 0, 0, 5, channel, true},
    {"V217", 5, 0x5, 0, 0, 5, 0x4, true},
    {"V218", 5, 0x5, 0, 0, 5, 0x2, false},
    {"V219", 5, 0x1, 0x3, 0, 5, 0x3, true},
    {"V220", 5, 0x1, 0x3, 0, 5, 0x1, false},
    {"V221", 5, 0x4, 0x3, 0, 5, 0x3, false},
    {"V222", 5, 0x4, 0x3, 0, 5, 0, true},
    {"V223", 3, 0x4, 0x3, 0, 5, 0, false},
    {"V224", 5, 0, 0, ignore_0, 5, 0, false},
    {"V225", 5, 0, 0, ignore_0, 5, 0x1, true},
    {"V226", 5, 0, 0, ignore_0 | enable_0, 5, 0, true},
    {"V227", 5, 0, 0x2, 0, 5, 0x1, false},
    {"V228", 5, 0, 0x2, 0, 5, 0x2, true},
    {"V229", 5, 0x1, 0, 0, 4, 0x3, true},
    {"V230", 5, 0x1, 0x3, 0, 4, 0x5, false},
    {"V231", 255, channel, 0, 0, 4, channel | 1U, true},
    {"V232", 255, channel, 0, 0, 4, 0x1, false},
    {"V233", 5, 0, 0, 0, 6, 0x1, false},
};

class Matching : public testing::TestWithParam<Match> {};

TEST_P(Matching, IsAsInTheTable) {
    const Match& row = GetParam();
    StandInSessions sessions;
    Registrations registrations;
    RegistrationNode& node = **registrations.add(coffee, ProviderKind::modern, {});
    ASSERT_TRUE(registrations.control(sessions[0], coffee, Control::enable,
                                      {.level = row.session_level,
                                       .match_any = row.any,
                                       .match_all = row.all,
                                       .property = row.property}));

    EXPECT_EQ(takers(node, row.event_level, row.keyword), row.passes ? 1 : 0);
    // Of one session alone the check in front of all knows as much.
    EXPECT_EQ(node.state.accepts(row.event_level, row.keyword), row.passes);
}

INSTANTIATE_TEST_SUITE_P(Vectors, Matching, testing::ValuesIn(matches),
                         [](const auto& row) { return std::string(row.param.id); });

class TwoSessions : public testing::Test {
protected:
    void enable(std::size_t session, const EnableOptions& how) {
        ASSERT_TRUE(registrations.control(sessions[session], coffee, Control::enable, now(how)));
    }

    StandInSessions sessions;
    Registrations registrations;
    EnableNotification last{};
    RegistrationNode& node = **registrations.add(
        coffee, ProviderKind::modern, [this](const EnableNotification& notice) { last = notice; });
};

TEST_F(TwoSessions, AreToldTogetherV234) {
    enable(0, {.level = 5, .match_any = 1, .match_all = 1});
    enable(1, {.level = 1, .match_any = 2});
    EXPECT_EQ(last.level, 5);
    EXPECT_EQ(last.match_any, 3U);
    EXPECT_EQ(last.match_all, 0U);
}

TEST_F(TwoSessions, TheSecondWithLessLeavesTheLevelV235) {
    enable(0, {.level = 3, .match_any = 1});
    enable(1, {.level = 1, .match_any = 1});
    EXPECT_EQ(last.level, 3);
    EXPECT_EQ(last.match_any, 1U);
}

TEST_F(TwoSessions, MayTogetherSeemToWantWhatNeitherDoesV236) {
    enable(0, {.level = 5, .match_any = 1});
    enable(1, {.level = 1, .match_any = 2});
    EXPECT_TRUE(node.state.accepts(5, 2));
    EXPECT_EQ(takers(node, 5, 2), 0);
}

TEST_F(TwoSessions, WithoutAnyNothingIsWantedV237) {
    EXPECT_FALSE(node.state.accepts(1, 1));
    EXPECT_EQ(node.state.mask.load(), 0U);
}

TEST_F(TwoSessions, LevelZeroAndAnyZeroCountAsAll) {
    enable(0, {.level = 3, .match_any = 1});
    enable(1, {.level = 0, .match_any = 0});
    EXPECT_EQ(last.level, 255);
    EXPECT_EQ(last.match_any, ~std::uint64_t{0});
}

TEST_F(TwoSessions, KeywordZeroIsWantedIfOneTakesIt) {
    enable(0, {.level = 3, .property = enable_property::ignore_keyword_0});
    EXPECT_FALSE(node.state.accepts(1, 0));
    enable(1, {.level = 3});
    EXPECT_TRUE(node.state.accepts(1, 0));
    EXPECT_EQ(takers(node, 1, 0), 1);
}

} // namespace
} // namespace etl::session::matching_test

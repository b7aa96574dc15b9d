#include "schema/winmeta.hpp"

#include <gtest/gtest.h>

namespace etl::schema::winmeta_test {
namespace {

TEST(Winmeta, ShowsLevelsByTheirDisplayText) {
    EXPECT_EQ(winmeta::level_name(4), "Information");
    EXPECT_EQ(winmeta::level_name(1), "Critical");
    EXPECT_EQ(winmeta::level_name(0), "LogAlways");
    EXPECT_EQ(winmeta::level_name(16), "");
}

TEST(Winmeta, ReadsLevelsAsManifestsAndDumpsSpellThem) {
    EXPECT_EQ(winmeta::level("win:Informational"), 4);
    EXPECT_EQ(winmeta::level("win:Always"), 0);
    EXPECT_EQ(winmeta::level("win:LogAlways"), 0);
    EXPECT_EQ(winmeta::level("win:ReservedLevel15"), 15);
    EXPECT_EQ(winmeta::level("win:ReservedLevel16"), std::nullopt);
    EXPECT_EQ(winmeta::level("win:ReservedLevel6x"), std::nullopt);
    EXPECT_EQ(winmeta::level("MyLevel"), std::nullopt);
}

TEST(Winmeta, KnowsOpcodes) {
    EXPECT_EQ(winmeta::opcode("win:Info"), 0);
    EXPECT_EQ(winmeta::opcode("win:DC_Stop"), 4);
    EXPECT_EQ(winmeta::opcode("WIN:receive"), 240);
    EXPECT_EQ(winmeta::opcode("win:ReservedOpcode255"), 255);
    EXPECT_EQ(winmeta::opcode_name(9), "Send");
    EXPECT_EQ(winmeta::opcode_name(10), "");
}

TEST(Winmeta, KnowsKeywords) {
    EXPECT_EQ(winmeta::keyword("win:ResponseTime"), 0x0001000000000000U);
    EXPECT_EQ(winmeta::keyword("win:EventlogClassic"), 0x0080000000000000U);
    EXPECT_EQ(winmeta::keyword("win:ReservedKeyword63"), 0x8000000000000000U);
    EXPECT_EQ(winmeta::keyword("win:AnyKeyword"), 0U);
    EXPECT_EQ(winmeta::keyword_name(0x0010000000000000U), "AuditFailure");
    EXPECT_EQ(winmeta::keyword_name(0), "") << "no bit is no keyword";
}

TEST(Winmeta, KnowsChannels) {
    EXPECT_EQ(winmeta::channel("Application"), 9);
    EXPECT_EQ(winmeta::channel_name(11), "TraceLogging");
    EXPECT_EQ(winmeta::channel_name(16), "");
}

} // namespace
} // namespace etl::schema::winmeta_test

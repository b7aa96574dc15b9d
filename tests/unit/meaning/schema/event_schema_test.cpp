#include "schema/event_schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::schema::event_schema_test {
namespace {

using ::testing::ElementsAre;

TEST(EventSchema, GivesMembersThePathOfTheirStructure) {
    EventSchema schema;
    for (const auto& [name, members] :
         {std::pair{"A", 0}, {"Block", 3}, {"From", 0}, {"In", 1}, {"From", 0}, {"A", 0}}) {
        Field& field = schema.fields.emplace_back();
        field.name = name;
        field.members = static_cast<std::uint16_t>(members);
    }
    EXPECT_EQ(field_paths(schema), (std::vector<std::string>{"A", "Block", "Block.From", "Block.In",
                                                             "Block.In.From", "A#2"}));
}

TEST(ProviderNames, PrefersItsOwnNamesToPredefinedOnes) {
    ProviderNames names;
    names.levels = {{4, "Chatty"}, {16, "Custom"}};
    names.keywords = {{0x1, "Net"}, {0x6, "Both"}};
    names.channels = {{16, "Demo/Operational"}};
    EXPECT_EQ(names.level_name(4), "Chatty");
    EXPECT_EQ(names.level_name(16), "Custom");
    EXPECT_EQ(names.level_name(2), "Error");
    EXPECT_EQ(names.level_name(99), "");
    EXPECT_EQ(names.channel_name(16), "Demo/Operational");
    EXPECT_EQ(names.channel_name(8), "System");
    EXPECT_EQ(names.keyword_name(0x1), "Net");
    EXPECT_EQ(names.keyword_name(0x6), "Both");
    EXPECT_EQ(names.keyword_name(0x2), "") << "a bit of a wider mask is not that keyword";
    EXPECT_EQ(names.keyword_name(std::uint64_t{1} << 53U), "AuditSuccess");
}

TEST(EventSchema, CountsStructuresOnceAtTheTop) {
    EventSchema schema;
    schema.fields.resize(6);
    schema.fields[1].in_type = InType::structure;
    schema.fields[1].members = 3; // 2, and the structure 3 with its member 4
    schema.fields[3].in_type = InType::structure;
    schema.fields[3].members = 1;
    EXPECT_THAT(schema.top_level(), ElementsAre(0, 1, 5));
}

TEST(Origin, HasTheWordsOfTheOutput) {
    EXPECT_EQ(name(Origin::tracelogging), "tracelogging");
    EXPECT_EQ(name(Origin::event_info), "event-info");
    EXPECT_EQ(name(Origin::eventsource), "eventsource");
    EXPECT_EQ(name(Origin::wpp), "wpp");
}

} // namespace
} // namespace etl::schema::event_schema_test

#include "schema/limits.hpp"
#include "schema/pdb.hpp"
#include "tests/support/damage.hpp"
#include "tests/support/images/pdb_builder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::schema::pdb_test {
namespace {

using test::PdbBuilder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

constexpr Guid queue_guid = *parse_guid("3f6a1c52-8d0e-4b7a-9c11-5e2d7f8a9b01");
constexpr Guid control_guid = *parse_guid("0b67e6f7-ae91-470c-b4b6-dcd6a9034e18");

std::vector<std::string> message(const std::string& entry,
                                 const std::vector<std::string>& arguments) {
    std::vector<std::string> texts{
        "TMF:", "3f6a1c52-8d0e-4b7a-9c11-5e2d7f8a9b01 pumpdrv // SRC=Queue.c MJ= MN=", entry, "{"};
    texts.insert(texts.end(), arguments.begin(), arguments.end());
    texts.emplace_back("}");
    return texts;
}

PdbBuilder pump() {
    PdbBuilder pdb;
    pdb.annotation({"TMC:", "0b67e6f7-ae91-470c-b4b6-dcd6a9034e18", "PumpTrace", "TRACE_INIT",
                    "TRACE_QUEUE", "PUBLIC_TMF:"});
    pdb.annotation({"Debug", "AssertFail", "depth < 8"});
    pdb.begin_function("QueueAdd");
    pdb.annotation(message("#typev Queue_c12 10 \"%0depth %10!d!\" //   LEVEL=L FLAGS=TRACE_QUEUE",
                           {"depth, ItemLong -- 10"}));
    pdb.annotation(message("#typev Queue_c13 11 \"%0kind %10!s!\" //   FUNC=Other",
                           {"kind, ItemEnum(QUEUE_KIND) -- 10"}));
    pdb.end_function();
    pdb.begin_module();
    pdb.annotation(message("#typev Queue_c14 12 \"%0flags %10!s!\"",
                           {"flags, ItemFlagsEnum(QUEUE_FLAGS) -- 10"}));
    std::vector<std::pair<std::string, std::uint16_t>> many;
    for (std::uint16_t i = 0; i < 60; ++i) {
        many.emplace_back("KIND_" + std::to_string(i), static_cast<std::uint16_t>(i * 1000));
    }
    pdb.enumeration("OTHER", {{"A", 1}});
    pdb.enumeration("QUEUE_KIND", many);
    pdb.enumeration("QUEUE_FLAGS", {{"FULL", 1}, {"PAUSED", 2}});
    return pdb;
}

TEST(Pdb, GivesTheMessagesOfAllModules) {
    const auto set = parse_pdb(pump().build());
    ASSERT_TRUE(set) << set.error().reason;
    ASSERT_THAT(set->events, SizeIs(3));
    EXPECT_EQ(set->events[0]->id, 10);
    EXPECT_EQ(set->events[0]->message, "%0depth %10!d!");
    EXPECT_EQ(set->events[0]->provider->guid, queue_guid);
    EXPECT_EQ(set->events[0]->site->flags, "TRACE_QUEUE");
    EXPECT_EQ(set->events[2]->site->line, "14");
    EXPECT_THAT(set->notes, IsEmpty());
    EXPECT_THAT(scan_pdb(pump().build()), ElementsAre(queue_guid));
}

TEST(Pdb, KnowsTheFunctionAroundAMessage) {
    const auto set = parse_pdb(pump().build());
    ASSERT_TRUE(set);
    EXPECT_EQ(set->events[0]->site->function, "QueueAdd");
    EXPECT_EQ(set->events[1]->site->function, "Other") << "the message's own word counts";
    EXPECT_EQ(set->events[2]->site->function, "") << "outside of functions";
}

TEST(Pdb, NamesControlGuidsAndFlags) {
    const auto set = parse_pdb(pump().build());
    ASSERT_TRUE(set);
    ASSERT_THAT(set->providers, SizeIs(2));
    EXPECT_EQ(set->providers[1]->guid, control_guid);
    EXPECT_EQ(set->providers[1]->name, "PumpTrace");
    EXPECT_THAT(set->providers[1]->keywords,
                ElementsAre(Pair(1, "TRACE_INIT"), Pair(2, "TRACE_QUEUE")));
}

TEST(Pdb, FindsTheMembersOfEnumerations) {
    const auto set = parse_pdb(pump().build());
    ASSERT_TRUE(set);
    const ValueMap& kinds = *set->events[1]->maps[0];
    EXPECT_EQ(kinds.kind, ValueMap::Kind::value);
    ASSERT_THAT(kinds.entries, SizeIs(60));
    EXPECT_THAT(kinds.entries[59], Pair(59'000, "KIND_59"));
    EXPECT_THAT(set->events[2]->maps[0]->entries, ElementsAre(Pair(1, "FULL"), Pair(2, "PAUSED")));
    EXPECT_EQ(set->events[2]->maps[0]->kind, ValueMap::Kind::bits);
}

TEST(Pdb, GivesTheTextThatTracepdbWrites) {
    const auto text = extract_tmf(pump().build());
    ASSERT_TRUE(text);
    EXPECT_THAT(*text, HasSubstr("#typev Queue_c12 10 \"%0depth %10!d!\" //   LEVEL=L "
                                 "FLAGS=TRACE_QUEUE FUNC=QueueAdd\n{\ndepth, ItemLong -- 10\n}\n"));
}

TEST(Pdb, CutsTheNameOfAFunctionBetweenCharacters) {
    std::string name(limits::wpp_name_bytes - 1, 'Q');
    for (int i = 0; i < 1000; ++i) {
        name.append("\xC3\xA9");
    }
    PdbBuilder pdb;
    pdb.begin_function(name);
    pdb.annotation(message("#typev Queue_c12 10 \"caf\xC3\xA9\"", {}));
    pdb.end_function();
    const auto set = parse_pdb(pdb.build());
    ASSERT_TRUE(set);
    EXPECT_EQ(set->events[0]->message, "caf\xC3\xA9") << "still UTF-8";
    EXPECT_EQ(set->events[0]->site->function, name.substr(0, limits::wpp_name_bytes - 1));
}

TEST(Pdb, StopsWithANoteAtMoreTextThanItKeeps) {
    PdbBuilder pdb;
    pdb.begin_function(std::string(limits::wpp_name_bytes, 'Q'));
    const auto one = message("#typev Queue_c12 10 \"a\"", {});
    for (std::size_t i = 0; i < limits::pdb_text_bytes / limits::wpp_name_bytes; ++i) {
        pdb.annotation(one);
    }
    pdb.end_function();
    const test::Image file = pdb.build();
    const auto text = extract_tmf(file);
    ASSERT_TRUE(text);
    EXPECT_LT(text->size(), limits::pdb_text_bytes + 100);
    EXPECT_TRUE(text->ends_with("}\n// too many messages; the rest is omitted\n"));
    const auto set = parse_pdb(file);
    ASSERT_TRUE(set);
    ASSERT_THAT(set->notes, SizeIs(1));
    EXPECT_THAT(set->notes[0].text, HasSubstr("too many messages"));
    EXPECT_THAT(scan_pdb(file), ElementsAre(queue_guid));
}

TEST(Pdb, StopsAtMoreControlGuidsThanItKeeps) {
    PdbBuilder pdb;
    pdb.annotation(message("#typev Queue_c12 10 \"a\"", {}));
    std::vector<std::string> control{"TMC:", "", "PumpTrace"};
    control.resize(3 + 32);
    for (unsigned i = 0; i < 70'000; ++i) {
        control[1] = fmt::format("{:08x}-ae91-470c-b4b6-dcd6a9034e18", i);
        pdb.annotation(control);
    }
    const auto set = parse_pdb(pdb.build());
    ASSERT_TRUE(set);
    EXPECT_THAT(set->notes, SizeIs(1));
    EXPECT_LT(set->providers.size(), limits::pdb_text_bytes / (32 * sizeof(std::string)));
}

TEST(Pdb, RejectsWhatIsNoneOrHoldsNoMessage) {
    EXPECT_FALSE(parse_pdb({}));
    EXPECT_FALSE(is_pdb({}));
    const auto empty = parse_pdb(PdbBuilder().annotation({"Debug", "x"}).build());
    ASSERT_FALSE(empty);
    EXPECT_THAT(empty.error().reason, HasSubstr("no WPP message"));
}

TEST(Pdb, SurvivesBeingCutAnywhere) {
    const test::Image whole = pump().build();
    std::size_t good = 0;
    for (std::size_t size = 0; size + PdbBuilder::block_size <= whole.size(); size += 100) {
        good += parse_pdb(test::truncate_at(whole, size)) ? 1U : 0U;
    }
    EXPECT_EQ(good, 0) << "where the directory lies is said in the last block";
    EXPECT_TRUE(parse_pdb(whole));
}

} // namespace
} // namespace etl::schema::pdb_test

// TMF files with unknown, repeated, many and broken entries.
#include "schema/limits.hpp"
#include "schema/tmf.hpp"
#include "tests/unit/meaning/schema/wpp/tmf_in.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace etl::schema::tmf_limits_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Tmf, SaysWhichTypesItDoesNotKnow) {
    const SchemaSet set =
        parsed(std::string(guid_line) +
               "#typev Queue_c12 10 \"%10!s!\" //\n{\nx, ItemFancy(1) -- 10\n}\n");
    ASSERT_THAT(set.events, SizeIs(1));
    EXPECT_EQ(name(set.events[0]->fields[0].in_type), "");
    ASSERT_THAT(set.notes, SizeIs(1));
    EXPECT_EQ(set.notes[0].line, 4U);
    EXPECT_THAT(set.notes[0].text, HasSubstr("ItemFancy"));
}

TEST(Tmf, KeepsRepeatedMessagesOnce) {
    const std::string entry = "#typev Queue_c12 10 \"same\" //\n{\n}\n";
    EXPECT_THAT(parsed(std::string(guid_line) + entry + entry).events, SizeIs(1));
    const std::string other = "#typev Queue_c13 10 \"another\" //\n{\n}\n";
    EXPECT_THAT(parsed(std::string(guid_line) + entry + other).events, SizeIs(2));
}

TEST(Tmf, TellsDescriptionsApartByAllThatDecodes) {
    const auto descriptions = [](std::string_view a, std::string_view b) {
        std::string text(guid_line);
        for (const std::string_view type : {a, b}) {
            text.append("#typev Queue_c12 10 \"%10!s!\" //\n{\nx, ").append(type);
            text.append(" -- 10\n}\n");
        }
        return parsed(text).events.size();
    };
    EXPECT_EQ(descriptions("ItemListLong(a,b)", "ItemListLong(a,c)"), 2U);
    EXPECT_EQ(descriptions("ItemListLong(a,b)", "ItemListLong(a,b=2)"), 2U);
    EXPECT_EQ(descriptions("ItemEnum(POOL_TYPE)", "ItemEnum(DEVICE_TYPE)"), 2U);
    EXPECT_EQ(descriptions("ItemString", "ItemChar4"), 2U);
    EXPECT_EQ(descriptions("ItemULong", "ItemEnum(POOL_TYPE)"), 2U);
    EXPECT_EQ(descriptions("ItemListLong(a,b)", "ItemListLong(a, b)"), 1U);
}

TEST(Tmf, KeepsSoManyNamesOfAListAndSaysSo) {
    const auto of_names = [](std::size_t count) {
        return parsed(std::string(guid_line) +
                      "#typev Queue_c12 10 \"%10!s!\" //\n{\nx, ItemListLong(" +
                      std::string(count, ',') + ") -- 10\n}\n");
    };
    const SchemaSet max = of_names(limits::fields);
    EXPECT_THAT(max.events[0]->maps[0]->entries, SizeIs(limits::fields));
    EXPECT_THAT(max.notes, IsEmpty());
    const SchemaSet more = of_names(limits::fields + 1);
    EXPECT_THAT(more.events[0]->maps[0]->entries, SizeIs(limits::fields));
    ASSERT_THAT(more.notes, SizeIs(1));
    EXPECT_EQ(more.notes[0].line, 4U);
    EXPECT_THAT(more.notes[0].text, HasSubstr("too many names in a list"));
}

// What the entries of its maps occupy, without their texts.
std::size_t bytes_of_maps(const SchemaSet& set) {
    std::size_t bytes = 0;
    for (const auto& event : set.events) {
        for (const auto& map : event->maps) {
            bytes += map->entries.capacity() * sizeof(map->entries[0]);
        }
    }
    return bytes;
}

TEST(Tmf, ChargesListsForWhatTheyOccupy) {
    std::string list;
    for (std::size_t i = 0; i < limits::wpp_arguments; ++i) {
        list += "x, ItemListLong(" + std::string(limits::fields, ',') + ") -- 10\n";
    }
    std::string text(guid_line);
    for (int i = 0; i < 20; ++i) {
        text += "#typev Queue_c12 " + std::to_string(i) + " \"\" //\n{\n" + list + "}\n";
    }
    const SchemaSet set = parsed(text);
    EXPECT_LE(bytes_of_maps(set), limits::manifest_schema_bytes);
    ASSERT_THAT(set.notes, SizeIs(1));
    EXPECT_THAT(set.notes[0].text, HasSubstr("too many messages"));
}

TEST(Tmf, CutsTheNameOfAComponentThatEachMessageRepeats) {
    const SchemaSet set =
        parsed("3f6a1c52-8d0e-4b7a-9c11-5e2d7f8a9b01 " + std::string(70'000, 'p') +
               " // SRC=" + std::string(70'000, 'q') + "\n#typev Queue_c12 10 \"a\" //\n{\n}\n");
    ASSERT_THAT(set.events, SizeIs(1));
    EXPECT_EQ(set.events[0]->site->component, std::string(limits::wpp_name_bytes, 'p'));
    EXPECT_EQ(set.events[0]->site->file, std::string(limits::wpp_name_bytes, 'q'));
}

TEST(Tmf, ReadsUtf16AndAnsi) {
    const std::string text = std::string(guid_line) + "#typev Queue_c12 10 \"caf\xE9\" //\n{\n}\n";
    EXPECT_EQ(parsed(text).events.front()->message, "caf\xC3\xA9");
    for (const std::string_view mark : {"\xFF\xFE", ""}) {
        std::string wide(mark);
        for (const char c : std::string(guid_line) + "#typev Queue_c12 10 \"tea\" //\n{\n}\n") {
            wide.append({c, '\0'});
        }
        EXPECT_EQ(parsed(wide).events.front()->message, "tea");
        EXPECT_THAT(scan_tmf(bytes_of(wide)), ElementsAre(queue_guid));
    }
}

TEST(Tmf, StepsOverWhatIsBroken) {
    const SchemaSet set =
        parsed(std::string(guid_line) + "#typev Queue_c1 ten \"a\" //\n{\n}\n"
                                        "#typev Queue_c2 11 \"b\n"
                                        "#typev Queue_c3 12 \"c\" //\n{\nx ItemLong -- 10\n}\n"
                                        "#typev Queue_c4 13 \"d\" //\n{\nx, ItemLong -- 10\n"
                                        "#typev Queue_c5 14 \"good\" //\n{\n}\n"
                                        "#typev Queue_c6 15 \"e\" //\n");
    ASSERT_THAT(set.events, SizeIs(1));
    EXPECT_EQ(set.events[0]->message, "good");
    ASSERT_THAT(set.notes, SizeIs(5));
    EXPECT_EQ(set.notes[0].line, 2U);
    EXPECT_EQ(set.notes[1].line, 5U);
    EXPECT_EQ(set.notes[4].line, 16U);
}

TEST(Tmf, TakesGuidsInBraces) {
    const std::string entry = "#typev Queue_c12 10 \"a\" //\n{\n}\n";
    const SchemaSet set = parsed("{3f6a1c52-8d0e-4b7a-9c11-5e2d7f8a9b01} pumpdrv\n" + entry);
    EXPECT_EQ(set.providers.front()->name, "pumpdrv");
    EXPECT_EQ(parsed("{3f6a1c52-8d0e-4b7a-9c11-5e2d7f8a9b01\n" + entry).providers.front()->name,
              "");
}

TEST(Tmf, RejectsWhatDescribesNoMessage) {
    EXPECT_FALSE(parse_tmf(bytes_of("")));
    EXPECT_FALSE(parse_tmf(bytes_of(guid_line)));
    EXPECT_FALSE(parse_tmf(bytes_of("#typev Queue_c1 10 \"no GUID\" //\n{\n}\n")));
    EXPECT_THAT(scan_tmf(bytes_of("<instrumentationManifest/>")), IsEmpty());
    EXPECT_THAT(scan_tmf(bytes_of(guid_line)), IsEmpty());
}

} // namespace
} // namespace etl::schema::tmf_limits_test

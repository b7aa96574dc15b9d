// Messages of TMF files, and their arguments.
#include "schema/limits.hpp"
#include "schema/tmf.hpp"
#include "tests/unit/meaning/schema/tmf_in.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace etl::schema::tmf_test {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

TEST(Tmf, ReadsAWholeMessage) {
    const SchemaSet set = parsed(R"(// PDB: c:\src\pumpdrv.pdb
// PDB: Last Updated :2024-5-17

3f6a1c52-8d0e-4b7a-9c11-5e2d7f8a9b01 pumpdrv // SRC=Queue.c MJ= MN=
#typev Queue_c2319 207 "%0Queue full, depth=%10!d!, owner %11!s!" //   LEVEL=TRACE_LEVEL_ERROR FLAGS=TRACE_QUEUE FUNC=QueueAdd
{
devExt->depth, ItemLong -- 10
name, ItemWString -- 11
}
)");
    EXPECT_THAT(set.notes, IsEmpty());
    ASSERT_THAT(set.providers, SizeIs(1));
    EXPECT_EQ(set.providers[0]->guid, queue_guid);
    EXPECT_EQ(set.providers[0]->name, "pumpdrv");
    ASSERT_THAT(set.events, SizeIs(1));
    const EventSchema& event = *set.events[0];
    EXPECT_EQ(event.origin, Origin::wpp);
    EXPECT_EQ(event.provider, set.providers[0]);
    EXPECT_EQ(event.id, 207);
    EXPECT_EQ(event.version, 0);
    EXPECT_EQ(event.symbol, "Queue_c2319");
    EXPECT_EQ(event.event_name, "Queue_c2319");
    EXPECT_EQ(event.message, "%0Queue full, depth=%10!d!, owner %11!s!");
    ASSERT_THAT(event.fields, SizeIs(2));
    EXPECT_EQ(event.fields[0].name, "devExt->depth");
    EXPECT_EQ(event.fields[0].in_type, InType::int32);
    EXPECT_EQ(event.fields[1].name, "name");
    EXPECT_EQ(event.fields[1].in_type, InType::unicode_string);
    ASSERT_TRUE(event.site);
    EXPECT_EQ(event.site->component, "pumpdrv");
    EXPECT_EQ(event.site->file, "Queue.c");
    EXPECT_EQ(event.site->line, "2319");
    EXPECT_EQ(event.site->function, "QueueAdd");
    EXPECT_EQ(event.site->level, "TRACE_LEVEL_ERROR");
    EXPECT_EQ(event.site->flags, "TRACE_QUEUE");
}

TEST(Tmf, HoldsManySourceFiles) {
    const SchemaSet set = parsed(std::string(guid_line) + R"(
#typev Queue_c1 10 "one" //
{
}
4f6a1c52-8d0e-4b7a-9c11-5e2d7f8a9b02 pumpdrv // SRC=Valve.cpp MJ= MN=
#typev Valve_cpp7 10 "two" //
{
}
3f6a1c52-8d0e-4b7a-9c11-5e2d7f8a9b01 pumpdrv // SRC=Queue.c MJ= MN=
#typev Queue_c2 11 "three" //
{
}
)");
    EXPECT_THAT(set.providers, SizeIs(2));
    ASSERT_THAT(set.events, SizeIs(3));
    EXPECT_EQ(set.events[1]->site->file, "Valve.cpp");
    EXPECT_EQ(set.events[1]->site->line, "7");
    EXPECT_EQ(set.events[2]->provider, set.events[0]->provider);
    EXPECT_THAT(scan_tmf(bytes_of(std::string(guid_line) + "#typev a 1 \"\" //\n{\n}\n" +
                                  std::string(guid_line))),
                ElementsAre(queue_guid));
}

TEST(Tmf, ReadsFormatsOverSeveralLinesWithQuotes) {
    const auto event = message_of("#typev Queue_c12 10 \"a \" //b\nc\" //  LEVEL=L\n{\n}\n");
    EXPECT_EQ(event.message, "a \" //b\nc") << "ends at the last end there is";
    EXPECT_EQ(message_of("#typev Queue_c12 10 \"a\n{\nb\" //  LEVEL=L\n{\n}\n").message, "a\n{\nb");
    const auto other =
        message_of("#typev Queue_c12 10 \"%0a \"b\"\r\nc\\ %10!d!\n\" //  LEVEL=L\r\n"
                   "{\r\nx, ItemLong -- 10\r\n}\r\n");
    EXPECT_EQ(other.message, "%0a \"b\"\r\nc\\ %10!d!\n");
    EXPECT_EQ(other.site->level, "L");
}

TEST(Tmf, ReadsOldAndBareEntries) {
    EXPECT_EQ(message_of("#type Queue_c12 10 \"old\" //\n{\n}\n").message, "old");
    EXPECT_EQ(
        message_of("#typev Queue_c12 10 \"no trailer\"\n{\n}, Constant\nPUBLIC_TMF:\n").message,
        "no trailer");
}

TEST(Tmf, ReadsTrailersOfAnySpelling) {
    const auto event = message_of("#typev Queue_c12 10 \"a\" //   TraceLevel=Dev->Level(1) "
                                  "Flag=TRACE_IO Func=Queue::Add(int) More=1\n{\n}\n");
    EXPECT_EQ(event.site->level, "Dev->Level(1)");
    EXPECT_EQ(event.site->flags, "TRACE_IO");
    EXPECT_EQ(event.site->function, "Queue::Add(int)");
}

TEST(Tmf, NamesMessagesOfPublicSymbolsByFunction) {
    const SchemaSet set =
        parsed("3f6a1c52-8d0e-4b7a-9c11-5e2d7f8a9b01 hid // SRC=Unknown_cxx00 MJ= "
               "MN=\n#typev Unknown_cxx00 43 \"%0Length: %10!d!\" //   "
               "LEVEL=TRACE_LEVEL_WARNING FUNC=Parse\n{\nArg, ItemLong -- 10\n}\n");
    ASSERT_THAT(set.events, SizeIs(1));
    EXPECT_EQ(set.events[0]->event_name, "Parse");
    EXPECT_EQ(set.events[0]->symbol, "Unknown_cxx00");
    EXPECT_EQ(set.events[0]->site->line, "");
}

TEST(Tmf, FindsTypesBehindExpressionsWithCommas) {
    const auto event = message_of(R"(#typev Queue_c12 10 "%10!s! %11!s! %12!d!" //
{
f(a, ItemCount(b), c), ItemListLong(Idle,  Item A(1), Busy=0x10,) -- 10
x-- > 0 ? p : q, ItemSetByte(1,2) -- 11
g(1,
  2), ItemLong -- 12
}
)");
    ASSERT_THAT(event.fields, SizeIs(3));
    EXPECT_EQ(event.fields[0].name, "f(a, ItemCount(b), c)");
    EXPECT_EQ(event.fields[0].in_type, InType::uint32);
    EXPECT_THAT(event.maps[event.fields[0].map]->entries,
                ElementsAre(Pair(0, "Idle"), Pair(1, "Item A(1)"), Pair(16, "Busy")));
    EXPECT_EQ(event.fields[1].name, "x-- > 0 ? p : q");
    EXPECT_EQ(event.fields[2].name, "g(1,\n  2)");
}

TEST(Tmf, CountsListsFromZeroAndSetsByBits) {
    const auto list = message_of("#typev Queue_c12 10 \"%10!s!%11!s!%12!s!%13!s!\" //\n{\n"
                                 "a, ItemListByte(Low,APC=5,DPC,Last=-1) -- 10\n"
                                 "b, ItemSetShort(one,two,,four) -- 11\n"
                                 "c, ItemEnum(POOL_TYPE) -- 12\n"
                                 "d, ItemFlagsEnum(DEVICE_FLAGS) -- 13\n}\n");
    ASSERT_THAT(list.maps, SizeIs(4));
    EXPECT_EQ(list.maps[0]->kind, ValueMap::Kind::value);
    EXPECT_THAT(list.maps[0]->entries,
                ElementsAre(Pair(0, "Low"), Pair(5, "APC"), Pair(6, "DPC"), Pair(0xFF, "Last")));
    EXPECT_EQ(list.maps[1]->kind, ValueMap::Kind::bits);
    EXPECT_THAT(list.maps[1]->entries,
                ElementsAre(Pair(1, "one"), Pair(2, "two"), Pair(4, ""), Pair(8, "four")));
    EXPECT_EQ(list.maps[2]->name, "POOL_TYPE");
    EXPECT_THAT(list.maps[2]->entries, IsEmpty());
    EXPECT_EQ(list.maps[3]->kind, ValueMap::Kind::bits);
}

TEST(Tmf, TakesSignAndBaseOfNumbersFromTheirNotation) {
    EXPECT_EQ(field_of("ItemLong", "d").out_type, OutType::int32);
    EXPECT_EQ(field_of("ItemLong", "08lX").out_type, OutType::hex_int32);
    EXPECT_EQ(field_of("ItemLong", "u").out_type, OutType::uint32);
    EXPECT_EQ(field_of("ItemLong").out_type, OutType::none);
    EXPECT_EQ(field_of("ItemShort", "hx").out_type, OutType::hex_int16);
    EXPECT_EQ(field_of("ItemChar", "c").out_type, OutType::string);
    EXPECT_EQ(field_of("ItemChar", "02x").out_type, OutType::hex_int8);
    EXPECT_EQ(field_of("ItemLong", "c").out_type, OutType::none) << "no character";
    EXPECT_EQ(field_of("ItemULongLong", "I64d").out_type, OutType::int64);
    EXPECT_EQ(field_of("ItemPtr", "p").out_type, OutType::hex_int64);
    EXPECT_EQ(field_of("ItemPtr", "Iu").out_type, OutType::uint64);
}

TEST(Tmf, KnowsEveryItem) {
    const auto in = [](std::string_view type) { return field_of(type).in_type; };
    EXPECT_EQ(in("ItemChar"), InType::int8);
    EXPECT_EQ(in("ItemUChar"), InType::uint8);
    EXPECT_EQ(in("ItemShort"), InType::int16);
    EXPECT_EQ(in("ItemUShort"), InType::uint16);
    EXPECT_EQ(in("ItemULong"), InType::uint32);
    EXPECT_EQ(field_of("ItemULongX").out_type, OutType::hex_int32);
    EXPECT_EQ(in("ItemLongLong"), InType::int64);
    EXPECT_EQ(in("ItemULongLong"), InType::uint64);
    EXPECT_EQ(field_of("ItemLongLongX").out_type, OutType::hex_int64);
    EXPECT_EQ(field_of("ItemLongLongXX").out_type, OutType::hex_int64);
    EXPECT_EQ(field_of("ItemLongLongO").out_type, OutType::uint64);
    EXPECT_EQ(in("ItemDouble"), InType::float64);
    EXPECT_EQ(in("ItemPtr"), InType::pointer);
    EXPECT_EQ(in("ItemString"), InType::ansi_string);
    EXPECT_EQ(in("ItemMLString"), InType::ansi_string);
    EXPECT_EQ(in("ItemWString"), InType::unicode_string);
    EXPECT_EQ(field_of("ItemRString").out_type, OutType::text_line);
    EXPECT_EQ(field_of("ItemRWString").out_type, OutType::text_line);
    EXPECT_EQ(in("ItemPString"), InType::counted_ansi_string);
    EXPECT_EQ(in("ItemPWString"), InType::counted_unicode_string);
    EXPECT_EQ(in("ItemGuid"), InType::guid);
    EXPECT_EQ(in("ItemCLSID"), InType::guid);
    EXPECT_EQ(in("ItemSid"), InType::sid);
    EXPECT_EQ(field_of("ItemNTSTATUS").out_type, OutType::ntstatus);
    EXPECT_EQ(field_of("ItemHRESULT").out_type, OutType::hresult);
    EXPECT_EQ(field_of("ItemWINERROR").out_type, OutType::win32_error);
    EXPECT_EQ(field_of("ItemIPAddr").out_type, OutType::ipv4);
    EXPECT_EQ(field_of("ItemIPV6Addr").out_type, OutType::ipv6);
    EXPECT_EQ(field_of("ItemPort").out_type, OutType::port);
    EXPECT_EQ(field_of("ItemMACAddr").length.value, 6U);
    EXPECT_EQ(in("ItemTimestamp"), InType::filetime);
    EXPECT_EQ(field_of("ItemTimeDelta").out_type, OutType::time_delta);
    EXPECT_EQ(field_of("ItemWaitTime").out_type, OutType::time_delta);
    EXPECT_EQ(field_of("ItemDueTime").out_type, OutType::time_delta);
    EXPECT_EQ(in("ItemHexDump"), InType::counted_binary);
    EXPECT_EQ(field_of("ItemChar4").length.value, 4U);
}

TEST(Tmf, OrdersArgumentsByTheirIndices) {
    const auto event =
        message_of("#typev Queue_c12 10 \"%12!d! %11!x! %1!s! 100%% %!FUNC!\" //\n{\n"
                   "b, ItemShort -- 12\na, ItemLong -- 11\n}\n");
    ASSERT_THAT(event.fields, SizeIs(2));
    EXPECT_EQ(event.fields[0].name, "a");
    EXPECT_EQ(event.fields[0].out_type, OutType::hex_int32);
    EXPECT_EQ(event.fields[1].name, "b");
    EXPECT_EQ(event.message, "%11!d! %10!x! %1!s! 100%% %!FUNC!");
}

} // namespace

// TMF files with unknown, repeated, many and broken entries.

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

} // namespace etl::schema::tmf_test

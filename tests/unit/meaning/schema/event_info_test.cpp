#include <etl/byte_writer.hpp>

#include "format/limits.hpp"
#include "schema/event_info.hpp"
#include "tests/support/traces/event_info_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::schema::event_info_test {

namespace {

using namespace etl::literals;
using test::event_info;
using test::EventInfo;
using test::EventProperty;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr Guid provider = "11111111-2222-3333-4444-555555555555"_guid;
constexpr Guid event_class = "99999999-2222-3333-4444-555555555555"_guid;

constexpr std::uint32_t structure = 1, length_by_index = 2, count_by_index = 4, fixed_length = 0x10,
                        fixed_count = 0x20;

constexpr std::uint16_t in_text = 1, in_u8 = 4, in_u16 = 6, in_u32 = 8, in_binary = 14,
                        in_pointer = 16, in_sid = 19;

EmbeddedEvent parse(const EventInfo& info) {
    const auto blob = event_info(info);
    auto event = parse_event_info(blob);
    EXPECT_TRUE(event) << describe(event.error());
    return event ? std::move(*event) : EmbeddedEvent{};
}

std::vector<Field> fields_of(std::vector<EventProperty> properties, std::uint32_t top_level = 0) {
    return parse({.provider = provider,
                  .properties = std::move(properties),
                  .top_level_properties = top_level})
        .schema.fields;
}

ErrorCode error_of(const EventInfo& info) {
    const auto blob = event_info(info);
    const auto event = parse_event_info(blob);
    return event ? ErrorCode::none : event.error().code;
}

TEST(EventInfo, ReadsDescriptorAndNames) {
    const EventSchema schema = parse({.provider = provider,
                                      .event_guid = event_class,
                                      .id = 12,
                                      .version = 1,
                                      .channel = 16,
                                      .level = 4,
                                      .opcode = 1,
                                      .task = 3,
                                      .keyword = 0x8000000000000020,
                                      .provider_name = u"Demo-Provider",
                                      .level_name = u"win:Informational",
                                      .channel_name = u"Demo/Analytic",
                                      .task_name = u"Queue",
                                      .opcode_name = u"win:Start",
                                      .message = u"Opened %1 ",
                                      .keyword_names = {u"IO_KEYWORD"}})
                                   .schema;
    EXPECT_EQ(schema.origin, Origin::event_info);
    ASSERT_NE(schema.provider, nullptr);
    EXPECT_EQ(schema.provider->guid, provider);
    EXPECT_EQ(schema.provider->name, "Demo-Provider");
    EXPECT_THAT(schema.provider->levels, IsEmpty()) << "predefined ones need no entry";
    EXPECT_THAT(schema.provider->channels, ElementsAre(Pair(16, "Demo/Analytic")));
    EXPECT_THAT(schema.provider->keywords, ElementsAre(Pair(0x20U, "IO_KEYWORD")));
    EXPECT_EQ(schema.id, 12);
    EXPECT_EQ(schema.version, 1);
    EXPECT_EQ(schema.channel, 16);
    EXPECT_EQ(schema.level, 4);
    EXPECT_EQ(schema.opcode, 1);
    EXPECT_EQ(schema.task, 3);
    EXPECT_EQ(schema.keyword, 0x8000000000000020U);
    EXPECT_EQ(schema.task_name, "Queue");
    EXPECT_EQ(schema.opcode_name, "Start");
    EXPECT_EQ(schema.event_name, "Queue/Start");
    EXPECT_EQ(schema.message, "Opened %1") << "the compiler's blank is gone";
}

TEST(EventInfo, KeywordNamesGoToTheBitsInAscendingOrder) {
    const auto keywords = [](std::uint64_t mask, std::vector<std::u16string> names) {
        return parse({.keyword = mask, .keyword_names = std::move(names)})
            .schema.provider->keywords;
    };
    EXPECT_THAT(keywords(0x8000000000010001, {u"GC", u"Threading"}),
                ElementsAre(Pair(0x1U, "GC"), Pair(0x10000U, "Threading")));
    EXPECT_THAT(keywords(0x7, {u"A", u"B"}), IsEmpty()) << "which two of three bits is not told";
}

TEST(EventInfo, OwnLevelsAreKept) {
    EXPECT_THAT(parse({.level = 16, .level_name = u"Chatty"}).schema.provider->levels,
                ElementsAre(Pair(16, "Chatty")));
}

TEST(EventInfo, OutTypesThatOnlyWeHaveMeanNothing) {
    const auto fields = fields_of({{.name = u"Number", .in = in_u32, .out = 0x8000, .length = 4},
                                   {.name = u"Bytes", .in = in_binary, .out = 0x8A00}});
    EXPECT_EQ(fields[0].out_type, OutType::none);
    EXPECT_EQ(fields[1].out_type, OutType::none);
}

TEST(EventInfo, ReadsProperties) {
    const auto fields = fields_of(
        {{.name = u"Length", .in = in_u32, .out = 8, .length = 4},
         {.name = u"Address", .in = in_binary, .out = 25, .flags = length_by_index, .length = 0},
         {.name = u"Offsets",
          .in = in_u32,
          .out = 18,
          .flags = count_by_index,
          .count = 0,
          .length = 4},
         {.name = u"Text", .in = in_text, .out = 1},
         {.name = u"Mac", .in = in_binary, .out = 15, .flags = fixed_length, .length = 6},
         {.name = u"One", .in = in_u8, .out = 4, .flags = fixed_count, .count = 1, .length = 1},
         {.name = u"Three", .in = in_pointer, .out = 19, .count = 3, .length = 8},
         {.name = u"Sid", .in = in_sid, .out = 1, .flags = length_by_index, .length = 0}});
    ASSERT_EQ(fields.size(), 8U);
    EXPECT_EQ(fields[0].name, "Length");
    EXPECT_EQ(fields[0].in_type, InType::uint32);
    EXPECT_EQ(fields[0].out_type, OutType::uint32);
    EXPECT_TRUE(fields[0].referenced);
    EXPECT_EQ(fields[0].length.kind, Extent::Kind::natural) << "the size of a number is no length";
    EXPECT_EQ(fields[1].out_type, OutType::socket_address);
    EXPECT_EQ(fields[1].length.kind, Extent::Kind::field);
    EXPECT_EQ(fields[1].length.value, 0U);
    EXPECT_EQ(fields[2].count.kind, Extent::Kind::field);
    EXPECT_EQ(fields[3].length.kind, Extent::Kind::natural);
    EXPECT_EQ(fields[4].length.kind, Extent::Kind::fixed);
    EXPECT_EQ(fields[4].length.value, 6U);
    EXPECT_EQ(fields[5].count.kind, Extent::Kind::fixed);
    EXPECT_EQ(fields[6].count.kind, Extent::Kind::fixed);
    EXPECT_EQ(fields[6].count.value, 3U);
    EXPECT_EQ(fields[7].length.kind, Extent::Kind::natural);
}

TEST(EventInfo, PutsMembersBehindTheirStructure) {
    // As TDH has them: the top level first, the members of all structures after it.
    const auto fields = fields_of(
        {{.name = u"Count", .in = in_u32},
         {.name = u"Outer", .in = 3, .out = 2, .flags = structure | count_by_index, .count = 0},
         {.name = u"Last", .in = in_u16},
         {.name = u"Size", .in = in_u32},
         {.name = u"Inner", .in = 5, .out = 1, .flags = structure},
         {.name = u"Items", .in = in_u8, .flags = count_by_index, .count = 3}},
        3);
    ASSERT_EQ(fields.size(), 6U);
    const auto name_of = [&](std::size_t i) { return fields[i].name; };
    EXPECT_EQ(name_of(0) + name_of(1) + name_of(2) + name_of(3) + name_of(4) + name_of(5),
              "CountOuterSizeInnerItemsLast");
    EXPECT_EQ(fields[1].in_type, InType::structure);
    EXPECT_EQ(fields[1].members, 3U);
    EXPECT_EQ(fields[1].count.value, 0U);
    EXPECT_EQ(fields[3].members, 1U);
    EXPECT_EQ(fields[4].count.kind, Extent::Kind::field);
    EXPECT_EQ(fields[4].count.value, 2U) << "renumbered: property 3 is field 2";
}

TEST(EventInfo, ReferencesForwardOrToTextAreUnknown) {
    const auto fields =
        fields_of({{.name = u"a", .in = in_u8, .flags = count_by_index, .count = 1},
                   {.name = u"b", .in = in_text},
                   {.name = u"c", .in = in_u8, .flags = count_by_index, .count = 1},
                   {.name = u"d", .in = in_u8, .flags = count_by_index, .count = 99}});
    EXPECT_EQ(fields.at(0).count.kind, Extent::Kind::unknown);
    EXPECT_EQ(fields.at(2).count.kind, Extent::Kind::unknown);
    EXPECT_EQ(fields.at(3).count.kind, Extent::Kind::unknown);
}

TEST(EventInfo, ClassicEventsAreKnownByClassAndType) {
    const EventSchema schema = parse({.provider = provider,
                                      .event_guid = event_class,
                                      .version = 2,
                                      .opcode = 34,
                                      .decoding_source = 1,
                                      .task_name = u"Process",
                                      .opcode_name = u"Start"})
                                   .schema;
    EXPECT_EQ(schema.provider->guid, event_class);
    EXPECT_TRUE(schema.is_class);
    EXPECT_EQ(schema.id, 34);
    EXPECT_EQ(schema.version, 2);
    EXPECT_EQ(schema.event_name, "Process/Start");
}

/// `<Visit><Guest>%1</Guest></Visit>`.
std::vector<std::byte> visit() {
    ByteWriter xml;
    const auto begin_element = [&](std::u16string_view name) {
        xml.u8(0x01).u16(0xFFFF).u32(0).u16(0).u16(static_cast<std::uint16_t>(name.size()));
        xml.zero_terminated16(name).u8(0x02);
    };
    xml.u8(0x0F).u8(1).u8(1).u8(0); // head of the fragment
    begin_element(u"Visit");
    begin_element(u"Guest");
    xml.u8(0x0D).u16(0).u8(1).u8(0x04).u8(0x04).u8(0x00); // substitution 0; ends
    return xml.take();
}

TEST(EventInfo, ReadsTheElementOfAUserDataTemplate) {
    EventInfo info{.provider = provider,
                   .properties = {{.name = u"Guest", .in = in_text}},
                   .flags = 2,
                   .binary_xml = visit()};
    EXPECT_EQ(parse(info).schema.user_data, "<Visit><Guest>%1</Guest></Visit>");
    info.flags = 1;
    EXPECT_EQ(parse(info).schema.user_data, "") << "EventData needs no element";
    info.flags = 2;
    info.binary_xml.resize(20);
    EXPECT_EQ(parse(info).schema.user_data, "");
    EXPECT_THAT(parse(info).schema.fields, ::testing::SizeIs(1)) << "the fields stand";
    auto blob = event_info(info);
    blob[84] = std::byte{0xFF};
    blob[87] = std::byte{0xFF}; // far behind the end
    const auto event = parse_event_info(blob);
    ASSERT_TRUE(event);
    EXPECT_EQ(event->schema.user_data, "");
}

TEST(EventInfo, RejectsSourcesThatAreDecodedOtherwise) {
    EXPECT_EQ(error_of({.decoding_source = 2}), ErrorCode::unsupported);
    EXPECT_EQ(error_of({.decoding_source = 3}), ErrorCode::unsupported);
}

TEST(EventInfo, RejectsPropertiesInTwoPlaces) {
    EXPECT_EQ(error_of({.properties = {{.name = u"s", .in = 0, .out = 1, .flags = structure}}}),
              ErrorCode::malformed)
        << "a structure inside of itself";
    EXPECT_EQ(error_of({.properties = {{.name = u"s", .in = 2, .out = 1, .flags = structure},
                                       {.name = u"t", .in = 2, .out = 1, .flags = structure},
                                       {.name = u"m", .in = in_u8}},
                        .top_level_properties = 2}),
              ErrorCode::malformed);
    EXPECT_EQ(error_of({.properties = {{.name = u"s", .in = 1, .out = 5, .flags = structure}}}),
              ErrorCode::malformed)
        << "members that are not there";
}

TEST(EventInfo, BoundsNesting) {
    EventInfo info;
    for (std::uint16_t i = 0; i < format::max_struct_depth + 2; ++i) {
        info.properties.push_back(
            {.name = u"s", .in = static_cast<std::uint16_t>(i + 1), .out = 1, .flags = structure});
    }
    info.properties.push_back({.name = u"leaf", .in = in_u8});
    info.top_level_properties = 1;
    EXPECT_EQ(error_of(info), ErrorCode::limit);
}

TEST(EventInfo, RejectsBlobsThatEndEarly) {
    const auto blob =
        event_info({.provider_name = u"P", .properties = {{.name = u"a", .in = in_u8}}});
    for (std::size_t size = 0; size < 112 + 24; ++size) {
        const auto event = parse_event_info(Bytes(blob).first(size));
        ASSERT_FALSE(event) << size;
        EXPECT_EQ(event.error().code, ErrorCode::truncated) << size;
    }
    EXPECT_TRUE(parse_event_info(Bytes(blob).first(112 + 24 + 1))) << "texts may be cut";
}

TEST(EventInfo, RejectsCountsThatLie) {
    auto blob = event_info({.properties = {{.name = u"a", .in = in_u8}}});
    store_le<std::uint32_t>(blob.data() + 104, 2); // TopLevelPropertyCount
    EXPECT_EQ(parse_event_info(blob).error().code, ErrorCode::malformed);
    store_le<std::uint32_t>(blob.data() + 100, 1000); // PropertyCount
    EXPECT_EQ(parse_event_info(blob).error().code, ErrorCode::truncated);
    store_le<std::uint32_t>(blob.data() + 100, 0xFFFFFFFF);
    EXPECT_EQ(parse_event_info(blob).error().code, ErrorCode::limit);
}

TEST(EventInfo, BoundsTextsThatOverlap) {
    // 500 properties that all bear the same 4,000 characters.
    EventInfo info{.message = std::u16string(4000, u'x')};
    info.properties.resize(500, {.name = {}, .in = in_u8});
    auto blob = event_info(info);
    const auto text = load_le<std::uint32_t>(blob.data() + 76);
    for (std::size_t i = 0; i < 500; ++i) {
        store_le<std::uint32_t>(blob.data() + 112 + 24 * i + 4, text);
    }
    EXPECT_EQ(parse_event_info(blob).error().code, ErrorCode::limit);
}

EmbeddedMap map_named(std::string name, const Guid& guid) {
    auto map = std::make_shared<ValueMap>();
    map->name = std::move(name);
    map->entries = {{1, "one"}};
    return {guid, std::move(map)};
}

TEST(BindMaps, GivesFieldsTheMapsOfTheirProvider) {
    std::vector<EmbeddedEvent> events;
    events.push_back(parse({.provider = provider,
                            .keyword = 1,
                            .provider_name = u"Demo",
                            .keyword_names = {u"One"},
                            .properties = {{.name = u"a", .in = in_u32, .map = u"M"},
                                           {.name = u"b", .in = in_u32, .map = u"Gone"},
                                           {.name = u"c", .in = in_u32, .map = u"M"}}}));
    events.push_back(
        parse({.provider = provider, .id = 2, .keyword = 2, .keyword_names = {u"Two"}}));
    const auto schemas =
        bind_maps(std::move(events), {map_named("M", event_class), map_named("M", provider)});
    ASSERT_EQ(schemas.size(), 2U);
    const EventSchema& schema = *schemas[0];
    ASSERT_EQ(schema.maps.size(), 1U);
    EXPECT_EQ(schema.maps[0]->name, "M");
    EXPECT_EQ(schema.fields[0].map, 0);
    EXPECT_EQ(schema.fields[1].map, Field::no_map);
    EXPECT_EQ(schema.fields[2].map, 0);
    EXPECT_EQ(schemas[1]->provider, schema.provider) << "one provider, one set of names";
    EXPECT_THAT(schema.provider->keywords, ElementsAre(Pair(1U, "One"), Pair(2U, "Two")));
}

struct MapEntry {
    std::uint32_t value;
    std::u16string text;
};

// The provider, then EVENT_MAP_INFO with eight spare bytes behind its entries, as traces have it.
std::vector<std::byte> map_info(std::uint32_t flag, const std::vector<MapEntry>& entries,
                                std::uint32_t value_type = 0) {
    ByteWriter texts;
    const auto begin = static_cast<std::uint32_t>(24 + 8 * entries.size());
    const auto add = [&](std::u16string_view text) {
        const auto at = static_cast<std::uint32_t>(begin + texts.size());
        texts.zero_terminated16(text);
        return at;
    };
    ByteWriter out;
    out.guid(provider)
        .u32(add(u"MyMap"))
        .u32(flag)
        .u32(static_cast<std::uint32_t>(entries.size()))
        .u32(value_type);
    for (const MapEntry& entry : entries) {
        out.u32(add(entry.text)).u32(entry.value);
    }
    return out.u64(0).bytes(texts.view()).take();
}

EmbeddedMap parse(const std::vector<std::byte>& blob) {
    auto map = parse_map_info(blob);
    EXPECT_TRUE(map) << describe(map.error());
    return map ? std::move(*map) : EmbeddedMap{{}, std::make_shared<ValueMap>()};
}

TEST(MapInfo, ReadsAValueMap) {
    const EmbeddedMap map = parse(map_info(1, {{0, u"static "}, {5, u"dynamic\r\n"}}));
    EXPECT_EQ(map.provider, provider);
    EXPECT_EQ(map.map->name, "MyMap");
    EXPECT_EQ(map.map->kind, ValueMap::Kind::value);
    EXPECT_THAT(map.map->entries, ElementsAre(Pair(0U, "static"), Pair(5U, "dynamic")))
        << "without what the message compiler put behind them";
}

TEST(MapInfo, TellsBitMaps) {
    constexpr std::uint32_t manifest_bits = 2, wbem_values = 8, wbem_bits = 0x10, wbem_flag = 0x20;
    EXPECT_EQ(parse(map_info(manifest_bits, {{1, u"a"}})).map->kind, ValueMap::Kind::bits);
    EXPECT_EQ(parse(map_info(wbem_bits, {{1, u"a"}})).map->kind, ValueMap::Kind::bits);
    EXPECT_EQ(parse(map_info(wbem_values, {{1, u"a"}})).map->kind, ValueMap::Kind::value);
    EXPECT_EQ(parse(map_info(wbem_values | wbem_flag, {{1, u"a"}})).map->kind,
              ValueMap::Kind::bits);
}

TEST(MapInfo, NumbersTheEntriesOfClassesWithoutMap) {
    constexpr std::uint32_t wbem_values = 8, wbem_bits = 0x10, no_map = 0x40;
    EXPECT_THAT(parse(map_info(wbem_values | no_map, {{9, u"a"}, {9, u"b"}})).map->entries,
                ElementsAre(Pair(0U, "a"), Pair(1U, "b")));
    EXPECT_THAT(parse(map_info(wbem_bits | no_map, {{9, u"a"}, {9, u"b"}, {9, u"c"}})).map->entries,
                ElementsAre(Pair(1U, "a"), Pair(2U, "b"), Pair(4U, "c")));
}

TEST(MapInfo, RejectsPatternsAndStrings) {
    EXPECT_EQ(parse_map_info(map_info(4, {})).error().code, ErrorCode::unsupported);
    EXPECT_EQ(parse_map_info(map_info(8, {{1, u"a"}}, 1)).error().code, ErrorCode::unsupported);
}

TEST(MapInfo, RejectsWhatEndsEarly) {
    const auto blob = map_info(1, {{0, u"a"}, {1, u"b"}});
    for (std::size_t size = 0; size < 32 + 16; ++size) {
        const auto map = parse_map_info(Bytes(blob).first(size));
        ASSERT_FALSE(map) << size;
        EXPECT_EQ(map.error().code, ErrorCode::truncated) << size;
    }
    auto lying = blob;
    store_le<std::uint32_t>(lying.data() + 24, 0xFFFFFFFF);
    EXPECT_EQ(parse_map_info(lying).error().code, ErrorCode::truncated);
}

TEST(MapInfo, BoundsTextsThatOverlap) {
    auto blob = map_info(1, std::vector<MapEntry>(1000, {0, u""}));
    ByteWriter text;
    text.zero_terminated16(std::u16string(2000, u'x'));
    const auto at = static_cast<std::uint32_t>(blob.size() - 16);
    blob.insert(blob.end(), text.view().begin(), text.view().end());
    for (std::size_t i = 0; i < 1000; ++i) {
        store_le<std::uint32_t>(blob.data() + 32 + 8 * i, at);
    }
    EXPECT_EQ(parse_map_info(blob).error().code, ErrorCode::limit);
}

} // namespace

} // namespace etl::schema::event_info_test

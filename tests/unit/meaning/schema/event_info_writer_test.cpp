#include "schema/event_info.hpp"
#include "schema/limits.hpp"
#include "schema/manifest.hpp"
#include "tests/support/event_info_difference.hpp"
#include "tests/support/schema_fields.hpp"
#include "tests/support/traces/event_info_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::schema::event_info_writer_test {
namespace {

using namespace etl::literals;
using test::difference;
using test::field;
using test::schema_of;
using test::structure;
using ::testing::ElementsAre;
using ::testing::Pair;

constexpr Guid provider = "11111111-2222-3333-4444-555555555555"_guid;

EventSchema named(EventSchema schema) {
    auto names = std::make_shared<ProviderNames>();
    names->guid = provider;
    names->name = "Demo-Provider";
    schema.provider = std::move(names);
    return schema;
}

std::vector<std::byte> write(const EmbeddedEvent& event) {
    ByteWriter blob;
    const auto done = write_event_info(event, blob);
    EXPECT_TRUE(done) << describe(done.error());
    return blob.take();
}

EmbeddedEvent read(const std::vector<std::byte>& blob) {
    auto event = parse_event_info(blob);
    EXPECT_TRUE(event) << describe(event.error());
    return event ? std::move(*event) : EmbeddedEvent{};
}

EmbeddedEvent written_and_read(const EventSchema& schema) {
    return read(write(to_embedded_event(schema)));
}

ErrorCode error_of(const EventSchema& schema) {
    ByteWriter blob;
    const auto done = write_event_info(to_embedded_event(schema), blob);
    EXPECT_TRUE(done || blob.size() == 0) << "nothing is appended";
    return done ? ErrorCode::none : done.error().code;
}

// A manifest with all that TRACE_EVENT_INFO has a place for.
// clang-format off
constexpr std::string_view manifest = R"xml(<instrumentationManifest><instrumentation><events>
<provider name="Example-Ferry" guid="{11111111-2222-3333-4444-555555555555}" symbol="F" message="$(string.p)">
 <channels><channel name="Example-Ferry/Analytic" chid="a" value="16" type="Analytic"/></channels>
 <levels><level name="Chatty" value="17" message="$(string.l)"/></levels>
 <tasks><task name="Crossing" value="3" eventGUID="{99999999-2222-3333-4444-555555555555}"/></tasks>
 <opcodes><opcode name="Depart" value="12"/></opcodes>
 <keywords><keyword name="Boat" mask="0x1"/><keyword name="Crew" mask="0x10"/></keywords>
 <maps>
  <valueMap name="Pier"><map value="1" message="$(string.north)"/><map value="2" message="$(string.south)"/></valueMap>
  <bitMap name="Lamps"><map value="0x1" message="$(string.north)"/><map value="0x4" message="$(string.south)"/></bitMap>
 </maps>
 <templates>
  <template tid="t">
   <data name="Pier" inType="win:UInt32" map="Pier"/>
   <data name="Lamps" inType="win:UInt8" map="Lamps"/>
   <data name="Cars" inType="win:UInt16"/>
   <struct name="Car" count="Cars"><data name="Plate" inType="win:AnsiString" length="8"/><data name="Size" inType="win:UInt16"/><data name="Load" inType="win:Binary" length="Size"/></struct>
   <data name="Code" inType="win:HexInt32" count="2"/>
   <data name="Name" inType="win:UnicodeString"/>
   <data name="Where" inType="win:Binary" outType="win:IPv6"/>
   <data name="At" inType="win:Pointer"/>
  </template>
  <template tid="u">
   <data name="Guest" inType="win:UnicodeString"/><data name="Age" inType="win:UInt32"/>
   <UserData><Visit xmlns="v"><Guest age="%2">%1</Guest><Quote>"a" &amp; b</Quote><Empty/></Visit></UserData>
  </template>
 </templates>
 <events>
  <event value="1" version="2" channel="a" level="Chatty" task="Crossing" opcode="Depart" keywords="Boat Crew" template="t" message="$(string.m)"/>
  <event value="2" level="win:Warning" opcode="win:Start" task="Crossing" keywords="Boat" template="u" symbol="V"/>
  <event value="3" level="win:Informational" symbol="Alone"/>
 </events>
</provider></events>
<localization><resources culture="en-US"><stringTable>
 <string id="p" value="The ferry"/><string id="l" value="Talk"/><string id="north" value="North pier"/>
 <string id="south" value="South pier"/><string id="m" value="To %1 with %3%n cars "/>
</stringTable></resources></localization></instrumentation></instrumentationManifest>)xml";
// clang-format on

TEST(EventInfoWriter, CarriesWhatAManifestSays) {
    const auto set = parse_manifest(std::as_bytes(std::span(manifest)));
    ASSERT_TRUE(set);
    ASSERT_EQ(set->events.size(), 3U);
    for (const auto& event : set->events) {
        EmbeddedEvent before = to_embedded_event(*event);
        const EmbeddedEvent after = read(write(before));
        // Names of others are not the event's to tell.
        before.schema.provider = after.schema.provider;
        EXPECT_EQ(difference(before, after), "") << event->id;
    }
    const EmbeddedEvent ferry = written_and_read(*set->events[0]);
    const ProviderNames& names = *ferry.schema.provider;
    EXPECT_EQ(names.guid, provider);
    EXPECT_EQ(names.name, "Example-Ferry");
    EXPECT_EQ(names.message, "The ferry");
    EXPECT_THAT(names.levels, ElementsAre(Pair(17, "Talk")));
    EXPECT_THAT(names.channels, ElementsAre(Pair(16, "Example-Ferry/Analytic")));
    EXPECT_THAT(names.keywords, ElementsAre(Pair(0x1U, "Boat"), Pair(0x10U, "Crew")));
    EXPECT_EQ(ferry.schema.task_guid, "99999999-2222-3333-4444-555555555555"_guid);
    EXPECT_THAT(ferry.map_of_field, ElementsAre(Pair(0, "Pier"), Pair(1, "Lamps")));
    EXPECT_EQ(
        written_and_read(*set->events[1]).schema.user_data,
        R"(<Visit xmlns="v"><Guest age="%2">%1</Guest><Quote>"a" &amp; b</Quote><Empty/></Visit>)");
    EXPECT_EQ(written_and_read(*set->events[2]).schema.event_name, "Alone");
}

TEST(EventInfoWriter, MembersOfNestedStructuresFindBack) {
    const auto by = [](std::uint32_t number) { return Extent{Extent::Kind::field, number}; };
    const EventSchema schema = named(schema_of({
        field("Count", InType::uint32),
        structure("Outer", 4, by(0)),
        field("Size", InType::uint16),
        structure("Inner", 1),
        field("Bytes", InType::binary, OutType::hex_binary, {}, by(2)),
        structure("Empty", 0),
        field("Last", InType::uint8),
    }));
    const EmbeddedEvent after = written_and_read(schema);
    ASSERT_EQ(after.schema.fields.size(), schema.fields.size());
    for (std::size_t i = 0; i < schema.fields.size(); ++i) {
        EXPECT_EQ(difference(schema.fields[i], after.schema.fields[i]), "") << i;
    }
}

TEST(EventInfoWriter, WhatItCannotSayIsRejected) {
    const auto with = [](Field one) { return error_of(named(schema_of({std::move(one)}))); };
    EXPECT_EQ(with(field("a", InType::uint8, OutType::none, {Extent::Kind::prefixed, 0})),
              ErrorCode::unsupported);
    EXPECT_EQ(with(field("a", InType::uint8, OutType::none, {Extent::Kind::rest, 0})),
              ErrorCode::unsupported);
    EXPECT_EQ(with(field("a", InType::uint64, OutType::time_delta)), ErrorCode::unsupported);
    EXPECT_EQ(with(field("a", InType::uint8, OutType::none, {Extent::Kind::fixed, 65536})),
              ErrorCode::limit);
    EventSchema message = named(schema_of({}));
    message.origin = Origin::wpp;
    EXPECT_EQ(error_of(message), ErrorCode::unsupported);
    std::vector<Field> many(limits::fields + 1, field("a", InType::uint8));
    EXPECT_EQ(error_of(named(schema_of(std::move(many)))), ErrorCode::limit);
}

TEST(EventInfoWriter, ReferencesThatLeadNowhereStayUnknown) {
    const EmbeddedEvent after = written_and_read(
        named(schema_of({field("a", InType::uint8, OutType::none, {Extent::Kind::unknown, 0})})));
    EXPECT_EQ(after.schema.fields.at(0).count.kind, Extent::Kind::unknown);
}

TEST(EventInfoWriter, XmlThatIsNoneLeavesTheEventWithItsFields) {
    for (const char* xml : {"<Open><Shut></Open>", "no element", "<a b=1/>", "<"}) {
        EventSchema schema = named(schema_of({field("a", InType::uint8)}));
        schema.user_data = xml;
        const EmbeddedEvent after = written_and_read(schema);
        EXPECT_EQ(after.schema.user_data, "") << xml;
        EXPECT_EQ(after.schema.fields.size(), 1U);
    }
}

TEST(EventInfoWriter, MapsComeBack) {
    ValueMap map{"Pier", ValueMap::Kind::bits, {{4, "South"}, {1, "North "}, {0, ""}}};
    ByteWriter blob;
    write_map_info({provider, std::make_shared<ValueMap>(map)}, blob);
    const auto after = parse_map_info(blob.view());
    ASSERT_TRUE(after);
    EXPECT_EQ(after->provider, provider);
    EXPECT_EQ(after->map->name, "Pier");
    EXPECT_EQ(after->map->kind, ValueMap::Kind::bits);
    EXPECT_EQ(after->map->entries, map.entries);
}

TEST(EventInfoWriter, WritesPhysicalAddressesAsWhatTdhKnows) {
    const EventSchema schema = named(
        schema_of({field("Mac", InType::binary, OutType::mac_address, {}, {Extent::Kind::fixed, 6}),
                   field("Number", InType::uint64, OutType::padded_mac_address)}));
    const EmbeddedEvent read = written_and_read(schema);
    ASSERT_EQ(read.schema.fields.size(), 2U);
    EXPECT_EQ(read.schema.fields[0].out_type, OutType::hex_binary);
    EXPECT_EQ(read.schema.fields[1].out_type, OutType::uint64);
}

} // namespace
} // namespace etl::schema::event_info_writer_test

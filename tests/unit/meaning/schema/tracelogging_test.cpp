#include "base/text.hpp"
#include "format/limits.hpp"
#include "schema/limits.hpp"
#include "schema/tracelogging.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"

#include <gtest/gtest.h>

namespace etl::schema::tracelogging_test {
namespace {

namespace in = test::tl_in;
namespace out = test::tl_out;
using test::TraceLoggingEvent;

EventSchema parse(const TraceLoggingEvent& event) {
    const auto metadata = event.metadata();
    auto schema = parse_tracelogging(metadata, nullptr);
    EXPECT_TRUE(schema) << describe(schema.error());
    return schema ? std::move(*schema) : EventSchema{};
}

Field field_of(const TraceLoggingEvent::Field& field) {
    const EventSchema schema = parse(TraceLoggingEvent("E").field(field));
    EXPECT_EQ(schema.fields.size(), 1U);
    return schema.fields.empty() ? Field{} : schema.fields.front();
}

ErrorCode error_of(Bytes metadata) {
    const auto schema = parse_tracelogging(metadata, nullptr);
    return schema ? ErrorCode::none : schema.error().code;
}

TEST(TraceLogging, ReadsNamesTypesAndTags) {
    TraceLoggingEvent event("CupFinished", 0x0ABCDEF1);
    event.i32("Temperature", 93).utf16("Drink", u"espresso");
    event.field({.name = "Tagged", .in = in::u8, .out = out::boolean, .tag = 0x4001});
    auto provider = std::make_shared<ProviderNames>();
    auto metadata = event.metadata();
    metadata.resize(metadata.size() + 7); // padding behind the size
    const auto schema = parse_tracelogging(metadata, provider);
    ASSERT_TRUE(schema);
    EXPECT_EQ(schema->origin, Origin::tracelogging);
    EXPECT_EQ(schema->provider, provider);
    EXPECT_EQ(schema->event_name, "CupFinished");
    EXPECT_EQ(schema->tags, 0x0ABCDEF1U);
    ASSERT_EQ(schema->fields.size(), 3U);
    EXPECT_EQ(schema->fields[0].name, "Temperature");
    EXPECT_EQ(schema->fields[0].in_type, InType::int32);
    EXPECT_EQ(schema->fields[0].count.kind, Extent::Kind::natural);
    EXPECT_EQ(schema->fields[1].in_type, InType::unicode_string);
    EXPECT_EQ(schema->fields[2].out_type, OutType::boolean);
    EXPECT_EQ(schema->fields[2].tags, 0x4001U);
    EXPECT_EQ(schema->fields[2].raw_in, 0x80 | in::u8);
    EXPECT_EQ(schema->fields[2].raw_out, 0x80 | out::boolean);
}

TEST(TraceLogging, HasTextsInPlace) {
    TraceLoggingEvent event("CupFinished");
    event.i32("Temperature", 93).variable_array({.name = "Drinks", .in = in::utf16});
    event.custom({.name = "Cup", .in = in::binary}, std::as_bytes(std::span("blue", 4)));
    auto metadata = event.metadata();
    const auto texts = texts_of_tracelogging(metadata);
    ASSERT_TRUE(texts);
    std::string all;
    for (const Bytes text : *texts) {
        EXPECT_TRUE(text.empty() || (text.data() > metadata.data() &&
                                     text.data() < metadata.data() + metadata.size()));
        all += std::string(as_text(text)) + ";";
    }
    EXPECT_EQ(all, "CupFinished;Temperature;;Drinks;;Cup;blue;");
    metadata.pop_back();
    EXPECT_FALSE(texts_of_tracelogging(metadata));
}

TEST(TraceLogging, TagsAre28BitsTheHighOnesFirst) {
    ByteWriter metadata;
    metadata.u16(0).u8(0x85).u8(0x01); // event tags: seven bits, and seven more
    metadata.zero_terminated8("E");
    metadata.zero_terminated8("f").u8(0x80 | in::u8).u8(0x80).u8(0x01);
    metadata.patch(0, static_cast<std::uint16_t>(metadata.size()));
    const auto schema = parse_tracelogging(metadata.view(), nullptr);
    ASSERT_TRUE(schema);
    EXPECT_EQ(schema->tags, 5U << 21U | 1U << 14U);
    EXPECT_EQ(schema->fields.at(0).tags, 1U << 21U);
}

TEST(TraceLogging, KeepsWhatDescribesACustomType) {
    const std::vector type{std::byte{1}, std::byte{2}, std::byte{255}};
    const EventSchema schema =
        parse(TraceLoggingEvent("E").utf16("a", u"").custom({.name = "c"}, type));
    ASSERT_EQ(schema.custom_types.size(), 1U);
    EXPECT_EQ(schema.custom_types[0].first, 1U);
    EXPECT_EQ(schema.custom_types[0].second, type);
}

TEST(TraceLogging, BinaryIsCountedHere) {
    EXPECT_EQ(field_of({.name = "b", .in = in::binary}).in_type, InType::counted_binary);
    EXPECT_EQ(field_of({.name = "b", .in = in::binary}).raw_in, in::binary);
    EXPECT_EQ(field_of({.name = "b", .in = in::counted_binary}).in_type, InType::counted_binary);
}

TEST(TraceLogging, KeepsTypesItDoesNotKnow) {
    EXPECT_EQ(field_of({.name = "x", .in = 29}).in_type, static_cast<InType>(29));
}

TEST(TraceLogging, MapsOutTypesBySize) {
    const auto mapped = [](std::uint8_t type, std::uint8_t code) {
        return field_of({.name = "x", .in = type, .out = code}).out_type;
    };
    EXPECT_EQ(mapped(in::u8, out::hex), OutType::hex_int8);
    EXPECT_EQ(mapped(in::i16, out::hex), OutType::hex_int16);
    EXPECT_EQ(mapped(in::u32, out::hex), OutType::hex_int32);
    EXPECT_EQ(mapped(in::i64, out::hex), OutType::hex_int64);
    EXPECT_EQ(mapped(in::ansi, out::hex), OutType::none);
    EXPECT_EQ(mapped(in::u8, out::as_signed), OutType::int8);
    EXPECT_EQ(mapped(in::hex64, out::as_signed), OutType::int64);
    EXPECT_EQ(mapped(in::i32, out::as_unsigned), OutType::uint32);
    EXPECT_EQ(mapped(in::i16, out::as_unsigned), OutType::uint16);
}

TEST(TraceLogging, MapsEveryOutTypeOfItsOwnList) {
    const std::vector<std::pair<std::uint8_t, OutType>> expected{
        {out::none, OutType::none},
        {out::no_print, OutType::no_print},
        {out::string, OutType::string},
        {out::boolean, OutType::boolean},
        {out::pid, OutType::pid},
        {out::tid, OutType::tid},
        {out::port, OutType::port},
        {out::ipv4, OutType::ipv4},
        {out::ipv6, OutType::ipv6},
        {out::socket_address, OutType::socket_address},
        {out::xml, OutType::xml},
        {out::json, OutType::json},
        {out::win32_error, OutType::win32_error},
        {out::ntstatus, OutType::ntstatus},
        {out::hresult, OutType::hresult},
        {out::filetime, OutType::date_time},
        {19, OutType::none},
        {34, OutType::none},
        {out::utf8, OutType::utf8},
        {out::pkcs7, OutType::pkcs7},
        {out::code_pointer, OutType::code_pointer},
        {out::date_time_utc, OutType::date_time_utc},
    };
    for (const auto& [code, type] : expected) {
        EXPECT_EQ(field_of({.name = "x", .in = in::u32, .out = code}).out_type, type) << int{code};
    }
}

TEST(TraceLogging, TellsTheThreeKindsOfCounts) {
    const auto describe_type = std::vector<std::byte>(40, std::byte{0x5A});
    TraceLoggingEvent event("Arrays");
    event.variable_array({.name = "v", .in = in::u16});
    event.fixed_array({.name = "f", .in = in::u16, .out = out::port}, 300);
    event.custom({.name = "c", .in = in::u8, .out = 99}, describe_type);
    event.field({.name = "after", .in = in::u8});
    const auto fields = parse(event).fields;
    ASSERT_EQ(fields.size(), 4U);
    EXPECT_EQ(fields[0].count.kind, Extent::Kind::prefixed);
    EXPECT_EQ(fields[1].count.kind, Extent::Kind::fixed);
    EXPECT_EQ(fields[1].count.value, 300U);
    EXPECT_EQ(fields[1].out_type, OutType::port);
    EXPECT_EQ(fields[2].in_type, InType::counted_binary);
    EXPECT_EQ(fields[2].count.kind, Extent::Kind::natural);
    EXPECT_EQ(fields[3].name, "after");
}

TEST(TraceLogging, ANestedStructureIsOneMember) {
    TraceLoggingEvent event("Nested");
    event.structure("outer", 2);
    event.structure_array("inner", 2).u32("a", 0).u32("b", 0);
    event.u32("second", 0); // the second member of outer
    event.u32("after", 0);
    const EventSchema schema = parse(event);
    ASSERT_EQ(schema.fields.size(), 6U);
    EXPECT_EQ(schema.fields[0].in_type, InType::structure);
    EXPECT_EQ(schema.fields[0].members, 4U);
    EXPECT_EQ(schema.fields[1].members, 2U);
    EXPECT_EQ(schema.fields[1].count.kind, Extent::Kind::prefixed);
    EXPECT_EQ(schema.top_level(), (std::vector<std::uint16_t>{0, 5}));
}

TEST(TraceLogging, StructuresThatEndTogetherAreBothClosed) {
    TraceLoggingEvent event("Nested");
    event.structure("outer", 1).structure("inner", 1).u32("leaf", 0).u32("after", 0);
    const auto fields = parse(event).fields;
    ASSERT_EQ(fields.size(), 4U);
    EXPECT_EQ(fields[0].members, 2U);
    EXPECT_EQ(fields[1].members, 1U);
    EXPECT_EQ(fields[3].members, 0U);
}

TEST(TraceLogging, AStructureMayBeEmpty) {
    TraceLoggingEvent event("Empty");
    event.structure("outer", 2).structure("nothing", 0).u32("a", 0).u32("after", 0);
    const auto fields = parse(event).fields;
    ASSERT_EQ(fields.size(), 4U);
    EXPECT_EQ(fields[0].members, 2U);
    EXPECT_EQ(fields[1].members, 0U);
}

TEST(TraceLogging, NamesMayBeEmptyAndAreMadeValid) {
    TraceLoggingEvent event("bad\xFFname");
    event.u32("", 0);
    const EventSchema schema = parse(event);
    EXPECT_EQ(schema.event_name, "bad\xEF\xBF\xBDname");
    ASSERT_EQ(schema.fields.size(), 1U);
    EXPECT_EQ(schema.fields[0].name, "");
}

TEST(TraceLogging, RejectsMetadataCutAnywhere) {
    TraceLoggingEvent event("Cut", 5);
    event.structure("s", 1).fixed_array({.name = "f", .in = in::u16, .out = out::hex, .tag = 300},
                                        4);
    const auto whole = event.metadata();
    ASSERT_EQ(error_of(whole), ErrorCode::none);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        EXPECT_EQ(error_of(Bytes(whole).first(size)), ErrorCode::truncated) << size;
    }
    // The same with a size that fits: what is missing is then in the middle of a field.
    for (std::size_t size = 2; size < whole.size(); ++size) {
        auto cut = whole;
        cut.resize(size);
        store_le<std::uint16_t>(cut.data(), static_cast<std::uint16_t>(size));
        if (error_of(cut) == ErrorCode::none) {
            EXPECT_EQ(size, 2U + 4 + 4) << "only an event without fields is whole";
        }
    }
}

TEST(TraceLogging, RejectsASizeThatDoesNotHoldItself) {
    EXPECT_EQ(error_of(ByteWriter().u16(1).view()), ErrorCode::malformed);
}

TEST(TraceLogging, RejectsAStructureWithoutItsMembers) {
    TraceLoggingEvent event("Short");
    event.structure("s", 3).u32("only", 0);
    EXPECT_EQ(error_of(event.metadata()), ErrorCode::truncated);
}

TEST(TraceLogging, BoundsNestingAndFields) {
    TraceLoggingEvent deep("Deep");
    for (std::uint32_t i = 0; i <= format::max_struct_depth; ++i) {
        deep.structure("s", 1);
    }
    deep.u32("leaf", 0);
    EXPECT_EQ(error_of(deep.metadata()), ErrorCode::limit);

    TraceLoggingEvent wide("Wide");
    for (std::uint32_t i = 0; i <= limits::fields; ++i) {
        wide.field({.name = "", .in = in::u8});
    }
    EXPECT_EQ(error_of(wide.metadata()), ErrorCode::limit);
}

} // namespace
} // namespace etl::schema::tracelogging_test

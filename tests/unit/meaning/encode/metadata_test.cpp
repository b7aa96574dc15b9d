#include "encode/metadata.hpp"
#include "schema/tracelogging.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"
#include "tests/unit/meaning/encode/encoding.hpp"

#include <gtest/gtest.h>

namespace etl::metadata_test {
namespace {

using namespace test;
using encode::MetadataField;
using Count = encode::MetadataField::Count;

std::string hex(Bytes bytes) {
    std::string text;
    append_hex_bytes(text, bytes);
    return text;
}

std::string metadata_of(std::string_view name, std::uint32_t tags,
                        std::span<const MetadataField> fields) {
    ByteWriter to;
    const auto done = encode::encode_metadata(name, tags, fields, to);
    return done ? hex(to.view()) : (to.size() == 0 ? "! " : "appended! ") + describe(done.error());
}

/// As `fields` of a dump says them: `name in out count tags custom`, one a line.
std::string lines(std::span<const MetadataField> fields) {
    std::string text;
    for (const MetadataField& field : fields) {
        text += std::string(field.name) + ' ' + std::to_string(field.in) + ' ' +
                std::to_string(field.out);
        text += field.count == Count::one        ? " one"
                : field.count == Count::variable ? " variable"
                : field.count == Count::custom   ? " custom"
                                                 : ' ' + std::to_string(field.fixed);
        text += field.tags != 0 ? " tags " + std::to_string(field.tags) : std::string();
        text += field.custom_type.empty() ? "" : " custom " + std::string(field.custom_type);
        text += '\n';
    }
    return text;
}

std::string parsed(std::string_view json) {
    const Json values(json);
    std::vector<MetadataField> fields;
    const auto done = encode::parse_fields(values.given(), fields);
    return done ? lines(fields) : "! " + done.error().field + ' ' + done.error().what;
}

std::string inferred(std::string_view json) {
    const Json values(json);
    std::vector<MetadataField> fields;
    const auto done = encode::infer_fields(values.given(), fields);
    EXPECT_TRUE(done || fields.empty());
    return done ? lines(fields) : "! " + done.error().field + ": " + done.error().what;
}

TEST(EncodeMetadata, SpellsFieldsAsTraceLoggingDoes) {
    TraceLoggingEvent event("Brewed", 0x0ABCDEF1);
    event.field({.name = "plain", .in = tl_in::i32});
    event.field({.name = "hex", .in = tl_in::u32, .out = tl_out::hex});
    event.field({.name = "tagged", .in = tl_in::u8, .tag = 1U << 21U});
    event.fixed_array({.name = "fixed", .in = tl_in::u16, .out = tl_out::port, .tag = 300}, 7);
    event.variable_array({.name = "list", .in = tl_in::utf16});
    event.structure("outer", 2).field({.name = "one", .in = tl_in::u8});
    event.structure_array("inner", 1).field({.name = "deep", .in = tl_in::u8});
    event.custom({.name = "custom", .in = tl_in::u8}, std::vector(2, std::byte{0xAB}));
    const std::vector<MetadataField> fields{
        {.name = "plain", .in = tl_in::i32},
        {.name = "hex", .in = tl_in::u32, .out = tl_out::hex},
        {.name = "tagged", .in = tl_in::u8, .tags = 1U << 21U},
        {.name = "fixed",
         .in = tl_in::u16,
         .out = tl_out::port,
         .count = Count::fixed,
         .fixed = 7,
         .tags = 300},
        {.name = "list", .in = tl_in::utf16, .count = Count::variable},
        {.name = "outer", .in = tl_in::structure, .out = 2},
        {.name = "one", .in = tl_in::u8},
        {.name = "inner", .in = tl_in::structure, .out = 1, .count = Count::variable},
        {.name = "deep", .in = tl_in::u8},
        {.name = "custom", .in = tl_in::u8, .count = Count::custom, .custom_type = "abab"}};
    EXPECT_EQ(metadata_of("Brewed", 0x0ABCDEF1, fields), hex(event.metadata()));
    EXPECT_EQ(metadata_of("E", 0, {}), "0500004500");
}

TEST(EncodeMetadata, RefusesWhatMetadataCannotSay) {
    const auto one = [](const MetadataField& field) {
        return metadata_of("E", 0, std::span(&field, 1));
    };
    EXPECT_TRUE(one({.name = std::string_view("a\0b", 3), .in = 1}).starts_with("! malformed"));
    EXPECT_TRUE(one({.name = "a", .in = 32}).starts_with("! malformed"));
    EXPECT_TRUE(one({.name = "a", .in = 1, .out = 128}).starts_with("! malformed"));
    EXPECT_TRUE(one({.name = "a", .in = 1, .tags = 1U << 28U}).starts_with("! malformed"));
    EXPECT_TRUE(one({.name = "a", .in = 24, .out = 1}).starts_with("! malformed"));
    EXPECT_TRUE(one({.name = "a", .in = 1, .count = Count::custom, .custom_type = "f"})
                    .starts_with("! malformed"));
    EXPECT_TRUE(metadata_of(std::string_view("\0", 1), 0, {}).starts_with("! malformed"));
    EXPECT_TRUE(metadata_of("E", 1U << 28U, {}).starts_with("! malformed"));
    EXPECT_TRUE(metadata_of(std::string(70'000, 'x'), 0, {}).starts_with("! limit"));
    EXPECT_EQ(metadata_of(std::string(65'531, 'x'), 0, {}).size(), 2U * 65'535);
    EXPECT_TRUE(metadata_of(std::string(65'532, 'x'), 0, {}).starts_with("! limit"));
}

TEST(EncodeTraits, SpellsThemAsTheProviderDoes) {
    constexpr Guid group = *parse_guid("5e000100-0000-4000-8000-000000000001");
    constexpr Guid decode = *parse_guid("5e000100-0000-4000-8000-000000000002");
    const auto traits = [](std::string_view name, const std::optional<Guid>& g,
                           const std::optional<Guid>& d) {
        ByteWriter to;
        EXPECT_TRUE(encode::encode_traits(name, g, d, to));
        return hex(to.view());
    };
    EXPECT_EQ(traits("Tea", std::nullopt, std::nullopt), "060054656100");
    EXPECT_EQ(traits("Tea", group, decode), hex(provider_traits("Tea", {group, decode})));
    ByteWriter to;
    EXPECT_FALSE(encode::encode_traits(std::string(70'000, 'x'), {}, {}, to));
    EXPECT_FALSE(encode::encode_traits(std::string_view("\0", 1), {}, {}, to));
    EXPECT_EQ(to.size(), 0U);
}

TEST(ParseFields, ReadsWhatADumpWrites) {
    EXPECT_EQ(parsed(R"([["a",4,0,"one"],["b",8,5,"variable"],["c",4,0,3,5],
                         ["d",1,0,"custom"],["e",1,0,"custom",7,"00ff"]])"),
              "a 4 0 one\nb 8 5 variable\nc 4 0 3 tags 5\nd 1 0 custom\n"
              "e 1 0 custom tags 7 custom 00ff\n");
    EXPECT_EQ(parsed("[]"), "");
}

TEST(ParseFields, TellsWhatIsWrong) {
    EXPECT_EQ(parsed("{}"), "! fields not an array");
    EXPECT_EQ(parsed("[7]"), "! fields[0] not an array");
    EXPECT_EQ(parsed(R"([["a",4,0]])"),
              "! fields[0] expected at least four parts: name, in type, out type, count");
    EXPECT_EQ(parsed(R"([["a",4,0,"one"],[4,4,0,"one"]])"), "! fields[1] missing name");
    EXPECT_EQ(parsed(R"([["a",32,0,"one"]])"), "! fields[0] expected a type: a number up to 31");
    EXPECT_EQ(parsed(R"([["a","4",0,"one"]])"), "! fields[0] expected a type: a number up to 31");
    EXPECT_EQ(parsed(R"([["a",4,128,"one"]])"),
              "! fields[0] expected an out type: a number up to 127");
    EXPECT_EQ(parsed(R"([["a",4,0,"two"]])"),
              R"(! fields[0] expected a count: a number, "one", "variable", or "custom")");
    EXPECT_EQ(parsed(R"([["a",4,0,65536]])"),
              R"(! fields[0] expected a count: a number, "one", "variable", or "custom")");
    EXPECT_EQ(parsed(R"([["a",4,0,1,268435456]])"),
              "! fields[0] expected tags: a number of 28 bits");
    EXPECT_EQ(parsed(R"([["a",4,0,"one",0,"00"]])"),
              "! fields[0] sixth part without a custom type");
    EXPECT_EQ(parsed(R"([["a",4,0,"custom",0,"00",1]])"), "! fields[0] more than six parts");
}

TEST(InferFields, FollowsTheKindsOfJson) {
    EXPECT_EQ(
        inferred(R"({"b":true,"i":-1,"u":9223372036854775808,"f":1.5,"t":"x","z":"a\u0000"})"),
        "b 13 0 one\ni 9 0 one\nu 10 0 one\nf 12 0 one\nt 1 0 one\nz 22 0 one\n");
    EXPECT_EQ(inferred("{}"), "");
    EXPECT_EQ(inferred(R"({"s":{"a":1,"t":{"b":"x"}},"e":{},"c":2})"),
              "s 24 2 one\na 9 0 one\nt 24 1 one\nb 1 0 one\ne 24 0 one\nc 9 0 one\n");
}

TEST(InferFields, FindsTheCommonTypeOfElements) {
    EXPECT_EQ(inferred(R"({"v":[1,2]})"), "v 9 0 variable\n");
    EXPECT_EQ(inferred(R"({"v":[1,2.5]})"), "v 12 0 variable\n");
    EXPECT_EQ(inferred(R"({"v":[1,9223372036854775808]})"), "v 10 0 variable\n");
    EXPECT_EQ(inferred(R"({"v":["a","b\u0000"]})"), "v 22 0 variable\n");
    EXPECT_EQ(inferred(R"({"r":[{"a":1,"l":[1]},{"a":2.5,"l":[2]}],"z":1})"),
              "r 24 2 variable\na 12 0 one\nl 9 0 variable\nz 9 0 one\n");
}

TEST(InferFields, RefusesWhatHasNoType) {
    EXPECT_EQ(inferred(R"({"a":{"n":null}})"), "! a.n: null has no type");
    EXPECT_EQ(inferred(R"({"v":[]})"), "! v: an empty array has no type");
    EXPECT_EQ(inferred(R"({"v":[[1]]})"), "! v[0]: nested arrays are unsupported");
    EXPECT_EQ(inferred(R"({"v":[1,"a"]})"),
              "! v[1]: type differs from that of the previous elements");
    EXPECT_EQ(inferred(R"({"v":[{"a":1},{"a":1,"b":2}]})"),
              "! v[1]: members differ from those of the previous elements");
    EXPECT_EQ(inferred(R"({"v":[{"a":1},{"b":1}]})"),
              "! v[1]: type differs from that of the previous elements");
    EXPECT_EQ(inferred("[1]"), "! : not an object");
    std::string deep;
    for (int i = 0; i < 10; ++i) {
        deep += R"({"s":)";
    }
    EXPECT_EQ(inferred(deep + "1" + std::string(10, '}')), "! s.s.s.s.s.s.s.s.s: nested too deep");
}

// What is inferred is metadata, and takes the values it was inferred from.
TEST(InferFields, FitsTheValues) {
    constexpr auto* json =
        R"({"a":true,"s":{"l":[1,2.5],"t":["x","y\u0000"]},"r":[{"k":"a","v":1},{"k":"b","v":-2}],"z":7})";
    const Json values(json);
    std::vector<MetadataField> fields;
    ASSERT_TRUE(encode::infer_fields(values.given(), fields));
    ByteWriter metadata;
    ASSERT_TRUE(encode::encode_metadata("E", 0, fields, metadata));
    const auto schema = schema::parse_tracelogging(metadata.view(), nullptr);
    ASSERT_TRUE(schema);
    EXPECT_EQ(encoded(*schema, json), "01000000"
                                      "0200000000000000f03f0000000000000440"
                                      "0200"
                                      "02007800"
                                      "040079000000"
                                      "0200"
                                      "61000000"
                                      "0100000000000000"
                                      "62000000"
                                      "feffffffffffffff"
                                      "0700000000000000");
}

} // namespace
} // namespace etl::metadata_test

// Fields among each other: names, counts, lengths, structures, what is missing.
#include "tests/unit/meaning/encode/encoding.hpp"

#include <gtest/gtest.h>

namespace etl::payload_test {
namespace {

using namespace test;
using encode::PayloadOptions;

constexpr PayloadOptions may_end{.missing = PayloadOptions::Missing::ends_payload};

TEST(PayloadEncoder, FindsMembersInAnyOrder) {
    const EventSchema schema = schema_of(
        {field("a", InType::uint8), field("b", InType::uint8), field("c", InType::uint8)});
    EXPECT_EQ(encoded(schema, R"({"a":1,"b":2,"c":3})"), "010203");
    EXPECT_EQ(encoded(schema, R"({"c":3,"a":1,"b":2})"), "010203");
    EXPECT_EQ(encoded(schema, R"({"c":3,"b":2,"a":1})"), "010203");
    EXPECT_EQ(encoded(schema, R"({"b":2,"a":1,"c":3})"), "010203");
}

TEST(PayloadEncoder, NamesRepeatsAsADumpDoes) {
    const EventSchema schema = schema_of(
        {field("a", InType::uint8), field("a", InType::uint8), field("b", InType::uint8)});
    EXPECT_EQ(encoded(schema, R"({"a":1,"a#2":2,"b":3})"), "010203");
    EXPECT_EQ(encoded(schema, R"({"b":3,"a#2":2,"a":1})"), "010203");
    EXPECT_EQ(encoded(schema, R"({"a":1,"b":3})"), "! a#2: missing");
}

TEST(PayloadEncoder, RefusesMembersThatAreNoFields) {
    const EventSchema schema = schema_of({field("a", InType::uint8), field("b", InType::uint8)});
    EXPECT_EQ(encoded(schema, R"({"a":1,"b":2,"x":3})"), "! x: unknown field");
    EXPECT_EQ(encoded(schema, R"({"x":3,"a":1,"b":2})"), "! x: unknown field");
    EXPECT_EQ(encoded(schema, R"({"a":1,"a":1,"b":2})"), "! a: duplicate");
    EXPECT_EQ(encoded(schema, R"({"a":1,"b":2,"b":2})"), "! b: duplicate");
    EXPECT_EQ(encoded(schema, "[1,2]"), "! : not an object");
    EXPECT_EQ(encoded(schema, R"({"a":[1],"b":2})"), "! a: not a single value");
}

TEST(PayloadEncoder, TellsWhatIsMissing) {
    const EventSchema schema = schema_of({field("a", InType::uint8), structure("s", 1),
                                          field("b", InType::uint8), field("n", InType::null)});
    EXPECT_EQ(encoded(schema, R"({"a":1,"s":{"b":2},"n":null})"), "0102");
    EXPECT_EQ(encoded(schema, R"({"a":1,"s":{"b":2}})"), "0102");
    EXPECT_EQ(encoded(schema, R"({"s":{"b":2}})"), "! a: missing");
    EXPECT_EQ(encoded(schema, R"({"a":1,"s":{}})"), "! s.b: missing");
    EXPECT_EQ(encoded(schema, R"({"a":1})"), "! s: missing");
}

TEST(PayloadEncoder, EndsWhereNothingIsGivenIfItMay) {
    const EventSchema schema =
        schema_of({field("a", InType::uint8), structure("s", 2), field("b", InType::uint8),
                   field("c", InType::uint8), field("d", InType::uint8)});
    EXPECT_EQ(encoded(schema, R"({})", may_end), "");
    EXPECT_EQ(encoded(schema, R"({"a":1})", may_end), "01");
    EXPECT_EQ(encoded(schema, R"({"a":1,"s":{}})", may_end), "01");
    EXPECT_EQ(encoded(schema, R"({"a":1,"s":{"b":2}})", may_end), "0102");
    EXPECT_EQ(encoded(schema, R"({"a":1,"s":{"b":2},"d":4})", may_end),
              "! : members after the end of the payload");
    EXPECT_EQ(encoded(schema, R"({"s":{"b":2,"c":3},"d":4})", may_end), "! a: missing");
}

TEST(PayloadEncoder, CountsArrays) {
    const auto list = [](Extent count) {
        return schema_of(
            {field("n", InType::uint16), field("v", InType::uint8, OutType::none, count)});
    };
    EXPECT_EQ(encoded(list(fixed(2)), R"({"n":0,"v":[1,2]})"), "00000102");
    EXPECT_EQ(encoded(list(fixed(2)), R"({"n":0,"v":[1]})"), "! v: wrong number of elements");
    EXPECT_EQ(encoded(list(fixed(1)), R"({"n":0,"v":1})"), "! v: not an array");
    EXPECT_EQ(encoded(list(prefixed), R"({"n":0,"v":[1,2]})"), "000002000102");
    EXPECT_EQ(encoded(list(prefixed), R"({"n":0,"v":[]})"), "00000000");
    EXPECT_EQ(encoded(list(to_the_end), R"({"n":0,"v":[1,2,3]})"), "0000010203");
    EXPECT_EQ(encoded(list(told_by(0)), R"({"n":2,"v":[1,2]})"), "02000102");
    EXPECT_EQ(encoded(list(told_by(0)), R"({"n":3,"v":[1,2]})"),
              "! v: the number of elements differs from the count field");
    EXPECT_EQ(encoded(list({Extent::Kind::unknown, 0}), R"({"n":3,"v":[1,2]})"),
              "! v: unknown count");
    EXPECT_EQ(encoded(list(fixed(3)), R"({"n":0,"v":[1,2,300]})"), "! v[2]: out of range");
}

TEST(PayloadEncoder, FillsInCountsThatAreNotGiven) {
    const EventSchema schema =
        schema_of({field("n", InType::uint8), field("m", InType::uint8),
                   field("v", InType::uint16, OutType::none, told_by(0)),
                   field("w", InType::uint8, OutType::none, told_by(0)),
                   field("x", InType::binary, OutType::none, {}, told_by(1))});
    EXPECT_EQ(encoded(schema, R"({"v":[1,2],"w":[3,4],"x":"aabbcc"})"), "0203"
                                                                        "01000200"
                                                                        "0304"
                                                                        "aabbcc");
    EXPECT_EQ(encoded(schema, R"({"v":[1,2],"w":[3],"x":""})"),
              "! w: the number of elements differs from the count field");
    std::string many = R"({"v":[0)";
    for (int i = 0; i < 256; ++i) {
        many += ",0";
    }
    EXPECT_EQ(encoded(schema, many + R"(],"w":[],"x":""})"),
              "! v: exceeds the range of its count or length field");
    EXPECT_EQ(encoded(schema, R"({"v":[1]})", may_end), "! m: missing");
}

TEST(PayloadEncoder, TakesLengthsThatOtherFieldsTell) {
    const EventSchema schema =
        schema_of({field("n", InType::uint8),
                   field("t", InType::unicode_string, OutType::none, {}, told_by(0)),
                   field("u", InType::ansi_string, OutType::none, {}, told_by(0))});
    EXPECT_EQ(encoded(schema, R"({"n":2,"t":"ab","u":"c"})"), "02"
                                                              "61006200"
                                                              "6300");
    EXPECT_EQ(encoded(schema, R"({"t":"ab","u":"cd"})"), "02"
                                                         "61006200"
                                                         "6364");
    EXPECT_EQ(encoded(schema, R"({"n":1,"t":"ab","u":"c"})"),
              "! t: longer than specified by the schema or a length field");
    EXPECT_EQ(encoded(schema, R"({"n":2,"t":"ab","u":"ö€"})"), "02"
                                                               "61006200"
                                                               "f680");
}

TEST(PayloadEncoder, TakesStructuresAndArraysOfThem) {
    const EventSchema schema = schema_of(
        {field("k", InType::uint8), structure("rows", 3, told_by(0)), field("n", InType::uint8),
         structure("cell", 1), field("t", InType::ansi_string, OutType::none, {}, told_by(2)),
         field("z", InType::uint8)});
    EXPECT_EQ(
        encoded(schema, R"({"k":2,"rows":[{"n":1,"cell":{"t":"a"}},{"cell":{"t":"bc"}}],"z":9})"),
        "02"
        "0161"
        "026263"
        "09");
    EXPECT_EQ(encoded(schema, R"({"rows":[],"z":9})"), "0009");
    EXPECT_EQ(
        encoded(schema, R"({"rows":[{"n":1,"cell":{"t":"a"}},{"n":1,"cell":{"t":7}}],"z":9})"),
        "! rows[1].cell.t: not a string");
    EXPECT_EQ(encoded(schema, R"({"rows":[{"n":1,"cell":{"t":"a","u":1}}],"z":9})"),
              "! rows[0].cell.u: unknown field");
    EXPECT_EQ(encoded(schema, R"({"rows":[7],"z":9})"), "! rows[0]: not an object");
}

TEST(PayloadEncoder, RefusesReferencesThatLeadNowhere) {
    // To a field behind, and to one that is no number.
    EXPECT_EQ(encoded(schema_of({field("v", InType::uint8, OutType::none, told_by(1)),
                                 field("n", InType::uint8)}),
                      R"({"v":[1],"n":1})"),
              "! v: unknown count");
    EXPECT_EQ(encoded(schema_of({field("n", InType::ansi_string),
                                 field("v", InType::binary, OutType::none, {}, told_by(0))}),
                      R"({"n":"1","v":"00"})"),
              "! v: unknown length");
}

TEST(PayloadEncoder, RefusesStructuresThatMakeNoSense) {
    EXPECT_EQ(
        encoded(schema_of({structure("s", 5), field("a", InType::uint8)}), R"({"s":{"a":1}})"),
        "! s: the type cannot be encoded");
    std::vector<schema::Field> nested;
    std::string json;
    for (std::uint16_t i = 0; i < 9; ++i) {
        nested.push_back(structure("s", static_cast<std::uint16_t>(9 - i)));
        json += R"({"s":)";
    }
    nested.push_back(field("a", InType::uint8));
    json += R"({"a":1})" + std::string(9, '}');
    EXPECT_EQ(encoded(schema_of(nested), json), "! s.s.s.s.s.s.s.s.s: the type cannot be encoded");
}

TEST(PayloadEncoder, StopsAtTheLargestPayload) {
    const EventSchema schema =
        schema_of({field("a", InType::unicode_string), field("b", InType::ansi_string)});
    const std::string max(32'766, 'x');
    EXPECT_EQ(encoded(schema, R"({"a":")" + max + R"(","b":""})").size(), 2U * 65535);
    EXPECT_EQ(encoded(schema, R"({"a":")" + max + R"(","b":"y"})"),
              "! b: exceeds the maximum payload");
    EXPECT_EQ(encoded(schema, R"({"a":")" + std::string(200'000, 'x') + R"(","b":"y"})"),
              "! a: longer than the maximum payload");
}

TEST(PayloadEncoder, ForgetsSchemas) {
    EventSchema schema = schema_of({field("a", InType::uint8)});
    encode::PayloadEncoder encoder;
    const Json values(R"({"a":1})");
    ByteWriter payload;
    ASSERT_TRUE(encoder.encode(schema, values.given(), {}, payload));
    schema.fields[0].in_type = InType::uint16;
    encoder.forget();
    ASSERT_TRUE(encoder.encode(schema, values.given(), {}, payload));
    EXPECT_EQ(payload.size(), 3U);
}

} // namespace
} // namespace etl::payload_test

// Payloads and schemas that do not fit, and what bounds the work on them.
#include <etl/byte_writer.hpp>

#include "decode/field_walker.hpp"
#include "decode/limits.hpp"
#include "format/limits.hpp"
#include "tests/unit/meaning/decode/schemas.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace etl::field_walker_damage_test {
namespace {

using namespace test;
using decode::Step;
using testing::HasSubstr;

TEST(FieldWalker, RejectsAnArrayThatThePayloadCannotHold) {
    const auto counted =
        schema_of({with_count(field("L", InType::uint32), Extent::Kind::prefixed)});
    ByteWriter payload;
    payload.u16(3).u32(1).u32(2).u16(0);
    EXPECT_EQ(walk(counted, payload.view()), " !L: count exceeds the payload");
    const auto texts =
        schema_of({with_count(field("L", InType::unicode_string), Extent::Kind::prefixed)});
    ByteWriter two;
    two.u16(3).zero_terminated16(u"a").text16(u"b");
    EXPECT_EQ(walk(texts, two.view()), "L=[6100 6200] !L: array exceeds the payload");
    const auto structures = schema_of({with_count(structure("L", 1), Extent::Kind::prefixed),
                                       field("A", InType::unicode_string)});
    EXPECT_EQ(walk(structures, two.view()),
              "L=[{A=6100} {A=6200} {}] !A: array exceeds the payload");
}

TEST(FieldWalker, RejectsALengthThatThePayloadCannotHold) {
    const auto schema =
        schema_of({field("Size", InType::uint32),
                   with_length(field("B", InType::binary), Extent::Kind::field, 0)});
    ByteWriter payload;
    payload.u32(0xFFFFFFFF).u8(1);
    EXPECT_EQ(walk(schema, payload.view()), "Size=ffffffff !B: length exceeds the payload");
    ByteWriter counted;
    counted.u16(4).u8(1);
    EXPECT_EQ(walk(schema_of({field("C", InType::counted_binary)}), counted.view()),
              " !C: length exceeds the payload");
}

TEST(FieldWalker, StopsAtReferencesThatLeadNowhere) {
    ByteWriter payload;
    payload.u8(1).u8(2);
    const std::string problem = "refers to a missing field";
    EXPECT_THAT(walk(schema_of({with_count(field("L", InType::uint8), Extent::Kind::unknown)}),
                     payload.view()),
                HasSubstr(problem));
    EXPECT_THAT(walk(schema_of({with_length(field("B", InType::binary), Extent::Kind::field, 1),
                                field("Later", InType::uint8)}),
                     payload.view()),
                HasSubstr("!B: " + problem));
    EXPECT_THAT(walk(schema_of({with_count(field("Self", InType::uint8), Extent::Kind::field, 0)}),
                     payload.view()),
                HasSubstr(problem));
    EXPECT_THAT(walk(schema_of({field("W", InType::guid),
                                with_count(field("L", InType::uint8), Extent::Kind::field, 0)}),
                     ByteWriter().fill(17).view()),
                HasSubstr(problem))
        << "a GUID counts nothing";
}

TEST(FieldWalker, StopsAtTypesThatNobodyKnows) {
    ByteWriter payload;
    payload.u8(1).u8(2);
    EXPECT_EQ(walk(schema_of({field("A", InType::uint8), field("X", static_cast<InType>(77)),
                              field("B", InType::uint8)}),
                   payload.view()),
              "A=01 !X: unknown type");
}

TEST(FieldWalker, GivesNoMoreValuesThanAnEventMayHave) {
    // Empty structures in empty structures: 65535 x 65535 x 65535 steps from six bytes.
    const auto schema = schema_of({with_count(structure("A", 2), Extent::Kind::fixed, 65535),
                                   with_count(structure("B", 1), Extent::Kind::fixed, 65535),
                                   with_count(structure("C", 0), Extent::Kind::fixed, 65535)});
    const auto plan = decode::Plan::compile(schema, 8);
    decode::FieldWalker walker;
    walker.start(plan, {});
    std::size_t steps = 0;
    while (walker.next() != Step::end) {
        ++steps;
    }
    EXPECT_TRUE(walker.failed());
    EXPECT_STREQ(walker.problem(), "too many values");
    EXPECT_LE(steps, decode::limits::values_per_event + 16);
}

TEST(FieldWalker, StopsAtStructuresNestedTooDeep) {
    EventSchema schema;
    constexpr std::uint16_t deep = format::max_struct_depth + 2;
    for (std::uint16_t i = 0; i < deep; ++i) {
        schema.fields.push_back(
            structure("S" + std::to_string(i), static_cast<std::uint16_t>(deep - i)));
    }
    schema.fields.push_back(field("V", InType::uint8));
    EXPECT_THAT(walk(schema, ByteWriter().u8(1).view()), HasSubstr("!S8: unknown type"));
}

TEST(FieldWalker, StopsAtStructuresWithMoreMembersThanThereAreFields) {
    EXPECT_THAT(
        walk(schema_of({structure("S", 5), field("V", InType::uint8)}), ByteWriter().u8(1).view()),
        HasSubstr("!S: unknown type"));
    EXPECT_THAT(walk(schema_of({structure("S", 1), structure("T", 1), field("V", InType::uint8)}),
                     ByteWriter().u8(1).view()),
                HasSubstr("!T: unknown type"));
}

schema::Field random_field(std::mt19937& random, std::size_t index) {
    constexpr std::uint16_t types[] = {0,  1,  2,  3,  4,  5,   6,   7,   8,   9,   10,
                                       11, 12, 13, 14, 15, 16,  17,  18,  19,  20,  21,
                                       22, 23, 24, 24, 25, 300, 302, 304, 309, 310, 99};
    schema::Field f =
        field("f" + std::to_string(index), static_cast<InType>(types[random() % std::size(types)]));
    f.members = static_cast<std::uint16_t>(f.in_type == InType::structure ? random() % 4 : 0);
    const auto extent = [&] {
        return Extent{static_cast<Extent::Kind>(random() % 3 == 0 ? random() % 5 : 0),
                      static_cast<std::uint32_t>(random() % (index + 2))};
    };
    f.count = extent();
    f.length = extent();
    f.referenced = random() % 2 == 0;
    return f;
}

TEST(FieldWalker, EndsOnAnySchemaAndAnyPayload) {
    std::mt19937 random(20240517);
    for (int round = 0; round < 20000; ++round) {
        EventSchema schema;
        const std::size_t fields = random() % 12;
        for (std::size_t i = 0; i < fields; ++i) {
            schema.fields.push_back(random_field(random, i));
        }
        std::vector<std::byte> payload(random() % 64);
        for (std::byte& byte : payload) {
            byte =
                std::byte{static_cast<std::uint8_t>(random() % 3 == 0 ? random() : random() % 4)};
        }
        const auto plan = decode::Plan::compile(schema, random() % 2 == 0 ? 4 : 8);
        decode::FieldWalker walker;
        walker.start(plan, payload);
        int depth = 0;
        std::size_t steps = 0;
        for (Step step = walker.next(); step != Step::end; step = walker.next(), ++steps) {
            depth += step == Step::array_begin || step == Step::struct_begin ? 1 : 0;
            depth -= step == Step::array_end || step == Step::struct_end ? 1 : 0;
            ASSERT_GE(depth, 0);
            if (step == Step::value && !walker.bytes().empty()) {
                ASSERT_GE(walker.bytes().data(), payload.data());
                ASSERT_LE(walker.bytes().data() + walker.bytes().size(),
                          payload.data() + payload.size());
            }
        }
        ASSERT_EQ(depth, 0) << "round " << round;
        ASSERT_LE(steps, decode::limits::values_per_event + 64);
        ASSERT_EQ(walker.next(), Step::end) << "the end stays the end";
        ASSERT_LE(walker.trailing().size(), payload.size());
    }
}

} // namespace
} // namespace etl::field_walker_damage_test

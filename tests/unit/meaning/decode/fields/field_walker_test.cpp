// Fields of every shape, from sound payloads.
#include <etl/byte_writer.hpp>

#include "base/text.hpp"
#include "decode/field_walker.hpp"
#include "tests/unit/meaning/decode/schemas.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::field_walker_test {
namespace {

using namespace test;
using decode::Step;
using testing::HasSubstr;

TEST(FieldWalker, GivesFixedValuesInOrderAndEnds) {
    const auto schema = schema_of(
        {field("A", InType::uint8), field("B", InType::uint16), field("C", InType::guid)});
    ByteWriter payload;
    payload.u8(7).u16(0x1234).fill(16, std::byte{9});
    EXPECT_EQ(walk(schema, payload.view()), "A=07 B=3412 C=09090909090909090909090909090909");
}

/// Each step as `FIELD.KIND:BYTES`, then how the walk ended.
std::string steps_of(const decode::Plan& plan, Bytes payload, bool takes_at_once) {
    std::string all;
    decode::FieldWalker walker;
    const auto add = [&](std::uint32_t field, Step step, Bytes bytes) {
        all += std::to_string(field) + "." + std::to_string(static_cast<int>(step)) + ":";
        append_hex_bytes(all, bytes);
        all += " ";
    };
    walker.start(plan, payload);
    for (Step step = Step::value; step != Step::end;) {
        if (takes_at_once) {
            walker.take_plain(
                [&](std::uint32_t field, Bytes bytes) { add(field, Step::value, bytes); });
        }
        step = walker.next();
        add(walker.field(), step, step == Step::value ? walker.bytes() : Bytes{});
        if (takes_at_once && step == Step::array_begin) {
            walker.take_elements([&](Bytes bytes) { add(walker.field(), Step::value, bytes); });
        }
    }
    return all +
           (walker.failed()     ? walker.problem()
            : walker.is_short() ? "short"
                                : "") +
           std::to_string(walker.trailing().size());
}

TEST(FieldWalker, TakesValuesAtOnceAsItDoesOneByOne) {
    const auto schema = schema_of(
        {field("A", InType::uint8), field("B", InType::uint16),
         with_count(structure("S", 2), Extent::Kind::fixed, 2), field("C", InType::uint32),
         field("D", InType::ansi_string), field("E", InType::uint64),
         with_count(field("F", InType::uint8), Extent::Kind::field, 0), field("G", InType::guid),
         with_count(structure("T", 1), Extent::Kind::fixed, 2),
         with_count(field("H", InType::uint32), Extent::Kind::fixed, 2),
         with_count(field("I", InType::uint16), Extent::Kind::rest, 0)});
    const auto plan = decode::Plan::compile(schema, 8);
    ByteWriter payload;
    payload.u8(3)
        .u16(0x1234)
        .u32(1)
        .zero_terminated8("x")
        .u32(2)
        .zero_terminated8("yz")
        .u64(5)
        .fill(3)
        .fill(16)
        .fill(16)
        .fill(5);
    for (std::size_t size = 0; size <= payload.view().size(); ++size) {
        const Bytes cut = payload.view().first(size);
        EXPECT_EQ(steps_of(plan, cut, true), steps_of(plan, cut, false)) << size;
    }
    EXPECT_TRUE(steps_of(plan, payload.view(), true).ends_with("1")) << "a byte left over";
}

TEST(FieldWalker, LeavesWhatIsShorterThanAnElementOfAnArrayToTheEnd) {
    const Field text = with_length(field("T", InType::ansi_string), Extent::Kind::fixed, 4);
    Field members = text;
    members.name = "M";
    const auto texts = schema_of({with_count(text, Extent::Kind::rest)});
    const auto structures = schema_of({with_count(structure("S", 1), Extent::Kind::rest), members});
    ByteWriter payload;
    payload.u32(0x04030201).u32(0x08070605).u8(9);
    EXPECT_EQ(walk(texts, payload.view()), "T=[01020304 05060708] +09");
    EXPECT_EQ(walk(structures, payload.view()), "S=[{M=01020304} {M=05060708}] +09");
}

TEST(FieldWalker, GivesNothingForNoFields) {
    EXPECT_EQ(walk(schema_of({}), {}), "");
}

TEST(FieldWalker, TakesPointersAsWideAsTheRecordSays) {
    const auto schema = schema_of({field("P", InType::pointer), field("S", InType::pointer_sized),
                                   field("X", InType::uint8)});
    ByteWriter payload;
    payload.u32(1).u32(2).u8(3);
    EXPECT_EQ(walk(schema, payload.view(), 4), "P=01000000 S=02000000 X=03");
    payload.u64(0).u64(0);
    EXPECT_EQ(walk(schema, payload.view(), 8),
              "P=0100000002000000 S=0300000000000000 X=00 +0000000000000000");
}

TEST(FieldWalker, ReadsTerminatedTextUpToItsNul) {
    const auto schema = schema_of({field("W", InType::unicode_string),
                                   field("A", InType::ansi_string), field("N", InType::uint8)});
    ByteWriter payload;
    payload.zero_terminated16(u"Ceylon Orange Pekoe").zero_terminated8("tea").u8(5);
    EXPECT_EQ(walk(schema, payload.view()),
              "W=4300650079006c006f006e0020004f00720061006e00670065002000500065006b006f006500 "
              "A=746561 N=05");
}

TEST(FieldWalker, LetsTextWithoutTerminatorRunToTheEnd) {
    ByteWriter wide;
    wide.text16(u"ab");
    EXPECT_EQ(walk(schema_of({field("W", InType::unicode_string)}), wide.view()), "W=61006200");
    ByteWriter odd;
    odd.text16(u"ab").u8('c');
    EXPECT_EQ(walk(schema_of({field("W", InType::unicode_string)}), odd.view()), "W=61006200 +63");
    ByteWriter narrow;
    narrow.text8("abc");
    EXPECT_EQ(walk(schema_of({field("A", InType::ansi_string)}), narrow.view()), "A=616263");
}

TEST(FieldWalker, FindsTheNulInTextOfEveryLength) {
    const auto schema = schema_of({field("W", InType::unicode_string), field("E", InType::uint8)});
    for (std::size_t length = 0; length < 20; ++length) {
        ByteWriter payload;
        // Units whose halves are zero must not pass for the end.
        payload.text16(std::u16string(length, length % 2 == 0 ? u'\x0100' : u'a')).u16(0).u8(0xEE);
        EXPECT_THAT(walk(schema, payload.view()), HasSubstr(" E=ee")) << length;
    }
}

TEST(FieldWalker, SaysShortWhenFieldsAreMissing) {
    const auto schema = schema_of(
        {field("A", InType::uint16), field("B", InType::uint32), field("C", InType::uint8)});
    ByteWriter payload;
    payload.u16(1);
    EXPECT_EQ(walk(schema, payload.view()), "A=0100 short");
    payload.u8(2).u8(3);
    EXPECT_EQ(walk(schema, payload.view()), "A=0100 short +0203") << "half a field is kept";
    EXPECT_EQ(walk(schema, {}), " short");
    EXPECT_EQ(walk(schema_of({field("W", InType::unicode_string)}), {}), " short");
}

TEST(FieldWalker, KeepsTrailingBytes) {
    ByteWriter payload;
    payload.u8(1).u32(0xAABBCCDD);
    EXPECT_EQ(walk(schema_of({field("A", InType::uint8)}), payload.view()), "A=01 +ddccbbaa");
}

TEST(FieldWalker, TakesCountsFromAPrefix) {
    const auto schema = schema_of({with_count(field("L", InType::uint16), Extent::Kind::prefixed),
                                   field("E", InType::uint8)});
    ByteWriter payload;
    payload.u16(3).u16(1).u16(2).u16(3).u8(0xEE);
    EXPECT_EQ(walk(schema, payload.view()), "L=[0100 0200 0300] E=ee");
    ByteWriter none;
    none.u16(0).u8(0xEE);
    EXPECT_EQ(walk(schema, none.view()), "L=[] E=ee");
}

TEST(FieldWalker, TakesCountsAndLengthsFromEarlierFields) {
    const auto schema =
        schema_of({field("Count", InType::uint8), field("Size", InType::uint16),
                   with_count(field("L", InType::uint8), Extent::Kind::field, 0),
                   with_length(field("B", InType::binary), Extent::Kind::field, 1),
                   with_length(field("W", InType::unicode_string), Extent::Kind::field, 0),
                   with_length(field("A", InType::ansi_string), Extent::Kind::field, 1)});
    ByteWriter payload;
    payload.u8(2).u16(3).u8(1).u8(2).u8(7).u8(8).u8(9).text16(u"xy").text8("abc");
    EXPECT_EQ(walk(schema, payload.view()),
              "Count=02 Size=0300 L=[01 02] B=070809 W=78007900 A=616263");
}

TEST(FieldWalker, CutsTextOfGivenLengthAtItsNul) {
    const auto schema =
        schema_of({with_length(field("W", InType::unicode_string), Extent::Kind::fixed, 4),
                   with_length(field("B", InType::binary), Extent::Kind::fixed, 3),
                   field("E", InType::uint8)});
    ByteWriter payload;
    payload.text16(u"ab").u16(0).u16(0x7777).u8(0).u8(1).u8(0).u8(0xEE);
    EXPECT_EQ(walk(schema, payload.view()), "W=61006200 B=000100 E=ee");
}

TEST(FieldWalker, TakesFixedCounts) {
    const auto schema =
        schema_of({with_count(field("L", InType::uint16), Extent::Kind::fixed, 2),
                   with_count(field("One", InType::uint8), Extent::Kind::fixed, 1)});
    ByteWriter payload;
    payload.u16(1).u16(2).u8(3);
    EXPECT_EQ(walk(schema, payload.view()), "L=[0100 0200] One=[03]");
    EXPECT_EQ(walk(schema, {}), " short");
}

TEST(FieldWalker, WalksStructuresAndArraysOfThem) {
    const auto schema =
        schema_of({field("N", InType::uint8), structure("S", 2), field("A", InType::uint8),
                   field("B", InType::uint8), with_count(structure("L", 3), Extent::Kind::field, 0),
                   field("K", InType::uint8), structure("Inner", 1), field("V", InType::uint16),
                   field("E", InType::uint8)});
    ByteWriter payload;
    payload.u8(2).u8(1).u8(2).u8(3).u16(4).u8(5).u16(6).u8(0xEE);
    EXPECT_EQ(walk(schema, payload.view()),
              "N=02 S={A=01 B=02} L=[{K=03 Inner={V=0400}} {K=05 Inner={V=0600}}] E=ee");
}

TEST(FieldWalker, SkipsTheMembersOfAStructureThatOccursNotAtAll) {
    const auto schema =
        schema_of({with_count(structure("L", 2), Extent::Kind::prefixed), field("A", InType::uint8),
                   field("B", InType::uint8), structure("Empty", 0), field("E", InType::uint8)});
    ByteWriter payload;
    payload.u16(0).u8(0xEE);
    EXPECT_EQ(walk(schema, payload.view()), "L=[] Empty={} E=ee");
}

TEST(FieldWalker, ReadsALengthThatIsAMemberOfTheSameElement) {
    const auto schema = schema_of(
        {with_count(structure("L", 2), Extent::Kind::prefixed), field("Size", InType::uint8),
         with_length(field("B", InType::binary), Extent::Kind::field, 1)});
    ByteWriter payload;
    payload.u16(3).u8(1).u8(0xAA).u8(0).u8(2).u8(0xBB).u8(0xCC);
    EXPECT_EQ(walk(schema, payload.view()), "L=[{Size=01 B=aa} {Size=00 B=} {Size=02 B=bbcc}]");
}

TEST(FieldWalker, ClosesWhatIsOpenWhenThePayloadEnds) {
    const auto schema = schema_of({structure("S", 3), field("A", InType::uint8), structure("T", 1),
                                   field("B", InType::uint32)});
    ByteWriter payload;
    payload.u8(1);
    EXPECT_EQ(walk(schema, payload.view()), "S={A=01 T={}} short");
}

TEST(FieldWalker, LetsTheLastTextOfAnArrayLackItsTerminator) {
    const auto texts =
        schema_of({with_count(field("L", InType::unicode_string), Extent::Kind::prefixed)});
    ByteWriter payload;
    payload.u16(2).zero_terminated16(u"a").text16(u"b");
    EXPECT_EQ(walk(texts, payload.view()), "L=[6100 6200]");
}

TEST(FieldWalker, ReadsSidsBySizeOfTheirOwn) {
    ByteWriter payload;
    payload.u8(1).u8(2).u8(0).u8(0).u8(0).u8(0).u8(0).u8(5).u32(32).u32(544).u8(0xEE);
    const auto schema = schema_of({field("S", InType::sid), field("E", InType::uint8)});
    EXPECT_EQ(walk(schema, payload.view()), "S=01020000000000052000000020020000 E=ee");
    payload.patch<std::uint8_t>(1, 16);
    EXPECT_EQ(walk(schema, payload.view()), " !S: not a SID");
    payload.patch<std::uint8_t>(1, 15);
    EXPECT_EQ(walk(schema, payload.view()), " !S: SID exceeds the payload");
    payload.patch<std::uint8_t>(0, 2);
    EXPECT_EQ(walk(schema, payload.view()), " !S: not a SID");
}

TEST(FieldWalker, ReadsTheFieldsAfterAnInvalidSid) {
    ByteWriter nobody; // all zero: 8 bytes, no parts
    nobody.fill(8).u8(0xEE);
    const auto schema = schema_of({field("S", InType::sid), field("E", InType::uint8)});
    EXPECT_EQ(walk(schema, nobody.view()), "S=0000000000000000 E=ee ?S: not a SID");
    ByteWriter long_one;
    long_one.u8(1).u8(16).fill(6).fill(64).u8(0xEE);
    EXPECT_THAT(walk(schema, long_one.view()), testing::EndsWith(" E=ee ?S: not a SID"));
    const auto token = schema_of({field("S", InType::wbem_sid), field("E", InType::uint8)});
    ByteWriter with_token;
    with_token.u64(0x1000).u64(0).u8(3).u8(1).fill(10).u8(0xEE);
    EXPECT_EQ(walk(token, with_token.view()), "S=030100000000000000000000 E=ee ?S: not a SID");
    const auto array =
        schema_of({with_count(field("L", InType::sid), Extent::Kind::fixed, 2), structure("T", 1),
                   field("M", InType::sid), field("E", InType::uint8)});
    ByteWriter several;
    several.fill(8).u8(1).u8(0).fill(6).fill(8).u8(0xEE);
    EXPECT_EQ(walk(array, several.view()),
              "L=[0000000000000000 0100000000000000] T={M=0000000000000000} E=ee ?L: not a SID");
}

// Each is followed by a field that is good.
TEST(FieldWalker, MarksValuesThatAreNoneOfTheirType) {
    const auto walk_one = [](schema::Field of, ByteWriter payload) {
        const auto schema = schema_of({of, field("E", InType::uint8)});
        return walk(schema, payload.u8(0xEE).view());
    };
    const auto time = field("T", InType::systemtime);
    const auto parts = [](std::initializer_list<std::uint16_t> values) {
        ByteWriter bytes;
        for (const std::uint16_t value : values) {
            bytes.u16(value);
        }
        return bytes;
    };
    for (const ByteWriter& bad :
         {parts({2024, 13, 1, 1, 0, 0, 0, 0}), parts({2024, 2, 5, 30, 0, 0, 0, 0}),
          parts({2023, 2, 5, 29, 0, 0, 0, 0}), parts({2024, 2, 5, 1, 24, 0, 0, 0}),
          parts({2024, 2, 5, 1, 0, 60, 0, 0}), parts({2024, 2, 5, 1, 0, 0, 61, 0}),
          parts({2024, 2, 5, 1, 0, 0, 0, 1000}), parts({1600, 2, 5, 1, 0, 0, 0, 0}),
          parts({30828, 2, 5, 1, 0, 0, 0, 0}), parts({2024, 0, 5, 1, 0, 0, 0, 0})}) {
        EXPECT_THAT(walk_one(time, bad), testing::EndsWith(" E=ee ?T: not a time"));
    }
    for (const ByteWriter& good :
         {parts({2024, 2, 9, 29, 23, 59, 59, 999}), parts({0, 0, 0, 0, 0, 0, 0, 0})}) {
        EXPECT_THAT(walk_one(time, good), testing::EndsWith(" E=ee"));
    }
    const auto file_time = field("T", InType::filetime);
    EXPECT_EQ(walk_one(file_time, ByteWriter().u64(0xFFFFFFFFFFFFFFFF)),
              "T=ffffffffffffffff E=ee ?T: not a time");
    EXPECT_EQ(walk_one(file_time, ByteWriter().u64(0)), "T=0000000000000000 E=ee");
    auto ipv6 = with_length(field("A", InType::binary), Extent::Kind::fixed, 4);
    ipv6.out_type = schema::OutType::ipv6;
    EXPECT_EQ(walk_one(ipv6, ByteWriter().u32(1)), "A=01000000 E=ee ?A: not an IP address");
    auto socket = with_length(field("A", InType::binary), Extent::Kind::fixed, 8);
    socket.out_type = schema::OutType::socket_address;
    EXPECT_EQ(walk_one(socket, ByteWriter().u16(99).fill(6)),
              "A=6300000000000000 E=ee ?A: not an IP address");
    EXPECT_EQ(walk_one(socket, ByteWriter().u16(23).fill(6)),
              "A=1700000000000000 E=ee ?A: not an IP address");
    EXPECT_EQ(walk_one(socket, ByteWriter().fill(8)), "A=0000000000000000 E=ee"); // not set
    EXPECT_EQ(walk_one(socket, ByteWriter().u16(2).fill(6)), "A=0200000000000000 E=ee");
    const auto text = field("S", InType::counted_string);
    EXPECT_EQ(walk_one(text, ByteWriter().u16(3).text16(u"a").u8('b')),
              "S=610062 E=ee ?S: odd number of bytes");
    // In an array, of which all elements are of fixed size.
    const auto array = schema_of({with_count(file_time, Extent::Kind::fixed, 2)});
    EXPECT_EQ(walk(array, ByteWriter().u64(1).u64(0x8000000000000000).view()),
              "T=[0100000000000000 0000000000000080] ?T: not a time");
}

TEST(FieldWalker, TakesTheOneLengthWithWhichTheRestMatches) {
    const auto one = schema_of({field("MAC", InType::binary), field("E", InType::uint32)});
    EXPECT_EQ(walk(one, ByteWriter().text8("abcdef").u32(7).view()),
              "MAC=616263646566 E=07000000 ?MAC: assumed length");
    EXPECT_EQ(walk(one, {}), " short");
    EXPECT_EQ(walk(one, ByteWriter().u8(1).view()), " ?MAC: unknown length +01");
    const auto two = schema_of({field("Src", InType::binary), field("Kind", InType::uint8),
                                field("Dest", InType::binary)});
    EXPECT_EQ(walk(two, ByteWriter().text8("abcdef").u8(7).text8("ghijkl").view()),
              "Src=616263646566 Kind=07 Dest=6768696a6b6c ?Src: assumed length");
    EXPECT_EQ(walk(two, ByteWriter().text8("abc").u8(7).text8("ghi").view()),
              " ?Src: unknown length +61626307676869")
        << "only physical addresses are believed to have one length";
}

TEST(FieldWalker, TriesLengthsBeforeTexts) {
    const auto named = schema_of({field("A", InType::uint8), field("LocalAddr", InType::binary),
                                  field("Text", InType::unicode_string)});
    EXPECT_EQ(walk(named, ByteWriter().u8(1).text8("abcdef").zero_terminated16(u"hi").view()),
              "A=01 LocalAddr=616263646566 Text=68006900 ?LocalAddr: assumed length");
    const auto any = schema_of({field("A", InType::uint8), field("Blob", InType::binary),
                                field("Text", InType::unicode_string)});
    EXPECT_EQ(walk(any, ByteWriter().u8(1).text8("abcd").zero_terminated16(u"h").view()),
              "A=01 ?Blob: unknown length +6162636468000000")
        << "the text can begin anywhere";
    const auto counted =
        schema_of({field("Blob", InType::binary), field("Size", InType::uint8),
                   with_length(field("Data", InType::binary), Extent::Kind::field, 1)});
    auto referring = counted;
    referring.fields[1].referenced = true;
    EXPECT_EQ(walk(referring, ByteWriter().u8(9).u8(9).u8(9).u8(1).u8(0xAA).view()),
              "Blob=090909 Size=01 Data=aa ?Blob: assumed length");
}

TEST(FieldWalker, TakesTheRestForBinaryWithoutLength) {
    ByteWriter payload;
    payload.u8(1).u8(2).u8(3);
    EXPECT_EQ(
        walk(schema_of({field("A", InType::uint8), field("B", InType::binary)}), payload.view()),
        "A=01 B=0203");
    EXPECT_EQ(walk(schema_of({field("B", InType::binary)}), {}), "B=");
    const auto address =
        schema_of({field("B", InType::binary, OutType::ipv6), field("E", InType::uint8)});
    EXPECT_EQ(walk(address, ByteWriter().fill(16, std::byte{0xAB}).u8(0xEE).view()),
              "B=abababababababababababababababab E=ee");
}

TEST(FieldWalker, ReadsTheClassicKindsOfText) {
    const auto schema =
        schema_of({field("C", InType::counted_string), field("R", InType::reversed_counted_ansi),
                   field("H", InType::hex_dump), field("Ch", InType::ansi_char),
                   field("N", InType::non_terminated_ansi)});
    ByteWriter payload;
    payload.u16(4).text16(u"ab").u8(0).u8(2).text8("cd").u32(1).u8(0xFF).text8("e").text8("fgh");
    EXPECT_EQ(walk(schema, payload.view()), "C=61006200 R=6364 H=ff Ch=65 N=666768");
}

TEST(FieldWalker, ReadsWbemSidsInTheirThreeShapes) {
    const auto schema =
        schema_of({field("S", InType::wbem_sid), field("Name", InType::ansi_string)});
    ByteWriter sid;
    sid.u8(1).u8(1).fill(5).u8(5).u32(18);
    ByteWriter absent;
    absent.u32(0).zero_terminated8("kettle");
    EXPECT_EQ(walk(schema, absent.view()), "S= Name=6b6574746c65");
    ByteWriter full;
    full.u64(0x1000).u64(0).bytes(sid.view()).zero_terminated8("kettle");
    EXPECT_EQ(walk(schema, full.view()), "S=010100000000000512000000 Name=6b6574746c65");
    ByteWriter zeroed; // no token words, and a SID all the same
    zeroed.u64(0).u64(0).bytes(sid.view()).zero_terminated8("kettle");
    EXPECT_EQ(walk(schema, zeroed.view()), "S=010100000000000512000000 Name=6b6574746c65");
    ByteWriter half; // what is there of it is left over
    half.u64(0x1000).u64(0).u8(1);
    EXPECT_EQ(walk(schema, half.view()), " short +0010000000000000000000000000000001");
}

} // namespace
} // namespace etl::field_walker_test

// One value of each type.
#include "tests/unit/meaning/encode/encoding.hpp"

#include <gtest/gtest.h>

namespace etl::value_test {
namespace {

using namespace test;

TEST(EncodeValue, TakesIntegersWithinTheRangeOfTheirType) {
    EXPECT_EQ(encoded_value(InType::int8, OutType::none, "-128"), "80");
    EXPECT_EQ(encoded_value(InType::int8, OutType::none, "127"), "7f");
    EXPECT_EQ(encoded_value(InType::int8, OutType::none, "128"), "! v: out of range");
    EXPECT_EQ(encoded_value(InType::int8, OutType::none, "-129"), "! v: out of range");
    EXPECT_EQ(encoded_value(InType::uint8, OutType::none, "255"), "ff");
    EXPECT_EQ(encoded_value(InType::uint8, OutType::none, "-1"), "! v: out of range");
    EXPECT_EQ(encoded_value(InType::uint16, OutType::none, "258"), "0201");
    EXPECT_EQ(encoded_value(InType::int32, OutType::none, "-2"), "feffffff");
    EXPECT_EQ(encoded_value(InType::uint32, OutType::none, "4294967296"), "! v: out of range");
    EXPECT_EQ(encoded_value(InType::int64, OutType::none, "-9223372036854775808"),
              "0000000000000080");
    EXPECT_EQ(encoded_value(InType::uint64, OutType::none, "18446744073709551615"),
              "ffffffffffffffff");
    EXPECT_EQ(encoded_value(InType::int64, OutType::none, "9223372036854775808"),
              "! v: out of range");
    EXPECT_EQ(encoded_value(InType::int32, OutType::none, "1.0"), "! v: not a 64-bit integer");
    EXPECT_EQ(encoded_value(InType::int32, OutType::none, "true"), "! v: not a number");
}

TEST(EncodeValue, TakesIntegersAsText) {
    EXPECT_EQ(encoded_value(InType::uint16, OutType::none, R"("513")"), "0102");
    EXPECT_EQ(encoded_value(InType::int16, OutType::none, R"("-1")"), "ffff");
    EXPECT_EQ(encoded_value(InType::int16, OutType::none, R"("0xFFfe")"), "feff");
    EXPECT_EQ(encoded_value(InType::int16, OutType::none, R"("0x10000")"), "! v: out of range");
    EXPECT_EQ(encoded_value(InType::uint16, OutType::none, R"("")"), "! v: not a decimal number");
    EXPECT_EQ(encoded_value(InType::uint16, OutType::none, R"("1 ")"), "! v: not a decimal number");
    EXPECT_EQ(encoded_value(InType::uint16, OutType::none, R"("0x")"),
              "! v: not a hexadecimal number");
}

TEST(EncodeValue, TakesHexadecimalOnesWithAndWithoutSign) {
    EXPECT_EQ(encoded_value(InType::hex_int32, OutType::none, R"("0x1f")"), "1f000000");
    EXPECT_EQ(encoded_value(InType::hex_int64, OutType::none, "-1"), "ffffffffffffffff");
    EXPECT_EQ(encoded_value(InType::int32, OutType::hex_int32, R"("0x80000000")"), "00000080");
    EXPECT_EQ(encoded_value(InType::int32, OutType::hex_int32, "4294967295"), "ffffffff");
}

TEST(EncodeValue, TakesPointersAsWideAsTheRecordSays) {
    const EventSchema schema =
        schema_of({field("p", InType::pointer), field("s", InType::pointer_sized)});
    constexpr auto* json = R"({"p":"0xfff0","s":"0x2"})";
    EXPECT_EQ(encoded(schema, json, {.pointer_size = 4}), "f0ff000002000000");
    EXPECT_EQ(encoded(schema, json), "f0ff0000000000000200000000000000");
    EXPECT_EQ(encoded(schema, R"({"p":"0x100000000","s":0})", {.pointer_size = 4}),
              "! p: out of range");
}

TEST(EncodeValue, TakesErrorCodesWithTheirNames) {
    EXPECT_EQ(encoded_value(InType::uint32, OutType::ntstatus,
                            R"x("STATUS_OBJECT_NAME_NOT_FOUND (0xc0000034)")x"),
              "340000c0");
    EXPECT_EQ(encoded_value(InType::int32, OutType::hresult, R"x("E_FAIL (0x80004005)")x"),
              "05400080");
    EXPECT_EQ(encoded_value(InType::hex_int32, OutType::win32_error, "5"), "05000000");
    EXPECT_EQ(encoded_value(InType::uint32, OutType::none, R"x("E_FAIL (0x80004005)")x"),
              "! v: not a decimal number");
}

TEST(EncodeValue, TakesErrorCodesWithEitherSign) {
    EXPECT_EQ(encoded_value(InType::hex_int32, OutType::hresult, "-2147467259"), "05400080");
    EXPECT_EQ(encoded_value(InType::uint32, OutType::hresult, "-2147467259"), "05400080");
    EXPECT_EQ(encoded_value(InType::int32, OutType::hresult, "2147500037"), "05400080");
    EXPECT_EQ(encoded_value(InType::uint32, OutType::hresult, "-2147483649"), "! v: out of range");
}

TEST(EncodeValue, FindsTheNumbersOfEnumerations) {
    EventSchema schema = schema_of({field("v", InType::uint8)});
    schema.fields[0].map = 0;
    auto map = std::make_shared<schema::ValueMap>();
    map->entries = {{1, "Kettle"}, {2, "Pot | lid"}, {1, "Again"}, {300, "Large"}};
    schema.maps = {map};
    EXPECT_EQ(encoded(schema, R"({"v":"Kettle"})"), "01");
    EXPECT_EQ(encoded(schema, R"({"v":"Pot | lid"})"), "02");
    EXPECT_EQ(encoded(schema, R"({"v":"Large"})"), "! v: out of range");
    EXPECT_EQ(encoded(schema, R"({"v":7})"), "07");
    EXPECT_EQ(encoded(schema, R"({"v":"Kettle | Again"})"), "! v: neither in the map nor a number");
    map->kind = schema::ValueMap::Kind::bits;
    map->entries = {{1, "Hot"}, {6, "Very | sweet"}, {8, "Hot"}};
    EXPECT_EQ(encoded(schema, R"({"v":"Hot"})"), "01");
    EXPECT_EQ(encoded(schema, R"({"v":"Hot | Very | sweet | 0x10"})"), "17");
    EXPECT_EQ(encoded(schema, R"({"v":"Hot | Hot"})"), "09");
    EXPECT_EQ(encoded(schema, R"({"v":"Very | sweet | Hot"})"), "0e");
    EXPECT_EQ(encoded(schema, R"({"v":"Hot | "})"), "! v: neither in the map nor a number");
    EXPECT_EQ(encoded(schema, R"({"v":"Hot | -1"})"), "! v: neither in the map nor a number");
}

TEST(EncodeValue, TakesFloats) {
    EXPECT_EQ(encoded_value(InType::float32, OutType::none, "0.1"), "cdcccc3d");
    EXPECT_EQ(encoded_value(InType::float32, OutType::none, "3"), "00004040");
    EXPECT_EQ(encoded_value(InType::float32, OutType::none, "1e39"), "! v: out of range");
    EXPECT_EQ(encoded_value(InType::float32, OutType::none, R"("-Infinity")"), "000080ff");
    EXPECT_EQ(encoded_value(InType::float64, OutType::none, "-0.0"), "0000000000000080");
    EXPECT_EQ(encoded_value(InType::float64, OutType::none, "5e-324"), "0100000000000000");
    EXPECT_EQ(encoded_value(InType::float64, OutType::none, R"("NaN")"), "000000000000f87f");
    EXPECT_EQ(encoded_value(InType::float64, OutType::none, R"("2.5")"), "0000000000000440");
    EXPECT_EQ(encoded_value(InType::float64, OutType::none, R"("2.5x")"), "! v: not a number");
}

TEST(EncodeValue, TakesBooleansOfAllSizes) {
    EXPECT_EQ(encoded_value(InType::boolean, OutType::none, "true"), "01000000");
    EXPECT_EQ(encoded_value(InType::uint8, OutType::boolean, "true"), "01");
    EXPECT_EQ(encoded_value(InType::uint8, OutType::boolean, "false"), "00");
    EXPECT_EQ(encoded_value(InType::uint8, OutType::boolean, "7"), "07");
    EXPECT_EQ(encoded_value(InType::uint8, OutType::boolean, R"("yes")"), "! v: not true or false");
}

TEST(EncodeValue, TakesOneCharacter) {
    EXPECT_EQ(encoded_value(InType::uint8, OutType::string, R"("A")"), "41");
    EXPECT_EQ(encoded_value(InType::int8, OutType::string, R"("€")"), "80");
    EXPECT_EQ(encoded_value(InType::uint8, OutType::string, R"("\u0000")"), "00");
    EXPECT_EQ(encoded_value(InType::uint8, OutType::string, R"("ツ")"),
              "! v: not one character of this size");
    EXPECT_EQ(encoded_value(InType::uint16, OutType::string, R"("ツ")"), "c430");
    EXPECT_EQ(encoded_value(InType::unicode_char, OutType::none, R"("é")"), "e900");
    EXPECT_EQ(encoded_value(InType::ansi_char, OutType::none, R"("é")"), "e9");
    EXPECT_EQ(encoded_value(InType::uint16, OutType::string, R"("")"),
              "! v: not one character of this size");
    EXPECT_EQ(encoded_value(InType::uint16, OutType::string, R"("𝄞")"),
              "! v: not one character of this size");
    EXPECT_EQ(encoded_value(InType::uint16, OutType::string, "55357"), "3dd8");
}

TEST(EncodeValue, TakesTextOfAllKinds) {
    EXPECT_EQ(encoded_value(InType::unicode_string, OutType::none, R"("tö𝄞")"),
              "7400f60034d81edd0000");
    EXPECT_EQ(encoded_value(InType::ansi_string, OutType::none, R"("tö")"), "74c3b600");
    EXPECT_EQ(encoded_value(InType::unicode_string, OutType::none, R"("a\u0000b")"),
              "! v: contains a NUL character");
    EXPECT_EQ(encoded_value(InType::counted_unicode_string, OutType::none, R"("a\u0000b")"),
              "0600610000006200");
    EXPECT_EQ(encoded_value(InType::counted_ansi_string, OutType::json, R"("{}")"), "02007b7d");
    EXPECT_EQ(encoded_value(InType::reversed_counted_string, OutType::none, R"("a")"), "00026100");
    EXPECT_EQ(encoded_value(InType::reversed_counted_ansi, OutType::none, R"("ab")"), "00026162");
    EXPECT_EQ(encoded_value(InType::non_terminated_ansi, OutType::none, R"("ab")"), "6162");
    EXPECT_EQ(encoded_value(InType::unicode_string, OutType::none, "7"), "! v: not a string");
    EXPECT_EQ(encoded_value(InType::unicode_string, OutType::none, "null"), "! v: not a string");
}

TEST(EncodeValue, FillsTextOfFixedLengthUp) {
    const auto text = [](InType in, std::uint32_t length) {
        return field("v", in, OutType::none, {}, fixed(length));
    };
    EXPECT_EQ(encoded_value(text(InType::unicode_string, 3), R"("ab")"), "610062000000");
    EXPECT_EQ(encoded_value(text(InType::unicode_string, 2), R"("ab")"), "61006200");
    EXPECT_EQ(encoded_value(text(InType::ansi_string, 4), R"("ab")"), "61620000");
    EXPECT_EQ(encoded_value(text(InType::ansi_string, 1), R"("ab")"),
              "! v: longer than specified by the schema or a length field");
    // In UTF-8 it does not fit.
    EXPECT_EQ(encoded_value(text(InType::ansi_string, 3), R"("né€")"), "6ee980");
    EXPECT_EQ(encoded_value(text(InType::ansi_string, 6), R"("né€")"), "6ec3a9e282ac");
    EXPECT_EQ(encoded_value(text(InType::ansi_string, 70000), R"("a")"),
              "! v: longer than the maximum payload");
}

TEST(EncodeValue, WritesBytesThatWereNoUtf8ShortWhereTheLengthIsTold) {
    const auto text = [](std::uint32_t length) {
        return field("v", InType::ansi_string, OutType::utf8, {}, fixed(length));
    };
    EXPECT_EQ(encoded_value(text(5), R"("a\uFFFDb")"), "61efbfbd62");
    EXPECT_EQ(encoded_value(text(3), R"("a\uFFFDb")"), "61ff62");
    EXPECT_EQ(encoded_value(text(2), R"("a\uFFFDb")"),
              "! v: longer than specified by the schema or a length field");
}

TEST(EncodeValue, TakesTimes) {
    EXPECT_EQ(encoded_value(InType::filetime, OutType::none, R"("1601-01-01T00:00:00.0000001Z")"),
              "0100000000000000");
    EXPECT_EQ(encoded_value(InType::filetime, OutType::none, R"("1601-01-01T00:00:00.0000001")"),
              "0100000000000000");
    EXPECT_EQ(encoded_value(InType::filetime, OutType::none, R"("1601-01-01T01:00:00+01:00")"),
              "0000000000000000");
    EXPECT_EQ(encoded_value(InType::filetime, OutType::none, "-2"), "feffffffffffffff");
    EXPECT_EQ(encoded_value(InType::int64, OutType::date_time, R"("258")"), "0201000000000000");
    EXPECT_EQ(encoded_value(InType::filetime, OutType::none, R"("noon")"), "! v: not a time");
    // 2024-05-17 is a Friday.
    EXPECT_EQ(encoded_value(InType::systemtime, OutType::none, R"("2024-05-17T06:07:08.0090000Z")"),
              "e807050005001100060007000800"
              "0900");
    EXPECT_EQ(encoded_value(InType::systemtime, OutType::none, R"("0000-00-00T99:00:00.99990000")"),
              "00000000000000006300000000000f27");
    EXPECT_EQ(encoded_value(InType::systemtime, OutType::none, R"("2024-05-17T06:07:08.5")"),
              "e80705000500110006000700"
              "0800f401");
    EXPECT_EQ(encoded_value(InType::systemtime, OutType::none, R"("2024-05-17T06:07")"),
              "! v: not a time");
}

TEST(EncodeValue, TakesGuidsAndSids) {
    EXPECT_EQ(
        encoded_value(InType::guid, OutType::none, R"("{00010203-0405-0607-0809-0A0B0C0D0E0F}")"),
        "03020100050407060809"
        "0a0b0c0d0e0f");
    EXPECT_EQ(encoded_value(InType::guid, OutType::none, R"("0001")"), "! v: not a GUID");
    EXPECT_EQ(encoded_value(InType::sid, OutType::none, R"("S-1-5-18")"),
              "010100000000000512000000");
    EXPECT_EQ(encoded_value(InType::sid, OutType::none, R"("S-1-0x123456789abc")"),
              "0100123456789abc");
    EXPECT_EQ(encoded_value(InType::sid, OutType::none, R"("S-1-5-")"), "! v: not a SID");
    EXPECT_EQ(encoded_value(InType::sid, OutType::none,
                            R"("S-1-5-1-2-3-4-5-6-7-8-9-10-11-12-13-14-15-16")"),
              "! v: not a SID");
    EXPECT_EQ(encoded_value(InType::sid, OutType::none, R"("0001000000000000aabbccdd")"),
              "0001000000000000aabbccdd")
        << "an invalid SID is decoded as hex";
    EXPECT_EQ(encoded_value(InType::sid, OutType::none, R"("0001000000000000")"), "! v: not a SID");
    EXPECT_EQ(encoded_value(InType::wbem_sid, OutType::none, "null"), "00000000");
    EXPECT_EQ(encoded_value(InType::wbem_sid, OutType::none, R"("S-1-5-18")"),
              "01000000000000000000000000000000010100000000000512000000");
}

TEST(EncodeValue, TakesBinary) {
    EXPECT_EQ(encoded_value(InType::counted_binary, OutType::none, R"("00fFa0")"), "030000ffa0");
    EXPECT_EQ(encoded_value(InType::hex_dump, OutType::none, R"("00")"), "0100000000");
    EXPECT_EQ(encoded_value(InType::binary, OutType::none, R"("0102")"), "0102");
    EXPECT_EQ(encoded_value(InType::binary, OutType::none, R"("010")"), "! v: not a hex string");
    EXPECT_EQ(encoded_value(InType::binary, OutType::none, R"("0g")"), "! v: not a hex string");
    const schema::Field two = field("v", InType::binary, OutType::none, {}, fixed(2));
    EXPECT_EQ(encoded_value(two, R"("0102")"), "0102");
    EXPECT_EQ(encoded_value(two, R"("01")"),
              "! v: the length differs from the schema or a length field");
}

TEST(EncodeValue, TakesAddresses) {
    EXPECT_EQ(encoded_value(InType::uint16, OutType::port, "443"), "01bb");
    EXPECT_EQ(encoded_value(InType::uint16, OutType::port, "65536"), "! v: not a port");
    EXPECT_EQ(encoded_value(InType::uint32, OutType::ipv4, R"("10.0.0.255")"), "0a0000ff");
    EXPECT_EQ(encoded_value(InType::uint32, OutType::ipv4, "16777226"), "0a000001");
    EXPECT_EQ(encoded_value(InType::uint32, OutType::ipv4, R"("10.0.0.256")"),
              "! v: not an address");
    const auto ipv6 = [](std::string_view json) {
        return encoded_value(InType::binary, OutType::ipv6, json);
    };
    EXPECT_EQ(ipv6(R"("fe80::1:2")"), "fe800000000000000000000000010002");
    EXPECT_EQ(ipv6(R"("::")"), "00000000000000000000000000000000");
    EXPECT_EQ(ipv6(R"("1::")"), "00010000000000000000000000000000");
    EXPECT_EQ(ipv6(R"("1:2:3:4:5:6:7:8")"), "00010002000300040005000600070008");
    EXPECT_EQ(ipv6(R"("::ffff:10.0.0.1")"), "00000000000000000000ffff0a000001");
    for (const auto* wrong : {R"("1:2:3:4:5:6:7")", R"("1::2::3")", R"("1:2:3:4:5:6:7:8:9")",
                              R"("10.0.0.1")", R"("12345::")", R"("1:")", R"(":1::")"}) {
        EXPECT_EQ(ipv6(wrong), "! v: not an address") << wrong;
    }
    const auto socket = [](std::string_view json) {
        return encoded_value(InType::counted_binary, OutType::socket_address, json);
    };
    EXPECT_EQ(socket(R"("10.0.0.1:443")"), "1000020001bb0a0000010000000000000000");
    EXPECT_EQ(socket(R"("[fe80::1%7]:443")"),
              "1c00170001bb00000000fe80000000000000000000000000000107000000");
    EXPECT_EQ(socket(R"("::1")"), "1c00170000000000000000000000000000000000000000000001"
                                  "00000000");
    EXPECT_EQ(socket(R"("0900ff")"), "03000900ff");
    EXPECT_EQ(encoded_value(field("v", InType::binary, OutType::mac_address, {}, fixed(6)),
                            R"("00-1A-2B-3C-4D-5E")"),
              "001a2b3c4d5e");
}

TEST(EncodeValue, PadsPhysicalAddressesToTheSizeOfTheirField) {
    const auto in_number = [](std::string_view json) {
        return encoded_value(InType::uint64, OutType::padded_mac_address, json);
    };
    EXPECT_EQ(in_number(R"("00-15-5D-7C-58-28")"), "00155d7c58280000");
    EXPECT_EQ(in_number(R"("00-15-5D-7C-58-28-01-02")"), "00155d7c58280102");
    EXPECT_EQ(in_number(R"("00-15-5D-7C-58-28-01-02-03")"),
              "! v: size differs from that of its type");
    const schema::Field in_array =
        field("v", InType::binary, OutType::padded_mac_address, {}, fixed(8));
    EXPECT_EQ(encoded_value(in_array, R"("00-15-5D-7C-58-28")"), "00155d7c58280000");
    EXPECT_EQ(encoded_value(field("v", InType::binary, OutType::mac_address, {}, fixed(8)),
                            R"("00-15-5D-7C-58-28-01-02")"),
              "00155d7c58280102");
}

TEST(EncodeValue, PadsSocketAddressesToTheirLength) {
    const schema::Field storage =
        field("v", InType::binary, OutType::socket_address, {}, fixed(20));
    EXPECT_EQ(encoded_value(storage, R"("10.0.0.1:443")"),
              "020001bb0a000001000000000000000000000000");
}

TEST(EncodeValue, TakesNothingForTheNullType) {
    EXPECT_EQ(encoded_value(InType::null, OutType::none, "null"), "");
    EXPECT_EQ(encoded_value(InType::null, OutType::none, "0"), "! v: the type has no values");
    EXPECT_EQ(encoded_value(static_cast<InType>(99), OutType::none, "0"),
              "! v: the type cannot be encoded");
}

} // namespace
} // namespace etl::value_test

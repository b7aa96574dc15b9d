// Golden renderings: the same bytes as JSON and as Windows displays them.
#include <etl/base/byte_writer.hpp>
#include <etl/decode/display_value.hpp>
#include <etl/decode/json_value.hpp>
#include <etl/decode/limits.hpp>
#include <etl/schema/field_types.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <limits>

namespace etl {
namespace {

using decode::Form;
using schema::InType;
using schema::OutType;

struct Shown {
    std::string json;
    std::string display;
};

std::string json_of(const decode::Value& value, const decode::JsonValueOptions& options = {}) {
    std::string text = "<"; // something before it, as in life
    {
        TextTail tail(text);
        decode::append_json_value(tail, value, options);
    }
    return text.substr(1);
}

std::string display_of(const decode::Value& value, const decode::DisplayOptions& options = {}) {
    std::string text;
    decode::append_display(text, value, options);
    return text;
}

decode::Value value_of(InType in, OutType out, Bytes bytes, unsigned pointer_size = 8) {
    const bool is_number = schema::fixed_size(in, pointer_size) > 0;
    return {.bytes = bytes,
            .form = schema::form_of(in, out, pointer_size),
            .error_space = is_number ? schema::error_space_of(out) : decode::ErrorSpace::none};
}

Shown show(InType in, OutType out, Bytes bytes) {
    const decode::Value value = value_of(in, out, bytes);
    return {json_of(value), display_of(value)};
}

template <typename T>
Shown show_number(InType in, OutType out, T number) {
    ByteWriter bytes;
    bytes.value(number);
    return show(in, out, bytes.view());
}

void expect(const Shown& shown, std::string_view json, std::string_view display) {
    EXPECT_EQ(shown.json, json);
    EXPECT_EQ(shown.display, display);
}

TEST(ValueRendering, ShowsIntegersAsNumbers) {
    expect(show_number(InType::int8, OutType::none, std::int8_t{-128}), "-128", "-128");
    expect(show_number(InType::uint8, OutType::none, std::uint8_t{255}), "255", "255");
    expect(show_number(InType::int16, OutType::none, std::int16_t{-1}), "-1", "-1");
    expect(show_number(InType::uint32, OutType::pid, 4242U), "4242", "4242");
    expect(show_number(InType::int64, OutType::none, std::numeric_limits<std::int64_t>::min()),
           "-9223372036854775808", "-9223372036854775808");
    expect(show_number(InType::uint64, OutType::none, std::numeric_limits<std::uint64_t>::max()),
           "18446744073709551615", "18446744073709551615");
}

TEST(ValueRendering, ShowsHexWithoutLeadingZeros) {
    expect(show_number(InType::hex_int32, OutType::none, 0x10ECU), R"("0x10ec")", "0x10EC");
    expect(show_number(InType::hex_int64, OutType::none, 0xFFFFFA800143FA80U),
           R"("0xfffffa800143fa80")", "0xFFFFFA800143FA80");
    expect(show_number(InType::uint16, OutType::hex_int16, std::uint16_t{0}), R"("0x0")", "0x0");
    expect(show_number(InType::int8, OutType::hex_int8, std::int8_t{-1}), R"("0xff")", "0xFF");
    expect(show_number(InType::pointer, OutType::none, std::uint64_t{0x7FF6}), R"("0x7ff6")",
           "0x7FF6");
    expect(show_number(InType::uint64, OutType::code_pointer, std::uint64_t{16}), R"("0x10")",
           "0x10");
}

TEST(ValueRendering, LetsTheOutTypeDecideTheSign) {
    expect(show_number(InType::uint32, OutType::int32, 0xFFFFFFFFU), "-1", "-1");
    expect(show_number(InType::int32, OutType::uint32, std::int32_t{-1}), "4294967295",
           "4294967295");
    expect(show_number(InType::hex_int32, OutType::uint32, 16U), "16", "16");
    expect(show_number(InType::pointer, OutType::uint64, std::uint64_t{16}), "16", "16");
}

TEST(ValueRendering, ShowsBooleansOfEverySize) {
    expect(show_number(InType::boolean, OutType::none, 0x100U), "true", "true");
    expect(show_number(InType::boolean, OutType::none, 0U), "false", "false");
    expect(show_number(InType::uint8, OutType::boolean, std::uint8_t{2}), "true", "true");
    expect(show_number(InType::uint8, OutType::boolean, std::uint8_t{0}), "false", "false");
}

TEST(ValueRendering, ShowsFloatsShortestAndAlwaysAsFloats) {
    expect(show_number(InType::float32, OutType::none, 0.1F), "0.1", "0.1");
    expect(show_number(InType::float64, OutType::none, 5.0), "5.0", "5");
    expect(show_number(InType::float64, OutType::none, 1e300), "1e+300", "1e+300");
    expect(show_number(InType::float64, OutType::none, -0.0), "-0.0", "-0");
    expect(show_number(InType::float64, OutType::none, std::numeric_limits<double>::quiet_NaN()),
           R"("NaN")", "NaN");
    expect(show_number(InType::float32, OutType::none, -std::numeric_limits<float>::infinity()),
           R"("-Infinity")", "-Infinity");
}

TEST(ValueRendering, ShowsCharactersAsText) {
    expect(show_number(InType::uint8, OutType::string, std::uint8_t{'A'}), R"("A")", "A");
    expect(show_number(InType::int8, OutType::string, std::int8_t{-128}), "\"\u20ac\"", "\u20ac");
    expect(show_number(InType::uint16, OutType::string, std::uint16_t{0x00E9}), "\"\u00e9\"",
           "\u00e9");
    expect(show_number(InType::uint16, OutType::string, std::uint16_t{0xD800}), "\"\ufffd\"",
           "\ufffd");
    expect(show_number(InType::uint8, OutType::string, std::uint8_t{0}), R"("\u0000")",
           std::string_view("\0", 1));
    expect(show_number(InType::unicode_char, OutType::none, std::uint16_t{'x'}), R"("x")", "x");
}

TEST(ValueRendering, ShowsTextInAllEncodings) {
    ByteWriter wide;
    wide.text16(u"tea \u8336 \U0001F375");
    expect(show(InType::unicode_string, OutType::none, wide.view()), "\"tea \u8336 \U0001F375\"",
           "tea \u8336 \U0001F375");
    ByteWriter narrow;
    narrow.text8("th\xE9");
    expect(show(InType::ansi_string, OutType::none, narrow.view()), "\"th\u00e9\"", "th\u00e9");
    ByteWriter utf8;
    utf8.text8("th\xC3\xA9\xFF");
    expect(show(InType::counted_ansi_string, OutType::utf8, utf8.view()), "\"th\u00e9\ufffd\"",
           "th\u00e9\ufffd");
    expect(show(InType::unicode_string, OutType::none, {}), R"("")", "");
}

TEST(ValueRendering, EscapesWhatJsonCannotHold) {
    ByteWriter wide;
    wide.text16(u"a\"\\\n").u16(1).u16(0xDC00).u16(0xD800);
    EXPECT_EQ(show(InType::unicode_string, OutType::none, wide.view()).json,
              "\"a\\\"\\\\\\n\\u0001\ufffd\ufffd\"");
    ByteWriter narrow;
    narrow.text8("plain text before the quote \" \\ \t").u8(0);
    EXPECT_EQ(show(InType::ansi_string, OutType::none, narrow.view()).json,
              R"("plain text before the quote \" \\ \t\u0000")");
    EXPECT_EQ(show(InType::ansi_string, OutType::json, narrow.view()).json,
              R"("plain text before the quote \" \\ \t\u0000")");
}

TEST(ValueRendering, ShowsIdentifiers) {
    using namespace literals;
    ByteWriter guid;
    guid.guid("68fdd900-4a3e-11d1-84f4-0000f80464e3"_guid);
    expect(show(InType::guid, OutType::none, guid.view()),
           R"("68fdd900-4a3e-11d1-84f4-0000f80464e3")", "{68fdd900-4a3e-11d1-84f4-0000f80464e3}");
    ByteWriter sid;
    sid.u8(1).u8(2).fill(5).u8(5).u32(32).u32(544);
    expect(show(InType::sid, OutType::none, sid.view()), R"("S-1-5-32-544")", "S-1-5-32-544");
    ByteWriter wild;
    wild.u8(1).u8(0).u8(1).u8(0).u8(0).u8(0).u8(0).u8(2);
    expect(show(InType::sid, OutType::none, wild.view()), R"("S-1-0x10000000002")",
           "S-1-0x10000000002");
}

TEST(ValueRendering, ShowsBinaryAsHex) {
    ByteWriter bytes;
    bytes.u8(0).u8(0xAB).u8(0x10);
    expect(show(InType::counted_binary, OutType::none, bytes.view()), R"("00ab10")", "00AB10");
    expect(show(InType::counted_binary, OutType::none, {}), R"("")", "");
}

struct Address {
    std::vector<std::uint16_t> groups;
    const char* text;
};

TEST(ValueRendering, ShowsIpv6AsRfc5952Says) {
    const Address cases[] = {
        {{0, 0, 0, 0, 0, 0, 0, 0}, "::"},
        {{0, 0, 0, 0, 0, 0, 0, 1}, "::1"},
        {{1, 0, 0, 0, 0, 0, 0, 0}, "1::"},
        {{0x2001, 0xDB8, 0, 0, 1, 0, 0, 1}, "2001:db8::1:0:0:1"},
        {{0x2001, 0xDB8, 0, 1, 1, 1, 1, 1}, "2001:db8:0:1:1:1:1:1"},
        {{0x2001, 0, 0, 1, 0, 0, 0, 1}, "2001:0:0:1::1"},
        {{0xFE80, 0, 0, 0, 0xABCD, 0, 0x12, 0xF}, "fe80::abcd:0:12:f"},
        {{1, 2, 3, 4, 5, 6, 7, 8}, "1:2:3:4:5:6:7:8"},
        {{0, 0, 0, 0, 0, 0xFFFF, 0xC0A8, 0x0102}, "::ffff:192.168.1.2"},
        {{1, 2, 3, 4, 5, 6, 0, 0}, "1:2:3:4:5:6::"},
    };
    for (const Address& address : cases) {
        ByteWriter bytes;
        for (const std::uint16_t group : address.groups) {
            bytes.u8(static_cast<std::uint8_t>(group >> 8U)).u8(static_cast<std::uint8_t>(group));
        }
        expect(show(InType::binary, OutType::ipv6, bytes.view()),
               '"' + std::string(address.text) + '"', address.text);
    }
}

TEST(ValueRendering, ShowsIpv4AndPortsInHostOrder) {
    expect(show_number(InType::uint32, OutType::ipv4, 0x0100000AU), R"("10.0.0.1")", "10.0.0.1");
    expect(show_number(InType::uint16, OutType::port, std::uint16_t{0xBB01}), "443", "443");
}

ByteWriter ipv6_socket(std::uint16_t port, std::uint32_t scope) {
    ByteWriter bytes;
    bytes.u16(23)
        .u8(static_cast<std::uint8_t>(port >> 8U))
        .u8(static_cast<std::uint8_t>(port))
        .u32(0);
    bytes.u8(0xFE).u8(0x80).fill(13).u8(1).u32(scope);
    return bytes;
}

TEST(ValueRendering, ShowsSocketAddresses) {
    const auto socket = [](Bytes bytes) {
        return show(InType::binary, OutType::socket_address, bytes);
    };
    ByteWriter v4;
    v4.u16(2).u8(0x01).u8(0xBB).u8(10).u8(0).u8(0).u8(1).fill(8);
    expect(socket(v4.view()), R"("10.0.0.1:443")", "10.0.0.1:443");
    expect(socket(ipv6_socket(443, 0).view()), R"("[fe80::1]:443")", "[fe80::1]:443");
    expect(socket(ipv6_socket(443, 7).view()), R"("[fe80::1%7]:443")", "[fe80::1%7]:443");
    // JSON keeps one form; Windows leaves port 0 out.
    v4.patch<std::uint16_t>(2, 0);
    expect(socket(v4.view()), R"("10.0.0.1:0")", "10.0.0.1");
    expect(socket(ipv6_socket(0, 7).view()), R"("[fe80::1%7]:0")", "fe80::1%7");
    ByteWriter other;
    other.u16(1).u8(0xAB);
    expect(socket(other.view()), R"("0100ab")", "0100AB");
    expect(socket({}), R"("")", "");
}

TEST(ValueRendering, ShowsTimesFarAndNear) {
    expect(show_number(InType::filetime, OutType::none, std::int64_t{132756263758001567}),
           R"("2021-09-09T01:59:35.8001567Z")", "2021-09-09T01:59:35.800156700Z");
    expect(show_number(InType::filetime, OutType::none, std::int64_t{-1}),
           R"("1600-12-31T23:59:59.9999999Z")", "1600-12-31T23:59:59.999999900Z");
    expect(show_number(InType::filetime, OutType::none, std::int64_t{0}),
           R"("1601-01-01T00:00:00.0000000Z")", "1601-01-01T00:00:00.000000000Z");
    expect(show_number(InType::filetime, OutType::none, std::numeric_limits<std::int64_t>::max()),
           R"("+30828-09-14T02:48:05.4775807Z")", "+30828-09-14T02:48:05.477580700Z");
    expect(show_number(InType::uint64, OutType::date_time, std::int64_t{0}),
           R"("1601-01-01T00:00:00.0000000Z")", "1601-01-01T00:00:00.000000000Z");
}

TEST(ValueRendering, ShowsSystemtimesAsTheyAre) {
    ByteWriter bytes;
    for (const unsigned part : {2024U, 5U, 5U, 17U, 6U, 7U, 8U, 9U}) {
        bytes.u16(static_cast<std::uint16_t>(part));
    }
    expect(show(InType::systemtime, OutType::none, bytes.view()),
           R"("2024-05-17T06:07:08.0090000Z")", "2024-05-17T06:07:08.009000000Z");
    expect(show(InType::systemtime, OutType::none, ByteWriter().fill(16).view()),
           R"("0000-00-00T00:00:00.0000000Z")", "0000-00-00T00:00:00.000000000Z");
}

TEST(ValueRendering, ShowsErrorCodesAsNumbersUnlessNamesAreWanted) {
    ByteWriter code;
    code.u32(0xC0000034);
    const decode::Value value = value_of(InType::uint32, OutType::ntstatus, code.view());
    EXPECT_EQ(json_of(value), "3221225524");
    const std::string named = json_of(value, {.error_names = true});
    EXPECT_EQ(named, "\"STATUS_OBJECT_NAME_NOT_FOUND (0xc0000034)\"");
    EXPECT_EQ(display_of(value), "0xC0000034 (STATUS_OBJECT_NAME_NOT_FOUND)");
    ByteWriter unknown;
    unknown.u32(0xC0FFEE00);
    EXPECT_EQ(
        json_of(value_of(InType::uint32, OutType::ntstatus, unknown.view()), {.error_names = true}),
        R"("0xc0ffee00")")
        << "with names every code is text";
    expect(show_number(InType::hex_int32, OutType::win32_error, 0x12345U), "74565",
           "Unknown Win32 Error code: 0x12345");
    expect(show_number(InType::int32, OutType::hresult, std::int32_t{-2147024891}), "-2147024891",
           "0x80070005 (E_ACCESSDENIED)");
}

TEST(ValueRendering, ShowsNoValueAsNull) {
    expect(show(InType::null, OutType::none, {}), "null", "");
}

schema::ValueMap doors() {
    return {.name = "Doors",
            .kind = schema::ValueMap::Kind::value,
            .entries = {{0, "shut"}, {1, "a \"jar\""}, {7, "open"}}};
}

decode::Value mapped(InType in, Bytes bytes, const schema::ValueMap& map) {
    decode::Value value = value_of(in, OutType::none, bytes);
    value.map = &map;
    return value;
}

TEST(ValueRendering, ShowsEnumerationsAsTextAndUnknownOnesAsTextOfTheNumber) {
    const auto map = doors();
    ByteWriter one, eight, minus;
    one.u32(1);
    eight.u32(8);
    minus.value(std::int32_t{-8});
    const std::string ajar = json_of(mapped(InType::uint32, one.view(), map));
    EXPECT_EQ(ajar, R"("a \"jar\"")");
    EXPECT_EQ(json_of(mapped(InType::uint32, eight.view(), map)), R"("8")");
    EXPECT_EQ(json_of(mapped(InType::int32, minus.view(), map)), R"("-8")");
    EXPECT_EQ(json_of(mapped(InType::hex_int32, eight.view(), map)), R"("0x8")");
    EXPECT_EQ(json_of(mapped(InType::uint32, one.view(), map), {.enumerations = false}), "1");
    EXPECT_EQ(display_of(mapped(InType::uint32, one.view(), map)), "a \"jar\"");
    EXPECT_EQ(display_of(mapped(InType::uint32, eight.view(), map)), "8");
    EXPECT_EQ(display_of(mapped(InType::uint32, one.view(), map), {.enumerations = false}), "1");
}

TEST(ValueRendering, ShowsBitMapsBitByBit) {
    const schema::ValueMap map{.name = "",
                               .kind = schema::ValueMap::Kind::bits,
                               .entries = {{1, "A"}, {2, "B"}, {12, "CD"}}};
    const auto json = [&](std::uint32_t bits) {
        ByteWriter bytes;
        bytes.u32(bits);
        return json_of(mapped(InType::uint32, bytes.view(), map));
    };
    EXPECT_EQ(json(1), R"("A")");
    EXPECT_EQ(json(3), R"("A | B")");
    EXPECT_EQ(json(4 + 1), R"("A | 0x4")");
    EXPECT_EQ(json(12), R"("CD")");
    EXPECT_EQ(json(0x10), R"("0x10")");
    EXPECT_EQ(json(0), R"("0x0")");
    const schema::ValueMap with_zero{
        .name = "", .kind = schema::ValueMap::Kind::bits, .entries = {{0, "none"}, {1, "A"}}};
    ByteWriter zero, one;
    zero.u8(0);
    one.u8(1);
    EXPECT_EQ(json_of(mapped(InType::uint8, zero.view(), with_zero)), R"("none")");
    EXPECT_EQ(display_of(mapped(InType::uint8, one.view(), with_zero)), "A");
}

TEST(ValueRendering, ShowsWhatABitMapLeavesOverInTheCaseOfItsForm) {
    const schema::ValueMap map{
        .name = "", .kind = schema::ValueMap::Kind::bits, .entries = {{1, "A"}, {2, "B"}}};
    ByteWriter bytes;
    bytes.u32(0xAB000003);
    const decode::Value value = mapped(InType::uint32, bytes.view(), map);
    EXPECT_EQ(json_of(value), R"("A | B | 0xab000000")");
    EXPECT_EQ(display_of(value), "A|B|0xAB000000");
}

TEST(ValueRendering, ShowsPhysicalAddressesInPairs) {
    const auto shown = [](std::initializer_list<int> octets, OutType out) {
        ByteWriter bytes;
        for (const int octet : octets) {
            bytes.u8(static_cast<std::uint8_t>(octet));
        }
        return show(InType::binary, out, bytes.view());
    };
    expect(shown({0, 0x15, 0x5D, 1, 2, 3}, OutType::mac_address), R"("00-15-5D-01-02-03")",
           "00-15-5D-01-02-03");
    EXPECT_EQ(shown({0, 0x15, 0x5D, 1, 0, 0, 0, 0}, OutType::mac_address).json,
              R"("00-15-5D-01-00-00-00-00")");
    EXPECT_EQ(shown({}, OutType::mac_address).json, R"("")");
    EXPECT_EQ(shown({0, 0x15, 0x5D, 1, 0, 0, 0, 0}, OutType::padded_mac_address).json,
              R"("00-15-5D-01-00-00")");
    EXPECT_EQ(shown({0, 0x15, 0x5D, 1, 2, 3, 4, 0, 0, 0}, OutType::padded_mac_address).json,
              R"("00-15-5D-01-02-03-04-00")");
    expect(show_number(InType::uint64, OutType::padded_mac_address, 0x28587C5D1500ULL),
           R"("00-15-5D-7C-58-28")", "00-15-5D-7C-58-28");
    ByteWriter long_one;
    for (int i = 0; i < 33; ++i) {
        long_one.u8(1);
    }
    EXPECT_EQ(show(InType::binary, OutType::mac_address, long_one.view()).json.substr(0, 5),
              R"("0101)")
        << "longer than a physical address can be";
}

TEST(ValueRendering, ShowsTicksAsTimesWhereTheClockIsKnown) {
    const flow::Clock clock; // ticks are FILETIME
    ByteWriter bytes;
    bytes.value(std::int64_t{132756263758001567});
    const decode::Value value = value_of(InType::uint64, OutType::etw_time, bytes.view());
    EXPECT_EQ(json_of(value), "132756263758001567");
    EXPECT_EQ(display_of(value), "132756263758001567");
    EXPECT_EQ(display_of(value, {.clock = &clock}), "2021-09-09T01:59:35.800156700Z");
    expect(show_number(InType::uint32, OutType::etw_time, 7U), "7", "7");
}

TEST(ValueRendering, ReadsNarrowTextInTheCodePageThatIsAskedFor) {
    const auto cyrillic = *CodePage::open(1251U);
    const decode::JsonValueOptions as_json{.code_page = cyrillic.get()};
    const decode::DisplayOptions as_display{.code_page = cyrillic.get()};
    ByteWriter bytes;
    bytes.text8("\xCF\xF0\"");
    const decode::Value text = value_of(InType::ansi_string, OutType::none, bytes.view());
    EXPECT_EQ(json_of(text, as_json), "\"Пр\\\"\"");
    EXPECT_EQ(display_of(text, as_display), "Пр\"");
    ByteWriter utf8;
    utf8.text8("П");
    const decode::Value declared = value_of(InType::ansi_string, OutType::utf8, utf8.view());
    EXPECT_EQ(json_of(declared, as_json), "\"П\"") << "declared UTF-8 is UTF-8";
    const decode::Value guessed = value_of(InType::ansi_string, OutType::none, utf8.view());
    EXPECT_EQ(json_of(guessed), "\"П\"");
    EXPECT_EQ(json_of(guessed, as_json), "\"Рџ\"") << "the page is taken at its word";
    ByteWriter one;
    one.u8(0xCF);
    const decode::Value character = value_of(InType::uint8, OutType::string, one.view());
    EXPECT_EQ(display_of(character, as_display), "П");
}

/// A table of messages from number 1 on.
schema::MessageTable messages(std::initializer_list<std::string_view> texts) {
    ByteWriter resource;
    resource.u32(1).u32(1).u32(static_cast<std::uint32_t>(texts.size())).u32(16);
    for (const std::string_view text : texts) {
        const std::size_t begin = resource.size();
        resource.u16(0).u16(2).text8(text).text8("\r\n").u8(0).align(4);
        resource.patch(begin, static_cast<std::uint16_t>(resource.size() - begin));
    }
    auto table = schema::MessageTable::parse(resource.view());
    EXPECT_TRUE(table);
    return table ? std::move(*table) : schema::MessageTable{};
}

TEST(ParameterTexts, StandForTheirNumbers) {
    const schema::MessageTable words = messages({"Delete", "Read %1", "%%1"});
    const auto shown = [&](std::u16string_view text) {
        ByteWriter bytes;
        bytes.text16(text);
        return display_of(value_of(InType::unicode_string, OutType::none, bytes.view()),
                          {.parameters = &words});
    };
    EXPECT_EQ(shown(u"%%1"), "Delete");
    EXPECT_EQ(shown(u"\t%%1\r\n\t%%2."), "\tDelete\r\n\tRead %1.");
    EXPECT_EQ(shown(u"%%3"), "%%1") << "once";
    EXPECT_EQ(shown(u"%%4 %%12 %%x 100%% %"), "%%4 %%12 %%x 100%% %");
    EXPECT_EQ(shown(u"%%%1"), "%Delete");
    EXPECT_EQ(shown(u"%%99999999999999999999"), "%%99999999999999999999");
    EXPECT_EQ(shown(u"%1"), "%1");
}

TEST(ParameterTexts, StayNumbersInJsonAndWithoutATable) {
    ByteWriter bytes;
    bytes.text8("%%1");
    const decode::Value value = value_of(InType::ansi_string, OutType::none, bytes.view());
    EXPECT_EQ(json_of(value), R"("%%1")");
    EXPECT_EQ(display_of(value), "%%1");
}

TEST(ParameterTexts, LeaveAloneWhatStoodThereBefore) {
    const schema::MessageTable words = messages({"Delete"});
    std::string text = "%%1 %%1";
    decode::resolve_parameters(text, 3, words);
    EXPECT_EQ(text, "%%1 Delete");
}

TEST(ParameterTexts, CannotMakeAValueGrowWithoutBound) {
    const std::string too_long(limits::parameter_bytes + 1, 'x');
    const schema::MessageTable words = messages({too_long});
    std::string text = "%%1";
    decode::resolve_parameters(text, 0, words);
    EXPECT_EQ(text, "%%1");
}

} // namespace
} // namespace etl

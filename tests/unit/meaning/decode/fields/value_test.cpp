// Golden renderings: the same bytes as JSON and as Windows displays them.
#include <etl/byte_writer.hpp>

#include "decode/display_value.hpp"
#include "decode/json_value.hpp"
#include "tests/unit/meaning/decode/fields/shown_values.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace etl::value_test {
namespace {

using namespace test;

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

} // namespace
} // namespace etl::value_test

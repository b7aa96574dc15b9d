// Numbers that stand for texts: maps, and parameters of messages.
#include <etl/byte_writer.hpp>

#include "decode/display_value.hpp"
#include "decode/limits.hpp"
#include "tests/unit/meaning/decode/fields/shown_values.hpp"

#include <gtest/gtest.h>

namespace etl::mapped_values_test {
namespace {

using namespace test;

schema::ValueMap doors() {
    return {.name = "Doors",
            .kind = schema::ValueMap::Kind::value,
            .entries = {{0, "shut"}, {1, "a \"jar\""}, {7, "open"}}};
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
    const std::string too_long(decode::limits::parameter_bytes + 1, 'x');
    const schema::MessageTable words = messages({too_long});
    std::string text = "%%1";
    decode::resolve_parameters(text, 0, words);
    EXPECT_EQ(text, "%%1");
}

} // namespace
} // namespace etl::mapped_values_test

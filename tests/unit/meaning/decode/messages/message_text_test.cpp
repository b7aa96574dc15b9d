#include "decode/message_text.hpp"
#include "tests/support/traces/one_event.hpp"
#include "tests/unit/meaning/decode/schemas.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::message_text_test {
namespace {

using testing::ElementsAre;

std::string message(std::string_view format,
                    std::vector<std::string_view> inserts = {"one", "two"}) {
    std::string text;
    decode::append_message(text, format, inserts);
    return text;
}

TEST(MessageText, InsertsProperties) {
    EXPECT_EQ(message("%1 and %2."), "one and two.");
    EXPECT_EQ(message("%2%1"), "twoone");
    EXPECT_EQ(message("%1!s!, %2!5s!|%2!-5s!|%1!.2s!|%1!d!"), "one,   two|two  |on|one");
    const std::vector<std::string_view> many(12, "x");
    EXPECT_EQ(message("%12%3", many), "xx");
}

TEST(MessageText, LeavesNumbersWithoutPropertyAsTheyAre) {
    EXPECT_EQ(message("%3 %1 %99!s!"), "%3 one %99!s!");
    EXPECT_EQ(message("%12", {"one"}), "%12") << "two digits are one number";
}

TEST(MessageText, ResolvesEscapes) {
    EXPECT_EQ(message("a%nb%rc%td%be%%f%.g%!h% i%M"), "a\nb\rc\td e%f.g!h iM");
    EXPECT_EQ(message("before%0after"), "before");
    EXPECT_EQ(message("100%"), "100%");
    EXPECT_EQ(message("text\r\n"), "text");
    EXPECT_EQ(message(""), "");
}

TEST(MessageText, TakesExclamationMarksForWhatTheyAre) {
    EXPECT_EQ(message("%1! Or %2!"), "one! Or two!");
    EXPECT_EQ(message("%1!ls!%2!I64u!%1!#x!%2!*.*s!"), "onetwoonetwo");
    EXPECT_EQ(message("%1!!"), "one!!");
    EXPECT_EQ(message("%1!"), "one!");
}

TEST(MessageText, InsertsNothingIntoInserts) {
    EXPECT_EQ(message("%1%2", {"%2 %n %%", "two"}), "%2 %n %%two");
}

TEST(MessageText, CountsCharactersNotBytes) {
    EXPECT_EQ(message("[%1!4s!][%1!.1s!]", {"\u8336\u8336"}), "[  \u8336\u8336][\u8336]");
}

TEST(MessageText, CannotBeMadeToGrowWithoutBound) {
    EXPECT_EQ(message("%1!999999999999999999999999s!").size(), 1024);
    EXPECT_EQ(message("%1!5"), "one!5");
    std::string often;
    for (int i = 0; i < 1000; ++i) {
        often.append("%1");
    }
    const std::string large(10'000, 'x');
    EXPECT_EQ(message(often, {large}).size(), 270'000)
        << "the insert that reaches the limit is the last";
}

TEST(PropertyTexts, CountTopLevelFieldsOnly) {
    using namespace test;
    const auto schema = schema_of({field("A", InType::uint8), structure("S", 2),
                                   field("B", InType::uint8), field("C", InType::ansi_string),
                                   with_count(field("L", InType::uint8), Extent::Kind::prefixed),
                                   field("Hidden", InType::uint8, OutType::no_print),
                                   field("Absent", InType::uint64)});
    ByteWriter payload;
    payload.u8(1).u8(2).zero_terminated8("x").u16(2).u8(3).u8(4).u8(5);
    decode::EventKind kind;
    kind.schema = &schema;
    kind.plan = decode::Plan::compile(schema, 8);
    decode::DecodedEvent event;
    event.kind = &kind;
    event.body = payload.view();
    decode::PropertyTexts texts;
    for (int round = 0; round < 2; ++round) {
        const auto list = texts.render(event);
        EXPECT_THAT(std::vector(list.begin(), list.end()),
                    ElementsAre("1", "2, x", "3, 4", "", ""));
    }
}

TEST(EventMessage, ShowsTheProvidersTextsForParameters) {
    using namespace test;
    ByteWriter resource;
    resource.u32(1).u32(1936).u32(1936).u32(16).u16(12).u16(2).text8("Default");
    resource.u8(0);
    auto names = std::make_shared<schema::ProviderNames>();
    names->parameters =
        std::make_shared<schema::MessageTable>(*schema::MessageTable::parse(resource.view()));
    auto schema = schema_of({field("Kind", InType::unicode_string)});
    schema.provider = names;
    schema.message = "Kind: %1, not %%1936.";
    ByteWriter payload;
    payload.zero_terminated16(u"%%1936");
    decode::EventKind kind;
    kind.schema = &schema;
    kind.plan = decode::Plan::compile(schema, 8);
    decode::DecodedEvent event;
    event.kind = &kind;
    event.body = payload.view();
    decode::EventMessage message;
    std::string text = ">";
    message.append(text, event);
    EXPECT_EQ(text, ">Kind: Default, not %1936.");
    schema.message.clear();
    message.append(text, event);
    EXPECT_EQ(text, ">Kind: Default, not %1936.");
}

} // namespace
} // namespace etl::message_text_test

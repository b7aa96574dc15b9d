#include "schema/mof_syntax.hpp"
#include "tests/unit/meaning/schema/mof_in.hpp"

#include <gmock/gmock.h>

namespace etl::schema::mof_syntax_test {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string text_of_first(std::string_view text) {
    const MofToken token = MofTokens(text).next();
    EXPECT_EQ(token.kind, MofToken::Kind::text) << text;
    return token.text;
}

std::optional<std::int64_t> number_in(std::string_view text) {
    const MofToken token = MofTokens(text).next();
    EXPECT_EQ(token.kind, MofToken::Kind::number) << text;
    EXPECT_EQ(token.spelling, text);
    return token.value;
}

std::vector<MofClass> classes_in(std::string_view text, std::size_t notes = 0) {
    MofReading reading(text);
    auto classes = parse_mof_classes(text, reading);
    EXPECT_TRUE(classes) << classes.error().reason;
    EXPECT_EQ(reading.result.notes.size(), notes);
    return classes ? std::move(*classes) : std::vector<MofClass>{};
}

TEST(MofTokens, UndoEscapes) {
    EXPECT_EQ(text_of_first(R"("plain")"), "plain");
    EXPECT_EQ(text_of_first(R"("a\"b\\c\'d\n\t\r\f\b")"), "a\"b\\c'd\n\t\r\f\b");
    EXPECT_EQ(text_of_first(R"("\x41\xE9\x20ac!\xg")"), "A\xC3\xA9\xE2\x82\xAC!g");
    EXPECT_EQ(text_of_first("'x'"), "x");
    EXPECT_EQ(text_of_first("\"two\nlines\""), "two\nlines");
}

TEST(MofTokens, ReadNumbersInAllSpellings) {
    EXPECT_EQ(number_in("42"), 42);
    EXPECT_EQ(number_in("-42"), -42);
    EXPECT_EQ(number_in("+7"), 7);
    EXPECT_EQ(number_in("0"), 0);
    EXPECT_EQ(number_in("0x1F"), 31);
    EXPECT_EQ(number_in("0XFFFFFFFFFFFFFFFF"), -1);
    EXPECT_EQ(number_in("017"), 15);
    EXPECT_EQ(number_in("101b"), 5);
    EXPECT_EQ(number_in("1.5"), std::nullopt);
    EXPECT_EQ(number_in("99999999999999999999"), std::nullopt);
    EXPECT_EQ(parse_mof_integer(" -0x10 "), -16);
    EXPECT_EQ(parse_mof_integer("2..5"), std::nullopt);
}

TEST(MofTokens, PassOverCommentsAndDirectives) {
    MofTokens tokens("// one\n/* two\n * three */ #pragma namespace(\"x\")\n#include <y>\n $name");
    const MofToken token = tokens.next();
    EXPECT_EQ(token.kind, MofToken::Kind::word);
    EXPECT_EQ(token.spelling, "$name");
    EXPECT_THAT(tokens.directives(), ElementsAre(49U));
    EXPECT_EQ(tokens.next().kind, MofToken::Kind::end);
}

TEST(MofSyntax, ReadsQualifiersWithFlavors) {
    const auto classes = classes_in(R"(
[dynamic: ToInstance, Description("one " "text") : amended ToSubclass, locale("MS\\0x409"),
 EventType{1, 2}, Set({"a", "b"}), Alias($x)]
class Name as $Alias : Base;)");
    ASSERT_EQ(classes.size(), 1U);
    EXPECT_EQ(classes[0].name, "Name");
    EXPECT_EQ(classes[0].base, "Base");
    const MofQualifiers& qualifiers = classes[0].qualifiers;
    EXPECT_TRUE(is_set(qualifiers, "DYNAMIC"));
    EXPECT_FALSE(is_set(qualifiers, "static"));
    EXPECT_EQ(text_of(qualifiers, "description"), "one text");
    EXPECT_EQ(text_of(qualifiers, "locale"), "MS\\0x409");
    EXPECT_EQ(find(qualifiers, "EventType")->values.size(), 2U);
    EXPECT_EQ(find(qualifiers, "Set")->values.size(), 2U);
    EXPECT_EQ(text_of(qualifiers, "Alias"), "$x");
}

TEST(MofSyntax, ReadsPropertiesOfEveryKind) {
    const auto classes = classes_in(R"(class Name {
        uint32 plain;
        [a] [b] uint8 sized[4];
        string open[] = {"x", "y"};
        sint32 set = -1;
        Other ref link;
        object:Thing thing;
        [Implemented] uint32 Method([in] uint32 x, [out] uint8 y[]);
        uint64 last;
    };)");
    ASSERT_EQ(classes.size(), 1U);
    std::vector<std::string> names;
    for (const MofProperty& property : classes[0].properties) {
        names.emplace_back(property.name);
    }
    EXPECT_THAT(names, ElementsAre("plain", "sized", "open", "set", "link", "thing", "last"));
    EXPECT_EQ(classes[0].properties[1].qualifiers.size(), 2U);
    EXPECT_EQ(classes[0].properties[1].array_size, 4);
    EXPECT_TRUE(classes[0].properties[2].is_array);
    EXPECT_EQ(classes[0].properties[5].type, "Thing");
}

TEST(MofSyntax, PassesOverInstancesAndDeclarations) {
    const auto classes = classes_in(R"(
qualifier Guid : string = null, scope(class), flavor(ToSubclass);
instance of Thing as $t { Name = "}"; Inner = instance of Other { X = {1, 2}; }; };
class A {};
instance of Thing { X = 1; }
class B {};)",
                                    2);
    ASSERT_EQ(classes.size(), 2U);
    EXPECT_EQ(classes[0].name, "A");
    EXPECT_EQ(classes[1].name, "B");
}

TEST(MofSyntax, SaysWhereATextIsBroken) {
    EXPECT_EQ(rejection_of("class A {\n  uint32 ;\n};"),
              "2:10: found `;`, expected the name of a property");
    EXPECT_EQ(rejection_of("class A {\n"), "2:1: expected the type of a property, found the end");
    EXPECT_EQ(rejection_of("class A { uint32 a[2; };"), "1:21: found `;`, expected `]`");
    EXPECT_EQ(rejection_of("[Guid(\"{x"), "1:7: unterminated string");
    EXPECT_EQ(rejection_of("/* [Guid"), "1:1: unterminated comment");
    EXPECT_EQ(rejection_of("<xml/>"), "1:1: found `<`, expected a class");
    EXPECT_EQ(rejection_of("[Guid(;)] class A {};"), "1:7: found `;`, expected a value");
    EXPECT_EQ(rejection_of(""), "0:0: defines no event class");
    EXPECT_EQ(rejection_of("class A {};"), "0:0: defines no event class");
}

TEST(MofSyntax, KeepsNoMoreQualifiersThanAnyoneNeeds) {
    std::string text = "[a0";
    for (int i = 1; i < 100; ++i) {
        text += fmt::format(", a{}", i);
    }
    const auto classes = classes_in(text + "] class A {};");
    ASSERT_EQ(classes.size(), 1U);
    EXPECT_EQ(classes[0].qualifiers.size(), 64U);
}

} // namespace

} // namespace etl::schema::mof_syntax_test

#include "match/limits.hpp"
#include "match/xpath.hpp"

#include <gtest/gtest.h>

namespace etl::match::xpath_test {
namespace {

constexpr Filetime now{133'000'000'000'000'000};

/// The expression in the syntax of --where, with all parentheses.
std::string words(const Expression& e) {
    static constexpr const char* operators[] = {"==", "!=", "<", "<=", ">", ">=", "&", "~", "has"};
    if (e.kind == Expression::Kind::test) {
        std::string text = (e.test.is_field ? "data." : "") + e.test.name + " " +
                           operators[static_cast<std::size_t>(e.test.op)];
        for (const Literal& value : e.test.values) {
            text += value.is_quoted ? " '" + value.text + "'" : " " + value.text;
        }
        return text;
    }
    std::string text = "(";
    for (const Expression& part : e.parts) {
        text += (text.size() == 1                  ? ""
                 : e.kind == Expression::Kind::all ? " && "
                                                   : " || ") +
                words(part);
    }
    return text + ")";
}

std::string parsed(std::string_view query) {
    const auto expression = parse_xpath(query, now);
    return expression ? words(*expression)
                      : std::to_string(expression.error().column) + ": " + expression.error().what;
}

TEST(XPath, OfEverythingIsTrue) {
    const auto all = parse_xpath("*", now);
    ASSERT_TRUE(all);
    EXPECT_TRUE(all->is_empty());
}

TEST(XPath, ReadsElementsOfSystem) {
    EXPECT_EQ(parsed("*[System[EventID=4624]]"), "id == 4624");
    EXPECT_EQ(parsed("Event[System[(EventID = 4624)]]"), "id == 4624");
    EXPECT_EQ(parsed("*[System/EventID=4624]"), "id == 4624");
    EXPECT_EQ(parsed("Event/System[Level<=3]"), "level <= 3");
    EXPECT_EQ(parsed("*[System[(Level=1  or Level=2) and Task!=12]]"),
              "((level == 1 || level == 2) && task != 12)");
    EXPECT_EQ(parsed("*[System[Level=1 or Level=2 and Opcode>1]]"),
              "(level == 1 || (level == 2 && opcode > 1))")
        << "and binds tighter";
    EXPECT_EQ(parsed("*[System[band(Keywords,9007199254740992)]]"), "keyword & 9007199254740992");
    EXPECT_EQ(parsed("*[System[Channel='Tea/Operational']]"), "channel_name == Tea/Operational");
}

TEST(XPath, ReadsAttributesOfSystem) {
    EXPECT_EQ(parsed("*[System[Provider[@Name='Tea' or @Name=\"Pot's\"]]]"),
              "(provider == Tea || provider == Pot's)");
    EXPECT_EQ(parsed("*[System[Provider/@Name='Tea']]"), "provider == Tea");
    EXPECT_EQ(parsed("*[System[Execution[@ProcessID=4 and @ThreadID>7]]]"),
              "(pid == 4 && tid > 7)");
    EXPECT_EQ(parsed("*[System[TimeCreated[@SystemTime>='2024-05-17T04:00:00.000Z']]]"),
              "time >= 2024-05-17T04:00:00.000Z");
}

TEST(XPath, ReadsWhatOnlyEventLogsHave) {
    EXPECT_EQ(parsed("*[System[EventRecordID>12]]"), "record_id > 12");
    EXPECT_EQ(parsed("*[System[Computer='KITCHEN']]"), "computer == KITCHEN");
    EXPECT_EQ(parsed("*[System[Security[@UserID='S-1-5-18']]]"), "user == S-1-5-18");
    EXPECT_EQ(parsed("*[System[EventID[@Qualifiers=16384]]]"), "qualifiers == 16384");
}

TEST(XPath, ReadsTheAgeOfEvents) {
    EXPECT_EQ(parsed("*[System[TimeCreated[timediff(@SystemTime) <= 3600000]]]"),
              "time >= 132999964000000000");
    EXPECT_EQ(parsed("*[System[TimeCreated[timediff(@SystemTime) > 1]]]"),
              "time < 132999999999990000");
}

TEST(XPath, ReadsData) {
    EXPECT_EQ(parsed("*[EventData[Data[@Name='Cups']=3]]"), "data.Cups == 3");
    EXPECT_EQ(parsed("*[EventData[Data[@Name='Cups']='3']]"), "data.Cups == 3");
    EXPECT_EQ(parsed("*[EventData[Data[@Name='Drink']='Earl Grey']]"), "data.Drink == 'Earl Grey'");
    EXPECT_EQ(parsed("*[EventData[Data[@Name='Drink'] and Data[@Name='Cups']!=0]]"),
              "(data.Drink has && data.Cups != 0)");
    EXPECT_EQ(parsed("*[UserData[Brewed='yes']]"), "data.Brewed == 'yes'");
}

TEST(XPath, JoinsPredicates) {
    EXPECT_EQ(parsed("*[System[EventID=1]][EventData[Data[@Name='a']=2]]"),
              "(id == 1 && data.a == 2)");
    EXPECT_EQ(parsed("*[System[EventID=1] and EventData[Data[@Name='a']=2]]"),
              "(id == 1 && data.a == 2)");
    EXPECT_EQ(parsed("*[System[EventID=1] or System[EventID=2]]"), "(id == 1 || id == 2)");
}

TEST(XPath, ErrorsHaveAPlace) {
    EXPECT_EQ(parsed(""), "1: expected * or Event");
    EXPECT_EQ(parsed("*["), "3: expected System, EventData, or UserData");
    EXPECT_EQ(parsed("*[System[EventID]]"), "17: expected an operator: =, !=, <, <=, >, >=");
    EXPECT_EQ(parsed("*[System[EventID=]]"), "18: expected a number, or text in quotes");
    EXPECT_EQ(parsed("*[System[EventID=1]"), "20: expected ], and, or or");
    EXPECT_EQ(parsed("*[System[Colour=1]]"), "10: System has no Colour");
    EXPECT_EQ(parsed("*[System[Provider[@Colour=1]]]"), "10: System has no Provider/@Colour");
    EXPECT_EQ(parsed("*[System[Provider[@EventSourceName='x']]]"),
              "10: Provider/@EventSourceName cannot be compared");
    EXPECT_EQ(parsed("*[EventData[Data='x']]"),
              "17: expected Data[@Name='NAME']: values are compared by name");
    EXPECT_EQ(parsed("*[System[TimeCreated[timediff(@SystemTime) <= x]]]"),
              "47: expected an operator and a number of milliseconds");
    EXPECT_EQ(parsed("* or *"), "3: expected [ or the end of the query");
    EXPECT_EQ(parsed("*[EventData[Data[@Name='x"), "24: expected the name of a value in quotes");
}

TEST(XPath, IsBounded) {
    EXPECT_NE(parsed(std::string("*[System[") + std::string(200, '(') + "EventID=1").find("deep"),
              std::string::npos);
    std::string many = "*[System[EventID=1";
    for (std::size_t i = 0; i < match::limits::expression_tests; ++i) {
        many += " or Task=1";
    }
    EXPECT_NE(parsed(many + "]]").find("too many"), std::string::npos);
    EXPECT_EQ(parsed(std::string(match::limits::expression_bytes + 1, '*')),
              "1: the query is too long");
}

} // namespace
} // namespace etl::match::xpath_test

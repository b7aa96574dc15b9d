#include "match/expression.hpp"
#include "match/limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::match::expression_test {
namespace {

/// An expression as nested words, for comparison.
std::string shape(const Expression& e) {
    if (e.kind == Expression::Kind::test) {
        std::string text = (e.test.is_field ? "data." : "") + e.test.name + " " +
                           std::to_string(static_cast<int>(e.test.op));
        for (const Literal& value : e.test.values) {
            text += value.is_quoted ? " '" + value.text + "'" : " " + value.text;
        }
        return text;
    }
    std::string text = e.kind == Expression::Kind::all   ? "all("
                       : e.kind == Expression::Kind::any ? "any("
                                                         : "none(";
    for (const Expression& part : e.parts) {
        text += (text.back() == '(' ? "" : "; ") + shape(part);
    }
    return text + ")";
}

std::string parsed(std::string_view text) {
    const auto expression = Expression::parse(text);
    return expression ? shape(*expression)
                      : std::to_string(expression.error().column) + ": " + expression.error().what;
}

TEST(Expression, ReadsComparisons) {
    EXPECT_EQ(parsed("pid == 4"), "pid 0 4");
    EXPECT_EQ(parsed("pid=4"), "pid 0 4");
    EXPECT_EQ(parsed("pid!=4"), "pid 1 4");
    EXPECT_EQ(parsed("Size<4"), "Size 2 4");
    EXPECT_EQ(parsed("Size<=4"), "Size 3 4");
    EXPECT_EQ(parsed("Size>4"), "Size 4 4");
    EXPECT_EQ(parsed("Size >= 4"), "Size 5 4");
    EXPECT_EQ(parsed("keyword & 0x10"), "keyword 6 0x10");
    EXPECT_EQ(parsed("Path ~ ^C:"), "Path 7 ^C:");
    EXPECT_EQ(parsed("Path !~ x"), "none(Path 7 x)");
    EXPECT_EQ(parsed("has(Path)"), "Path 8");
    EXPECT_EQ(parsed("has(data.Path)"), "data.Path 8");
}

TEST(Expression, ReadsValuesUpToABlank) {
    EXPECT_EQ(parsed("a == 10.0.0.0/8 && b == fe80::1"), "all(a 0 10.0.0.0/8; b 0 fe80::1)");
    EXPECT_EQ(parsed("a == C:\\Windows\\*.exe"), "a 0 C:\\Windows\\*.exe");
    EXPECT_EQ(parsed("(a == x)"), "a 0 x");
    EXPECT_EQ(parsed("a == {68fdd900-4a3e-11d1-84f4-0000f80464e3}"),
              "a 0 {68fdd900-4a3e-11d1-84f4-0000f80464e3}");
    EXPECT_EQ(parsed("time >= 2010-10-29T19:10:05Z"), "time 5 2010-10-29T19:10:05Z");
    EXPECT_EQ(parsed("time < -10s"), "time 2 -10s");
}

TEST(Expression, ReadsQuotes) {
    EXPECT_EQ(parsed(R"(a == "two words")"), "a 0 'two words'");
    EXPECT_EQ(parsed("a == 'it''s'"), "a 0 'it's'");
    EXPECT_EQ(parsed(R"(a == "")"), "a 0 ''");
    EXPECT_EQ(parsed(R"(data."Bytes Sent" > 4)"), "data.Bytes Sent 4 4");
    EXPECT_EQ(parsed(R"("Bytes Sent" > 4)"), "data.Bytes Sent 4 4");
}

TEST(Expression, ReadsLists) {
    EXPECT_EQ(parsed("pid in (1, 2,3)"), "pid 0 1 2 3");
    EXPECT_EQ(parsed("pid in 4"), "pid 0 4");
    EXPECT_EQ(parsed("addr in 192.168.0.0/16"), "addr 0 192.168.0.0/16");
}

TEST(Expression, BindsNotThenAndThenOr) {
    EXPECT_EQ(parsed("a==1 || b==2 && c==3"), "any(a 0 1; all(b 0 2; c 0 3))");
    EXPECT_EQ(parsed("!a==1 && b==2"), "all(none(a 0 1); b 0 2)");
    EXPECT_EQ(parsed("!(a==1 && b==2)"), "none(all(a 0 1; b 0 2))");
    EXPECT_EQ(parsed("a==1 or b==2 and not c==3"), "any(a 0 1; all(b 0 2; none(c 0 3)))");
    EXPECT_EQ(parsed("!!a==1"), "none(none(a 0 1))");
}

TEST(Expression, SaysWhereAndWhatIsWrong) {
    EXPECT_EQ(parsed(""), "1: expected a name, found the end");
    EXPECT_EQ(parsed("pid"),
              "4: expected ==, !=, <, <=, >, >=, &, ~, or in after 'pid', found the end");
    EXPECT_EQ(parsed("pid =="), "7: expected a value, found the end");
    EXPECT_EQ(parsed("pid == 4 cpu == 1"), "10: expected &&, ||, or the end, found 'cpu'");
    EXPECT_EQ(parsed("(pid == 4"), "10: expected ) for the ( at column 1, found the end");
    EXPECT_EQ(parsed("pid == 'x"), "8: unterminated quotes");
    EXPECT_EQ(parsed("pid in (1"), "10: expected , or ) in the list, found the end");
    EXPECT_EQ(parsed("&& a == 1"), "1: expected a name, found '&&'");
    EXPECT_EQ(parsed("has(x"), "6: expected ) after has(x, found the end");
    EXPECT_EQ(parsed(std::string(match::limits::expression_bytes + 1, ' ')),
              "65537: the expression is too long");
}

TEST(Expression, BoundsItsDepth) {
    const std::string deep(match::limits::expression_depth + 1, '(');
    EXPECT_THAT(parsed(deep + "a==1"), testing::HasSubstr("parentheses nested too deep"));
    const std::string open(match::limits::expression_depth - 1, '(');
    EXPECT_EQ(parsed(open + "a==1" + std::string(match::limits::expression_depth - 1, ')')),
              "a 0 1");
}

TEST(Expression, PointsAtTheColumn) {
    const auto bad = Expression::parse("pid == 4 cpu == 1");
    EXPECT_EQ(describe("pid == 4 cpu == 1", bad.error()),
              "column 10: expected &&, ||, or the end, found 'cpu'\n"
              "  pid == 4 cpu == 1\n"
              "           ^");
}

} // namespace
} // namespace etl::match::expression_test

// Numbers beyond INTEGER, hexadecimal numbers, and times, wherever a query has them: the answer is
// exact, or an error.
#include "tests/unit/faces/sql/shop_queries.hpp"

#include <gmock/gmock.h>

namespace etl::sql::exactness_test {
namespace {

using namespace test;
using provider::Hex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string largest = "'18446744073709551615'", middle = "'9223372036854775808'";

/// Events whose fields have names that are words of SQL.
class Exactness : public ShopQueries {
protected:
    void SetUp() override {
        struct Io {
            std::uint64_t n, size, keyword;
            const char16_t* text;
        };

        for (const Io& io : {Io{18'446'744'073'709'551'615ULL, 0x10, 0x8000'0000'0000'0010, u"5"},
                             Io{5, 0x9, 0x10, u"x"},
                             Io{9'223'372'036'854'775'808ULL, 0xFFFF'FFFF'FFFF'FFFF, 0, u"y"}}) {
            add("Io", {.keyword = io.keyword}, [&](auto& event) {
                event.add("Offset", io.n).add("N", io.n).add("End", io.n).add("Match", io.n);
                event.add("Size", Hex<std::uint64_t>{io.size}).add("Text", io.text);
            });
        }
        add("Other", {}, [](auto& event) { event.add("Size", 7); });
    }

    std::vector<std::string> matching(const std::string& where, const std::string& column = "N") {
        return rows("SELECT " + column + from + " WHERE " + where);
    }

    std::string problem(const std::string& text) { return shop().error(text).what; }

    std::string problem_where(const std::string& where) {
        return problem("SELECT N" + from + " WHERE " + where);
    }

    const std::string from = " FROM \"Coffee.Shop/Io\"";
};

TEST_F(Exactness, TextsCompareWithNumbersAsSqliteCompares) {
    EXPECT_THAT(matching("max(Text COLLATE NOCASE, '') = 'X'", "Text"), ElementsAre("'x'"));
    for (const char* const where : {"Text = 5", "Text IN (5)", "5 = Text", "Text = (5)",
                                    "Text BETWEEN 4 AND 6", "Text < 50", "(Text, 1) = (5, 1)"}) {
        EXPECT_THAT(matching(where, "Text"), ElementsAre("'5'")) << where;
    }
}

TEST_F(Exactness, HexadecimalNumbersCompareAsNumbers) {
    EXPECT_THAT(matching("keyword > 1e1"), ElementsAre(largest, "5"));
    EXPECT_THAT(matching("keyword > 15.5"), ElementsAre(largest, "5"));
    EXPECT_THAT(matching("keyword = 16.0"), ElementsAre("5"));
    for (const char* const same :
         {"keyword = 0x8000000000000010", "keyword = 9223372036854775824",
          "keyword IN (0x8000000000000010)", "keyword > 16", "+keyword = 0x8000000000000010",
          "keyword = '9223372036854775824'", "max(keyword, 0) = 0x8000000000000010",
          "keyword BETWEEN 17 AND 1e19", "keyword >= 0x8000000000000000 AND keyword < 1e30",
          "CASE keyword WHEN 0x8000000000000010 THEN 1 END"}) {
        EXPECT_THAT(matching(same), ElementsAre(largest)) << same;
    }
    EXPECT_THAT(matching("keyword <> 0x8000000000000010"), ElementsAre("5", middle));
    EXPECT_THAT(matching("keyword BETWEEN 1 AND 0x8000000000000010"), ElementsAre(largest, "5"));
    EXPECT_THAT(matching("Size = 0xffffffffffffffff"), ElementsAre(middle));
    EXPECT_THAT(matching("Size < 100"), ElementsAre(largest, "5"));
    for (const char* const same :
         {"(keyword) = 16", "+keyword = 16", "coalesce(keyword, '') = 16", "(keyword, 1) = (16, 1)",
          "keyword = '16'", "keyword = '0X10'"}) {
        EXPECT_THAT(matching(same), ElementsAre("5")) << same;
    }
    EXPECT_THAT(rows("SELECT keyword" + from + " ORDER BY keyword DESC LIMIT 1"),
                ElementsAre("'0x8000000000000010'"));
    EXPECT_THAT(rows("SELECT max(Size), min(Size)" + from),
                ElementsAre("'0xffffffffffffffff'|'0x9'"));
    EXPECT_THAT(rows("SELECT k > 16 FROM (SELECT max(keyword) AS k" + from + " GROUP BY time)"),
                ElementsAre("1", "0", "0"));
    EXPECT_THAT(rows("SELECT (SELECT keyword" + from + " WHERE N = 5) = 16, (SELECT max(keyword)" +
                     from + ") > 16"),
                ElementsAre("1|1"));
    EXPECT_THAT(rows("SELECT value FROM events, json_each(data) WHERE key = 'Size' AND value > 10"),
                ElementsAre("'0x10'", "'0xffffffffffffffff'"));
    EXPECT_THAT(problem_where("Size < 9007199254740993.0"), HasSubstr("SQLite rounds it"));
}

TEST_F(Exactness, NamesOfFieldsMayBeWordsOfSql) {
    for (const std::string name : {"Offset", "End", "Match", "\"Offset\"", "[End]", "`Match`"}) {
        SCOPED_TRACE(name);
        EXPECT_THAT(matching(name + " < 1e19"), ElementsAre("5", middle));
        EXPECT_THAT(matching(name + " > 1e19"), ElementsAre(largest));
        EXPECT_THAT(matching(name + " = '5'"), ElementsAre("5"));
        EXPECT_THAT(problem("SELECT " + name + " % 4096, " + name + " + 1" + from),
                    HasSubstr("SQLite cannot calculate with " + name));
        EXPECT_THAT(problem("SELECT printf('%d', " + name + ")" + from),
                    HasSubstr("exceeds INTEGER"));
        EXPECT_THAT(rows("SELECT coalesce(max(" + name + "), 3)" + from), ElementsAre(largest));
        EXPECT_THAT(rows("SELECT CASE WHEN " + name + " > 5 THEN " + name + " END" + from),
                    ElementsAre(largest, "NULL", middle));
    }
    EXPECT_THAT(rows("SELECT N" + from + " ORDER BY End LIMIT 1 OFFSET 1"), ElementsAre(middle));
    EXPECT_THAT(rows("SELECT Range FROM (SELECT N AS Range" + from +
                     ") WHERE Range BETWEEN 1 AND 10 ORDER BY Range"),
                ElementsAre("5"));
}

TEST_F(Exactness, NamesThatTheQueryGivesAreNoColumns) {
    const auto with = [&](const std::string& list, const std::string& where) {
        return "SELECT * FROM (SELECT " + list + from + ") WHERE " + where;
    };
    EXPECT_THAT(rows(with("N AS id", "id > 18446744073709551614")), ElementsAre(largest));
    EXPECT_THAT(rows(with("N AS id", "id < 1e19")), ElementsAre("5", middle));
    EXPECT_THAT(rows(with("N AS 'id'", "id < 1e19")), ElementsAre("5", middle));
    EXPECT_THAT(rows(with("N id", "id <= 5")), ElementsAre("5"));
    EXPECT_THAT(problem(with("N AS level", "level = '5'")), HasSubstr("is compared with a text"));
    EXPECT_THAT(
        problem("WITH a(level) AS (SELECT N" + from + ") SELECT * FROM a WHERE level = '5'"),
        HasSubstr("is compared with a text"));
    EXPECT_THAT(rows(with("keyword AS k", "k > 15")).size(), 2U);
    EXPECT_THAT(rows(with("Text AS t, keyword", "t = 5")).size(), 1U);
    const std::string both = " FROM \"Coffee.Shop/Io\" a, \"Coffee.Shop/Other\" b WHERE ";
    EXPECT_THAT(rows("SELECT a.Size" + both + "a.Size > 10"),
                ElementsAre("'0x10'", "'0xffffffffffffffff'"));
    EXPECT_THAT(rows("SELECT DISTINCT b.Size" + both + "b.Size > 5"), ElementsAre("7"));
}

TEST_F(Exactness, NanosecondsCompareWithTimes) {
    EXPECT_THAT(rows("SELECT min(time_ns) > '2021-09-09T04:34:59Z', "
                     "min(time_ns) > '2021-09-09T06:35:00+02:00'" +
                     from),
                ElementsAre("1|0"));
    for (const std::string ns : {"coalesce(time_ns, 0)", "(time_ns)", "time_ns - 0", "time_ns"}) {
        EXPECT_THAT(matching(ns + " > '2021-09-09T04:35:00.5Z'"), ElementsAre("5", middle)) << ns;
        EXPECT_THAT(matching(ns + " BETWEEN '2021-09-09T04:35:00.5Z' AND '2300-01-01'"),
                    ElementsAre("5", middle));
        EXPECT_EQ(matching(ns + " < '9999-12-31' AND " + ns + " > '1601-01-01'").size(), 3U);
        EXPECT_EQ(matching(ns + " <> '2300-01-01'").size(), 3U);
    }
    EXPECT_THAT(problem("SELECT * FROM (SELECT time_ns AS t" + from +
                        " LIMIT 5) WHERE t > '2021-09-09T04:35:01Z'"),
                HasSubstr("compared with nanoseconds"));
    EXPECT_THAT(problem_where("pid > '2021-09-09'"), HasSubstr("compare it with the column time"));
    EXPECT_THAT(problem_where("(time_ns, 1) > ('2021-09-09', 1)"), HasSubstr("a row of values"));
}

TEST_F(Exactness, LiteralsThatAreNoTimesAreErrors) {
    for (const char* const text :
         {"SELECT min(time) > 'yesterday'", "SELECT max(time) > '2022'", "SELECT +time < 'x'",
          "SELECT lag(time) OVER (ORDER BY time) = '2022'",
          "SELECT (SELECT max(time) FROM events WHERE (pid) <> 5) > 'x'",
          "SELECT 1 FROM (SELECT max(time) AS t FROM events) WHERE t > 'x' UNION SELECT 1"}) {
        EXPECT_THAT(problem(text + from), HasSubstr("is not a valid time")) << text;
    }
    EXPECT_THAT(matching("coalesce(time, 'x') = 'x'"), IsEmpty());
}

TEST_F(Exactness, OperandsMayHaveBracketsSignsAndAnyLength) {
    for (const std::string large :
         {"(1e19)", "+1e19", "((+1e19))", "10000000000000000000", "1e19 COLLATE BINARY"}) {
        EXPECT_THAT(matching("N > " + large), ElementsAre(largest)) << large;
        EXPECT_THAT(matching(large + " > N"), ElementsAre("5", middle)) << large;
    }
    EXPECT_THAT(matching("N < 18446744073709551615 COLLATE BINARY"), ElementsAre("5", middle));
    EXPECT_THAT(matching("N COLLATE BINARY < 18446744073709551615"), ElementsAre("5", middle));
    EXPECT_THAT(matching("N = ('5')"), ElementsAre("5"));
    EXPECT_EQ(matching("N > -1e19 AND N <> -(5)").size(), 3U);
    const std::string many = "max(N, 0" + std::string(300, ' ') + ")";
    EXPECT_THAT(matching(many + " > 1e19"), ElementsAre(largest));
    EXPECT_THAT(problem_where("(N, 1) > (1e19, 1)"), HasSubstr("1e19 exceeds INTEGER"));
    EXPECT_THAT(problem_where("(N, 1) IN ((18446744073709551615, 1))"), HasSubstr("exceeds"));
    EXPECT_THAT(problem_where("(N, 1) = ('5', 1)"), HasSubstr("without quotes"));
    EXPECT_THAT(problem("SELECT max(N, 1e19)" + from), HasSubstr("1e19 exceeds INTEGER"));
    EXPECT_EQ(shop().error("SELECT 1, max(N, 1e19)" + from).offset, 17U);
}

TEST_F(Exactness, ComputedRealsCompareExactly) {
    EXPECT_THAT(rows("SELECT total(N) > 2e19, total(N) < 18446744073709551615, total(N) > 1e30, "
                     "1e19 = 10000000000000000000, 1e19 IN (1e19), 1e20 > 1e19" +
                     from),
                ElementsAre("1|0|0|1|1|1"));
    EXPECT_THAT(matching("N > (SELECT avg(N)" + from + ")"), ElementsAre(largest));
    EXPECT_THAT(matching("N < (SELECT total(N)" + from + ")").size(), 3U);
    EXPECT_THAT(matching("N BETWEEN 6 AND pid * 1e30"), ElementsAre(largest, middle));
    EXPECT_THAT(
        rows("SELECT (SELECT max(N)" + from + ") > (SELECT max(N)" + from + " WHERE N < 1e19)"),
        ElementsAre("1"));
}

TEST_F(Exactness, FunctionsOfNumbersRefuseLargeOnes) {
    for (const std::string function : {"sin", "atanh", "degrees", "radians", "julianday",
                                       "unixepoch", "sqrt", "round", "date"}) {
        EXPECT_THAT(problem("SELECT " + function + "(N)" + from), HasSubstr("exceeds INTEGER"))
            << function;
    }
    EXPECT_THAT(problem("SELECT atan2(1, N)" + from), HasSubstr("exceeds INTEGER"));
    EXPECT_THAT(problem("SELECT strftime('%s', N)" + from), HasSubstr("exceeds INTEGER"));
    EXPECT_THAT(rows("SELECT strftime('%Y', time)" + from + " LIMIT 1"), ElementsAre("'2021'"));
}

TEST_F(Exactness, TokensEndWhereSqliteEndsThem) {
    EXPECT_THAT(rows("SELECT 0x1e-5, typeof(-data ->> 'x'), -1||2 FROM events LIMIT 1"),
                ElementsAre("25|'null'|'-12'"));
    EXPECT_THAT(rows("SELECT 0x1E-Size FROM (SELECT 1 AS Size)"), ElementsAre("29"));
}

TEST_F(Exactness, ColumnsOfResultsKeepTheirNames) {
    auto query = shop().database().prepare(
        "SELECT N % 10, max(End) > 1e19, 18446744073709551615, Text x, keyword = 16, 1e5" + from);
    ASSERT_TRUE(query && *query);
    EXPECT_THAT((*query)->columns(),
                ElementsAre("N % 10", "max(End) > 1e19", "18446744073709551615", "x",
                            "keyword = 16", "1e5"));
    EXPECT_THAT(rows("SELECT \"max(N) > 1e19\" FROM (SELECT max(N) > 1e19" + from + ")"),
                ElementsAre("1"));
}

/// Statements that are made of most of what the grammar of SQLite has.
TEST_F(Exactness, ValidQueriesStayValid) {
    for (const std::string text :
         {"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) "
          "SELECT i * -2, - i FROM n ORDER BY -i LIMIT 2 OFFSET +1",
          "WITH abs(x, y) AS MATERIALIZED (VALUES (1, 2), (1e19, -4)), b AS NOT MATERIALIZED "
          "(SELECT x FROM abs) SELECT * FROM abs a, b WHERE (a.x, y) IN (VALUES (1, 2))",
          "SELECT row_number() OVER (PARTITION BY N & 2 ORDER BY N ROWS BETWEEN 1 PRECEDING AND "
          "CURRENT ROW) FROM \"Coffee.Shop/Io\"",
          "SELECT sum(tid) OVER w, max(tid) FILTER (WHERE tid > 0) OVER w FROM \"Coffee.Shop/Io\" "
          "WINDOW w AS (PARTITION BY pid ORDER BY time RANGE BETWEEN UNBOUNDED PRECEDING AND "
          "UNBOUNDED FOLLOWING)",
          "SELECT count(DISTINCT pid), CASE pid WHEN 1 THEN 'a' ELSE 'b' END, pid NOT IN (1, 2), "
          "pid NOT BETWEEN 1 AND 2 AND 1, pid ISNULL, pid NOT NULL, NOT pid = 1, pid IS NOT 1, "
          "1 + EXISTS (SELECT 1) / 2, "
          "EXISTS (SELECT 1 WHERE 'x' LIKE 'x%' ESCAPE '!') FROM events",
          "SELECT -(SELECT min(pid) FROM events) + (SELECT 1), CAST(pid AS TEXT), -pid || 'x', "
          "~pid & 7, pid << 2 | 1, x'41' || `pid`, (1), ((2)) + 1 FROM events",
          "SELECT j.value AS 'v', j.key k FROM events e, json_each(e.data, '$') AS j "
          "NATURAL JOIN (SELECT 2 AS q) WHERE v IS NOT DISTINCT FROM 4 ORDER BY k COLLATE NOCASE "
          "DESC NULLS LAST",
          "SELECT time, max(N) FROM \"Coffee.Shop/Io\" GROUP BY time HAVING max(N) > 5 UNION "
          "SELECT 1, 2 EXCEPT SELECT 3, 4 ORDER BY 2 /* c */ LIMIT 2 -- c",
          "SELECT 5 = '5', NULL = 1e19, x'41' = 'A', 1e999, -1e999, -9223372036854775808",
          "EXPLAIN QUERY PLAN SELECT 1", "VALUES (1, '2024-05-17'), (1e19, '5')"}) {
        SCOPED_TRACE(text);
        EXPECT_THAT(rows(text), testing::Not(testing::Contains("?")));
    }
}

/// Preparing takes time and memory in proportion to the text, and cannot be interrupted.
TEST_F(Exactness, HostileQueriesAreRefused) {
    const auto repeated = [](const std::string& text, std::size_t count) {
        std::string all;
        for (std::size_t i = 0; i < count; ++i) {
            all += text;
        }
        return all;
    };
    // Before SQLite 3.46 its parser has a stack of a fixed size.
    EXPECT_THAT(problem("SELECT " + repeated("- ", 200'000) + "1"),
                testing::AnyOf(HasSubstr("overflow"), HasSubstr("too large")));
    EXPECT_THAT(problem("SELECT " + repeated("max(", 50'000)), HasSubstr("more than 200 deep"));
    EXPECT_THAT(problem("SELECT " + repeated("CASE WHEN ", 50'000)), HasSubstr("200 deep"));
    EXPECT_THAT(problem("SELECT " + repeated("N+", 300'000) + "N" + from), HasSubstr("too large"));
    EXPECT_THAT(
        problem("SELECT N" + from + " WHERE N||N||N||N IN (" + repeated("'5',", 200'000) + "'5')"),
        HasSubstr("the query is too long"));
    EXPECT_THAT(
        problem("WITH " + repeated("a AS (SELECT 1), ", 30'000) + "b AS (SELECT 1) SELECT 1"),
        HasSubstr("more than 1,000 subqueries"));
    EXPECT_THAT(problem("SELECT " + repeated(")", 500'000)), HasSubstr("syntax error"));
}

} // namespace
} // namespace etl::sql::exactness_test

#include "io/output_file.hpp"
#include "tests/unit/faces/sql/shop_queries.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sqlite3.h>
#include <unistd.h>

namespace etl::sql::database_test {
namespace {

using namespace test;
namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(ShopQueries, ReturnEventsInTimeOrderWithTheirKeys) {
    add("Sold", {.level = 4, .id = 3}, [](auto& event) { event.add("Cups", 2); });
    add("Closed", {.level = 2}, [](auto&) {}, 8);
    EXPECT_THAT(rows("SELECT time, time_ns, pid, tid, id, level, event, data FROM events "
                     "WHERE provider = 'Coffee.Shop'"),
                ElementsAre("'2021-09-09T04:35:00.0000000Z'|1631162100000000000|7|9|3|4|'Sold'|"
                            "'{\"Cups\":2}'",
                            "'2021-09-09T04:35:01.0000000Z'|1631162101000000000|8|9|0|2|'Closed'|"
                            "'{}'"));
}

TEST_F(ShopQueries, FindTheTableOfAKindWithItsFields) {
    add("Sold", {}, [](auto& event) {
        event.add("What", u"flat \"white\"").add("Price", 2.5).add("Hot", true);
        event.add("Sizes", {1, 2});
    });
    EXPECT_THAT(rows("SELECT What, Price, Hot, Sizes FROM \"Coffee.Shop/Sold\""),
                ElementsAre("'flat \"white\"'|2.500000|1|'[1,2]'"));
    const auto tables = shop().database().tables();
    const auto sold = std::ranges::find(tables, "Coffee.Shop/Sold", &TableInfo::name);
    ASSERT_NE(sold, tables.end());
    const std::vector<ColumnInfo> fields(sold->columns.end() - 4, sold->columns.end());
    EXPECT_THAT(fields, ElementsAre(ColumnInfo{"What", "text"}, ColumnInfo{"Price", "real"},
                                    ColumnInfo{"Hot", "boolean"}, ColumnInfo{"Sizes", "json"}));
}

TEST_F(ShopQueries, NeverReturnAWrongNumberForAnUnsignedOne) {
    for (const std::uint64_t number : {5ULL, 0x7FFFFFFFFFFFFFFFULL, 0xFFFFFFFFFFFFFFFFULL}) {
        add("Counted", {}, [=](auto& event) { event.add("Number", number); });
    }
    EXPECT_THAT(rows("SELECT Number, typeof(Number) FROM \"Coffee.Shop/Counted\""),
                ElementsAre("5|'integer'", "9223372036854775807|'integer'",
                            "'18446744073709551615'|'text'"));
    EXPECT_THAT(rows("SELECT count(*) FROM \"Coffee.Shop/Counted\" "
                     "WHERE Number = '18446744073709551615'"),
                ElementsAre("1"));
}

TEST_F(ShopQueries, ReturnTheLeastNumberAsANumber) {
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    for (const std::int64_t number : {least, std::int64_t{0}, std::int64_t{-1}}) {
        add("Counted", {}, [=](auto& event) { event.add("Number", number); });
    }
    const std::string counted = " FROM \"Coffee.Shop/Counted\"";
    EXPECT_THAT(rows("SELECT Number, typeof(Number)" + counted),
                ElementsAre("-9223372036854775808|'integer'", "0|'integer'", "-1|'integer'"));
    EXPECT_THAT(rows("SELECT min(Number)" + counted), ElementsAre("-9223372036854775808"));
    EXPECT_THAT(rows("SELECT count(*)" + counted + " WHERE Number < -1"), ElementsAre("1"));
}

TEST_F(ShopQueries, PermitLongQueriesWithTimes) {
    add("Sold", {}, [](auto& event) { event.add("Cups", 2); });
    std::string query = "SELECT count(*) FROM events WHERE event = 'Sold' AND time IN (";
    constexpr std::size_t nearly_all = sql::limits::query_bytes - 100;
    while (query.size() < nearly_all) {
        query += "'2021-09-09T04:35:01Z',";
    }
    query += "'2021-09-09T04:35:00Z')";
    ASSERT_LE(query.size(), sql::limits::query_bytes);
    EXPECT_THAT(rows(query), ElementsAre("1"));
}

TEST_F(ShopQueries, PrepareOneStatementOfSeveral) {
    std::string text = ";; SELECT 1; SELECT '2021-09-09T04:35:00Z' ; -- SELECT 3";
    std::vector<bool> has_rows;
    while (!text.empty()) {
        std::size_t size = 0;
        const auto query = shop().database().prepare(text, &size);
        ASSERT_TRUE(query) << query.error().what;
        ASSERT_GT(size, 0U);
        has_rows.push_back(query->has_value());
        text.erase(0, size);
    }
    EXPECT_THAT(has_rows, ElementsAre(true, true, false));
}

TEST_F(ShopQueries, CompareUnsignedNumbersAsNumbers) {
    // The texts of these have different lengths, and as REAL the last two are equal.
    for (const std::uint64_t number :
         {10'000'000'000'000'000'000ULL, 5ULL, 9'223'372'036'854'775'809ULL,
          18'446'744'073'709'551'614ULL, 18'446'744'073'709'551'615ULL}) {
        add("Counted", {}, [=](auto& event) { event.add("Number", number).add("Text", u"7"); });
    }
    const std::string from = " FROM \"Coffee.Shop/Counted\"";
    const auto ordered = ElementsAre("5", "'9223372036854775809'", "'10000000000000000000'",
                                     "'18446744073709551614'", "'18446744073709551615'");
    for (const std::string number :
         {"Number", "data ->> 'Number'", "json_extract(data, '$.Number')", "max(Number)"}) {
        SCOPED_TRACE(number);
        const std::string source = number.starts_with("N") || number.starts_with("m")
                                       ? from
                                       : " FROM events WHERE event = 'Counted'";
        const std::string group = number == "max(Number)" ? " GROUP BY time" : "";
        EXPECT_THAT(rows("SELECT " + number + source + group + " ORDER BY " + number), ordered);
    }
    EXPECT_THAT(rows("SELECT max(Number), min(Number)" + from),
                ElementsAre("'18446744073709551615'|5"));
    EXPECT_THAT(rows("SELECT max(data ->> 'Number') FROM events"),
                ElementsAre("'18446744073709551615'"));
    EXPECT_THAT(
        rows("SELECT m FROM (SELECT max(Number) AS m" + from + " GROUP BY time) ORDER BY m"),
        ordered);
    EXPECT_THAT(rows("SELECT \"max(Number)\" FROM (SELECT max(Number)" + from + ")"),
                ElementsAre("'18446744073709551615'"));
    EXPECT_THAT(rows("SELECT count(*)" + from + " WHERE Number > '9999999999999999999'"),
                ElementsAre("3"));
    EXPECT_THAT(rows("SELECT count(*)" + from + " WHERE Number = '18446744073709551614'"),
                ElementsAre("1"));
    EXPECT_THAT(rows("SELECT count(*)" + from + " WHERE Number > 9223372036854775807"),
                ElementsAre("4"));
    EXPECT_THAT(rows("SELECT count(DISTINCT Number)" + from + " WHERE Number > 5"),
                ElementsAre("4"));
    EXPECT_THAT(rows("SELECT Number, max(Number) OVER (ORDER BY time)" + from + " LIMIT 1"),
                ElementsAre("'10000000000000000000'|'10000000000000000000'"));
}

TEST_F(ShopQueries, AddUnsignedNumbersExactly) {
    for (const std::uint64_t number : {0xFFFFFFFFFFFFFFF0ULL, 5ULL, 6ULL}) {
        add("Counted", {}, [=](auto& event) { event.add("Number", number); });
    }
    const std::string from = " FROM \"Coffee.Shop/Counted\"";
    EXPECT_THAT(rows("SELECT sum(Number), typeof(avg(Number))" + from),
                ElementsAre("'18446744073709551611'|'real'"));
    EXPECT_THAT(rows("SELECT sum(Number), typeof(sum(Number))" + from + " WHERE Number < 7"),
                ElementsAre("11|'integer'"));
    EXPECT_THAT(rows("SELECT sum(Number) OVER (ORDER BY time ROWS 1 PRECEDING)" + from),
                ElementsAre("'18446744073709551600'", "'18446744073709551605'", "11"));
    EXPECT_THAT(rows("SELECT sum(Number), total(Number)" + from + " WHERE Number IS NULL"),
                ElementsAre("NULL|0.000000"));
    EXPECT_THAT(shop().error("SELECT sum(a.Number)" + from + " AS a," + from.substr(6)).what,
                testing::HasSubstr("the sum exceeds 64 bits"));
}

TEST_F(ShopQueries, AddHexadecimalNumbersAndOthersAsSqlite) {
    const auto sum_of = [&](const std::string& values) {
        return rows("SELECT sum(column1), total(column1), avg(column1) FROM (VALUES " + values +
                    ")");
    };
    EXPECT_THAT(sum_of("('0x1c'), (4)"), ElementsAre("32|32.000000|16.000000"));
    EXPECT_THAT(sum_of("('0xffffffffffffffff')"),
                ElementsAre("'18446744073709551615'|18446744073709551616.000000|"
                            "18446744073709551616.000000"));
    EXPECT_THAT(sum_of("(-7), ('3'), (NULL)"), ElementsAre("-4|-4.000000|-2.000000"));
    EXPECT_THAT(sum_of("(1.5), (2), ('tea')"), ElementsAre("3.500000|3.500000|1.166667"));
    EXPECT_THAT(sum_of("(9223372036854775807), (-9223372036854775808), (-1)"),
                ElementsAre("-2|-2.000000|-0.666667"));
    EXPECT_THAT(rows("SELECT typeof(sum(column1)) FROM (VALUES ('0x1c'), (4))"),
                ElementsAre("'integer'"));
}

class LargeNumbers : public ShopQueries {
protected:
    void SetUp() override {
        for (const std::uint64_t number :
             {5ULL, 18'446'744'073'709'551'615ULL, 9'223'372'036'854'775'808ULL, 100ULL,
              9'007'199'254'740'993ULL}) {
            add("Counted", {}, [=](auto& event) { event.add("U", number); });
        }
    }

    std::vector<std::string> matching(const std::string& where) {
        return rows("SELECT U FROM \"Coffee.Shop/Counted\" WHERE " + where + " ORDER BY U");
    }
};

TEST_F(LargeNumbers, CompareExactlyWithNumbersAndTexts) {
    const std::string large = "'18446744073709551615'", middle = "'9223372036854775808'";
    const std::string exact = "9007199254740993";
    EXPECT_THAT(matching("U = 18446744073709551615"), ElementsAre(large));
    EXPECT_THAT(matching("U = 0xffffffffffffffff"), ElementsAre(large));
    EXPECT_THAT(matching("U > 18446744073709551614"), ElementsAre(large));
    EXPECT_THAT(matching("18446744073709551614 < U"), ElementsAre(large));
    EXPECT_THAT(matching("U >= 9223372036854775808"), ElementsAre(middle, large));
    EXPECT_THAT(matching("U < 18446744073709551615"), ElementsAre("5", "100", exact, middle));
    EXPECT_THAT(matching("U < 1e30"), ElementsAre("5", "100", exact, middle, large));
    EXPECT_THAT(matching("U < 18446744073709551616"),
                ElementsAre("5", "100", exact, middle, large));
    EXPECT_THAT(matching("U > 1e19"), ElementsAre(large));
    EXPECT_THAT(matching("U = 1e30"), IsEmpty());
    EXPECT_THAT(matching("U <> 1e30 AND U > 6.5"), ElementsAre("100", exact, middle, large));
    EXPECT_THAT(matching("U < '9000000000000000000'"), ElementsAre("5", "100", exact));
    EXPECT_THAT(matching("U > '100'"), ElementsAre(exact, middle, large));
    EXPECT_THAT(matching("'100' < U"), ElementsAre(exact, middle, large));
    EXPECT_THAT(matching("U = '5'"), ElementsAre("5"));
    EXPECT_THAT(matching("U IS '5'"), ElementsAre("5"));
    EXPECT_THAT(matching("U <> '5'"), ElementsAre("100", exact, middle, large));
    EXPECT_THAT(matching("U IN ('5', 9223372036854775808, '18446744073709551615')"),
                ElementsAre("5", middle, large));
    EXPECT_THAT(matching("U NOT IN ('5', '18446744073709551615')"),
                ElementsAre("100", exact, middle));
    EXPECT_THAT(matching("U BETWEEN '6' AND '9223372036854775808'"),
                ElementsAre("100", exact, middle));
    EXPECT_THAT(matching("U NOT BETWEEN 6 AND 18446744073709551614"), ElementsAre("5", large));
    EXPECT_THAT(matching("CASE U WHEN '5' THEN 1 WHEN 18446744073709551615 THEN 1 END"),
                ElementsAre("5", large));
    EXPECT_THAT(matching("U COLLATE NOCASE > '100'"), ElementsAre(exact, middle, large));
    EXPECT_THAT(shop().error("SELECT max(U, 7) > '7' FROM \"Coffee.Shop/Counted\"").what,
                HasSubstr("write numbers without quotes"));
    EXPECT_THAT(matching("U = (SELECT max(U) FROM \"Coffee.Shop/Counted\")"), ElementsAre(large));
    EXPECT_THAT(rows("SELECT N FROM (SELECT U AS N FROM \"Coffee.Shop/Counted\") "
                     "WHERE N > 100 AND N < 18446744073709551615 ORDER BY N"),
                ElementsAre(exact, middle));
    EXPECT_THAT(rows("SELECT data ->> 'U' FROM events WHERE data ->> 'U' > 100 AND "
                     "data ->> 'U' < 18446744073709551615 ORDER BY 1"),
                ElementsAre(exact, middle));
    EXPECT_THAT(rows("SELECT a.U FROM \"Coffee.Shop/Counted\" a JOIN \"Coffee.Shop/Counted\" b "
                     "ON a.U = b.U WHERE a.U > 100 ORDER BY a.U DESC"),
                ElementsAre(large, middle, exact));
    EXPECT_THAT(rows("SELECT count(*) FROM \"Coffee.Shop/Counted\" GROUP BY U"),
                ElementsAre("1", "1", "1", "1", "1"));
    EXPECT_THAT(rows("SELECT 18446744073709551615, typeof(18446744073709551615)"),
                ElementsAre(large + "|'text'"));
    EXPECT_THAT(matching("U > 9e18 AND pid < 1e30"), ElementsAre(middle, large));
}

TEST_F(LargeNumbers, AreSumsThatCompare) {
    const std::string from = " FROM \"Coffee.Shop/Counted\"", by_number = from + " GROUP BY U ";
    EXPECT_THAT(rows("SELECT sum(U)" + by_number + "ORDER BY sum(U)"),
                ElementsAre("5", "100", "9007199254740993", "'9223372036854775808'",
                            "'18446744073709551615'"));
    EXPECT_THAT(rows("SELECT sum(U) AS s" + by_number + "ORDER BY s DESC LIMIT 1"),
                ElementsAre("'18446744073709551615'"));
    EXPECT_THAT(rows("SELECT sum(U)" + by_number + "HAVING sum(U) > 9223372036854775808"),
                ElementsAre("'18446744073709551615'"));
    EXPECT_THAT(rows("SELECT \"sum(U)\" FROM (SELECT sum(U)" + from + " WHERE U < 101)"),
                ElementsAre("105"));
    EXPECT_THAT(shop().error("SELECT sum(U) - 1" + from + " WHERE U > 1e19").what,
                testing::HasSubstr("18446744073709551615 exceeds INTEGER"));
}

TEST_F(ShopQueries, CalculateWithTheLeastInteger) {
    EXPECT_THAT(rows("SELECT -9223372036854775808, 1 + -9223372036854775808, "
                     "typeof(- 9223372036854775808)"),
                ElementsAre("-9223372036854775808|-9223372036854775807|'integer'"));
    EXPECT_THAT(shop().error("SELECT 1 - 9223372036854775808").what,
                testing::HasSubstr("9223372036854775808 exceeds INTEGER"));
}

/// SQLite would calculate with other numbers.
TEST_F(LargeNumbers, AreNoOperands) {
    const std::string from = " FROM \"Coffee.Shop/Counted\"";
    for (const std::string term : {"U % 10",
                                   "U % 16",
                                   "U - 1",
                                   "1 - U",
                                   "-U",
                                   "U + tid",
                                   "U * 2",
                                   "U / 2",
                                   "U >> 8",
                                   "5 | U",
                                   "~U",
                                   "cast(U as integer)",
                                   "CAST(U AS REAL)",
                                   "printf('%d', U)",
                                   "format('%s %5.2f', 1, U)",
                                   "abs(U)",
                                   "round(U)",
                                   "max(U) - 1",
                                   "(U) + 1",
                                   "+U - 1",
                                   "coalesce(U, 0) % 10",
                                   "18446744073709551615 - 1"}) {
        SCOPED_TRACE(term);
        const auto error = shop().error("SELECT " + term + from + " WHERE U > 100");
        EXPECT_THAT(
            error.what,
            testing::MatchesRegex("(18446744073709551615|9223372036854775808) exceeds INTEGER.*"));
        if (!term.starts_with("18")) {
            rows("SELECT " + term + from + " WHERE U < 101");
        }
    }
    EXPECT_THAT(rows("SELECT U % 10" + from + " WHERE U <= 9223372036854775807"),
                ElementsAre("5", "0", "3"));
    EXPECT_THAT(rows("SELECT CASE WHEN U <= 9223372036854775807 THEN U % 10 END" + from),
                ElementsAre("5", "NULL", "NULL", "0", "3"));
    EXPECT_THAT(rows("SELECT U & 1, 3 & U" + from), ElementsAre("1|1", "1|3", "0|0", "0|0", "1|1"));
    EXPECT_THAT(rows("SELECT count(*), -1, tid - 5, total(U) > 2e19" + from),
                ElementsAre("5|-1|4|1"));
    EXPECT_THAT(
        rows("SELECT printf('%s', U), cast(U as text), U || '.'" + from + " LIMIT 1 OFFSET 1"),
        ElementsAre("'18446744073709551615'|'18446744073709551615'|'18446744073709551615.'"));
    auto query = shop().database().prepare("SELECT U % 10, U, U > '5', max(U)" + from);
    ASSERT_TRUE(query && *query);
    EXPECT_THAT((*query)->columns(), ElementsAre("U % 10", "U", "U > '5'", "max(U)"));
}

/// Keywords are texts of hexadecimal numbers.
TEST_F(ShopQueries, CompareHexadecimalTextsWithNumbers) {
    add("Sold", {.keyword = 0x21}, [](auto& event) { event.add("Cups", 1); });
    add("Sold", {}, [](auto& event) { event.add("Cups", 2); });
    const std::string sold = "SELECT Cups FROM \"Coffee.Shop/Sold\" WHERE ";
    EXPECT_THAT(rows(sold + "keyword = 0"), ElementsAre("2"));
    EXPECT_THAT(rows(sold + "keyword = 0x21"), ElementsAre("1"));
    EXPECT_THAT(rows(sold + "keyword > 7"), ElementsAre("1"));
    EXPECT_THAT(rows(sold + "keyword & 0x20"), ElementsAre("1"));
    EXPECT_THAT(rows(sold + "keyword IN (1, 33)"), ElementsAre("1"));
    EXPECT_THAT(rows(sold + "keyword = '0x21'"), ElementsAre("1"));
    EXPECT_THAT(rows(sold + "decode_note IS NULL"), ElementsAre("1", "2"));
}

TEST_F(ShopQueries, ReadAFieldWithoutAName) {
    add("Sold", {}, [](auto& event) { event.add("", 12).add("Cups", 3); });
    EXPECT_THAT(rows("SELECT \"\", Cups FROM \"Coffee.Shop/Sold\""), ElementsAre("12|3"));
    EXPECT_THAT(rows("SELECT Cups FROM \"Coffee.Shop/Sold\" WHERE \"\" = 12"), ElementsAre("3"));
}

TEST_F(ShopQueries, JoinVersionsWithDifferentFieldsInOneTable) {
    add("Sold", {.id = 1, .version = 0}, [](auto& event) { event.add("Cups", 2); });
    add("Sold", {.id = 1, .version = 1}, [](auto& event) { event.add("Cups", u"two"); });
    add("sold", {.id = 2}, [](auto& event) { event.add("Mugs", 3); });
    EXPECT_THAT(rows("SELECT id, version, Cups, Mugs FROM \"coffee.shop/SOLD\""),
                ElementsAre("1|0|2|NULL", "1|1|'two'|NULL", "2|0|NULL|3"));
}

TEST_F(ShopQueries, KeepFieldsApartWhoseNamesAreTaken) {
    add("Sold", {.level = 3}, [](auto& event) {
        event.add("Level", 12).add("cups", 1).add("Cups", 2).add("say \"hi\"", 4);
    });
    EXPECT_THAT(rows("SELECT level, \"data.Level\", cups, \"Cups#2\", \"say \"\"hi\"\"\" "
                     "FROM \"Coffee.Shop/Sold\""),
                ElementsAre("3|12|1|2|4"));
}

TEST_F(ShopQueries, SelectNoOtherKindWithAPatternInAName) {
    add("Sold*", {}, [](auto& event) { event.add("Cups", 1); });
    add("SoldOut", {}, [](auto& event) { event.add("Cups", 2); });
    EXPECT_THAT(rows("SELECT Cups FROM \"Coffee.Shop/Sold*\""), ElementsAre("1"));
}

TEST_F(ShopQueries, KeepNulCharactersInText) {
    add("Sold", {}, [](auto& event) { event.add("What", std::u16string(u"a\0b", 3)); });
    const auto found = rows("SELECT What FROM \"Coffee.Shop/Sold\"");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.front(), std::string("'a\0b'", 5));
}

TEST_F(ShopQueries, ReadTheEventsOnce) {
    add("Sold", {}, [](auto&) {});
    rows("SELECT event FROM events LIMIT 1");
    EXPECT_EQ(shop().passes(), 1U);
    rows("SELECT time FROM \"Coffee.Shop/Sold\"");
    EXPECT_EQ(shop().passes(), 1U); // the kinds are not read in the order of events
}

TEST_F(ShopQueries, NameColumnsUniquely) {
    auto query = shop().database().prepare("SELECT 1 AS id, 2 AS ID, 3");
    ASSERT_TRUE(query && *query);
    EXPECT_THAT((*query)->columns(), ElementsAre("id", "ID#2", "3"));
}

TEST_F(ShopQueries, OnlyRead) {
    for (const char* const text : {"ATTACH 'other.db' AS other",
                                   "CREATE TABLE t(a)",
                                   "CREATE TEMP TABLE t(a)",
                                   "INSERT INTO events(pid) VALUES(1)",
                                   "DELETE FROM events",
                                   "UPDATE events SET pid = 1",
                                   "PRAGMA temp_store = 2",
                                   "PRAGMA writable_schema = 1",
                                   "PRAGMA hard_heap_limit = 0",
                                   "SELECT * FROM pragma_journal_mode",
                                   "VACUUM INTO 'copy.db'",
                                   "BEGIN",
                                   "SAVEPOINT s",
                                   "SELECT load_extension('x')",
                                   "DROP TABLE events",
                                   "CREATE VIEW v AS SELECT 1",
                                   "CREATE VIRTUAL TABLE v USING events",
                                   "UPDATE sqlite_master SET sql = ''",
                                   "DELETE FROM sqlite_master",
                                   "CREATE VIRTUAL TABLE v USING fts5(a)"}) {
        EXPECT_NE(shop().error(text).what, "") << text;
    }
    EXPECT_THAT(shop().error("ATTACH 'other.db' AS other").what, HasSubstr("only reading"));
    EXPECT_FALSE(std::filesystem::exists("other.db") || std::filesystem::exists("copy.db"));
    EXPECT_THAT(rows("SELECT count(*) > 10 FROM pragma_table_info('events')"), ElementsAre("1"));
}

TEST_F(ShopQueries, SayWhereTheyAreWrong) {
    const QueryError misspelled = shop().error("SELECT tme FROM events");
    EXPECT_THAT(misspelled.what, HasSubstr("no such column: tme"));
    EXPECT_EQ(misspelled.offset, 7U);
    const QueryError syntax = shop().error("SELECT *\nFRM events");
    EXPECT_THAT(syntax.what, HasSubstr("syntax error"));
    EXPECT_EQ(syntax.offset, 9U);
    // Double quotes are names, so that a misspelled one is no text.
    EXPECT_THAT(shop().error("SELECT * FROM events WHERE event = \"Sold\"").what,
                HasSubstr("no such column"));
}

TEST_F(ShopQueries, SuggestTables) {
    add("Sold", {}, [](auto&) {});
    EXPECT_THAT(shop().error("SELECT * FROM Sold").what, HasSubstr("\"Coffee.Shop/Sold\""));
    EXPECT_THAT(shop().error("SELECT * FROM evens").what, HasSubstr("\"events\""));
}

TEST_F(ShopQueries, CanBeInterrupted) {
    add("Sold", {}, [](auto&) {});
    sql::Inputs inputs = shop().inputs();
    bool is_stopped = false;
    inputs.is_stopped = [&] { return is_stopped; };
    const auto database = *Database::open(std::move(inputs));
    const char* const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                                "SELECT count(*) FROM n";
    for (const char* const text : {endless, "SELECT count(*) FROM events"}) {
        auto query = database->prepare(text);
        ASSERT_TRUE(query && *query);
        is_stopped = true;
        const auto row = (*query)->next();
        ASSERT_FALSE(row) << text;
        EXPECT_EQ(row.error().kind, QueryError::Kind::interrupted);
        is_stopped = false;
    }
}

TEST_F(ShopQueries, HaveBoundedMemory) {
    sql::Inputs inputs = shop().inputs();
    inputs.memory = std::int64_t{8} << 20;
    const auto database = *Database::open(std::move(inputs));
    auto query = database->prepare("SELECT length(zeroblob(30000000) || 'x')");
    ASSERT_TRUE(query && *query);
    const auto row = (*query)->next();
    sqlite3_hard_heap_limit64(0);
    ASSERT_FALSE(row);
    EXPECT_EQ(row.error().kind, QueryError::Kind::failed);
    EXPECT_THAT(row.error().what, HasSubstr("memory"));
}

TEST_F(ShopQueries, AreSavedAsADatabase) {
    add("Sold", {}, [](auto& event) { event.add("Cups", 2).add("What", u"tea"); });
    const auto path = std::filesystem::path(testing::TempDir()) / "etl-sql-saved.sqlite";
    std::ofstream(path, std::ios::trunc).close();
    auto query = shop().database().prepare("SELECT pid, Cups, What FROM \"Coffee.Shop/Sold\"");
    ASSERT_TRUE(query && *query);
    EXPECT_EQ((*query)->save(path.string()), 1U);
    EXPECT_GT(std::filesystem::file_size(path), 0U);
    std::filesystem::remove(path);
}

/// Somebody who may write to the directory of the output, between the two steps of writing it.
class PlantedOutputs : public ShopQueries {
protected:
    PlantedOutputs() {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
        std::ofstream(victim_) << "precious";
        add("Sold", {}, [](auto& event) { event.add("Cups", 2).add("What", u"tea"); });
    }

    ~PlantedOutputs() override { fs::remove_all(folder_); }

    /// Returns whether the rows were written.
    bool save_to(const std::string& path) {
        auto query = shop().database().prepare("SELECT pid FROM \"Coffee.Shop/Sold\"");
        return query && *query && (*query)->save(path).has_value();
    }

    std::string victim() const {
        std::ifstream in(victim_);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    // Each test is a process of its own.
    const fs::path folder_ =
        fs::path(testing::TempDir()) / ("etl-planted-" + std::to_string(::getpid()));
    const fs::path victim_ = folder_ / "victim", target_ = folder_ / "x.sqlite";
};

TEST_F(PlantedOutputs, AreWrittenUnderANameThatNobodyKnows) {
    const auto one = io::StagedFile::beside(target_.string());
    const auto two = io::StagedFile::beside(target_.string());
    ASSERT_TRUE(one && two);
    EXPECT_NE((*one)->path(), (*two)->path());
    ASSERT_TRUE(save_to((*one)->path()));
    EXPECT_FALSE(fs::exists(target_));
    ASSERT_TRUE((*one)->commit());
    EXPECT_GT(fs::file_size(target_), 0U);
}

TEST_F(PlantedOutputs, AreNotWrittenThroughALink) {
    for (const bool is_dangling : {false, true}) {
        const auto stage = io::StagedFile::beside(target_.string());
        ASSERT_TRUE(stage);
        fs::remove((*stage)->path());
        fs::create_symlink(is_dangling ? folder_ / "new" : victim_, (*stage)->path());
        EXPECT_FALSE(save_to((*stage)->path()));
        EXPECT_FALSE((*stage)->commit());
    }
    EXPECT_EQ(victim(), "precious");
    EXPECT_FALSE(fs::exists(folder_ / "new"));
    EXPECT_FALSE(fs::exists(target_));
}

TEST_F(PlantedOutputs, AreNotTheFilesOfOthers) {
    const auto stage = io::StagedFile::beside(target_.string());
    ASSERT_TRUE(stage);
    fs::remove((*stage)->path());
    fs::create_hard_link(victim_, (*stage)->path());
    EXPECT_FALSE(save_to((*stage)->path()));
    EXPECT_FALSE((*stage)->commit());
    EXPECT_EQ(victim(), "precious");
    EXPECT_FALSE(fs::exists(target_));
}

// On many file systems a new file gets the identity of one that was just removed.
TEST_F(PlantedOutputs, AreNotReplacedByAnotherFile) {
    std::string planted;
    {
        const auto stage = io::StagedFile::beside(target_.string());
        ASSERT_TRUE(stage);
        planted = (*stage)->path();
        fs::remove(planted);
        EXPECT_FALSE(save_to(planted));
        EXPECT_FALSE(fs::exists(planted));
        std::ofstream(planted).close();
        EXPECT_TRUE(save_to(planted));
        EXPECT_FALSE((*stage)->commit());
    }
    EXPECT_FALSE(fs::exists(target_));
}

TEST_F(PlantedOutputs, ReplaceFilesOnly) {
    fs::create_directory(target_);
    const auto stage = io::StagedFile::beside(target_.string());
    ASSERT_FALSE(stage);
    EXPECT_EQ(stage.error().code, ErrorCode::invalid_option);
}

// A directory may be reached through a link, as /tmp on some systems.
TEST_F(PlantedOutputs, MayLieBehindALinkOfTheUser) {
    fs::create_directory(folder_ / "real");
    fs::create_directory_symlink(folder_ / "real", folder_ / "link");
    std::ofstream(folder_ / "real" / "x.sqlite").close();
    EXPECT_TRUE(save_to((folder_ / "link" / "x.sqlite").string()));
    EXPECT_GT(fs::file_size(folder_ / "real" / "x.sqlite"), 0U);
}

TEST(ComputedTables, AreComputedWhenTheyAreRead) {
    Queried queried({corpus_file("first-steps.etl")});
    int computed = 0;
    analysis::Table table;
    table.columns = {{.name = "name", .unit = analysis::Unit::text},
                     {.name = "percent", .unit = analysis::Unit::hundredths},
                     {.name = "hidden", .is_hidden = true},
                     {.name = "address", .unit = analysis::Unit::address}};
    table.rows.push_back({.cells = {std::string("kettle"), std::uint64_t{1234}, std::uint64_t{1},
                                    std::uint64_t{0xFFFF'8000'0000'0000}}});
    table.rows.push_back(
        {.cells = {std::monostate{}, std::monostate{}, std::monostate{}, std::monostate{}}});
    sql::Inputs inputs = queried.inputs();
    inputs.computed.push_back({"cpu", table.columns, [&] {
                                   ++computed;
                                   return std::expected<analysis::Table, std::string>(table);
                               }});
    inputs.computed.push_back(
        {"broken", table.columns,
         [] { return std::expected<analysis::Table, std::string>(std::unexpected("no disk")); }});
    const auto database = *Database::open(std::move(inputs));
    EXPECT_EQ(computed, 0);
    auto query = database->prepare("SELECT * FROM cpu JOIN cpu AS b ON true LIMIT 1");
    ASSERT_TRUE(query && *query);
    ASSERT_EQ((*query)->next(), true);
    EXPECT_EQ(shown((*query)->value(0)), "'kettle'");
    EXPECT_EQ(shown((*query)->value(1)), "12.340000");
    EXPECT_EQ(shown((*query)->value(2)), "'0xffff800000000000'");
    EXPECT_EQ(computed, 1);
    auto broken = database->prepare("SELECT * FROM broken");
    ASSERT_TRUE(broken && *broken);
    EXPECT_THAT((*broken)->next().error().what, HasSubstr("no disk"));
}

/// Two passes over everything that the traces of the corpus contain: one with `data`, one by kinds.
TEST(TablesOfKinds, HoldEveryDecodedEvent) {
    for (const char* const name : {"tracelogging-types.etl", "kernel-events-64.etl",
                                   "manifest-types.etl", "process-activity.etl"}) {
        Queried queried({corpus_file(name)});
        std::int64_t events = 0;
        for (const TableInfo& table : queried.database().tables()) {
            if (table.name != "events") {
                const auto rows = queried.rows("SELECT count(*) FROM \"" + table.name + "\"");
                events += rows.empty() ? 0 : std::stoll(rows.front());
                queried.rows("SELECT * FROM \"" + table.name + "\" LIMIT 5");
            }
        }
        // Also those of these kinds that could not be decoded.
        EXPECT_THAT(queried.rows("SELECT count(*) FROM events WHERE (provider, event) IN "
                                 "(SELECT provider, event FROM events WHERE source <> 'none')"),
                    ElementsAre(std::to_string(events)))
            << name;
    }
}

} // namespace
} // namespace etl::sql::database_test

// Comparisons that are tested while traces are read, and the same ones that are left to SQLite.
#include "tests/unit/faces/sql/shop_queries.hpp"

#include <gmock/gmock.h>

namespace etl::sql::comparisons_test {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;

TEST_F(ShopQueries, CompareTimesAsTextAndAsNumbers) {
    for (int i = 0; i < 5; ++i) {
        add("Tick", {}, [=](auto& event) { event.add("N", i); });
    }
    const std::string ticks = "SELECT N FROM \"Coffee.Shop/Tick\" WHERE ";
    EXPECT_THAT(rows(ticks + "time >= '2021-09-09T04:35:03'"), ElementsAre("3", "4"));
    EXPECT_THAT(rows(ticks + "time < '2021-09-09T04:35:01.0000000Z'"), ElementsAre("0"));
    EXPECT_THAT(rows(ticks + "time = '2021-09-09T04:35:01.0000000Z'"), ElementsAre("1"));
    EXPECT_THAT(rows(ticks + "time BETWEEN '2021-09-09T04:35:01' AND '2021-09-09T04:35:03Z'"),
                ElementsAre("1", "2", "3"));
    EXPECT_THAT(rows(ticks + "time > '2022-01-01'"), IsEmpty());
    EXPECT_THAT(rows(ticks + "time_ns > 1631162103000000000"), ElementsAre("4"));
    EXPECT_THAT(rows(ticks + "time_ns <= 1631162100000000099"), ElementsAre("0"));
    EXPECT_THAT(rows(ticks + "time_ns IN (1631162100000000000, 1631162104000000000)"),
                ElementsAre("0", "4"));
}

/// Forms of one instant, wherever the comparison is made.
TEST_F(ShopQueries, CompareTimesAsInstants) {
    for (int i = 0; i < 5; ++i) {
        add("Tick", {}, [=](auto& event) { event.add("N", i); });
    }
    const std::string third[] = {"2021-09-09T04:35:02Z",      "2021-09-09T04:35:02.0000000Z",
                                 "2021-09-09T04:35:02.000Z",  "2021-09-09T06:35:02+02:00",
                                 "2021-09-09T04:35:02",       "2021-09-09 04:35:02",
                                 "2021-09-08T23:05:02-05:30", "2021-09-09t04:35:02.000000000z"};
    const std::string from = "FROM \"Coffee.Shop/Tick\"";
    for (const std::string& form : third) {
        const std::string time = "'" + form + "'";
        SCOPED_TRACE(time);
        const auto numbers = [&](const std::string& where) {
            return rows("SELECT N " + from + " WHERE " + where);
        };
        for (const std::string column : {"time", "+time", "coalesce(time, 0)", "iif(1, time, '')",
                                         "CASE WHEN 1 THEN time END", "(SELECT time)"}) {
            SCOPED_TRACE(column);
            EXPECT_THAT(numbers(column + " >= " + time), ElementsAre("2", "3", "4"));
            EXPECT_THAT(numbers(column + " > " + time), ElementsAre("3", "4"));
            EXPECT_THAT(numbers(column + " = " + time), ElementsAre("2"));
            EXPECT_THAT(numbers(column + " <> " + time), ElementsAre("0", "1", "3", "4"));
            EXPECT_THAT(numbers(column + " BETWEEN " + time + " AND " + time), ElementsAre("2"));
            EXPECT_THAT(numbers(time + " <= " + column), ElementsAre("2", "3", "4"));
        }
        for (const std::string column : {"time", "+time", "coalesce(time, 0)"}) {
            EXPECT_THAT(numbers(column + " IN (" + time + ", '2021-09-09T04:35:04Z')"),
                        ElementsAre("2", "4"));
            EXPECT_THAT(numbers(column + " NOT IN (" + time + ")"),
                        ElementsAre("0", "1", "3", "4"));
        }
        EXPECT_THAT(numbers("CASE time WHEN " + time + " THEN 1 END"), ElementsAre("2"));
        EXPECT_THAT(numbers("pid = 0 OR time = " + time), ElementsAre("2"));
        EXPECT_THAT(numbers("(time, pid) >= (" + time + ", 7)"), ElementsAre("2", "3", "4"));
        EXPECT_THAT(rows("SELECT count(*) " + from + " GROUP BY pid HAVING max(time) > " + time),
                    ElementsAre("5"));
        EXPECT_THAT(rows("SELECT N FROM (SELECT time AS t, N " + from + ") WHERE t = " + time),
                    ElementsAre("2"));
        EXPECT_THAT(rows("WITH a AS MATERIALIZED (SELECT min(time) AS t " + from + ") SELECT t < " +
                         time + ", t >= " + time + " FROM a"),
                    ElementsAre("1|0"));
        EXPECT_THAT(rows("SELECT a.N FROM \"Coffee.Shop/Tick\" a JOIN (SELECT " + time +
                         " AS t) b ON a.time = b.t"),
                    ElementsAre("2"));
    }
    EXPECT_THAT(
        rows("SELECT min(N) " + from + " WHERE substr(time, 1, 19) >= '2021-09-09T04:35:03'"),
        ElementsAre("3"));
    EXPECT_THAT(rows("SELECT min(N) " + from + " WHERE substr(time, 1, 16) = '2021-09-09T04:35'"),
                ElementsAre("0"));
    EXPECT_THAT(rows("SELECT min(N) " + from + " WHERE datetime(time) > '2021-09-09 04:35:01'"),
                ElementsAre("2"));
    EXPECT_THAT(rows("SELECT max(N) " + from + " WHERE time LIKE '2021-09-09T04:35:0%'"),
                ElementsAre("4"));
    EXPECT_THAT(rows("SELECT '2021-09-09T04:35:02Z', max(time) " + from),
                ElementsAre("'2021-09-09T04:35:02Z'|'2021-09-09T04:35:04.0000000Z'"));
}

TEST_F(ShopQueries, CompareTimesWithFinerOnesExactly) {
    for (int i = 0; i < 3; ++i) {
        add("Tick", {}, [=](auto& event) { event.add("N", i); });
    }
    const std::string ticks = "SELECT N FROM \"Coffee.Shop/Tick\" WHERE ";
    for (const std::string column : {"time", "+time", "coalesce(time, 0)"}) {
        const std::string finer = " '2021-09-09T04:35:01.00000009Z'";
        EXPECT_THAT(rows(ticks + column + " >=" + finer), ElementsAre("2"));
        EXPECT_THAT(rows(ticks + column + " >" + finer), ElementsAre("2"));
        EXPECT_THAT(rows(ticks + column + " <" + finer), ElementsAre("0", "1"));
        EXPECT_THAT(rows(ticks + column + " <=" + finer), ElementsAre("0", "1"));
        EXPECT_THAT(rows(ticks + column + " =" + finer), IsEmpty());
        EXPECT_THAT(rows(ticks + column + " = '2021-09-09T04:35:01.000000000Z'"), ElementsAre("1"));
    }
}

TEST_F(ShopQueries, CompareNanosecondsWithTimes) {
    for (int i = 0; i < 3; ++i) {
        add("Tick", {}, [=](auto& event) { event.add("N", i); });
    }
    const std::string ticks = "SELECT N FROM \"Coffee.Shop/Tick\" t WHERE ";
    for (const std::string column : {"time_ns", "t.time_ns", "+time_ns"}) {
        EXPECT_THAT(rows(ticks + column + " >= '2021-09-09T04:35:01Z'"), ElementsAre("1", "2"));
        EXPECT_THAT(rows(ticks + column + " < '2021-09-09T06:35:01.000000001+02:00'"),
                    ElementsAre("0", "1"));
        EXPECT_THAT(rows(ticks + column + " BETWEEN '2021-09-09T04:35:01Z' AND '2021-09-10'"),
                    ElementsAre("1", "2"));
        EXPECT_THAT(rows(ticks + column + " IN ('2021-09-09T04:35:01Z', 5)"), ElementsAre("1"));
    }
    EXPECT_THAT(shop()
                    .error("SELECT * FROM (SELECT time_ns AS t FROM events) WHERE "
                           "t > '2021-09-09T04:35:01Z'")
                    .what,
                testing::HasSubstr("is compared with nanoseconds"));
}

TEST_F(ShopQueries, CompareOnlyColumnsOfTimesAsInstants) {
    add("Said", {}, [](auto& event) { event.add("S", u"2024-05-17T04:00:01Z"); });
    add("Said", {}, [](auto& event) { event.add("S", u"2024-05-17T06:00:01+02:00"); });
    const std::string from = " FROM \"Coffee.Shop/Said\"";
    EXPECT_THAT(rows("SELECT S" + from + " WHERE S = '2024-05-17T04:00:01Z'"),
                ElementsAre("'2024-05-17T04:00:01Z'"));
    EXPECT_THAT(rows("SELECT S" + from + " WHERE S IN ('2024-05-17T04:00:01Z')"),
                ElementsAre("'2024-05-17T04:00:01Z'"));
    EXPECT_THAT(rows("SELECT count(*)" + from + " GROUP BY coalesce(S, '')"),
                ElementsAre("1", "1"));
    EXPECT_THAT(rows("SELECT max(S) = '2024-05-17T04:00:01Z'" + from), ElementsAre("0"));
}

TEST_F(ShopQueries, CompareTimesAsInstantsWhateverTheCollation) {
    for (int i = 0; i < 3; ++i) {
        add("Tick", {}, [=](auto& event) { event.add("N", i); });
    }
    const std::string ticks = "SELECT N FROM \"Coffee.Shop/Tick\" t WHERE ";
    for (const char* const where : {"time >= '2021-09-09T04:35:01Z' COLLATE NOCASE",
                                    "time COLLATE BINARY >= '2021-09-09T04:35:01Z'",
                                    "t.time >= '2021-09-09T06:35:01+02:00' COLLATE binary",
                                    "+time > '2021-09-09T04:35:00Z'"}) {
        EXPECT_THAT(rows(ticks + where), ElementsAre("1", "2")) << where;
    }
    EXPECT_THAT(rows("SELECT N FROM \"Coffee.Shop/Tick\" ORDER BY time COLLATE NOCASE DESC"),
                ElementsAre("2", "1", "0"));
}

/// Sorting needs it, of whatever texts.
TEST_F(ShopQueries, CompareInATotalOrder) {
    const std::string texts[] = {"'9998-01-01T00:00:00Z'",
                                 "'+10000-01-01T00:00:00Z'",
                                 "'-0001-01-01T00:00:00Z'",
                                 "'0001-01-01T00:00:00Z'",
                                 "'5'",
                                 "','",
                                 "'*'",
                                 "'.'",
                                 "'9223372036854775808'"};
    const auto is_less = [&](const std::string& a, const std::string& b) {
        return rows("SELECT " + a + " COLLATE etl_value < " + b) == std::vector<std::string>{"1"};
    };
    for (const std::string& a : texts) {
        for (const std::string& b : texts) {
            for (const std::string& c : texts) {
                EXPECT_FALSE(is_less(a, b) && is_less(b, c) && !is_less(a, c))
                    << a << " " << b << " " << c;
            }
        }
    }
}

TEST_F(ShopQueries, RejectTextsThatAreNoTime) {
    add("Tick", {}, [](auto& event) { event.add("N", 1); });
    const std::string ticks = "SELECT N FROM \"Coffee.Shop/Tick\" WHERE ";
    for (const char* const where :
         {"time > '2022'", "time > 'yesterday'", "+time > 'yesterday'", "time = ''",
          "time IN ('2021-09-09T04:35:00Z', '2021-13-01')", "time <> '2021-09-09T04:35:00X'",
          "time BETWEEN '2021-09-09T04:35:00Z' AND '2021-09-09T25:00:00Z'", "time > 5"}) {
        EXPECT_THAT(shop().error(ticks + where).what, testing::HasSubstr("is not a valid time"));
    }
    EXPECT_EQ(rows(ticks + "time IS NOT NULL").size(), 1U);
}

TEST_F(ShopQueries, OpenOnlyATimeWindowIfThatReadsLess) {
    for (int i = 0; i < 5; ++i) {
        add("Tick", {}, [=](auto& event) { event.add("N", i); });
    }
    const std::string ticks = "SELECT N FROM \"Coffee.Shop/Tick\"";
    shop().use_indexes(true);
    EXPECT_THAT(rows(ticks + " WHERE time >= '2021-09-09T04:35:03'"), ElementsAre("3", "4"));
    EXPECT_EQ(shop().windows(), 1U);
    EXPECT_THAT(rows(ticks + " WHERE time_ns = 1631162101000000000"), ElementsAre("1"));
    EXPECT_EQ(shop().windows(), 1U);
    EXPECT_THAT(rows(ticks + " WHERE time > '2022-01-01'"), IsEmpty());
    EXPECT_EQ(rows(ticks).size(), 5U);
    EXPECT_EQ(shop().windows(), 0U);
    shop().use_indexes(false);
    EXPECT_THAT(rows(ticks + " WHERE time >= '2021-09-09T04:35:03'"), ElementsAre("3", "4"));
}

/// The same rows with comparisons that are taken over, and with others.
TEST_F(ShopQueries, AreTheSameWithAndWithoutTakingOver) {
    add("Sold", {.level = 4, .id = 1}, [](auto& event) { event.add("Cups", 2); }, 7);
    add("Sold", {.level = 2, .id = 2}, [](auto& event) { event.add("Cups", 3); }, 8);
    add("sold_out", {.level = 3, .id = 3}, [](auto&) {}, 9);
    const std::vector<std::pair<std::string, std::string>> same{
        {"pid = 8", "+pid = 8"},
        {"pid IN (7, 9)", "+pid IN (7, 9)"},
        {"pid = 8.5", "+pid = 8.5"},
        {"pid = -1", "+pid = -1"},
        {"level <= 3 AND id > 1", "+level <= 3 AND +id > 1"},
        {"event = 'Sold'", "+event = 'Sold'"},
        {"event = 'SOLD'", "+event = 'SOLD'"},
        {"event = 'SOLD' COLLATE NOCASE", "+event = 'SOLD' COLLATE NOCASE"},
        {"event = 'Sold ' COLLATE RTRIM", "+event = 'Sold ' COLLATE RTRIM"},
        {"event LIKE 'so%'", "+event LIKE 'so%'"},
        {"event LIKE 'sold_out'", "+event LIKE 'sold_out'"},
        {"event GLOB 'S*'", "+event GLOB 'S*'"},
        {"event GLOB 'S[a-o]*'", "+event GLOB 'S[a-o]*'"},
        {"event IN ('Sold', 'x')", "+event IN ('Sold', 'x')"},
        {"event = 'S*'", "+event = 'S*'"},
        {"event = NULL", "+event = NULL"},
        {"provider_guid = 'x'", "+provider_guid = 'x'"},
        {"provider = 5", "+provider = 5"},
    };
    for (const auto& [taken, left] : same) {
        const std::string text = "SELECT id, event FROM events WHERE ";
        EXPECT_EQ(rows(text + taken), rows(text + left)) << taken;
    }
    EXPECT_THAT(rows("SELECT id FROM events WHERE pid = '8'"), ElementsAre("2"));
    EXPECT_THAT(rows("SELECT id FROM events WHERE event LIKE 'so%' ORDER BY 1"),
                ElementsAre("1", "2", "3"));
}

/// Comparisons with fields that a filter compares exactly, and the same left to SQLite.
TEST_F(ShopQueries, AreTheSameWithComparisonsOfFields) {
    for (const int cups : {0, 2, 3, 200}) {
        add("Sold", {}, [=](auto& event) {
            event.add("Cups", cups).add("Hot", cups > 2).add("task", cups).add("Price", 0.1F);
            event.add("Number", 0xFFFFFFFFFFFFFFFFULL - static_cast<unsigned long long>(cups));
            event.add("What", std::u16string(cups == 3 ? u"Latte" : u"tea\0cold", 5));
        });
    }
    add("Sold", {}, [](auto& event) { event.add("Cups", -2).add("Other", u"x"); });
    const std::vector<std::string> comparisons{
        "Cups = 2",
        "Cups >= 3",
        "Cups < 3",
        "Cups <= -1",
        "Cups IN (0, 200, 7)",
        "Cups > 2.5",
        "Cups BETWEEN 2 AND 3",
        "Hot = 1",
        "Hot > 0",
        "task = 2",
        "task = 200",
        "Number > 5",
        "Number = '18446744073709551615'",
        "Number < 5",
        "Price = 0.1",
        "What = 'Latte'",
        "What = 'LATTE'",
        "What LIKE 'lat%'",
        "What GLOB 'L*e'",
        "What = 'tea'",
        "What = 'tea' || char(0) || 'c'",
        "What IN ('Latte', 'x')",
        "What = '*'",
        "Other = 'x'",
        "Other IS NULL",
    };
    for (const std::string& comparison : comparisons) {
        const std::string text = "SELECT Cups, What FROM \"Coffee.Shop/Sold\" WHERE ";
        EXPECT_EQ(rows(text + comparison), rows(text + "+" + comparison)) << comparison;
    }
    EXPECT_EQ(rows("SELECT Cups FROM \"Coffee.Shop/Sold\" WHERE Cups = '2'").size(), 1U);
    EXPECT_THAT(rows("SELECT Cups FROM \"Coffee.Shop/Sold\" WHERE task = 200"), ElementsAre("200"));
}

TEST_F(ShopQueries, TestFieldsWhileEventsAreRead) {
    add("Sold", {}, [](auto& event) { event.add("Cups", 2).add("What", u"tea"); });
    for (const std::string comparison : {"Cups = 3", "What = 'milk'", "What LIKE 'm%'"}) {
        rows("SELECT Cups FROM \"Coffee.Shop/Sold\" WHERE " + comparison);
        EXPECT_TRUE(shop().has_no_match()) << comparison;
        rows("SELECT Cups FROM \"Coffee.Shop/Sold\" WHERE +" + comparison);
        EXPECT_FALSE(shop().has_no_match()) << comparison;
    }
}

TEST_F(ShopQueries, RejectEventsByHeaderWhileBuffersAreRead) {
    for (std::uint32_t pid = 1; pid <= 10; ++pid) {
        add("Sold", {}, [](auto&) {}, pid);
    }
    EXPECT_THAT(rows("SELECT count(*) FROM events WHERE pid = 4"), ElementsAre("1"));
    EXPECT_EQ(shop().selected(), 1U);
    EXPECT_EQ(shop().passes(), 1U);
}

} // namespace
} // namespace etl::sql::comparisons_test

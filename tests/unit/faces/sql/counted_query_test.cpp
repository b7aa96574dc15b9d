#include "sql/counted_query.hpp"
#include "sql/limits.hpp"
#include "tests/unit/faces/sql/shop_queries.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace etl::sql::counted_query_test {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

CountedQuery looked_at(const std::string& query) {
    const Statement statement(query);
    return counted_query_of(statement, [](const std::string& name) { return name == "events"; });
}

TEST(CountedQuery, IsOneTableOfEventsWithCountsAndSums) {
    for (const std::string query : {
             "SELECT count(*) FROM events",
             "SELECT provider, count(*) FROM events GROUP BY provider",
             "select 1, sum(id) from events e where id in (1, 2) group by 1 having avg(id) > 2;",
             "SELECT count(id), max(id) FROM \"events\" AS e ORDER BY 1 LIMIT 3",
             "EXPLAIN QUERY PLAN SELECT total(substr(event, 1)) FROM events",
             "SELECT count(*) FILTER (WHERE id = 1) FROM events WHERE (id = 1 OR id = 2)",
         }) {
        EXPECT_TRUE(looked_at(query).is_counted) << query;
    }
}

TEST(CountedQuery, IsNothingThatSeesSingleRows) {
    for (const std::string query : {
             "SELECT * FROM events",
             "SELECT provider FROM events GROUP BY provider",
             "SELECT count(DISTINCT id) FROM events",
             "SELECT DISTINCT count(*) FROM events",
             "SELECT count(*), group_concat(id) FROM events",
             "SELECT count(*), random() FROM events",
             "SELECT count(*) OVER () FROM events",
             "SELECT count(*) FROM events, events AS e",
             "SELECT count(*) FROM events JOIN events AS e",
             "SELECT count(*) FROM cpu_process",
             "SELECT count(*) FROM (SELECT * FROM events)",
             "SELECT count(*) FROM events WHERE id = (SELECT 1)",
             "WITH e AS (VALUES(1)) SELECT count(*) FROM events",
             "SELECT count(*) FROM events UNION VALUES(1)",
             "SELECT count(*) FROM main.events",
             "SELECT *, count(*) FROM events GROUP BY id",
             "SELECT count(*), e.* FROM events e",
             "SELECT max(e.'time'), count(*) FROM events e",
             "SELECT count(*) FROM events WHERE rowid < 5",
             "SELECT count(*), max(\"OID\") FROM events",
             "SELECT count(id ORDER BY id) FROM events",
             "SELECT count(*)",
             "SELECT count(*) FROM",
             "",
         }) {
        EXPECT_FALSE(looked_at(query).is_counted) << query;
    }
}

TEST(CountedQuery, AsksOfTimesOnlyWhetherTheyAreInTheWindow) {
    const std::string count = "SELECT count(*) FROM events WHERE ";
    EXPECT_EQ(looked_at(count + "time >= '2024-01-01'").time_comparisons, 1U);
    EXPECT_EQ(looked_at(count + "id = 1 AND time < '2024-01-01' AND \"time\" = '2024' GROUP BY id")
                  .time_comparisons,
              2U);
    EXPECT_EQ(looked_at(count + "time BETWEEN '2023' AND '2024' AND (id = 1 OR id = 2);")
                  .time_comparisons,
              2U);
    for (const std::string& query : {
             count + "id = 1",
             count + "time >= '2024-01-01' OR id = 1",
             count + "id = 1 OR id = 2 AND time > '2023'",
             count + "NOT time >= '2024-01-01'",
             count + "(time >= '2024-01-01')",
             count + "time >= '2024-01-01' || ''",
             count + "time >= 5",
             count + "time >= other",
             count + "'2024' < time",
             count + "id BETWEEN 1 AND time > '2024'",
             count + "CASE WHEN id AND time > '2024' AND id THEN 1 END",
             count + "time > '2023' ORDER BY time",
             std::string("SELECT count(*), max(time) FROM events WHERE time > '2024'"),
             std::string("SELECT count(*) AS time FROM events WHERE time > '2024'"),
             std::string("SELECT count(*) FROM events GROUP BY id HAVING time > '2024'"),
         }) {
        EXPECT_EQ(looked_at(query).time_comparisons, 0U) << query;
    }
}

/// Queries whose events are counted while they are read, and the same ones with a subquery, whose
/// rows SQLite counts.
class CountedQueries : public ShopQueries {
protected:
    void add_events(unsigned count) {
        for (unsigned i = 0; i < count; ++i) {
            add(
                i % 3 == 0 ? "Sold" : "Brewed", {.level = static_cast<std::uint8_t>(i % 4)},
                [&](auto& event) {
                    event.add("Cups", static_cast<std::uint64_t>(i % 5));
                    event.add("Price", 0.25 * (i % 7));
                    event.add("Large", ~std::uint64_t{0} - i % 2);
                },
                7 + i % 2);
        }
    }

    void expect_same(const std::string& select, const std::string& table, const std::string& rest,
                     const std::string& plan = "counts equal events") {
        const std::string counted = select + " FROM " + table + " " + rest;
        const std::string by_rows = select + " FROM (SELECT * FROM " + table + ") " + rest;
        ASSERT_THAT(plan_of(counted), HasSubstr(plan)) << counted;
        ASSERT_THAT(plan_of(by_rows), Not(HasSubstr("counts e"))) << by_rows;
        EXPECT_EQ(rows(counted), rows(by_rows)) << counted;
    }
};

TEST_F(CountedQueries, ReturnWhatTheirRowsWould) {
    add_events(211);
    const std::string sold = "\"Coffee.Shop/Sold\"";
    for (const auto& [select, rest] : std::vector<std::pair<std::string, std::string>>{
             {"SELECT count(*), count(), count(1), count(NULL)", ""},
             {"SELECT provider, event, count(*)", "GROUP BY 1, 2 ORDER BY 3 DESC"},
             {"SELECT pid, tid, cpu, level, count(*) AS n", "GROUP BY level, pid HAVING n > 3"},
             {"SELECT event, id, pid, level, count(*)", "GROUP BY provider"}, // the first of each
             {"SELECT count(*), min(pid), max(level), sum(level), avg(pid), total(level)",
              "WHERE level > 0"},
             {"SELECT sum(-level), sum(level - 2), avg(level * 0.5), sum(level * 0.5)", ""},
             {"SELECT count(*) FILTER (WHERE level = 2), level & 1", "GROUP BY 2 ORDER BY 2"},
             {"SELECT data ->> 'Cups' AS cups, count(*)", "GROUP BY 1"},
             {"SELECT total(data ->> 'Large'), count(data ->> 'None')", "WHERE event = 'Brewed'"},
             {"SELECT count(*)", "WHERE event = 'Nothing'"},
             {"SELECT level, count(*)", "WHERE event = 'Nothing' GROUP BY level"},
             {"SELECT count(*), max(time), min(time_ns)", ""},
             {"SELECT substr(time, 1, 16) AS minute, count(*)", "GROUP BY minute"},
         }) {
        expect_same(select, "events", rest);
    }
    expect_same("SELECT Cups, count(*), sum(Price), sum(Cups), max(Large)", sold, "GROUP BY Cups");
    expect_same("SELECT Large, count(Cups)", sold, "WHERE Large > 1e19 GROUP BY Large");
}

TEST_F(CountedQueries, HaveExactWindows) {
    add_events(60); // one each second from 04:35:00
    const std::string count = "SELECT event, count(*)", exactly = "equal but for times";
    for (const std::string time :
         {"04:35:07Z", "04:35:07.0000000Z", "04:35:07.0000001Z", "04:35:06.9999999Z",
          "04:35:07.00000005Z", "04:34", "04:35:59Z", "05:00"}) {
        for (const std::string sign : {"<", "<=", ">", ">=", "="}) {
            std::string window = "WHERE time ";
            window += sign + " '2021-09-09T" + time + "'";
            expect_same(count, "events", window + " GROUP BY event", exactly);
            expect_same("SELECT count(*), min(time_ns)", "events", window, exactly);
            expect_same(count, "events", window + " AND time < '2021-09-09T04:35:30Z' GROUP BY 1",
                        exactly);
        }
        expect_same("SELECT count(*)", "events",
                    "WHERE time BETWEEN '2021-09-09T" + time + "' AND '2021-09-09T04:35:20Z'",
                    exactly);
    }
    expect_same("SELECT count(*)", "events",
                "WHERE time IN ('2021-09-09T04:35:20Z', '2021-09-09')");
    EXPECT_THAT(shop().error("SELECT count(*) FROM events WHERE time > 'tomorrow'").what,
                HasSubstr("tomorrow"));
}

TEST_F(CountedQueries, MayHaveMoreGroupsThanAreCountedAtATime) {
    const auto many = static_cast<std::uint64_t>(limits::groups) + 500;
    for (std::uint64_t i = 0; i < many; ++i) {
        add("Sold", {}, [&](auto& event) { event.add("Number", i % (many - 100)); });
    }
    expect_same("SELECT count(*), sum(Number), max(Number)", "\"Coffee.Shop/Sold\"", "");
    EXPECT_THAT(rows("SELECT n, count(*) FROM (SELECT Number, count(*) AS n "
                     "FROM \"Coffee.Shop/Sold\" GROUP BY Number) GROUP BY n"),
                ElementsAre("1|" + std::to_string(many - 200), "2|100"));
    expect_same("SELECT Number, count(*) AS n", "\"Coffee.Shop/Sold\"",
                "GROUP BY Number HAVING n > 1");
}

TEST_F(CountedQueries, AddUpAsOftenAsTheyAreTold) {
    const std::string values = " FROM (SELECT 9223372036854775807 AS a, 3 AS n "
                               "UNION ALL SELECT -9223372036854775807 - 1, 2)";
    EXPECT_THAT(rows("SELECT etl_sum(a, n), etl_count(a, n), etl_total(a, n) > 9e18" + values),
                ElementsAre("9223372036854775805|5|1"));
    EXPECT_THAT(rows("SELECT etl_avg(a, n) FROM (SELECT 2 AS a, 3 AS n UNION ALL SELECT 12, 1)"),
                ElementsAre("4.500000"));
    EXPECT_THAT(rows("SELECT etl_sum(a, n) FROM (SELECT 6148914691236517205 AS a, 3 AS n)"),
                ElementsAre("'18446744073709551615'"));
}

TEST_F(CountedQueries, LeaveTheNameOfTheNumberOfEventsToThem) {
    add("Sold", {}, [](auto& event) { event.add("ETL_Events", 3); });
    add("Sold", {}, [](auto& event) { event.add("ETL_Events", 3); });
    EXPECT_THAT(rows("SELECT \"data.ETL_Events\", count(*) FROM \"Coffee.Shop/Sold\" GROUP BY 1"),
                ElementsAre("3|2"));
}

TEST_F(CountedQueries, KeepTheNamesOfTheirColumns) {
    add_events(3);
    auto query = shop().database().prepare("SELECT count(*), count( pid ), sum(level) FROM events");
    ASSERT_TRUE(query && *query);
    EXPECT_THAT((*query)->columns(), ElementsAre("count(*)", "count( pid )", "sum(level)"));
    EXPECT_THAT(rows("SELECT count( /* all */ * ), count(/* of */) FROM events"),
                ElementsAre("4|4")); // with the log file header
    EXPECT_THAT(shop().database().tables().front().columns.back().name, "decode_note");
}

} // namespace
} // namespace etl::sql::counted_query_test

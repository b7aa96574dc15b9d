#include "format/encode.hpp"
#include "rows/writer.hpp"
#include "sql/scanned_query.hpp"
#include "tests/unit/faces/sql/shop_queries.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace etl::sql::scanned_query_test {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::vector<ColumnInfo> known_columns{
    {"time", "time"}, {"pid", "integer"}, {"event", "text"}, {"Odd name", "unsigned"}};

ScannedQuery looked_at(const std::string& query) {
    return scanned_query_of(Statement(query), [](const std::string& name) {
        return name == "events" ? &known_columns : nullptr;
    });
}

TEST(ScannedQuery, NamesColumnsOfOneTable) {
    const auto query = looked_at("SELECT \"Odd NAME\", PID AS p, *, event FROM events AS e;");
    EXPECT_TRUE(query.is_scanned);
    EXPECT_THAT(query.columns, ElementsAre(3, 1, 0, 1, 2, 3, 2));
    EXPECT_FALSE(query.limit);
    EXPECT_EQ(looked_at("SELECT * FROM events LIMIT 5").limit, 5U);
    EXPECT_EQ(looked_at("SELECT * FROM events LIMIT 5 OFFSET 7").offset, 7U);
    EXPECT_EQ(looked_at("SELECT * FROM events LIMIT 5, 7").offset, 5U);
    EXPECT_EQ(looked_at("SELECT * FROM events LIMIT 5, 7").limit, 7U);
    EXPECT_EQ(looked_at("EXPLAIN QUERY PLAN SELECT pid FROM events WHERE pid BETWEEN 1 AND 3 AND "
                        "event = 'Sold' and time>='2024'")
                  .comparisons,
              4U);
}

TEST(ScannedQuery, IsNothingThatSqliteCalculates) {
    for (const std::string query : {
             "SELECT DISTINCT pid FROM events",
             "SELECT pid + 1 FROM events",
             "SELECT -pid FROM events",
             "SELECT upper(event) FROM events",
             "SELECT count(*) FROM events",
             "SELECT 'pid' FROM events",
             "SELECT 1, pid FROM events",
             "SELECT pid COLLATE nocase FROM events",
             "SELECT e.pid FROM events e",
             "SELECT e.* FROM events e",
             "SELECT rowid FROM events",
             "SELECT etl_events FROM events",
             "SELECT other FROM events",
             "SELECT true FROM events",
             "SELECT pid FROM cpu_process",
             "SELECT pid FROM main.events",
             "SELECT pid FROM events, events AS e",
             "SELECT pid FROM events JOIN events AS e",
             "SELECT pid FROM (SELECT * FROM events)",
             "WITH e AS (SELECT 1) SELECT pid FROM events",
             "SELECT pid FROM events UNION ALL SELECT pid FROM events",
             "SELECT pid FROM events GROUP BY pid",
             "SELECT pid FROM events HAVING pid > 1",
             "SELECT pid FROM events ORDER BY time",
             "SELECT pid FROM events ORDER BY pid DESC",
             "SELECT pid FROM events WHERE pid = 1 OR pid = 2",
             "SELECT pid FROM events WHERE NOT pid = 1",
             "SELECT pid FROM events WHERE (pid = 1)",
             "SELECT pid FROM events WHERE pid",
             "SELECT pid FROM events WHERE pid <> 1",
             "SELECT pid FROM events WHERE pid IS 1",
             "SELECT pid FROM events WHERE pid IN (1, 2)",
             "SELECT pid FROM events WHERE pid = -1",
             "SELECT pid FROM events WHERE pid = 1.5",
             "SELECT pid FROM events WHERE pid = 1e3",
             "SELECT pid FROM events WHERE pid = 0x10",
             "SELECT pid FROM events WHERE pid = '1'",
             "SELECT pid FROM events WHERE pid = 1 + 1",
             "SELECT pid FROM events WHERE pid = 9999999999999999999",
             "SELECT pid FROM events WHERE event < 'Sold'",
             "SELECT pid FROM events WHERE event LIKE 'Sold'",
             "SELECT pid FROM events WHERE event = 'Sold' COLLATE NOCASE",
             "SELECT pid FROM events WHERE \"Odd name\" = 1",
             "SELECT pid FROM events WHERE pid = pid",
             "SELECT pid FROM events LIMIT -1",
             "SELECT pid FROM events LIMIT 1 + 1",
             "SELECT pid FROM events LIMIT 2 OFFSET -1",
             "SELECT pid, FROM events",
             "SELECT pid AS FROM events",
             "SELECT FROM events",
             "SELECT pid",
             "VALUES (1)",
             "",
         }) {
        EXPECT_FALSE(looked_at(query).is_scanned) << query;
    }
}

std::string in_quotes(std::string_view text, char quote) {
    std::string all(1, quote);
    for (const char c : text) {
        all.append(c == quote ? 2 : 1, c);
    }
    return all + quote;
}

/// Queries that are answered in both ways.
class Answers {
public:
    Answers(Database& database, rows::WriterOptions options)
        : database_(&database), options_(options) {}

    /// By the threads that read events; empty: the query is no scan.
    std::string scanned(const std::string& text) const {
        auto query = database_->prepare(text);
        EXPECT_TRUE(query && *query) << text;
        const auto encoder = encoder_of(**query);
        std::string rows;
        const auto is_scan = (*query)->scan(*encoder, [&](std::string_view some) {
            rows += some;
            return true;
        });
        EXPECT_TRUE(is_scan) << text;
        return is_scan && *is_scan ? "scan: " + rows : "";
    }

    /// By SQLite.
    std::string stepped(const std::string& text) const {
        auto query = database_->prepare(text);
        EXPECT_TRUE(query && *query) << text;
        const auto encoder = encoder_of(**query);
        std::string rows = "scan: ";
        std::vector<rows::Value> values((*query)->columns().size());
        bool is_first = true;
        while (*(*query)->next()) {
            for (std::size_t i = 0; i < values.size(); ++i) {
                values[i] =
                    std::visit([](auto value) { return rows::Value(value); }, (*query)->value(i));
            }
            rows += std::exchange(is_first, false) ? "" : encoder->separator();
            encoder->encode(values, rows);
        }
        return rows;
    }

private:
    std::unique_ptr<rows::RowEncoder> encoder_of(const Query& query) const {
        std::vector<rows::RowColumn> columns;
        for (const std::string& name : query.columns()) {
            columns.push_back({.name = name});
        }
        return rows::make_encoder(std::move(columns), options_);
    }

    Database* database_;
    rows::WriterOptions options_;
};

constexpr std::uint64_t max_exact = std::uint64_t{1} << 53U;

const std::vector<rows::WriterOptions> all_formats{
    {.format = rows::Format::csv},
    {.format = rows::Format::tsv},
    {.format = rows::Format::json},
    {.format = rows::Format::jsonl},
    {.format = rows::Format::jsonl, .max_number = max_exact}};

/// `rest`: clauses that mean the same for a subquery with all rows.
void expect_same(Database& database, const std::string& select, const std::string& table,
                 const std::string& rest,
                 std::span<const rows::WriterOptions> formats = all_formats) {
    const std::string scanned = "SELECT " + select + " FROM " + table + " " + rest;
    const std::string by_rows = "SELECT " + select + " FROM (SELECT * FROM " + table + ") " + rest;
    for (const rows::WriterOptions& options : formats) {
        const Answers answers(database, options);
        const std::string rows = answers.scanned(scanned);
        EXPECT_EQ(answers.scanned(by_rows), "") << by_rows;
        EXPECT_EQ(rows, answers.stepped(by_rows)) << scanned;
        EXPECT_EQ(rows, answers.stepped(scanned)) << scanned; // with the tests of the pass
    }
}

class ScannedQueries : public ShopQueries {
protected:
    void add_events(unsigned count) {
        for (unsigned i = 0; i < count; ++i) {
            add(
                i % 3 == 0 ? "Sold" : "Brewed", {.level = static_cast<std::uint8_t>(i % 4)},
                [&](auto& event) {
                    event.add("Cups", static_cast<std::int32_t>(i % 5) - 2);
                    event.add("Price", 0.25 * (i % 7));
                    event.add("Large", ~std::uint64_t{0} - i % 2);
                    event.add("Kind", i % 2 == 0 ? "green \"\\tea\","
                                                 : "bl\xC3\xA4"
                                                   "ck\r\n");
                    event.add("Hot", i % 2 == 0);
                    event.add("Pid", std::uint32_t{i});
                },
                7 + i % 2);
        }
    }

    void add_kernel_events() {
        using Hooks = std::array<std::uint16_t, 5>;
        using Versions = std::array<std::uint8_t, 8>;
        const std::vector<std::byte> payload(64, std::byte{1});
        for (const std::uint16_t hook : Hooks{0x0532, 0x0524, 0x0301, 0x0B00, 0x0140}) {
            for (const std::uint8_t version : Versions{0, 1, 2, 3, 4, 5, 9, 200}) {
                for (const std::size_t size : {0U, 4U, 8U, 12U, 24U, 40U, 64U}) {
                    add_kernel_event(hook, version, Bytes(payload).first(size));
                }
            }
        }
    }

    void add_kernel_event(std::uint16_t hook, std::uint8_t version, Bytes payload) {
        for (const format::Width width : {format::Width::bits32, format::Width::bits64}) {
            add_record(format::SystemRecord{
                .width = width, .version = version, .hook_id = hook, .payload = payload});
            add_record(format::PerfinfoRecord{
                .width = width, .version = version, .hook_id = hook, .payload = payload});
        }
    }
};

TEST_F(ScannedQueries, ReturnWhatSqliteWould) {
    add_events(211);
    const std::string sold = "\"Coffee.Shop/Sold\"";
    for (const std::string rest :
         {"",
          "WHERE pid = 7",
          "WHERE level >= 1 AND level < 3 AND tid = 9",
          "WHERE pid = 3",
          "WHERE level BETWEEN 1 AND 2",
          "WHERE event = 'Sold'",
          "WHERE event = 'sold'",
          "WHERE provider = 'Coffee.Shop' AND event = 'Brewed'",
          "WHERE time >= '2021-09-09T04:36' AND time < '2021-09-09T06:37:10.5+02:00'",
          "WHERE time = '2021-09-09T04:36:00Z' AND pid = 7",
          "WHERE time BETWEEN '2021-09-09T04:36' AND '2021-09-09T04:37' AND pid = 8",
          "LIMIT 0",
          "LIMIT 1",
          "LIMIT 70",
          "LIMIT 300",
          "LIMIT 5 OFFSET 3",
          "LIMIT 100, 50",
          "LIMIT 3 OFFSET 400",
          "WHERE pid = 7 LIMIT 20 OFFSET 11",
          "WHERE pid = 4294967295",
          "WHERE task = 0 AND activity_id = 'none'"}) {
        expect_same(shop().database(), "*", "events", rest);
        expect_same(shop().database(), "pid, event AS what, PID, data, time_ns, time", "events",
                    rest);
        expect_same(shop().database(), "message", "events", rest);
    }
    for (const std::string rest : {"", "WHERE Cups >= 1", "WHERE Cups = 0", "WHERE Cups < 2",
                                   "WHERE Kind = 'green \"\\tea\",'", "WHERE Kind = 'none'",
                                   "WHERE Cups BETWEEN 0 AND 1 AND pid = 7 LIMIT 2 OFFSET 1"}) {
        expect_same(shop().database(), "*", sold, rest);
        expect_same(shop().database(), "Large, Price, Hot, \"data.Pid\", pid, Kind, Kind", sold,
                    rest);
    }
}

TEST_F(ScannedQueries, PlansSayWhatAnIndexKnows) {
    add_events(5);
    const auto plan = [&](const std::string& rest) { return plan_of("SELECT pid FROM " + rest); };
    EXPECT_THAT(plan("events WHERE id = 5"), Not(HasSubstr("index knows")));
    shop().use_indexes(true);
    EXPECT_THAT(plan("events WHERE id = 5"), HasSubstr("; the index knows the kinds)"));
    EXPECT_THAT(plan("\"Coffee.Shop/Sold\""), HasSubstr("; the index knows the kinds)"));
    EXPECT_THAT(plan("events WHERE id = 5 AND time > '2021'"),
                HasSubstr("; the index knows the window)"));
    EXPECT_THAT(plan("events WHERE pid = 5"), Not(HasSubstr("index knows")));
    EXPECT_THAT(plan("events WHERE activity_id = '00000000-0000-0000-0000-000000000001'"),
                Not(HasSubstr("index knows")));
    EXPECT_THAT(plan("events"), Not(HasSubstr("index knows")));
}

TEST_F(ScannedQueries, AreSeenInThePlan) {
    add_events(5);
    EXPECT_THAT(plan_of("SELECT pid FROM events WHERE pid = 7 AND time > '2021' LIMIT 3"),
                HasSubstr("(columns time, pid; tests pid =, time >; scans rows)"));
    for (const std::string query :
         {"SELECT pid FROM events WHERE time_ns > 5", "SELECT pid FROM events WHERE record_id = 5",
          "SELECT pid FROM events ORDER BY time", "SELECT DISTINCT pid FROM events",
          "SELECT Cups FROM \"Coffee.Shop/Sold\" WHERE Large = 5",
          "SELECT Cups FROM \"Coffee.Shop/Sold\" WHERE Hot = 1"}) {
        EXPECT_THAT(plan_of(query), Not(HasSubstr("scans rows"))) << query;
        EXPECT_EQ(Answers(shop().database(), all_formats.front()).scanned(query), "") << query;
    }
    EXPECT_EQ(Answers(shop().database(), all_formats.front())
                  .scanned("EXPLAIN QUERY PLAN SELECT pid, tid, cpu, id FROM events"),
              "");
}

/// Some have no schema, and of some the payload chooses the schema: all are in the table of their
/// name.
TEST_F(ScannedQueries, FindAllKernelEventsOfATable) {
    add_kernel_events();
    std::size_t kernel_tables = 0;
    for (const TableInfo& table : shop().database().tables()) {
        const std::string::size_type slash = table.name.find('/');
        if (slash == table.name.npos) {
            continue;
        }
        const std::string of_table =
            fmt::format("SELECT time, version FROM {}", in_quotes(table.name, '"'));
        const std::string of_events =
            fmt::format("SELECT time, version FROM events WHERE provider = {} AND event = {}",
                        in_quotes(table.name.substr(0, slash), '\''),
                        in_quotes(table.name.substr(slash + 1), '\''));
        const auto rows_of_table = rows(of_table);
        EXPECT_EQ(rows_of_table, rows(of_events)) << table.name;
        EXPECT_FALSE(rows_of_table.empty()) << table.name;
        const Answers answers(shop().database(), all_formats.front());
        EXPECT_EQ(answers.scanned(of_table), answers.stepped(of_events)) << table.name;
        ++kernel_tables;
    }
    EXPECT_GE(kernel_tables, 3U);
}

TEST_F(ScannedQueries, EndWhenNoMoreRowsAreWanted) {
    add_events(500);
    auto query = shop().database().prepare("SELECT pid FROM events");
    const auto encoder = rows::make_encoder({{.name = "pid"}}, {.format = rows::Format::csv});
    unsigned calls = 0;
    const auto is_scan = (*query)->scan(*encoder, [&](std::string_view rows) {
        EXPECT_FALSE(rows.empty());
        return ++calls < 2;
    });
    EXPECT_TRUE(is_scan && *is_scan);
    EXPECT_EQ(calls, 2U);
}

TEST_F(ScannedQueries, SayWhatTimesAreWrong) {
    add_events(3);
    auto query = shop().database().prepare("SELECT pid FROM events WHERE time > 'tomorrow'");
    const auto encoder = rows::make_encoder({{.name = "pid"}}, {.format = rows::Format::csv});
    const auto is_scan = (*query)->scan(*encoder, [](std::string_view) { return true; });
    ASSERT_FALSE(is_scan);
    EXPECT_THAT(is_scan.error().what, HasSubstr("tomorrow"));
}

TEST_F(ScannedQueries, ReportThatNothingMatches) {
    add_events(3);
    const Answers answers(shop().database(), all_formats.front());
    EXPECT_EQ(answers.scanned("SELECT pid FROM events WHERE event = 'Sold' LIMIT 1"),
              "scan: 7\r\n");
    EXPECT_FALSE(shop().has_no_match());
    EXPECT_EQ(answers.scanned("SELECT pid FROM events WHERE event = 'Nothing'"), "scan: ");
    EXPECT_TRUE(shop().has_no_match());
}

TEST_F(ScannedQueries, CanBeInterrupted) {
    add_events(300);
    auto inputs = shop().inputs();
    unsigned asked = 0;
    inputs.is_stopped = [&] { return ++asked > 1; };
    auto database = Database::open(std::move(inputs));
    auto query = (*database)->prepare("SELECT pid FROM events");
    const auto encoder = rows::make_encoder({{.name = "pid"}}, {.format = rows::Format::csv});
    const auto is_scan = (*query)->scan(*encoder, [](std::string_view) { return true; });
    ASSERT_FALSE(is_scan);
    EXPECT_EQ(is_scan.error().kind, QueryError::Kind::interrupted);
}

/// Comparisons of all columns with values that occur.
std::vector<std::string> comparisons_of(Queried& queried, const TableInfo& table) {
    std::vector<std::string> list;
    for (const ColumnInfo& column : table.columns) {
        const std::string name = in_quotes(column.name, '"');
        const auto values =
            queried.rows(fmt::format("SELECT {} FROM {} WHERE {} IS NOT NULL LIMIT 1 OFFSET 2",
                                     name, in_quotes(table.name, '"'), name));
        if (values.empty()) {
            continue;
        }
        const std::string_view value = values.front(); // texts are in quotes
        const bool is_text = value.starts_with('\'');
        const std::string literal =
            is_text ? in_quotes(value.substr(1, value.size() - 2), '\'') : std::string(value);
        for (const std::string_view sign : {"=", "<", ">="}) {
            list.push_back(fmt::format("WHERE {} {} {}", name, sign, literal));
        }
    }
    return list;
}

/// Returns the number of comparisons that a pass made.
std::size_t expect_same_rows(Queried& queried, const TableInfo& table) {
    const std::span csv(all_formats.data(), 1);
    const std::string name = in_quotes(table.name, '"');
    std::size_t scans = 0;
    expect_same(queried.database(), "*", name, "");
    for (const std::string& where : comparisons_of(queried, table)) {
        const std::string query = fmt::format("SELECT * FROM {} {}", name, where);
        if (!Answers(queried.database(), csv.front()).scanned(query).empty()) {
            expect_same(queried.database(), "*", name, where, csv);
            ++scans;
        }
    }
    return scans;
}

TEST(Scans, ReturnTheRowsOfAllTables) {
    std::size_t tables = 0, scans = 0;
    const auto directory = std::filesystem::path(test::source_dir()) / "corpus" / "good";
    for (const auto& file : std::filesystem::directory_iterator(directory)) {
        const auto input = file.path().extension() == ".etl"
                               ? trace::open_input(file.path().string())
                               : std::unexpected(Error{});
        if (!input) {
            continue;
        }
        Queried queried({*input});
        for (const TableInfo& table : queried.database().tables()) {
            scans += expect_same_rows(queried, table);
            ++tables;
        }
    }
    EXPECT_GT(tables, 20U);
    EXPECT_GT(scans, 500U);
}

} // namespace
} // namespace etl::sql::scanned_query_test

#include <etl/provider/self_describing.hpp>
#include <etl/trace/writer.hpp>

#include "tests/unit/sql/queries.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <sqlite3.h>

namespace etl::sql::database_test {
namespace {

using namespace test;
using provider::EventOptions;
using provider::SelfDescribingEvent;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t opening_time = 132'756'357'000'000'000; // 2021-09-09T04:35:00Z

/// Events that are written, and then asked for.
class ShopQueries : public testing::Test {
protected:
    void add(const char* name, const EventOptions& options,
             const std::function<void(SelfDescribingEvent&)>& fill, std::uint32_t pid = 7) {
        SelfDescribingEvent event(shop_, name, options);
        fill(event);
        EXPECT_TRUE(
            writer_->add(event.record({.time = opening_time + count_++ * Filetime::per_second,
                                       .process_id = pid,
                                       .thread_id = 9})));
    }

    Queried& shop() {
        if (!queried_) {
            EXPECT_TRUE(writer_->close());
            auto file = io::InputFile::map(path_);
            std::filesystem::remove(path_);
            queried_.emplace(std::vector{*std::move(file)});
        }
        return *queried_;
    }

    std::vector<std::string> rows(const std::string& text) { return shop().rows(text); }

private:
    std::string path_ = (std::filesystem::path(testing::TempDir()) /
                         (std::string("etl-sql-") +
                          testing::UnitTest::GetInstance()->current_test_info()->name() + ".etl"))
                            .string();
    provider::Provider shop_{"Coffee.Shop"};
    std::unique_ptr<trace::Writer> writer_ =
        *trace::Writer::create(path_, {.recording = trace::begin_recording({opening_time})});
    std::int64_t count_ = 0;
    std::optional<Queried> queried_;
};

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
    const std::vector<Column> fields(sold->columns.end() - 4, sold->columns.end());
    EXPECT_THAT(fields, ElementsAre(Column{"What", "text"}, Column{"Price", "real"},
                                    Column{"Hot", "boolean"}, Column{"Sizes", "json"}));
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
    EXPECT_THAT(rows(ticks + "time > '2022'"), IsEmpty());
    EXPECT_THAT(rows(ticks + "time_ns > 1631162103000000000"), ElementsAre("4"));
    EXPECT_THAT(rows(ticks + "time_ns <= 1631162100000000099"), ElementsAre("0"));
    EXPECT_THAT(rows(ticks + "time_ns IN (1631162100000000000, 1631162104000000000)"),
                ElementsAre("0", "4"));
}

TEST_F(ShopQueries, OpenOnlyATimeWindowIfThatReadsLess) {
    for (int i = 0; i < 5; ++i) {
        add("Tick", {}, [=](auto& event) { event.add("N", i); });
    }
    const std::string ticks = "SELECT N FROM \"Coffee.Shop/Tick\"";
    shop().has_indexes = true;
    EXPECT_THAT(rows(ticks + " WHERE time >= '2021-09-09T04:35:03'"), ElementsAre("3", "4"));
    EXPECT_EQ(shop().windows(), 1U);
    EXPECT_THAT(rows(ticks + " WHERE time_ns = 1631162101000000000"), ElementsAre("1"));
    EXPECT_EQ(shop().windows(), 1U);
    EXPECT_THAT(rows(ticks + " WHERE time > '2022-01-01'"), IsEmpty());
    EXPECT_EQ(rows(ticks).size(), 5U);
    EXPECT_EQ(shop().windows(), 0U);
    shop().has_indexes = false;
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

TEST_F(ShopQueries, ReadNoKindsForTheTableOfEvents) {
    add("Sold", {}, [](auto&) {});
    rows("SELECT event FROM events LIMIT 1");
    EXPECT_EQ(shop().passes(), 1U);
    rows("SELECT time FROM \"Coffee.Shop/Sold\"");
    EXPECT_EQ(shop().passes(), 2U); // the kinds, then the events
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
    std::filesystem::remove(path);
    auto query = shop().database().prepare("SELECT pid, Cups, What FROM \"Coffee.Shop/Sold\"");
    ASSERT_TRUE(query && *query);
    EXPECT_EQ((*query)->save(path.string()), 1U);
    EXPECT_GT(std::filesystem::file_size(path), 0U);
    std::filesystem::remove(path);
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

#include "facts/relevance.hpp"
#include "match/expression.hpp"
#include "tests/unit/answers/analysis/analyzed.hpp"

namespace etl::analysis::table_test {
namespace {

Table cups(std::vector<std::pair<std::string, std::uint64_t>> rows) {
    Table table;
    table.columns = {
        {.name = "cup", .unit = Unit::text, .adding = Adding::key},
        {.name = "sips", .unit = Unit::count},
        {.name = "time_ns", .unit = Unit::nanoseconds, .adding = Adding::maximum, .in_ticks = true},
        {.name = "percent",
         .unit = Unit::hundredths,
         .adding = Adding::ratio,
         .ratio = {.numerator = 1, .denominator = {}, .scale = 10'000}}};
    table.sort_column = 1;
    table.coverage.duration_ns = 30;
    for (auto& [name, sips] : rows) {
        table.rows.push_back({.cells = {std::move(name), sips, sips * 10, Cell{}}});
    }
    table.add_up();
    return table;
}

TEST(Table, ConvertsTicksOncePerCell) {
    Table table = cups({{"mug", 1}, {"bowl", 2}});
    table.convert_ticks(3'000'000'000); // a tick is a third of a nanosecond
    EXPECT_EQ(rows_of(table, {"cup", "time_ns"}), (Rows{"mug 3", "bowl 6"}));
    EXPECT_EQ(total_of(table, "time_ns"), "6");
    EXPECT_EQ(nanoseconds_of(0xFFFFFFFFFFFFFFFF, 1), 0xFFFFFFFFFFFFFFFFU);
    EXPECT_EQ(nanoseconds_of(5, 0), 0U);
}

TEST(Table, AddsRowsOfOtherTraces) {
    Table table = cups({{"mug", 1}, {"bowl", 2}});
    table.rows[1].cells[1] = {}; // null
    table.add(cups({{"bowl", 7}, {"glass", 3}, {"glass", 4}}));
    table.compute_ratios();
    table.sort();
    EXPECT_EQ(rows_of(table, {"cup", "sips", "time_ns", "percent"}),
              (Rows{"bowl 7 70 1166", "glass 7 40 1166", "mug 1 10 166"}));
    EXPECT_EQ(total_of(table, "sips"), "17");
    EXPECT_EQ(total_of(table, "percent"), "2833");
}

TEST(Table, SortsNullsLast) {
    Table table = cups({{"mug", 1}, {"bowl", 2}, {"glass", 3}});
    table.rows[2].cells[1] = {};
    table.sort_by(1, false);
    EXPECT_EQ(rows_of(table, {"cup"}), (Rows{"bowl", "mug", "glass"}));
    table.sort_by(1, true);
    EXPECT_EQ(rows_of(table, {"cup"}), (Rows{"mug", "bowl", "glass"}));
    table.sort_by(0, false);
    EXPECT_EQ(rows_of(table, {"cup"}), (Rows{"bowl", "glass", "mug"}));
}

TEST(Tables, AllCanBeMadeOfAnEmptyTrace) {
    for (const TableForm* const form : table_forms()) {
        const Table table = table_of(std::vector<KernelRecord>{}, {form->kind->name, form->by});
        EXPECT_EQ(table.name, form->kind->name);
        EXPECT_EQ(table.coverage.events, 0U);
        EXPECT_FALSE(table.coverage.begin);
    }
}

TEST(Tables, AreDescribed) {
    for (const TableKind* const kind : tables()) {
        EXPECT_EQ(find_kind(kind->name), kind);
        EXPECT_FALSE(kind->question.empty()) << kind->name;
        EXPECT_EQ(kind->summary.empty(), kind->examples.empty()) << kind->name;
        ASSERT_FALSE(kind->forms.empty()) << kind->name;
        EXPECT_EQ(find_table(kind->name, ""), &kind->forms.front());
        for (const TableForm& form : kind->forms) {
            EXPECT_EQ(form.kind, kind);
            EXPECT_EQ(find_table(kind->name, form.by), &form) << "two forms by " << form.by;
            EXPECT_EQ(form.places.report == 0, form.title.empty()) << kind->name << form.by;
            EXPECT_TRUE(form.places.brief == 0 || form.places.report != 0) << kind->name;
            EXPECT_EQ(form.by.empty(), kind->forms.size() == 1) << kind->name;
        }
    }
    EXPECT_EQ(find_table("cpu", "no such rows"), nullptr);
    EXPECT_EQ(find_table("no such table", ""), nullptr);
}

/// The filter with 1 in place of its placeholders, whose names are added to `names`.
std::string filled_in(std::string_view filter, std::vector<std::string>& names) {
    std::string text;
    while (!filter.empty()) {
        const std::size_t open = std::min(filter.find('{'), filter.size());
        text += filter.substr(0, open);
        filter.remove_prefix(open);
        if (const std::size_t close = filter.find('}'); close != filter.npos) {
            names.emplace_back(filter.substr(1, close - 1));
            text += '1';
            filter.remove_prefix(close + 1);
        }
    }
    return text;
}

TEST(Tables, NameEventsByFilters) {
    std::size_t filters = 0;
    for (const TableForm* const form : table_forms()) {
        if (form->events.empty()) {
            continue;
        }
        const Table table = table_of(std::vector<KernelRecord>{}, {form->kind->name, form->by});
        std::vector<std::string> names;
        const std::string filter = filled_in(form->events, names);
        const auto parsed = match::Expression::parse(filter);
        EXPECT_TRUE(parsed) << filter << ": " << (parsed ? "" : parsed.error().what);
        const auto has_column = [&](std::string_view name) {
            return std::ranges::find(table.columns, name, &Column::name) != table.columns.end();
        };
        for (const std::string& name : names) {
            const bool is_of_peer = (name == "address" || name == "port") && has_column("peer");
            EXPECT_TRUE(name == "process" || name == "text" || is_of_peer || has_column(name))
                << form->kind->name << ' ' << form->by << ": " << name;
        }
        ++filters;
    }
    EXPECT_GT(filters, 10U);
}

TEST(Tables, WithoutSchemasReadOnlyProvidersOfFacts) {
    const std::vector<Guid> known = facts::providers_of_facts();
    std::size_t providers = 0;
    for (const TableForm* const form : table_forms()) {
        if (form->needs == TableNeeds::schemas || form->needs == TableNeeds::facts_and_schemas) {
            continue;
        }
        Subscriptions subscriptions;
        form->make({})->subscribe(subscriptions);
        providers += subscriptions.providers().size();
        for (const Subscriptions::Provider& provider : subscriptions.providers()) {
            EXPECT_THAT(known, testing::Contains(provider.guid))
                << form->kind->name << ' ' << form->by;
        }
    }
    EXPECT_GT(providers, 0U);
}

TEST(Stats, CountEvents) {
    const auto records = in_tea_kitchen({sample_in(t0 + 10, 1, 104), sample_in(t0 + 20, 1, 204)});
    const Table events = table_of(records, {"stats", "event"});
    EXPECT_EQ(rows_of(events, {"provider", "event", "id", "version", "events"}),
              (Rows{"MSNT_SystemTrace Thread/DCStart 3 3 3",
                    "MSNT_SystemTrace PerfInfo/SampleProf "
                    "46 2 2",
                    "MSNT_SystemTrace Process/DCStart 3 4 2"}));
    const Table processes = table_of(records, {"stats", "process"});
    EXPECT_EQ(rows_of(processes, {"process", "events"}), (Rows{"kettle.exe 4", "teapot.exe 3"}));
}

TEST(Stats, CountEventsOfSelectedProcesses) {
    const auto records = in_tea_kitchen({sample_in(t0 + 10, 1, 104), sample_in(t0 + 20, 1, 204)});
    const Table table = table_of(
        records, {.table = "stats", .by = "process", .processes = {.ids = {}, .names = {"tea*"}}});
    EXPECT_EQ(rows_of(table, {"process", "events"}), (Rows{"teapot.exe 3"}));
}

TEST(Stats, SlicesAreEqual) {
    const auto records = in_tea_kitchen({sample_in(t0 + 10, 1, 104), sample_in(t0 + 19, 1, 204)});
    const Table table = table_of(records, {.table = "stats", .by = "slice", .slices = 4});
    EXPECT_EQ(rows_of(table, {"slice", "events"}), (Rows{"0 5", "1 0", "2 1", "3 1"}));
}

TEST(Timeline, DividesRunningTime) {
    const auto records = in_tea_kitchen(
        {switch_from(t0 + 2, 104, 0), switch_from(t0 + 15, 0, 104), switch_from(t0 + 19, 204, 0)});
    const Table table = table_of(records, {.table = "timeline", .by = "", .slices = 2});
    EXPECT_EQ(rows_of(table, {"slice", "events", "running_ns", "disk_bytes"}),
              (Rows{"0 6 800 null", "1 2 500 null"}));
}

TEST(Processes, AreATree) {
    const auto records = std::vector<KernelRecord>{
        process_record(t0, Life::rundown_at_start, 100, "kettle.exe", u"kettle /boil", 4),
        process_record(t0 + 10, Life::start, 300, "cup.exe", u"", 200),
        process_record(t0 + 5, Life::start, 200, "teapot.exe", u"", 100),
        process_record(t0 + 20, Life::end, 300, "cup.exe", u"", 200)};
    const Table table = table_of(records, {"processes", ""});
    EXPECT_EQ(rows_of(table, {"process", "pid", "parent_pid", "depth", "exit_code", "session"}),
              (Rows{"kettle.exe 100 4 0 null 1", "teapot.exe 200 100 1 null 1",
                    "cup.exe 300 200 2 259 1"}));
    EXPECT_EQ(total_of(table, "processes") + total_of(table, "started") + total_of(table, "ended"),
              "321");
}

TEST(Processes, MayBeParentsOfEachOther) {
    const auto records = std::vector<KernelRecord>{
        process_record(t0, Life::rundown_at_start, 100, "kettle.exe", u"", 200),
        process_record(t0, Life::rundown_at_start, 200, "teapot.exe", u"", 100)};
    const Table table = table_of(records, {"processes", ""});
    EXPECT_EQ(rows_of(table, {"process", "depth"}), (Rows{"kettle.exe 0", "teapot.exe 1"}));
}

TEST(Images, HaveIntervals) {
    const auto records = std::vector<KernelRecord>{
        image_record(t0, Life::rundown_at_start, 100, 0x1000, 0x100, u"C:\\lid.dll"),
        image_record(t0 + 10, Life::start, 100, 0x2000, 0x200, u"C:\\spout.dll"),
        image_record(t0 + 20, Life::end, 100, 0x1000, 0x100, u"C:\\lid.dll"),
        image_record(t0 + 30, Life::rundown_at_end, 100, 0x2000, 0x200, u"C:\\spout.dll")};
    const Table table = table_of(records, {"images", ""});
    EXPECT_EQ(rows_of(table, {"pid", "image", "base", "size"}),
              (Rows{"100 C:\\lid.dll 4096 256", "100 C:\\spout.dll 8192 512"}));
    EXPECT_EQ(shown(table.rows[0].cells[*table.find("loaded")]), "null");
    EXPECT_EQ(shown(table.rows[1].cells[*table.find("unloaded")]), "null");
}

} // namespace
} // namespace etl::analysis::table_test

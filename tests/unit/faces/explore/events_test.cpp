// Pages of events are those of `etl dump`, with an index and without.
#include "match/matcher.hpp"
#include "sink/json.hpp"
#include "tests/unit/faces/explore/explored.hpp"

#include <gmock/gmock.h>

#include <future>
#include <random>
#include <thread>

namespace etl::explore::events_test {
namespace {

using analysis::Cell;
using testing::HasSubstr;

struct Place {
    std::uint64_t input = 0, buffer = 0, offset = 0;

    bool operator==(const Place&) const = default;
};

std::uint64_t number(const Cell& cell) {
    return std::get<std::uint64_t>(cell);
}

std::vector<Place> places(const Answer& answer) {
    std::vector<Place> places;
    std::uint64_t row = answer.table.rows.empty() ? 0 : number(answer.table.rows.front().cells[0]);
    for (const analysis::Row& one : answer.table.rows) {
        EXPECT_EQ(one.cells.size(), answer.table.columns.size());
        EXPECT_EQ(number(one.cells[0]), row++);
        places.push_back({number(one.cells[10]), number(one.cells[11]), number(one.cells[12])});
    }
    return places;
}

/// As `etl dump` reads them.
std::vector<Place> dumped(const std::vector<std::string>& paths, const Selection& selection) {
    auto traces = dataset::Dataset::open(
        paths, {.where = selection.where, .from = selection.from, .to = selection.to});
    const auto filters = traces.filters();
    const auto context = traces.context({.schemas = gather::SchemaScope::everything});
    match::Matcher matches(filters->condition, {.schemas = context->schemas});
    auto events = traces.events({.time = filters->window});
    std::vector<Place> places;
    flow::EventCursor cursor(events->source());
    while (const flow::Event* const event = cursor.next()) {
        if (matches(*event)) {
            places.push_back({event->trace().file + 1U, event->buffer->number, event->offset()});
        }
    }
    return places;
}

std::vector<Place> part(const std::vector<Place>& all, std::size_t first, std::size_t count) {
    first = std::min(first, all.size());
    count = std::min(count, all.size() - first);
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

class ExploredEvents : public ExploredTraces {};

TEST_F(ExploredEvents, AreThoseOfDump) {
    const Explorer without = explore(plain()), with = explore(indexed());
    std::mt19937 random(5);
    const std::vector<Selection> selections{{},
                                            {.from = "+1s", .to = "+2.5s"},
                                            {.from = "+3.9s"},
                                            {.to = "+0.3s"},
                                            {.from = "+1s", .where = "cpu == 2"},
                                            {.from = "+9h"}};
    for (const Selection& selection : selections) {
        const std::vector<Place> all = dumped({plain()}, selection);
        std::uniform_int_distribution<std::size_t> rows(0, all.size() + 10);
        for (int i = 0; i < 12; ++i) {
            const std::size_t first = i == 0 ? 0 : i == 1 ? all.size() : rows(random);
            for (const Explorer* const explorer : {&without, &with}) {
                const auto answer = explorer->events({selection, {.first = first, .count = 70}});
                ASSERT_TRUE(answer);
                EXPECT_EQ(places(*answer), part(all, first, 70)) << selection.from << first;
                const bool has_more = first + 70 < all.size();
                EXPECT_EQ(answer->next_row.has_value(), has_more);
                if (explorer == &with && selection.where.empty()) {
                    EXPECT_EQ(answer->rows, all.size());
                } else if (has_more) {
                    EXPECT_FALSE(answer->rows);
                }
            }
        }
    }
}

TEST_F(ExploredEvents, HaveLargePages) {
    const std::vector<Place> all = dumped({plain()}, {});
    const auto answer =
        explore(plain()).events({.selection = {}, .rows = {.first = 7, .count = 30'000}});
    ASSERT_TRUE(answer);
    EXPECT_EQ(places(*answer), part(all, 7, 30'000));
}

TEST_F(ExploredEvents, OfSeveralTracesAreMerged) {
    const std::string other = file("other.etl");
    generate::Recipe recipe;
    recipe.events = 5'000;
    recipe.start.ticks += 7'000'000;
    auto writer = trace::Writer::create(other, {.recording = generate::recording_of(recipe)});
    ASSERT_TRUE(writer && generate::write(recipe, **writer) && (*writer)->close());
    ASSERT_TRUE(test::write_index(other, 16));
    const std::vector<std::string> paths{indexed(), other};
    const auto explorer = Explorer::open(paths);
    ASSERT_TRUE(explorer && explorer->is_indexed());
    for (const Selection& selection : {Selection{}, Selection{.from = "+0.8s", .to = "+1.1s"}}) {
        const std::vector<Place> all = dumped(paths, selection);
        for (const std::size_t first : {std::size_t{0}, all.size() / 3, all.size() - 5}) {
            const auto answer = explorer->events({selection, {.first = first, .count = 40}});
            ASSERT_TRUE(answer);
            EXPECT_EQ(places(*answer), part(all, first, 40)) << first;
            EXPECT_EQ(answer->rows, all.size());
        }
    }
}

TEST_F(ExploredEvents, WithoutUsableTimesKeepTheirRows) {
    for (const char* const name : {"good/every-record-kind.etl", "damaged/bad-record.etl"}) {
        const std::string path = file("copy.etl");
        std::filesystem::copy_file(corpus(name), path,
                                   std::filesystem::copy_options::overwrite_existing);
        ASSERT_TRUE(test::write_index(path, 16));
        for (const Selection& selection : {Selection{}, Selection{.from = "+0s"}}) {
            const std::vector<Place> all = dumped({path}, selection);
            for (const std::size_t first : {std::size_t{0}, all.size() / 2}) {
                const auto answer = explore(path).events({selection, {.first = first}});
                ASSERT_TRUE(answer);
                EXPECT_EQ(places(*answer), part(all, first, 100)) << name << first;
            }
        }
    }
}

TEST_F(ExploredEvents, ShowNamesAndValues) {
    const Explorer explorer = explore(corpus("good/first-steps.etl"));
    const auto answer = explorer.events({.selection = {.where = "event == TrainApproaches"}});
    ASSERT_TRUE(answer);
    ASSERT_FALSE(answer->table.rows.empty());
    const auto& cells = answer->table.rows.front().cells;
    EXPECT_EQ(cells[*answer->table.find("provider")], Cell(std::string("Example.SignalBox")));
    EXPECT_EQ(cells[*answer->table.find("event")], Cell(std::string("TrainApproaches")));
    EXPECT_THAT(std::get<std::string>(cells[*answer->table.find("text")]),
                testing::StartsWith("Train=\"IC 12\""));
}

TEST_F(ExploredEvents, HaveColumnsOfFields) {
    const Explorer explorer = explore(indexed());
    const auto answer = explorer.events(
        {.selection = {.where = "event == \"Thread/CSwitch\" or event == \"Process/DCStart\""},
         .rows = {.count = 40},
         .fields = {"NewThreadId", "No such field", "ImageFileName"}});
    ASSERT_TRUE(answer);
    ASSERT_EQ(answer->table.columns.size(), 16U);
    EXPECT_EQ(answer->table.columns[13].name, "data.NewThreadId");
    std::size_t switches = 0, processes = 0;
    for (const analysis::Row& row : answer->table.rows) {
        ASSERT_EQ(row.cells.size(), 16U);
        const bool is_switch = row.cells[7] == Cell(std::string("Thread/CSwitch"));
        const std::string& text = std::get<std::string>(row.cells[9]);
        const Cell& shown = row.cells[is_switch ? 13 : 15];
        EXPECT_EQ(row.cells[is_switch ? 15 : 13], Cell());
        EXPECT_EQ(row.cells[14], Cell());
        EXPECT_THAT(text, HasSubstr(std::get<std::string>(shown)));
        (is_switch ? switches : processes) += 1;
    }
    EXPECT_GT(switches, 0U);
    EXPECT_GT(processes, 0U);
    const auto refused =
        explorer.events({.fields = std::vector<std::string>(max_fields + 1, "Size")});
    EXPECT_EQ(refused.error().about, "fields");
    EXPECT_EQ(explorer.events({.fields = {"Size", "Size"}}).error().about, "fields");
    EXPECT_EQ(explorer.events({.rows = {.count = max_rows}, .fields = {"Size"}}).error().about,
              "count");
}

TEST_F(ExploredEvents, HaveTextsOfBoundedSize) {
    const std::string path = file("long.etl");
    generate::Recipe recipe;
    recipe.events = 200;
    recipe.min_payload = recipe.max_payload = 20'000;
    auto writer = trace::Writer::create(path, {.recording = generate::recording_of(recipe)});
    ASSERT_TRUE(writer && generate::write(recipe, **writer) && (*writer)->close());
    const auto answer = explore(path).events({});
    ASSERT_TRUE(answer);
    std::size_t longest = 0;
    for (const analysis::Row& row : answer->table.rows) {
        longest = std::max(longest, std::get<std::string>(row.cells[9]).size());
    }
    EXPECT_GT(longest, 100U);
    EXPECT_LE(longest, 4200U);
}

TEST_F(ExploredEvents, AreFoundByTheirTexts) {
    for (const std::string& path : {plain(), indexed()}) {
        const Explorer explorer = explore(path);
        const auto by_name = explorer.search({.text = "cswitch", .from_row = 1000, .count = 30});
        ASSERT_TRUE(by_name);
        const std::vector<Place> all = dumped({plain()}, {});
        ASSERT_EQ(by_name->table.rows.size(), 30U);
        for (const analysis::Row& row : by_name->table.rows) {
            EXPECT_GE(number(row.cells[0]), 1000U);
            EXPECT_EQ(row.cells[7], Cell(std::string("Thread/CSwitch")));
            const Place place{number(row.cells[10]), number(row.cells[11]), number(row.cells[12])};
            EXPECT_EQ(all[number(row.cells[0])], place);
        }
        ASSERT_TRUE(by_name->next_row);
        const auto next =
            explorer.search({.text = "cswitch", .from_row = *by_name->next_row, .count = 1});
        ASSERT_TRUE(next);
        EXPECT_EQ(number(next->table.rows.front().cells[0]), *by_name->next_row);
    }
}

TEST_F(ExploredEvents, AreFoundByTheirValues) {
    const Explorer explorer = explore(corpus("good/first-steps.etl"));
    const auto found = [&](const std::string& text) {
        const auto answer = explorer.search({.text = text});
        return answer ? answer->table.rows.size() : 0;
    };
    EXPECT_GT(found("ic 1"), 0U);
    EXPECT_EQ(found("ic.1"), 0U);     // no regular expression
    EXPECT_EQ(found("\\E.*\\Q"), 0U); // nor a part of one
    EXPECT_EQ(found("it's"), 0U);
    EXPECT_EQ(found("no such text"), 0U);
    EXPECT_EQ(explorer.search({.text = ""}).error().about, "text");
}

TEST_F(ExploredEvents, AreShownWithAllThatIsKnown) {
    const Explorer explorer = explore(indexed());
    auto traces = dataset::Dataset::open({plain()});
    const auto context = traces.context({.schemas = gather::SchemaScope::everything,
                                         .facts = facts::Scope::everything,
                                         .origins = true});
    const sink::Options options{
        .schemas = context->schemas, .facts = context->facts, .origins = context->origins};
    sink::JsonLines encoder(options);
    auto events = traces.events();
    flow::EventCursor cursor(events->source());
    std::size_t stacks = 0, fields = 0;
    for (std::size_t i = 0; const flow::Event* const event = cursor.next(); ++i) {
        if (i % 211 != 0) {
            continue;
        }
        const auto answer = explorer.event(
            {.input = 1, .buffer = event->buffer->number, .offset = event->offset()});
        ASSERT_TRUE(answer) << describe(answer.error());
        std::string line;
        ASSERT_TRUE(encoder.encode(*event, line));
        EXPECT_EQ(answer->json + "\n", line);
        EXPECT_EQ(answer->header.size() + answer->payload.size(), event->size);
        EXPECT_EQ(answer->file_offset, event->buffer->where.value + event->offset());
        stacks += answer->stack.rows.empty() ? 0U : 1U;
        fields += answer->fields.rows.size();
    }
    EXPECT_GT(stacks, 0U);
    EXPECT_GT(fields, 0U);
}

TEST_F(ExploredEvents, ShowWhereTheirValuesAre) {
    const Explorer explorer = explore(corpus("good/first-steps.etl"));
    const auto page = explorer.events({.selection = {.where = "event == TrainApproaches"}});
    const auto& cells = page->table.rows.at(0).cells;
    const auto event = explorer.event({.input = 1,
                                       .buffer = number(cells[11]),
                                       .offset = static_cast<std::uint32_t>(number(cells[12]))});
    ASSERT_TRUE(event);
    EXPECT_THAT(event->json, HasSubstr("\"Train\":\"IC 12\""));
    const auto& train = event->fields.rows.at(0).cells;
    EXPECT_EQ(train[0], Cell(std::string("Train")));
    EXPECT_EQ(train[1], Cell(std::string("IC 12")));
    EXPECT_EQ(number(train[2]), 0U);
    EXPECT_GE(number(train[3]), 5U);
}

TEST_F(ExploredEvents, AreNotFoundAtOtherPlaces) {
    const Explorer explorer = explore(indexed());
    const auto about = [&](const EventPlace& place) {
        const auto answer = explorer.event(place);
        EXPECT_TRUE(answer || answer.error().code == ErrorCode::not_found);
        return answer ? std::string("an event") : answer.error().about;
    };
    EXPECT_EQ(about({.input = 0}), "input");
    EXPECT_EQ(about({.input = 2}), "input");
    EXPECT_EQ(about({.buffer = UINT64_MAX}), "buffer");
    EXPECT_EQ(about({.buffer = std::uint64_t{1} << 32U}), "buffer");
    EXPECT_EQ(about({.buffer = 1, .offset = 1}), "offset");
    EXPECT_EQ(about({.buffer = 1, .offset = UINT32_MAX}), "offset");
}

TEST_F(ExploredEvents, AnswerSeveralThreads) {
    for (const std::string& path : {plain(), indexed()}) {
        const Explorer explorer = explore(path);
        const std::vector<Place> all = dumped({plain()}, {});
        const auto alone = explore(path).flame({.selection = {.from = "+1s", .to = "+1.5s"}});
        std::vector<std::future<bool>> asked;
        for (std::size_t thread = 0; thread < 6; ++thread) {
            asked.push_back(std::async(std::launch::async, [&, thread] {
                for (std::size_t i = 0; i < 4; ++i) {
                    const std::size_t first = 1000 * thread + 77 * i;
                    const auto page = explorer.events({{}, {.first = first, .count = 20}});
                    const auto flame =
                        explorer.flame({.selection = {.from = "+1s", .to = "+1.5s"}});
                    if (!page || places(*page) != part(all, first, 20) || !flame ||
                        flame->table.stacks->weight() != alone->table.stacks->weight()) {
                        return false;
                    }
                }
                return true;
            }));
        }
        for (auto& one : asked) {
            EXPECT_TRUE(one.get());
        }
    }
}

TEST_F(ExploredEvents, EndWhenTheyAreStopped) {
    for (const std::string& path : {plain(), indexed()}) {
        const Explorer explorer = explore(path);
        Stop stop;
        stop.request();
        const auto is_stopped = [](const auto& answer) {
            return !answer && answer.error().code == ErrorCode::stopped;
        };
        EXPECT_TRUE(is_stopped(explorer.table({.name = "cpu"}, &stop)));
        EXPECT_TRUE(is_stopped(explorer.flame({}, &stop)));
        EXPECT_TRUE(is_stopped(explorer.events({}, &stop)));
        EXPECT_TRUE(is_stopped(explorer.search({.text = "tea"}, &stop)));
        EXPECT_TRUE(is_stopped(explorer.event({.buffer = 1, .offset = 72}, &stop)));
        EXPECT_TRUE(explorer.table({.name = "cpu"})); // nothing incomplete was kept
        const auto all = explorer.events({});
        ASSERT_TRUE(all);
        EXPECT_EQ(places(*all), part(dumped({plain()}, {}), 0, 100));
        EXPECT_EQ(all->table.rows[50].cells, explore(plain()).events({})->table.rows[50].cells);
    }
}

TEST_F(ExploredEvents, EndWhenTheyAreStoppedMeanwhile) {
    const Explorer explorer = explore(plain());
    Stop stop;
    std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        stop.request();
    });
    bool is_stopped = false;
    for (int i = 0; i < 10'000 && !is_stopped; ++i) {
        const auto answer = explorer.search({.text = "no such text"}, &stop);
        is_stopped = !answer;
        EXPECT_TRUE(answer || answer.error().code == ErrorCode::stopped);
    }
    EXPECT_TRUE(is_stopped);
    other.join();
}

TEST_F(ExploredEvents, NeedATrace) {
    EXPECT_FALSE(Explorer::open({}));
    const auto missing = Explorer::open({file("missing.etl")});
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().about, file("missing.etl"));
    std::ofstream(file("notes.txt")) << "not a trace";
    const auto some = Explorer::open({plain(), file("notes.txt")});
    ASSERT_TRUE(some);
    EXPECT_EQ(some->inputs(), std::vector<std::string>{plain()});
    EXPECT_EQ(some->problems().size(), 1U);
}

} // namespace
} // namespace etl::explore::events_test

// Answers to a page are those of the explorer, in JSON and in pictures.
#include "analysis/compared_tables.hpp"
#include "analysis/dataset_table.hpp"
#include "packets/capture.hpp"
#include "rows/tables.hpp"
#include "tests/unit/faces/explore/explored.hpp"
#include "viewer/picture.hpp"
#include "viewer/service.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <simdjson.h>

#include <atomic>
#include <cstring>
#include <map>
#include <thread>

namespace etl::viewer::service_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class ViewerService : public explore::ExploredTraces {
protected:
    static std::unique_ptr<Service> serve(const std::string& path) {
        return std::make_unique<Service>(explore(path), OpenedWith{.traces = "work.etl",
                                                                   .options = " --schema x.man",
                                                                   .symbols = " --symbols dir"});
    }

    /// A complete JSON object, with the members that a request asks for.
    simdjson::dom::element json(const Reply& reply) {
        EXPECT_EQ(reply.status, Status::ok) << reply.body;
        return parser_.parse(reply.body);
    }

    static std::string error_of(const Reply& reply) {
        simdjson::dom::parser parser;
        return std::string(std::string_view(parser.parse(reply.body)["error"]));
    }

private:
    simdjson::dom::parser parser_;
};

TEST_F(ViewerService, DescribesTheTraces) {
    const auto service = serve(indexed());
    const auto opened = json(service->answer("open", "{}"));
    EXPECT_EQ(std::uint64_t(opened["version"]), 1U);
    EXPECT_EQ(std::string_view(opened["inputs"].at(0)), indexed());
    EXPECT_TRUE(bool(opened["is_indexed"]));
    EXPECT_EQ(std::uint64_t(opened["processors"]), 4U);
    EXPECT_GT(std::uint64_t(opened["events"]), 59'000U);
    EXPECT_TRUE(opened["progress"].is_null());
    EXPECT_GT(opened["tables"].get_array().size(), 30U);
    EXPECT_EQ(std::string_view(opened["flames"].at(0)["name"]), "cpu");
}

TEST_F(ViewerService, OverviewHasTheBytesOfBuffers) {
    const auto service = serve(indexed());
    const auto overview = json(service->answer("overview", R"({"columns": 10})"));
    std::uint64_t bytes = 0;
    for (const auto series : overview["series"].get_array()) {
        EXPECT_EQ(series["values"].get_array().size(), 10U);
        for (const std::uint64_t value : series["values"].get_array()) {
            bytes += value;
        }
    }
    const auto size = std::filesystem::file_size(indexed());
    EXPECT_GT(bytes, size / 2);
    EXPECT_LE(bytes, size);
}

TEST_F(ViewerService, ExportsWhatTheVerbPrints) {
    const auto service = serve(indexed());
    for (const analysis::TableForm* const form : analysis::table_forms()) {
        if (form->kind->name == "flame") {
            continue;
        }
        const std::string request = R"({"name": ")" + std::string(form->kind->name) +
                                    R"(", "by": ")" + std::string(form->by) +
                                    R"(", "selection": {"from": "+1s", "to": "+1.5s"})";
        const Reply reply = service->answer("export", request + "}");
        ASSERT_EQ(reply.status, Status::ok) << request << reply.body;
        auto traces = dataset::Dataset::open({plain()}, {.from = "+1s", .to = "+1.5s"});
        const auto table = analysis::table_of(traces, *form, {});
        ASSERT_TRUE(table);
        EXPECT_EQ(reply.body,
                  rows::text_of({.table = &*table, .rows = table->rows.size()}, rows::Format::csv))
            << request;
    }
}

TEST_F(ViewerService, TablesHaveRowsAndTheirCommand) {
    const auto service = serve(indexed());
    const auto table = json(service->answer(
        "table", R"({"name": "cpu", "by": "thread", "sort": "pid", "is_reversed": true, "first": 1,
                     "count": 2, "selection": {"from": "133603920010000000", "to": "+2s",
                     "where": "cpu == 1", "processes": ["it's"]}})"));
    EXPECT_EQ(std::string_view(table["command"]),
              "etl cpu --by thread --from 2024-05-17T04:00:01.0000000Z --to +2s --where 'cpu == 1' "
              "--process 'it'\\''s' --sort -pid --symbols dir --schema x.man work.etl");
    const auto all = json(service->answer("table", R"({"name": "cpu", "by": "thread"})"));
    const std::uint64_t count = all["row_count"];
    EXPECT_EQ(all["rows"].get_array().size(), count);
    const auto page = json(
        service->answer("table", R"({"name": "cpu", "by": "thread", "first": 1, "count": 2})"));
    EXPECT_EQ(page["rows"].get_array().size(), 2U);
    EXPECT_EQ(std::uint64_t(page["first_row"]), 1U);
    EXPECT_EQ(std::uint64_t(page["row_count"]), count);
    EXPECT_EQ(page["columns"].get_array().size(), page["total"].get_array().size());
}

TEST_F(ViewerService, ComparesTheSameWindowAfterBothBegins) {
    const std::string before = file("before.etl");
    constexpr std::int64_t day = 864'000'000'000, second = 10'000'000;
    ASSERT_TRUE(generate_work(before, 50'000, 7, {generate::default_start.ticks + day}));
    Service service(explore(indexed()),
                    {.traces = "work.etl", .against = "before.etl", .symbols = " --symbols dir"});
    constexpr std::string_view whole = R"({"name": "cpu", "is_compared": true})";
    EXPECT_THAT(error_of(service.answer("table", whole)), HasSubstr("--against"));
    service.compare_with(explore(before));
    const auto opened = json(service.answer("open", "{}"));
    EXPECT_EQ(std::string_view(opened["against"].at(0)), before);
    const std::int64_t begin = std::stoll(std::string(std::string_view(opened["begin"])));
    const std::string asked = fmt::format(
        R"({{"name": "cpu", "by": "process", "is_compared": true,
             "selection": {{"from": "{}", "to": "{}"}}}})",
        begin + second, begin + second + second / 2);

    const auto table_in = [&](const std::string& path) {
        auto traces = dataset::Dataset::open({path}, {.from = "+1s", .to = "+1.5s"});
        return *analysis::table_of(traces, *analysis::find_table("cpu", "process"), {});
    };
    analysis::Table both = analysis::joined(table_in(before), table_in(plain()));
    both.sort();
    EXPECT_GT(both.rows.size(), 3U);
    EXPECT_EQ(service.answer("export", asked).body,
              rows::text_of({.table = &both, .rows = both.rows.size()}, rows::Format::csv));
    const auto table = json(service.answer("table", asked));
    EXPECT_EQ(std::string_view(table["command"]),
              "etl diff --table cpu --by process --from +1.0000000s --to +1.5000000s --symbols dir "
              "before.etl work.etl");
    EXPECT_EQ(std::string_view(table["events"]), "");
    EXPECT_EQ(service.answer("table", R"({"name": "slowest", "is_compared": true})").status,
              Status::wrong);
    const std::string absolute = R"({"name": "cpu", "is_compared": true,
                                     "selection": {"from": "2024-05-17T04:00:01Z"}})";
    EXPECT_THAT(error_of(service.answer("table", absolute)), HasSubstr("+5s"));
    EXPECT_EQ(service.answer("flame", R"({"is_compared": true, "fold_percent": 1})").status,
              Status::wrong);
    EXPECT_THAT(service.answer("table", asked).body, Not(HasSubstr("different lengths")));
    EXPECT_THAT(service.answer("table", whole).body, HasSubstr("different lengths"));
    const auto flame = json(service.answer("flame", R"({"kind": "wait", "is_compared": true})"));
    EXPECT_EQ(flame["graph"]["nodes"]["before"].get_array().size(),
              flame["graph"]["nodes"]["weight"].get_array().size());
    EXPECT_THAT(std::string(std::string_view(flame["command"])), HasSubstr("--against before.etl"));
}

TEST_F(ViewerService, ComparesWindowsOfBothTraces) {
    const std::string before = file("shifted.etl");
    constexpr std::int64_t day = 864'000'000'000, second = 10'000'000;
    constexpr std::int64_t start = generate::default_start.ticks;
    ASSERT_TRUE(generate_work(before, 50'000, 7, {start + day}));
    Service service(explore(indexed()), {.traces = "work.etl", .against = "before.etl"});
    service.compare_with(explore(before));
    const std::string windows = fmt::format(
        R"("is_compared": true, "selection": {{"from": "{}", "to": "{}"}},
           "before_from": "{}", "before_to": "{}")",
        start + second, start + second + second / 2, start + day + second / 2,
        start + day + second);

    const auto table_in = [&](const std::string& path, const char* from, const char* to) {
        auto traces = dataset::Dataset::open({path}, {.from = from, .to = to});
        return *analysis::table_of(traces, *analysis::find_table("cpu", "process"), {});
    };
    analysis::Table both =
        analysis::joined(table_in(before, "+0.5s", "+1s"), table_in(plain(), "+1s", "+1.5s"));
    both.sort();
    EXPECT_GT(both.rows.size(), 3U);
    const std::string half =
        fmt::format(R"({{"name": "cpu", "is_compared": true, "before_from": "{}"}})", start + day);
    EXPECT_THAT(error_of(service.answer("table", half)), HasSubstr("or neither"));
    const auto has_part_of = [&](std::int64_t from, std::int64_t to) {
        return service
            .answer("table", fmt::format(R"({{"name": "cpu", "is_compared": true,
                                              "selection": {{"from": "{0}", "to": "{1}"}},
                                              "before_from": "{2}", "before_to": "{3}"}})",
                                         start + second, start + 2 * second, from, to))
            .body;
    };
    constexpr std::string_view part = "the trace before has only a part of the window";
    EXPECT_THAT(has_part_of(start + day - second, start + day + second), HasSubstr(part));
    EXPECT_THAT(has_part_of(start + day, start + day + second), Not(HasSubstr(part)));
    const std::string asked =
        R"({"name": "cpu", "by": "process", "slices": 60, "per_kind": 9, )" + windows + "}";
    EXPECT_EQ(service.answer("export", asked).body,
              rows::text_of({.table = &both, .rows = both.rows.size()}, rows::Format::csv));
    constexpr std::string_view times =
        "--from 2024-05-17T04:00:01.0000000Z --to 2024-05-17T04:00:01.5000000Z "
        "--before-from 2024-05-18T04:00:00.5000000Z --before-to 2024-05-18T04:00:01.0000000Z";
    EXPECT_EQ(std::string_view(json(service.answer("table", asked))["command"]),
              fmt::format("etl diff --table cpu --by process {} before.etl work.etl", times));
    const auto flame = json(service.answer("flame", R"({"kind": "wait", )" + windows + "}"));
    EXPECT_THAT(std::string(std::string_view(flame["command"])),
                HasSubstr(fmt::format("{} --against before.etl", times)));
    const std::string alone = fmt::format(
        R"({{"kind": "wait", "is_about_before": true, "selection": {{"from": "{}", "to": "{}"}}}})",
        start + day + second / 2, start + day + second);
    const auto sum_of = [](const simdjson::dom::element& answer, std::string_view column) {
        std::uint64_t sum = 0;
        for (const std::uint64_t weight : answer["graph"]["nodes"][column].get_array()) {
            sum += weight;
        }
        return sum;
    };
    const std::uint64_t weight_before = sum_of(flame, "before");
    EXPECT_GT(weight_before, 0U);
    EXPECT_EQ(weight_before, sum_of(json(service.answer("flame", alone)), "weight"));
}

TEST_F(ViewerService, AnswersAboutTheTraceBefore) {
    const std::string before = file("alone.etl");
    constexpr std::int64_t day = 864'000'000'000;
    ASSERT_TRUE(generate_work(before, 5'000, 7, {generate::default_start.ticks + day}));
    Service service(explore(indexed()), {.traces = "work.etl", .against = "before.etl"});
    EXPECT_TRUE(json(service.answer("open", "{}"))["against_begin"].is_null());
    EXPECT_THAT(error_of(service.answer("tracks", R"({"is_about_before": true})")),
                HasSubstr("--against"));
    service.compare_with(explore(before));
    Service alone(explore(before), {.traces = "before.etl"});
    for (const char* const name : {"overview", "tracks", "lod", "table", "events", "search"}) {
        const std::string asked = R"("name": "cpu", "count": 5, "columns": 20, "text": "kettle")";
        const Reply reply = service.answer(name, R"({"is_about_before": true, )" + asked + "}");
        ASSERT_EQ(reply.status, Status::ok) << reply.body;
        EXPECT_EQ(reply.body, alone.answer(name, "{" + asked + "}").body) << name;
        EXPECT_NE(reply.body, service.answer(name, "{" + asked + "}").body) << name;
    }
    const auto opened = json(service.answer("open", "{}"));
    EXPECT_EQ(std::string_view(opened["against_begin"]),
              std::to_string(generate::default_start.ticks + day));
    EXPECT_GT(std::string_view(opened["against_end"]), std::string_view(opened["against_begin"]));
    EXPECT_EQ(
        service.answer("table", R"({"name": "cpu", "is_compared": true, "is_about_before": true})")
            .status,
        Status::wrong);
}

TEST_F(ViewerService, ComparesFlameGraphsOfOneMachineOnly) {
    constexpr std::string_view asked = R"({"kind": "cpu", "is_compared": true})";
    const auto open = [](std::vector<std::string> names) {
        std::ranges::transform(names, names.begin(), explore::corpus);
        return *explore::Explorer::open(names);
    };
    // That it was relogged does not say that its events are of several machines.
    Service one(open({"good/compressed-xpress.etl"}), {.traces = "one"});
    one.compare_with(open({"good/clock-set-back.etl"}));
    EXPECT_EQ(one.answer("flame", asked).status, Status::ok) << one.answer("flame", asked).body;
    Service two(open({"good/process-activity.etl", "good/kernel-events-64.etl"}),
                {.traces = "two"});
    two.compare_with(open({"good/clock-set-back.etl"}));
    EXPECT_THAT(error_of(two.answer("flame", asked)), HasSubstr("several machines"));
    EXPECT_THAT(error_of(two.answer("table", R"({"name": "cpu", "is_compared": true})")),
                HasSubstr("several machines"));
}

TEST_F(ViewerService, ListsPacketsAndFlows) {
    generate::Recipe recipe;
    recipe.contents = generate::Contents::capture;
    recipe.events = 2'000;
    const std::string capture = file("capture.etl");
    ASSERT_TRUE(generate_trace(capture, recipe));
    const auto service = serve(capture);
    for (const std::string name : {"packets", "flows"}) {
        auto traces = dataset::Dataset::open({capture}, {.where = "cpu == 0"});
        auto table = name == "packets" ? packets::packets_of(traces) : packets::flows_of(traces);
        ASSERT_TRUE(table);
        EXPECT_GT(table->rows.size(), 10U);
        const std::string asked =
            R"({"name": ")" + name + R"(", "selection": {"where": "cpu == 0"}})";
        EXPECT_EQ(service->answer("export", asked).body,
                  rows::text_of({.table = &*table, .rows = table->rows.size()}, rows::Format::csv));
        const auto answer = json(service->answer("table", asked));
        EXPECT_EQ(std::string_view(answer["command"]),
                  "etl " + name + " --where 'cpu == 0' --schema x.man work.etl");
        EXPECT_EQ(std::uint64_t(answer["row_count"]), table->rows.size());
    }
    EXPECT_EQ(service->answer("table", R"({"name": "packets", "by": "teapot"})").status,
              Status::not_found);
    EXPECT_EQ(service->answer("table", R"({"name": "flows", "sort": "teapot"})").status,
              Status::not_found);
}

TEST_F(ViewerService, RefusesWhatIsWrong) {
    const auto service = serve(plain());
    const auto status = [&](std::string_view name, std::string_view body) {
        return service->answer(name, body).status;
    };
    EXPECT_EQ(status("table", "{"), Status::wrong);
    EXPECT_EQ(status("nothing", "{}"), Status::not_found);
    EXPECT_EQ(status("table", R"({"name": "no such table"})"), Status::not_found);
    EXPECT_EQ(status("table", R"({"name": "cpu", "count": 100001})"), Status::wrong);
    EXPECT_EQ(status("lod", R"({"columns": 0})"), Status::wrong);
    EXPECT_EQ(status("event", R"({"buffer": 999999})"), Status::not_found);
    const Reply where = service->answer("events", R"({"selection": {"where": "level <"}})");
    EXPECT_EQ(where.status, Status::wrong);
    EXPECT_THAT(error_of(where), HasSubstr("level <"));
}

TEST_F(ViewerService, ShowsEventsAndOneOfThem) {
    const auto service = serve(indexed());
    const auto page = json(service->answer("events", R"({"first": 20000, "count": 3})"));
    EXPECT_EQ(page["rows"].get_array().size(), 3U);
    EXPECT_EQ(std::uint64_t(page["rows"].at(0).at(0)), 20'000U);
    EXPECT_EQ(std::uint64_t(page["next_row"]), 20'003U);
    const std::uint64_t buffer = page["rows"].at(1).at(11), offset = page["rows"].at(1).at(12);
    const std::string time{std::string_view(page["rows"].at(1).at(1))};
    const auto event =
        json(service->answer("event", R"({"input": 1, "buffer": )" + std::to_string(buffer) +
                                          R"(, "offset": )" + std::to_string(offset) + "}"));
    EXPECT_EQ(std::string_view(event["event"]["time"]), time);
    EXPECT_GT(event["fields"].get_array().size(), 0U);
    const std::string_view payload = event["payload"];
    EXPECT_EQ(payload.size() % 2, 0U);
    const std::string_view command = event["command"];
    EXPECT_THAT(std::string(command), StartsWith("etl dump --enrich --raw --symbols dir"));
}

TEST_F(ViewerService, FindsTheRowsOfASearch) {
    const auto service = serve(indexed());
    const auto found = json(service->answer("search", R"({"text": "CSwitch", "count": 2})"));
    ASSERT_EQ(found["rows"].get_array().size(), 2U);
    EXPECT_THAT(std::string(std::string_view(found["rows"].at(0).at(7))), HasSubstr("CSwitch"));
    EXPECT_THAT(std::string(std::string_view(found["command"])), HasSubstr("--where"));
}

/// How long a processor was not idle from +1s to +2s.
double running_on(std::uint64_t processor, const std::string& path) {
    auto traces = dataset::Dataset::open({path}, {.where = "", .from = "+1s", .to = "+2s"});
    const auto table = analysis::table_of(traces, *analysis::find_table("cpu", "processor"), {});
    EXPECT_TRUE(table);
    const auto column = table->find("running_ns");
    EXPECT_TRUE(column);
    for (const analysis::Row& row : table->rows) {
        if (row.cells.front() == analysis::Cell(processor)) {
            return static_cast<double>(std::get<std::uint64_t>(row.cells[*column]));
        }
    }
    return -1.0;
}

/// The parts of a picture.
struct Parsed {
    std::string header;
    std::vector<std::uint32_t> track, bin, bins, state;
    std::vector<float> share, count;
    std::vector<double> bytes;
};

template <typename T>
void read(std::string_view from, std::size_t& at, std::size_t count, std::vector<T>& to) {
    at = (at + 7) / 8 * 8;
    ASSERT_LE(at + count * sizeof(T), from.size());
    to.resize(count);
    std::memcpy(to.data(), from.data() + at, count * sizeof(T));
    at += count * sizeof(T);
}

Parsed parse(std::string_view bytes) {
    std::array<std::uint32_t, 4> head{};
    EXPECT_GE(bytes.size(), sizeof head);
    std::memcpy(head.data(), bytes.data(), sizeof head);
    EXPECT_EQ(head[0], picture_magic);
    EXPECT_EQ(head[1], picture_version);
    Parsed parsed{.header = std::string(bytes.substr(sizeof head, head[2]))};
    std::size_t at = sizeof head + head[2];
    EXPECT_EQ(at % 8, 0U);
    read(bytes, at, head[3], parsed.track);
    read(bytes, at, head[3], parsed.bin);
    read(bytes, at, head[3], parsed.bins);
    read(bytes, at, head[3], parsed.state);
    read(bytes, at, head[3], parsed.share);
    read(bytes, at, head[3], parsed.count);
    read(bytes, at, head[3], parsed.bytes);
    EXPECT_EQ((at + 7) / 8 * 8, bytes.size());
    return parsed;
}

TEST_F(ViewerService, PicturesAddUpToTheTable) {
    const auto service = serve(indexed());
    const Reply reply = service->answer("lod", R"({"kinds": ["processor"], "columns": 50,
                                   "selection": {"from": "+1s", "to": "+2s"}})");
    ASSERT_EQ(reply.status, Status::ok) << reply.body;
    const Parsed picture = parse(reply.body);
    simdjson::dom::parser parser;
    const simdjson::dom::element header = parser.parse(picture.header);
    ASSERT_EQ(header["tracks"].get_array().size(), 4U);
    EXPECT_TRUE(bool(header["is_exact"]));
    const double bin_ns = header["bin_ns"];
    const std::uint64_t bins = header["bins"];
    EXPECT_GE(bins, 50U);
    EXPECT_LE(bins, 101U);
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> records;
    std::map<std::uint32_t, double> shown;
    for (std::size_t i = 0; i < picture.track.size(); ++i) {
        ASSERT_LT(picture.bin[i] + picture.bins[i] - 1, bins);
        ASSERT_LT(picture.state[i], header["states"].get_array().size());
        for (std::uint32_t bin = 0; bin < picture.bins[i]; ++bin) {
            EXPECT_LE(++records[std::pair(picture.track[i], picture.bin[i] + bin)], 2);
        }
        shown[picture.track[i]] += picture.share[i] * bin_ns * picture.bins[i];
    }
    for (const auto& [track, nanoseconds] : shown) {
        EXPECT_NEAR(nanoseconds, running_on(track, plain()), 1e6) << track;
    }
}

TEST_F(ViewerService, PicturesHaveTheTracksThatAreAskedFor) {
    const auto service = serve(indexed());
    const auto tracks = json(service->answer("tracks", R"({"kinds": ["thread"]})"));
    ASSERT_GT(tracks["tracks"].get_array().size(), 2U);
    const std::string one = simdjson::minify(tracks["tracks"].at(1));
    EXPECT_GT(std::uint64_t(tracks["tracks"].at(1)["busy_ns"]), 0U);
    const Reply reply =
        service->answer("lod", R"({"kinds": ["thread"], "columns": 20, "tracks": [)" + one + "]}");
    ASSERT_EQ(reply.status, Status::ok) << reply.body;
    const Parsed picture = parse(reply.body);
    simdjson::dom::parser parser;
    const simdjson::dom::element header = parser.parse(picture.header);
    ASSERT_EQ(header["tracks"].get_array().size(), 1U);
    EXPECT_EQ(std::uint64_t(header["tracks"].at(0)["id"]),
              std::uint64_t(tracks["tracks"].at(1)["id"]));
    EXPECT_FALSE(picture.track.empty());
}

TEST_F(ViewerService, SaysThatTracksAreOfSeveralMachines) {
    auto explorer = explore::Explorer::open({explore::corpus("good/process-activity.etl"),
                                             explore::corpus("good/kernel-events-64.etl")});
    ASSERT_TRUE(explorer);
    Service service(*std::move(explorer), {.traces = "two traces"});
    EXPECT_THAT(service.answer("tracks", "{}").body,
                HasSubstr("tracks of 2 machines or boots are shown together"));
    EXPECT_THAT(serve(plain())->answer("tracks", "{}").body,
                testing::Not(HasSubstr("machines or boots")));
}

TEST_F(ViewerService, SaysWhenSomethingChanges) {
    const auto service = serve(plain());
    const std::uint64_t revision = json(service->answer("open", "{}"))["revision"];
    std::string later;
    std::thread waiting([&] {
        later = service->answer("wait", R"({"revision": )" + std::to_string(revision) + "}").body;
    });
    service->show(Progress{"Indexing", 0.25});
    waiting.join();
    EXPECT_THAT(later, HasSubstr(R"("progress":{"what":"Indexing","part":0.2500})"));
    service->show({});
    service->replace(explore(indexed()));
    EXPECT_TRUE(bool(json(service->answer("open", "{}"))["is_indexed"]));
}

TEST_F(ViewerService, SaysThatTheTracesGrow) {
    const auto service = serve(plain());
    EXPECT_TRUE(json(service->answer("open", "{}"))["growth"].is_null());
    service->show_growth({});
    EXPECT_THAT(service->answer("open", "{}").body,
                HasSubstr(R"("growth":{"has_ended":false,"why":""})"));
    const std::uint64_t revision = json(service->answer("open", "{}"))["revision"];
    service->show_growth({.has_ended = true, .why = "The session has ended."});
    EXPECT_THAT(service->answer("wait", R"({"revision": )" + std::to_string(revision) + "}").body,
                HasSubstr(R"("growth":{"has_ended":true,"why":"The session has ended."})"));
}

TEST_F(ViewerService, QuestionsUnderWayKeepTheirTraces) {
    constexpr std::string_view question = R"({"name": "stats", "by": "provider"})";
    std::atomic<bool> is_closed = false, is_waiting = false;
    const auto gate = [&](const flow::Event&) {
        if (is_closed) {
            is_waiting = true;
            is_waiting.notify_all();
            is_closed.wait(true);
        }
        return true;
    };
    Service service(*explore::Explorer::open({plain()}, {.select = gate}), {});
    const std::string expected = service.answer("table", question).body;
    is_closed = true;
    std::string answer;
    std::thread asking([&] { answer = service.answer("table", question).body; });
    is_waiting.wait(false);
    const std::string other = file("other.etl");
    ASSERT_TRUE(generate_work(other, 500));
    service.replace(explore(other));
    EXPECT_NE(service.answer("table", question).body, expected);
    is_closed = false;
    is_closed.notify_all();
    asking.join();
    EXPECT_EQ(answer, expected);
}

TEST_F(ViewerService, RefusesQuestionsBeforeTheTracesAreOpened) {
    Service service(OpenedWith{.traces = "work.etl"});
    service.show(Progress{"Anonymizing", {}});
    const auto opened = json(service.answer("open", "{}"));
    EXPECT_EQ(std::string_view(opened["state"]), "preparing");
    EXPECT_EQ(opened["inputs"].get_array().size(), 0U);
    EXPECT_TRUE(opened["begin"].is_null() && opened["end"].is_null() && opened["events"].is_null());
    EXPECT_EQ(std::uint64_t(opened["bytes"]), 0U);
    for (const std::string_view name : {"overview", "tracks", "lod", "table", "export", "flame",
                                        "events", "search", "event", "follow"}) {
        const Reply reply = service.answer(name, R"({"name": "cpu"})");
        EXPECT_EQ(reply.status, Status::preparing) << name;
        EXPECT_EQ(error_of(reply), "the traces are not opened yet");
    }
    EXPECT_EQ(service.answer("cancel", R"({"question": 3})").body, "{}");
    service.show({});
    service.replace(explore(plain()));
    EXPECT_EQ(std::string_view(json(service.answer("open", "{}"))["state"]), "ready");
    EXPECT_EQ(service.answer("table", R"({"name": "cpu"})").status, Status::ok);
}

TEST_F(ViewerService, HidesTheBytesOfEvents) {
    const auto shown = serve(plain());
    Service hiding(explore(plain()), OpenedWith{.traces = "work.etl", .hides_bytes = true});
    const auto page = json(shown->answer("events", R"({"count": 1})"));
    const std::uint64_t buffer = page["rows"].at(0).at(11), offset = page["rows"].at(0).at(12);
    const std::string place =
        fmt::format(R"({{"input": 1, "buffer": {}, "offset": {}}})", buffer, offset);
    EXPECT_THAT(shown->answer("event", place).body, HasSubstr(R"("payload":)"));
    const auto event = json(hiding.answer("event", place));
    EXPECT_TRUE(event["payload"].error() && event["header"].error());
    EXPECT_FALSE(event["fields"].error());
}

TEST_F(ViewerService, Stops) {
    const auto service = serve(plain());
    service->stop();
    EXPECT_EQ(service->answer("table", R"({"name": "cpu"})").status, Status::stopped);
    EXPECT_EQ(service->answer("cancel", R"({"question": 3})").body, "{}");
}

} // namespace
} // namespace etl::viewer::service_test

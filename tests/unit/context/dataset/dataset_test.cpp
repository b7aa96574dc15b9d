// What a person names, opened as traces. docs/decisions/0035-dataset.md
#include "base/text.hpp"
#include "dataset/dataset.hpp"
#include "dataset/inputs.hpp"
#include "tests/support/eventlogs/event_samples.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/reading.hpp"
#include "tests/support/traces/shop_trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace etl::dataset_test {
namespace {

using namespace test;
using dataset::Dataset;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string damaged = test::source_dir() + "/corpus/damaged/bad-record.etl";

std::vector<Seen> read_all(flow::Source& source) {
    std::vector<Seen> events;
    for (flow::Run run = source.next_run(); !run.empty(); run = source.next_run()) {
        std::ranges::transform(run, std::back_inserter(events), seen);
    }
    return events;
}

std::vector<Seen> events_of(Dataset& traces, const dataset::Window& window = {}) {
    auto events = traces.events(window);
    EXPECT_TRUE(events);
    return events ? read_all(events->source()) : std::vector<Seen>();
}

class Datasets : public testing::Test {
protected:
    std::string write_log(const std::string& name) const {
        SampleLog log;
        SampleEvent event;
        EXPECT_TRUE(log.add(event.text("What", u"tea").event()));
        const std::vector<std::byte> bytes = log.finish();
        std::ofstream(folder_.file(name), std::ios::binary)
            .write(as_text(bytes).data(), static_cast<std::streamsize>(bytes.size()));
        return folder_.file(name);
    }

    std::string sales(const std::string& name, int count, std::int64_t first = opening_time) const {
        return write_sales(folder_.file(name), count, name, first);
    }

    ShopFolder folder_;
};

TEST_F(Datasets, NumberTheInputsThatAreTraces) {
    std::ofstream(folder_.file("notes.txt")) << "not a trace";
    auto traces =
        Dataset::open({sales("a.etl", 2), folder_.file("notes.txt"), folder_.file("missing.etl"),
                       write_log("c.evtx"), sales("d.etl", 1)});
    ASSERT_EQ(traces.inputs().size(), 3U);
    EXPECT_EQ(traces.inputs()[1].name(), folder_.file("c.evtx"));
    EXPECT_FALSE(traces.inputs()[0].is_event_log());
    EXPECT_TRUE(traces.inputs()[1].is_event_log());
    for (std::uint32_t number = 0; number < 3; ++number) {
        EXPECT_EQ(traces.infos()[number]->file, number);
        EXPECT_EQ(traces.infos()[number]->name, traces.inputs()[number].name());
    }
    std::vector<std::string> names;
    for (const auto& problem : traces.problems()) {
        names.push_back(problem.name);
    }
    EXPECT_THAT(names, ElementsAre(folder_.file("missing.etl"), folder_.file("notes.txt")));
    EXPECT_EQ(events_of(traces).size(), 3 + 1 + 2U); // with the headers, but not that of the log
}

TEST_F(Datasets, AreEmptyIfNothingIsATrace) {
    const auto traces = Dataset::open({folder_.file("missing.etl")});
    EXPECT_TRUE(traces.is_empty());
    EXPECT_EQ(traces.problems().size(), 1U);
}

TEST_F(Datasets, NameTheInputOfEachFinding) {
    std::vector<std::string> found;
    auto traces = Dataset::open(
        {sales("a.etl", 2), damaged},
        {.findings = [&](const Diagnostic&, const std::string& input) { found.push_back(input); }});
    const std::vector<Seen> events = events_of(traces);
    EXPECT_THAT(found, testing::Each(damaged));
    EXPECT_FALSE(found.empty());
    found.clear();
    auto again = traces.again({}, {});
    ASSERT_TRUE(again);
    EXPECT_EQ(events_of(*again), events);
    EXPECT_THAT(found, IsEmpty());
}

TEST_F(Datasets, TellNobodyOnceTheyAreSilent) {
    std::size_t told = 0;
    auto traces = Dataset::open({damaged}, {.problems = [&](const auto&) { ++told; },
                                            .findings = [&](const auto&, const auto&) { ++told; },
                                            .remarks = [&](const auto&) { ++told; }});
    traces.silence();
    told = 0;
    EXPECT_FALSE(events_of(traces).empty());
    traces.report_truncation();
    EXPECT_EQ(told, 0U);
    EXPECT_FALSE(traces.options().findings);
}

TEST_F(Datasets, FindTheContextOnce) {
    auto traces = Dataset::open({sales("a.etl", 2), sales("b.etl", 2)});
    const auto first = traces.context({.schemas = gather::SchemaScope::everything,
                                       .facts = facts::Scope::everything,
                                       .origins = true});
    ASSERT_TRUE(first);
    EXPECT_NE(first->schemas.store_for(1), nullptr);
    EXPECT_NE(first->facts->number_of(1), facts::FactsByTrace::none);
    ASSERT_NE(first->origins, nullptr);
    auto again = traces.again({}, {});
    ASSERT_TRUE(again);
    const auto second = again->context(
        {.schemas = gather::SchemaScope::facts, .facts = facts::Scope::processes, .origins = true});
    ASSERT_TRUE(second);
    EXPECT_EQ(second->schemas.store_for(1), first->schemas.store_for(1));
    EXPECT_EQ(second->facts, first->facts);
    EXPECT_EQ(second->origins, first->origins);
}

TEST_F(Datasets, AreOpenedAgainForOtherEvents) {
    auto traces = Dataset::open({sales("a.etl", 20)}, {.from = "+2s"});
    dataset::Options options = traces.options();
    options.from = "+5s";
    options.to = "+8s";
    auto again = traces.again(options);
    ASSERT_TRUE(again);
    EXPECT_EQ(events_of(*again, {.time = again->filters()->window}).size(), 3U);
    EXPECT_EQ(traces.options().from, "+2s");
    ASSERT_TRUE(again->context({.schemas = gather::SchemaScope::everything}));
    EXPECT_FALSE(traces.known().needs.schemas);
    traces.recall(again->known());
    EXPECT_EQ(traces.known().needs.schemas, gather::SchemaScope::everything);
    EXPECT_EQ(traces.context({.schemas = gather::SchemaScope::facts})->schemas.store_for(0),
              again->known().context.schemas.store_for(0));
}

TEST_F(Datasets, EndEarlyIfTheyAreStopped) {
    Stop stop;
    auto traces = Dataset::open({sales("a.etl", 20)}, {.stop = &stop});
    stop.request();
    EXPECT_TRUE(events_of(traces).empty());
    auto again = traces.again({}, {});
    ASSERT_TRUE(again);
    EXPECT_TRUE(events_of(*again).empty());
}

TEST_F(Datasets, RejectSchemaFilesThatCannotBeUsed) {
    auto traces = Dataset::open({sales("a.etl", 2)}, {.schemas = {folder_.file("missing.man")}});
    const auto context = traces.context({.schemas = gather::SchemaScope::everything});
    ASSERT_FALSE(context);
    EXPECT_EQ(context.error().about, folder_.file("missing.man"));
}

TEST_F(Datasets, ReadTheSameWindowWithAndWithoutIndexes) {
    const std::vector<std::string> paths{sales("a.etl", 60),
                                         sales("b.etl", 60, opening_time + 500'000)};
    const dataset::Options options{.from = "+10s", .to = "+20s", .uses_indexes = true};
    auto whole = Dataset::open(paths, options);
    auto indexed = Dataset::open(paths, options);
    EXPECT_FALSE(whole.is_indexed());
    indexed.complete_indexes();
    EXPECT_TRUE(indexed.is_indexed());
    const auto filters = whole.filters();
    ASSERT_TRUE(filters);
    const std::vector<Seen> events = events_of(whole, {.time = filters->window});
    EXPECT_EQ(events.size(), 20U);
    EXPECT_EQ(events_of(indexed, {.time = filters->window}), events);
    std::vector<Seen> of_parts;
    for (const std::uint32_t number : {1U, 2U, 3U}) {
        std::ranges::move(
            events_of(indexed, {.time = filters->window, .part = {.number = number, .count = 3}}),
            std::back_inserter(of_parts));
    }
    EXPECT_EQ(of_parts, events);
}

TEST_F(Datasets, SayWhatIsWrongInLines) {
    dataset::Messages messages;
    dataset::Options options{.threads = 1};
    messages.receive_from(options);
    auto traces = Dataset::open({damaged, folder_.file("none.etl")}, options);
    EXPECT_FALSE(events_of(traces).empty());
    messages.add("two traces");
    EXPECT_GT(messages.findings(), 0U);
    const std::vector<std::string> lines = messages.take();
    ASSERT_EQ(lines.size(), 2 + messages.findings());
    EXPECT_THAT(lines[0], HasSubstr("none.etl: not found"));
    EXPECT_EQ(lines[1], "two traces");
    EXPECT_THAT(lines[2], testing::StartsWith(damaged + ":0x"));

    dataset::Messages many;
    for (int i = 0; i < 1500; ++i) {
        many.add(Diagnostic{}, "x.etl");
    }
    EXPECT_EQ(many.take().back(), "500 more findings");
}

TEST_F(Datasets, CompileTheirFilters) {
    const std::string path = sales("a.etl", 3);
    const auto error_of = [&](dataset::Options options) {
        const auto filters = Dataset::open({path}, std::move(options)).filters();
        return filters ? "" : filters.error().about + ": " + filters.error().detail;
    };
    EXPECT_EQ(error_of({.where = "level == 4", .from = "+1s"}), "");
    EXPECT_THAT(error_of({.where = "level =="}), testing::StartsWith("where: "));
    EXPECT_THAT(error_of({.from = "noon"}), HasSubstr("from: 'noon' is not a time"));
    EXPECT_THAT(error_of({.to = "noon"}), HasSubstr("to: 'noon' is not a time"));
}

} // namespace
} // namespace etl::dataset_test

#include "format/known_guids.hpp"
#include "gather/facts.hpp"
#include "gather/schemas.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/traces/shop_trace.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"
#include "trace/inputs.hpp"
#include "trace/recording.hpp"
#include "trace/writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace etl::gather_test {
namespace {

using namespace literals;

using gather::Remark;
using test::ShopFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Guid shop_guid = "7e57ab1e-0000-4000-8000-00000000cafe"_guid;

/// Of event 3.
constexpr std::string_view manifest =
    R"(<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events">)"
    R"(<instrumentation><events><provider name="Tea" symbol="S")"
    R"( guid="{7e57ab1e-0000-4000-8000-00000000cafe}" resourceFileName="s" messageFileName="s">)"
    R"(<events><event value="3" version="0"/></events>)"
    R"(</provider></events></instrumentation></instrumentationManifest>)";

/// A trace with manifests of an EventSource, some of which cannot be parsed.
std::string write_manifests(const std::string& path, int bad, bool good) {
    return test::write_trace(path, [&](const provider::Provider&, trace::Writer& writer) {
        const auto add = [&](std::string_view text, const Guid& guid) {
            for (const auto& chunk : test::manifest_chunks(text)) {
                EXPECT_TRUE(writer.add(format::EventRecord{
                    .time = test::opening_time,
                    .provider = guid,
                    .descriptor = {.id = 0xFFFE, .version = 1, .opcode = 0xFE, .task = 0xFFFE},
                    .payload = chunk}));
            }
        };
        for (int i = 0; i < bad; ++i) {
            Guid guid = shop_guid;
            guid.bytes[0] = static_cast<std::byte>(i);
            add("not XML", guid);
        }
        if (good) {
            add(manifest, shop_guid);
        }
    });
}

std::vector<std::unique_ptr<trace::Reader>> open(const std::vector<std::string>& paths) {
    std::vector<std::unique_ptr<trace::Reader>> readers;
    for (const std::string& path : paths) {
        auto reader = trace::Reader::open(*trace::open_input(path),
                                          {.file = static_cast<std::uint32_t>(readers.size())});
        EXPECT_TRUE(reader) << path;
        readers.push_back(std::move(*reader));
    }
    return readers;
}

class Gathering : public testing::Test {
protected:
    auto schemas_of(const std::vector<std::string>& traces, gather::SchemaOptions options = {}) {
        readers_ = open(traces);
        return gather::schemas_of(readers_, options, remarks_);
    }

    struct Lines {
        void operator()(const Remark& remark) { list.push_back(describe(remark)); }

        std::vector<std::string> list;
    } remarks_;

    ShopFolder folder_;
    std::vector<std::unique_ptr<trace::Reader>> readers_;
};

TEST(Remarks, AreOneLine) {
    using Severity = Remark::Severity;
    EXPECT_EQ(describe(Remark{Severity::warning, "a.man", 3, 7, "cut"}), "warning: a.man:3:7: cut");
    EXPECT_EQ(describe(Remark{Severity::note, "a.man", 3, 0, "cut"}), "note: a.man:3: cut");
    EXPECT_EQ(describe(Remark{Severity::rejection, "", 0, 0, "2 more"}), "2 more");
}

TEST_F(Gathering, SchemasThatATraceCarriesServeThatTraceAlone) {
    const std::string with = write_manifests(folder_.file("with.etl"), 0, true);
    const std::string without = test::write_sales(folder_.file("without.etl"), 1, "tea");
    const auto schemas = schemas_of({without, with});
    ASSERT_TRUE(schemas);
    EXPECT_EQ(schemas->by_trace.store_for(1)->find({shop_guid, 3, 0}).candidates.size(), 1U);
    EXPECT_THAT(schemas->by_trace.store_for(0)->find({shop_guid, 3, 0}).candidates, IsEmpty());
    EXPECT_THAT(remarks_.list, IsEmpty());
}

TEST_F(Gathering, ATraceAmongThePathsServesAll) {
    const std::string with = write_manifests(folder_.file("with.etl"), 0, true);
    const std::string without = test::write_sales(folder_.file("without.etl"), 1, "tea");
    const auto schemas = schemas_of({without}, {.paths = {with, without}});
    ASSERT_TRUE(schemas);
    EXPECT_EQ(schemas->by_trace.store_for(0)->find({shop_guid, 3, 0}).candidates.size(), 1U);
    EXPECT_THAT(remarks_.list, ElementsAre("note: " + without + ": carries no schemas"));
}

TEST_F(Gathering, WithoutHarvestNothingThatATraceCarriesCounts) {
    const std::string with = write_manifests(folder_.file("with.etl"), 0, true);
    const auto schemas = schemas_of({with}, {.scope = gather::SchemaScope::files});
    ASSERT_TRUE(schemas);
    EXPECT_THAT(schemas->by_trace.store_for(0)->find({shop_guid, 3, 0}).candidates, IsEmpty());
}

TEST_F(Gathering, ForFactsOnlyTheFilesOfTheirProvidersCount) {
    const std::string trace = test::write_sales(folder_.file("a.etl"), 1, "tea");
    const std::string file = folder_.file("tea.man");
    std::ofstream(file) << manifest;
    const auto all = schemas_of({trace}, {.paths = {file}, .scope = gather::SchemaScope::files});
    const auto some = schemas_of({trace}, {.paths = {file}, .scope = gather::SchemaScope::facts});
    ASSERT_TRUE(all && some);
    const auto of_all = [&](const Guid& guid, std::uint16_t id) {
        return all->by_trace.store_for(0)->find({guid, id, 0}).candidates.size();
    };
    const auto of_some = [&](const Guid& guid, std::uint16_t id) {
        return some->by_trace.store_for(0)->find({guid, id, 0}).candidates.size();
    };
    EXPECT_EQ(of_all(shop_guid, 3), 1U);
    EXPECT_EQ(of_some(shop_guid, 3), 0U);
    for (const Guid& guid : {format::kernel_process_guid, format::dotnet_runtime_guid}) {
        EXPECT_GT(of_some(guid, 1), 0U) << to_string(guid);
        EXPECT_EQ(of_some(guid, 1), of_all(guid, 1)) << to_string(guid);
    }
}

TEST_F(Gathering, ReportsTheFirstRejectionsAndCountsTheRest) {
    const std::string bad = write_manifests(folder_.file("bad.etl"), 13, false);
    ASSERT_TRUE(schemas_of({bad}));
    ASSERT_EQ(remarks_.list.size(), 11U);
    EXPECT_THAT(remarks_.list.front(), HasSubstr("bad.etl: embedded schema rejected: "));
    EXPECT_EQ(remarks_.list.back(), "3 more embedded schemas rejected");
}

TEST_F(Gathering, NamesThePathThatCannotBeUsed) {
    const std::string trace = test::write_sales(folder_.file("a.etl"), 1, "tea");
    const std::string missing = folder_.file("missing.man");
    const auto schemas = schemas_of({trace}, {.paths = {missing}});
    ASSERT_FALSE(schemas);
    EXPECT_EQ(schemas.error().path, missing);
    EXPECT_EQ(schemas.error().error.code, ErrorCode::not_found);
}

TEST_F(Gathering, BoundsSpanAllTraces) {
    constexpr std::int64_t hour = 3600 * Filetime::per_second;
    const std::string first = test::write_sales(folder_.file("a.etl"), 2, "tea");
    const std::string last =
        test::write_sales(folder_.file("b.etl"), 2, "tea", test::opening_time + hour);
    const match::TimeBounds bounds = gather::bounds_of(open({first, last}));
    EXPECT_EQ(bounds.start.ticks, test::opening_time);
    ASSERT_TRUE(bounds.end);
    EXPECT_EQ(bounds.end->ticks, test::opening_time + hour + 2 * Filetime::per_second);
}

TEST_F(Gathering, BoundsOfRelogsAreThoseOfEvents) {
    const auto readers = open({test::source_dir() + "/corpus/good/clock-qpc.etl"});
    const std::string path = folder_.file("relogged.etl");
    auto writer =
        trace::Writer::create(path, {.recording = trace::relogged(readers.front()->info())});
    ASSERT_TRUE(writer);
    ASSERT_TRUE(trace::copy(*readers.front(), **writer));
    ASSERT_TRUE((*writer)->close());
    const auto relogged = open({path});
    const flow::TraceInfo& info = relogged.front()->info();
    const trace::BufferEntry& last = relogged.front()->buffers().back();
    constexpr std::int64_t year = 365 * 24 * 3600 * Filetime::per_second;
    ASSERT_GT(info.clock.to_filetime(last.time_stamp).ticks, info.header.start_time + 100 * year);
    const match::TimeBounds bounds = gather::bounds_of(relogged);
    std::optional<Filetime> newest;
    relogged.front()->for_each_buffer(1, [&](unsigned, const auto&, flow::Run events) {
        for (const flow::Event& event : events) {
            newest = std::max(newest, flow::wall_time(event));
        }
    });
    ASSERT_TRUE(bounds.end && newest);
    EXPECT_EQ(*bounds.end, *newest);
}

TEST_F(Gathering, OriginsNameEachTrace) {
    const std::string first = test::write_sales(folder_.file("a.etl"), 1, "tea");
    const auto readers = open({first, first});
    const auto origins = gather::origins_of(readers, 1);
    ASSERT_EQ(origins->size(), 2U);
    EXPECT_EQ(origins->all()[1].trace, 2U);
    EXPECT_EQ(origins->all()[1].file, first);
}

} // namespace
} // namespace etl::gather_test

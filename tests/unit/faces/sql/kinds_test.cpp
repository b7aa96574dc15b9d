// The kinds of the events of a trace, as tables have them.
#include "format/encode.hpp"
#include "generate/generate.hpp"
#include "sql/kinds.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/indexes.hpp"
#include "tests/support/traces/trace_builder.hpp"
#include "tests/unit/faces/sql/shop_queries.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace etl::sql {

bool operator==(const Kind& a, const Kind& b) {
    return a.name == b.name && a.provider == b.provider && a.event == b.event &&
           a.variants == b.variants && a.fields == b.fields;
}

void PrintTo(const Kind& kind, std::ostream* to) {
    *to << kind.name;
}

namespace kinds_test {
namespace {

class KindsOfTraces : public test::ShopQueries {
protected:
    static std::vector<Kind> kinds_of(const std::string& path, bool uses_indexes) {
        auto traces = dataset::Dataset::open({path}, {.threads = 2, .uses_indexes = uses_indexes});
        const auto context = traces.context({.schemas = gather::SchemaScope::everything});
        return find_kinds(traces, context->schemas, 2).list;
    }
};

TEST_F(KindsOfTraces, AreThoseOfTheHeadersAndFields) {
    const std::vector<std::byte> payload(24);
    for (std::uint16_t hook = 0; hook < 0x0600; ++hook) {
        add_record(format::SystemRecord{
            .width = format::Width::bits64, .version = 2, .hook_id = hook, .payload = payload});
    }
    const Inputs inputs = shop().inputs();
    const Kinds kinds = find_kinds(*inputs.traces, inputs.schemas, 2);
    const auto switches = std::ranges::find_if(
        kinds.list, [](const Kind& kind) { return kind.name.ends_with("/CSwitch"); });
    ASSERT_NE(switches, kinds.list.end());
    EXPECT_FALSE(switches->fields.empty());
    EXPECT_EQ(switches->variants.size(), 1U);
}

/// Traces with indexes, in a folder of the test.
class KindsByIndex : public KindsOfTraces {
protected:
    void SetUp() override {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }

    void TearDown() override { std::filesystem::remove_all(folder_); }

    void expect_the_same(const std::string& trace) {
        SCOPED_TRACE(trace);
        const std::vector<Kind> expected = kinds_of(trace, false);
        ASSERT_TRUE(test::write_index(trace, 4));
        EXPECT_EQ(kinds_of(trace, true), expected);
        kinds_ += expected.size();
    }

    std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) /
                                    (std::string("etl-sql-kinds-") +
                                     testing::UnitTest::GetInstance()->current_test_info()->name());
    std::size_t kinds_ = 0;

private:
    test::Environment state_{"XDG_STATE_HOME", (folder_ / "state").string()};
    test::Environment cache_{"XDG_CACHE_HOME", (folder_ / "cache").string()};
};

TEST_F(KindsByIndex, AreTheSame) {
    const std::string path = (folder_ / "work.etl").string();
    generate::Recipe recipe;
    recipe.contents = generate::Contents::workload;
    recipe.events = 60'000;
    auto writer = *trace::Writer::create(path, {.recording = generate::recording_of(recipe)});
    ASSERT_TRUE(generate::write(recipe, *writer) && writer->close());
    expect_the_same(path);
    EXPECT_GT(kinds_, 10U);

    auto traces = dataset::Dataset::open({path}, {.uses_indexes = true});
    std::size_t asked = 0;
    const auto none = traces.buffers_of_kinds(0, [&](const flow::Event&) { return ++asked == 0; });
    ASSERT_TRUE(none);
    EXPECT_EQ(std::ranges::count(*none, true), 0);
    EXPECT_GE(asked, kinds_);
}

/// Of threads, later builds of Windows record a name as well: the size of the payload tells.
TEST_F(KindsByIndex, AreTheSameWherePayloadsDecide) {
    test::TraceBuilder trace;
    constexpr std::size_t without_name = 72;
    std::vector<std::byte> payload(without_name);
    for (const char letter : std::string("Pool\0", 5)) {
        payload.insert(payload.end(), {static_cast<std::byte>(letter), std::byte{0}});
    }
    for (std::size_t i = 0; i < 60; ++i) {
        constexpr std::uint16_t thread_start = 0x0501, context_switch = 0x0524;
        trace.buffer().add(format::SystemRecord{
            .version = 3,
            .hook_id = i % 20 == 10 ? thread_start : context_switch,
            .time = static_cast<std::int64_t>(100 + i),
            .payload = std::span(payload).first(i == 50 ? payload.size() : without_name)});
    }
    const std::string path = (folder_ / "threads.etl").string();
    std::ofstream(path, std::ios::binary) << as_text(trace.build());
    expect_the_same(path);
    const std::vector<Kind> kinds = kinds_of(path, true);
    const auto threads = std::ranges::find_if(
        kinds, [](const Kind& kind) { return kind.name.ends_with("Thread/Start"); });
    ASSERT_NE(threads, kinds.end());
    EXPECT_EQ(threads->fields.back().name, "ThreadName");
}

TEST_F(KindsByIndex, AreTheSameOfTheCorpus) {
    for (const auto& entry :
         std::filesystem::directory_iterator(test::source_dir() + "/corpus/good")) {
        if (entry.path().extension() == ".etl") {
            const auto trace = folder_ / entry.path().filename();
            std::filesystem::copy_file(entry.path(), trace);
            expect_the_same(trace.string());
        }
    }
    EXPECT_GT(kinds_, 200U);
}

} // namespace
} // namespace kinds_test
} // namespace etl::sql

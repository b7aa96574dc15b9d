// TraceOptions::part. docs/parts.md
#include <etl/trace.hpp>

#include "base/text.hpp"
#include "gather/trace_index.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/traces/shop_trace.hpp"
#include "trace/inputs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace etl::part_test {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;

std::string corpus(const std::string& name) {
    return test::source_dir() + "/corpus/" + name;
}

class PartsOfOpenedTraces : public testing::Test {
protected:
    ShopFolder folder_;
};

TEST_F(PartsOfOpenedTraces, AddUpFromParts) {
    const std::vector<std::string> paths{corpus("good/written-sequential.etl"),
                                         corpus("good/disordered.etl"),
                                         write_sales(folder_.file("a.etl"), 50, "tea")};
    const auto json_of = [&](const TraceOptions& options) {
        std::vector<std::string> lines;
        auto trace = Trace::open_all(paths, options);
        EXPECT_TRUE(trace);
        for (const Event& event : *trace) {
            lines.push_back(event.json());
        }
        EXPECT_EQ(trace->error(), nullptr);
        return lines;
    };
    for (TraceOptions options : {TraceOptions{}, TraceOptions{.where = "level == 4"},
                                 TraceOptions{.from = "+10ms", .to = "+50ms"}}) {
        const std::vector<std::string> all = json_of(options);
        EXPECT_FALSE(all.empty());
        std::vector<std::string> joined;
        std::uint32_t filled = 0;
        for (std::uint32_t number = 1; number <= 4; ++number) {
            options.part = {.number = number, .count = 4};
            const std::vector<std::string> part = json_of(options);
            joined.insert(joined.end(), part.begin(), part.end());
            filled += part.empty() ? 0U : 1U;
        }
        EXPECT_EQ(joined, all) << options.where << options.from;
        EXPECT_GT(filled, 1U);
    }
}

/// Writes an index in which no buffer contains schemas.
void write_index_without_schemas(const std::string& path) {
    const auto reader = *trace::Reader::open(*trace::open_input(path));
    trace::TraceIndex index = gather::index_of(*reader, 1).index;
    for (trace::IndexedBuffer& buffer : index.buffers) {
        buffer.has_schemas = false;
    }
    const trace::IndexKey key = *gather::index_key_or_new();
    const auto bytes =
        encode(index, trace::identity_of(reader->info(), reader->buffers(), key), key);
    std::ofstream(gather::index_path(path), std::ios::binary) << as_text(bytes);
}

TEST_F(PartsOfOpenedTraces, ReadPartsByTheirIndex) {
    const test::Environment state("XDG_STATE_HOME", folder_.file("state"));
    const std::string path = folder_.file("a.etl");
    std::filesystem::copy_file(corpus("good/first-steps.etl"), path);
    const auto decoded = [&] {
        auto trace = Trace::open(path, {.part = {.number = 1, .count = 2}});
        EXPECT_TRUE(trace);
        std::vector<bool> list;
        for (const Event& event : *trace) {
            list.push_back(event.is_decoded());
        }
        return std::pair(std::ranges::count(list, true), trace->remarks());
    };
    const auto all = decoded().first;
    write_index_without_schemas(path);
    EXPECT_LT(decoded().first, all);
    std::ofstream(gather::index_path(path), std::ios::app) << "x";
    const auto [count, remarks] = decoded();
    EXPECT_EQ(count, all);
    EXPECT_THAT(remarks, ElementsAre(HasSubstr("a.etl.index: ignored: malformed")));
}

TEST_F(PartsOfOpenedTraces, HavePartsInTheOrderOfTime) {
    const std::string path = write_sales(folder_.file("a.etl"), 2, "tea");
    for (const TracePart part :
         {TracePart{.number = 0, .count = 2}, TracePart{.number = 3, .count = 2},
          TracePart{.number = 1, .count = 0}, TracePart{.number = 1, .count = 1'000'001}}) {
        const auto trace = Trace::open(path, {.part = part});
        ASSERT_FALSE(trace);
        EXPECT_EQ(trace.error().code, ErrorCode::invalid_option);
        EXPECT_THAT(describe(trace.error()), HasSubstr("is not a part"));
    }
    const auto by_file =
        Trace::open(path, {.order = EventOrder::file, .part = {.number = 1, .count = 2}});
    ASSERT_FALSE(by_file);
    EXPECT_EQ(by_file.error().about, "part");
    auto part = Trace::open(path, {.part = {.number = 1, .count = 2}});
    ASSERT_TRUE(part);
    EXPECT_EQ(part->save(folder_.file("b.etl")).error().code, ErrorCode::unsupported);
}

} // namespace
} // namespace etl::part_test

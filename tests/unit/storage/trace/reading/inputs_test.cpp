#include "io/input_file.hpp"
#include "tests/support/traces/trace_builder.hpp"
#include "trace/inputs.hpp"
#include "trace/reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace etl::trace::inputs_test {
namespace {

using test::Image;

class InputsTest : public testing::Test {
protected:
    void SetUp() override {
        folder_ =
            std::filesystem::temp_directory_path() / ("etl-inputs-" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder_ / "below");
    }

    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string put(const std::string& name, const Image& image) {
        const auto path = folder_ / name;
        std::ofstream out(path, std::ios::binary);
        for (const std::byte byte : image) {
            out.put(static_cast<char>(byte));
        }
        return path.string();
    }

    std::filesystem::path folder_;
    Image trace_ = test::TraceBuilder().build();
};

TEST(TraceName, IsToldByItsEnding) {
    for (const char* name : {"x.etl", "X.ETL", "x.etl.001", "x.etl.zst", "x.etl.gz", "x.etlgz"}) {
        EXPECT_TRUE(is_trace_name(name)) << name;
    }
    for (const char* name : {"x.txt", "etl", "x.etlx", "x.etl.txt", "petl", "x.xml", ""}) {
        EXPECT_FALSE(is_trace_name(name)) << name;
    }
}

TEST(LooksLikeTrace, KnowsEveryWriterAndWidth) {
    for (const auto lineage : {Lineage::windows7, Lineage::session, Lineage::relogger}) {
        for (const unsigned width : {4U, 8U}) {
            test::TraceFacts facts;
            facts.lineage = lineage;
            facts.pointer_size = width;
            EXPECT_TRUE(looks_like_trace(test::TraceBuilder(facts).build()));
        }
    }
}

TEST(LooksLikeTrace, RefusesOtherFilesAndFewBytes) {
    EXPECT_FALSE(looks_like_trace({}));
    EXPECT_FALSE(looks_like_trace(Image(4096)));
    EXPECT_FALSE(looks_like_trace(Image(4096, std::byte{0xFF})));
    const Image trace = test::TraceBuilder().build();
    EXPECT_FALSE(looks_like_trace(Bytes(trace).first(0x4F)));
    EXPECT_TRUE(looks_like_trace(Bytes(trace).first(0x50)));
}

TEST_F(InputsTest, OpensWhatTheUserNamesWhateverItsName) {
    const std::string path = put("no-ending", trace_);
    const Inputs inputs = open_inputs({path});
    ASSERT_EQ(inputs.files.size(), 1U);
    EXPECT_EQ(inputs.files[0]->name(), path);
    EXPECT_EQ(inputs.files[0]->bytes().size(), trace_.size());
    EXPECT_TRUE(inputs.problems.empty());
}

TEST_F(InputsTest, TakesOnlyTracesFromAFolderSortedByName) {
    put("b.etl", trace_);
    put("a.etl", trace_);
    put("readme.txt", Image(10));
    put("below/c.etl", trace_);
    const Inputs flat = open_inputs({folder_.string()});
    ASSERT_EQ(flat.files.size(), 2U);
    EXPECT_TRUE(flat.files[0]->name().ends_with("a.etl"));
    EXPECT_EQ(open_inputs({folder_.string()}, {.recursion = io::Recursion::yes}).files.size(), 3U);
}

TEST_F(InputsTest, TellsWhatCouldNotBeOpenedAndGoesOn) {
    const std::string path = put("a.etl", trace_);
    const Inputs inputs = open_inputs({(folder_ / "missing.etl").string(), path});
    EXPECT_EQ(inputs.files.size(), 1U);
    ASSERT_EQ(inputs.problems.size(), 1U);
    EXPECT_EQ(inputs.problems[0].error.code, ErrorCode::not_found);
}

/// Links to one file, more than stay mapped.
class ManyInputs : public InputsTest {
protected:
    void SetUp() override {
        InputsTest::SetUp();
        const std::string first = put("0.etl", trace_);
        for (std::size_t i = 1; i < io::limits::mapped_inputs + 2; ++i) {
            std::filesystem::create_hard_link(first, folder_ / (std::to_string(i) + ".etl"));
        }
        inputs_ = open_inputs({folder_.string()});
    }

    std::vector<std::int64_t> times_of(const io::InputFile& file) const {
        auto reader = Reader::open(std::shared_ptr<const io::InputFile>(&file, [](auto) {}), {});
        std::vector<std::int64_t> times;
        EXPECT_TRUE(reader);
        for (flow::Run run = (*reader)->next_run(); !run.empty(); run = (*reader)->next_run()) {
            std::ranges::transform(run, std::back_inserter(times), &flow::Event::raw_time);
        }
        return times;
    }

    Inputs inputs_;
};

TEST_F(ManyInputs, AreMappedUpToALimitAndOnDemandBeyond) {
    ASSERT_EQ(inputs_.files.size(), io::limits::mapped_inputs + 2);
    EXPECT_EQ(std::ranges::count_if(
                  inputs_.files,
                  [](const auto& file) { return io::FileOnDemand::from(*file) != nullptr; }),
              2);
    const io::InputFile& last = *inputs_.files.back();
    EXPECT_TRUE(last.bytes().empty());
    EXPECT_EQ(last.intact_size(), trace_.size());
}

TEST_F(ManyInputs, AreReadTheSameWhetherMappedOrOnDemand) {
    const auto times = times_of(*inputs_.files.front());
    EXPECT_FALSE(times.empty());
    EXPECT_EQ(times_of(*inputs_.files.back()), times);
}

TEST_F(ManyInputs, OnDemandReportWhatIsGone) {
    DiagnosticList findings;
    auto reader = Reader::open(inputs_.files.back(), {.diagnostics = &findings});
    ASSERT_TRUE(reader);
    std::filesystem::remove(inputs_.files.back()->name());
    EXPECT_TRUE((*reader)->next_run().empty());
    ASSERT_EQ(findings.list().size(), 1U);
    EXPECT_EQ(findings.list()[0].what,
              std::string_view("the file was truncated while it was read"));
    EXPECT_EQ(findings.list()[0].bytes_skipped, trace_.size());
    EXPECT_EQ(Reader::open(inputs_.files.back(), {}).error().code, ErrorCode::not_found);
}

TEST_F(ManyInputs, OnDemandRefuseAnotherFileOfThatName) {
    const std::string path = inputs_.files.back()->name();
    std::filesystem::rename(put("other", trace_), path);
    EXPECT_EQ(inputs_.files.back()->intact_size(), 0U);
    EXPECT_EQ(Reader::open(inputs_.files.back(), {}).error().code, ErrorCode::not_found);
}

} // namespace
} // namespace etl::trace::inputs_test

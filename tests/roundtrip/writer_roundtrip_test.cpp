// What a Writer wrote reads back equal: every mode of file with every compression and container,
// and every real trace that is at hand.
#include "tests/support/folders.hpp"
#include "tests/support/traces/canal_story.hpp"
#include "trace/inputs.hpp"
#include "trace/summary.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace etl::test {
namespace {

namespace fs = std::filesystem;
using trace::FileMode;

/// What the files of a series hold together, in their order.
Streams joined(const io::MemoryFiles& files, const FileShape& shape) {
    Streams streams;
    const bool is_series = shape.options.mode == FileMode::new_file;
    for (std::size_t i = 1; i <= files.files().size(); ++i) {
        std::string name = shape.file_name();
        if (is_series) {
            name.replace(name.find("%d"), 2, std::to_string(i));
        }
        Content content = content_of(files.files().at(name));
        EXPECT_FALSE(content.error);
        EXPECT_EQ(content.damage, 0U);
        const bool is_last = i == files.files().size();
        EXPECT_EQ(content.info.header.end_time != 0, shape.finished || !is_last);
        if (content.info.header.end_time != 0 && shape.options.mode != FileMode::circular) {
            EXPECT_EQ(content.info.header.buffers_written, content.buffers.size());
        }
        for (auto& [processor, records] : content.streams) {
            std::ranges::move(records, std::back_inserter(streams[processor]));
        }
    }
    return streams;
}

class EveryShape : public testing::TestWithParam<FileShape> {};

TEST_P(EveryShape, ReadsBackEqual) {
    for (const unsigned threads : {1U, 3U}) {
        FileShape shape = GetParam();
        shape.options.threads = threads;
        io::MemoryFiles files;
        const Streams told = write_shape(shape, "", files);
        ASSERT_EQ(told.size(), CanalStory::processors);
        Streams found = joined(files, shape);
        if (shape.name.find("wrapped") == std::string::npos &&
            shape.name != "circular-unfinished") {
            EXPECT_TRUE(found == told);
            continue;
        }
        // The end of each processor's records is there.
        std::size_t overwritten = 0;
        for (const auto& [processor, records] : told) {
            const std::size_t kept = found[processor].size();
            ASSERT_GT(kept, 0U);
            ASSERT_LE(kept, records.size());
            overwritten += records.size() - kept;
            EXPECT_TRUE(std::ranges::equal(found[processor],
                                           std::span(records).subspan(records.size() - kept)));
        }
        EXPECT_GT(overwritten, 0U);
    }
}

TEST_P(EveryShape, IsTheSameForAnyNumberOfThreads) {
    FileShape shape = GetParam();
    io::MemoryFiles alone;
    write_shape(shape, "", alone);
    shape.options.threads = 3;
    io::MemoryFiles together;
    write_shape(shape, "", together);
    EXPECT_TRUE(alone.files() == together.files());
}

TEST_P(EveryShape, HasNoFindings) {
    io::MemoryFiles files;
    write_shape(GetParam(), "", files);
    for (const auto& [name, image] : files.files()) {
        SCOPED_TRACE(name);
        DiagnosticList findings;
        auto reader = trace::Reader::open(in_memory(image), {.diagnostics = &findings});
        ASSERT_TRUE(reader);
        trace::check(**reader, findings);
        for (const Diagnostic& finding : findings.list()) {
            EXPECT_EQ(finding.severity, Severity::note) << describe(finding);
            EXPECT_FALSE(GetParam().finished) << describe(finding);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Files, EveryShape, testing::ValuesIn(file_shapes()),
                         [](const testing::TestParamInfo<FileShape>& shape) {
                             std::string name = shape.param.name;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

/// Writes the records of a trace anew; the header buffer's are in the recording.
Result<void> copy(const Content& content, const std::string& path, trace::LogFileOptions options,
                  io::FileFactory& files) {
    trace::Recording recording;
    recording.header = content.info.header;
    recording.header_pointer_size = content.info.header_pointer_size;
    recording.reference_time = content.info.reference_time;
    recording.lineage = trace::Lineage::relogger;
    options.buffer_size = content.info.header.buffer_size;
    auto writer = trace::Writer::create(
        path, {.file = options, .recording = std::move(recording), .files = &files});
    if (!writer) {
        return std::unexpected(writer.error());
    }
    for (const auto& [processor, records] : content.streams) {
        for (const Image& record : records) {
            if (auto added = (*writer)->add(processor, record); !added) {
                return added;
            }
        }
    }
    return (*writer)->close();
}

TEST(RealTraces, ReadBackEqualInEveryPacking) {
    if (!fs::is_directory(test::shared_corpus())) {
        GTEST_SKIP() << "no folder of real traces beside the project";
    }
    int copied = 0;
    const auto inputs =
        trace::open_inputs({test::shared_corpus()}, {.recursion = io::Recursion::yes});
    for (const auto& input : inputs.files) {
        SCOPED_TRACE(input->name());
        const Content original = content_of(input);
        if (original.error || original.streams.empty()) {
            continue; // named .etl, and no trace; or nothing but a header
        }
        for (const FileShape& shape : file_shapes()) {
            if (!shape.name.starts_with("sequential")) {
                continue;
            }
            SCOPED_TRACE(shape.name);
            io::MemoryFiles files;
            const auto written = copy(original, "t.etl", shape.options, files);
            ASSERT_TRUE(written) << describe(written.error());
            const Content again = content_of(files.files().at("t.etl"));
            ASSERT_FALSE(again.error);
            EXPECT_TRUE(again.findings.empty());
            EXPECT_TRUE(again.streams == original.streams);
            ++copied;
        }
    }
    EXPECT_GE(copied, 6);
}

} // namespace
} // namespace etl::test

#include "tests/support/counting_new.hpp"
#include "tests/support/damage.hpp"
#include "tests/support/reading.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace etl::trace::reader_memory_test {
namespace {

using namespace test;

Image busy_trace(std::uint16_t processors, std::uint16_t buffers, int events_per_buffer,
                 codec::Format compression = codec::Format::none) {
    TraceFacts facts;
    facts.lineage = compression == codec::Format::none ? Lineage::session : Lineage::relogger;
    facts.reference_time = 0;
    facts.processors = processors;
    facts.buffer_size = 0x10000;
    TraceBuilder trace(facts);
    for (std::uint16_t i = 0; i < buffers; ++i) {
        const auto processor = static_cast<std::uint16_t>(i % processors);
        auto& buffer = trace.buffer({.processor = processor, .compression = compression});
        for (int k = 0; k < events_per_buffer; ++k) {
            buffer.add(
                format::EventRecord{.time = 1000 * (i / processors) + k, .descriptor = {.id = 1}});
        }
    }
    return trace.build();
}

std::size_t events_of(Reader& reader) {
    std::size_t events = 0;
    for (flow::Run run = reader.next_run(); !run.empty(); run = reader.next_run()) {
        events += run.size();
    }
    return events;
}

class ReaderMemory : public testing::Test {
protected:
    void SetUp() override {
        if (!can_count_allocations()) {
            GTEST_SKIP() << "allocations cannot be counted under this sanitizer";
        }
    }
};

TEST_F(ReaderMemory, AllocatesNothingPerEvent) {
    for (const auto compression : {codec::Format::none, codec::Format::xpress}) {
        std::array<std::size_t, 2> counts{};
        for (const int factor : {1, 8}) {
            auto reader = Reader::open(in_memory(busy_trace(4, 40, 100 * factor, compression)));
            ASSERT_TRUE(reader);
            const std::size_t before = allocations().count;
            EXPECT_EQ(events_of(**reader), 1U + 40U * 100U * static_cast<unsigned>(factor));
            counts[factor == 1 ? 0 : 1] = allocations().count - before;
        }
        // Eight times the events: arrays grow a few times more, and that is all.
        EXPECT_LE(counts[1], counts[0] + 64);
    }
}

TEST_F(ReaderMemory, HoldsAFewBuffersWhateverTheSizeOfTheFile) {
    for (const auto compression : {codec::Format::none, codec::Format::xpress}) {
        std::array<std::size_t, 2> peaks{};
        for (const std::uint16_t buffers : {std::uint16_t{40}, std::uint16_t{400}}) {
            auto reader = Reader::open(in_memory(busy_trace(4, buffers, 500, compression)));
            ASSERT_TRUE(reader);
            const std::size_t before = allocations().live;
            reset_peak();
            events_of(**reader);
            peaks[buffers == 40 ? 0 : 1] = allocations().peak - before;
        }
        EXPECT_LT(peaks[1], peaks[0] + 100'000);
    }
}

TEST_F(ReaderMemory, HoldsAFewBuffersWhateverTheirDisorder) {
    // The first event of every buffer lies before everything: each buffer overlaps each.
    TraceFacts facts;
    facts.reference_time = 0;
    facts.buffer_size = 0x10000;
    TraceBuilder trace(facts);
    for (int i = 0; i < 400; ++i) {
        auto& buffer = trace.buffer();
        buffer.add(format::EventRecord{.time = 1});
        for (int k = 0; k < 400; ++k) {
            buffer.add(format::EventRecord{.time = 1000 * (i + 1) + k});
        }
    }
    auto reader = Reader::open(in_memory(trace.build()));
    ASSERT_TRUE(reader);
    const std::size_t before = allocations().live;
    reset_peak();
    EXPECT_EQ(events_of(**reader), 1U + 400U * 401U);
    EXPECT_LT(allocations().peak - before, 2'000'000U); // 400 of them hold 10 MB of events
}

TEST_F(ReaderMemory, IsWhatBuffersHoldNotWhatTheyDeclare) {
    // 16 processors with buffers of 16 MB, and a few hundred records in each.
    TraceFacts facts;
    facts.lineage = Lineage::relogger;
    facts.reference_time = 0;
    facts.processors = 16;
    facts.buffer_size = 16U << 20U;
    TraceBuilder trace(facts);
    for (std::uint16_t i = 0; i < 32; ++i) {
        auto& buffer = trace.buffer({.processor = static_cast<std::uint16_t>(i % 16),
                                     .compression = codec::Format::xpress});
        for (int k = 0; k < 300; ++k) {
            buffer.add(format::EventRecord{.time = 1000 * i + k});
        }
    }
    const auto file = in_memory(trace.build());
    EXPECT_LT(file->bytes().size(), 1'000'000U);
    for (const unsigned threads : {1U, 4U}) {
        const std::size_t before = allocations().live;
        reset_peak();
        auto reader = Reader::open(file, {.threads = threads});
        ASSERT_TRUE(reader);
        EXPECT_EQ(events_of(**reader), 1U + 32U * 300U);
        EXPECT_LT(allocations().peak - before, 4'000'000U) << threads;
    }
}

TEST(SparseFile, OfMoreThan4GbIsReadWithoutReadingItsHoles) {
    const auto folder =
        std::filesystem::temp_directory_path() / ("etl-sparse-" + std::to_string(::getpid()));
    std::filesystem::create_directory(folder);
    const auto path = (folder / "sparse.etl").string();
    constexpr std::uint64_t five_gb = std::uint64_t{5} << 30U;
    {
        // Two buffers at the beginning, then nothing but holes, then one more on the grid.
        const Image file = busy_trace(1, 2, 10);
        const Image last = [] {
            TraceBuilder trace(TraceFacts{.buffer_size = 0x10000, .reference_time = 0});
            trace.buffer({.sequence = 9})
                .add(format::EventRecord{.time = 99'000, .descriptor = {.id = 9}});
            return drop_buffer(trace.build(), 0);
        }();
        const int handle = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
        ASSERT_GE(handle, 0);
        const auto whole = [](ssize_t written, const Image& image) {
            return written == static_cast<ssize_t>(image.size());
        };
        ASSERT_TRUE(whole(::pwrite(handle, file.data(), file.size(), 0), file));
        ASSERT_TRUE(whole(::pwrite(handle, last.data(), last.size(), five_gb), last));
        ::close(handle);
    }
    {
        const auto mapped = io::InputFile::map(path);
        ASSERT_TRUE(mapped);
        DiagnosticList findings;
        auto reader = Reader::open(*mapped, {.diagnostics = &findings});
        ASSERT_TRUE(reader);
        ASSERT_EQ((*reader)->buffers().size(), 4U);
        EXPECT_EQ((*reader)->buffers().back().where.value, five_gb);
        EXPECT_EQ(events_of(**reader), 1U + 20U + 1U);
        ASSERT_EQ(findings.list().size(), 3U); // and the header counts others
        EXPECT_EQ(findings.list()[1].bytes_skipped, five_gb - 3 * 0x10000);
    }
    // Without the last buffer it is a preallocated tail, known as such without reading all of it.
    std::filesystem::resize_file(path, five_gb);
    {
        const auto mapped = io::InputFile::map(path);
        ASSERT_TRUE(mapped);
        auto reader = Reader::open(*mapped);
        ASSERT_TRUE(reader);
        EXPECT_EQ((*reader)->buffers().size(), 3U);
        EXPECT_EQ((*reader)->damage(), 0U);
    }
    std::filesystem::remove_all(folder);
}

} // namespace
} // namespace etl::trace::reader_memory_test

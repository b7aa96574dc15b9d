// Writers that keep views of mapped records: WriterOptions::may_keep_views.
#include "base/text.hpp"
#include "flow/context.hpp"
#include "tests/support/counting_new.hpp"
#include "tests/support/traces/trace_content.hpp"
#include "tests/unit/foundation/io/packing.hpp"
#include "trace/writer.hpp"

#include <gtest/gtest.h>

namespace etl::trace::writer_views_test {
namespace {

using namespace test;

/// A trace on disk with large buffers, which a reader maps: blocks of records, sizes that need
/// padding, and, if wanted, a buffer with a single record.
std::string with_large_buffers(const TemporaryFolder& folder, bool has_single_record) {
    TraceBuilder trace({.buffer_size = 2U << 20U, .processors = 4, .reference_time = 0});
    const std::vector<std::byte> payload(1'001);
    std::int64_t time = 0;
    for (std::uint16_t i = 0; i < 8; ++i) {
        auto& buffer = trace.buffer({.processor = static_cast<std::uint16_t>(i % 4)});
        for (std::uint16_t k = 0; k < (has_single_record && i == 2 ? 1 : 200); ++k) {
            buffer.add(format::EventRecord{.time = ++time,
                                           .payload = Bytes(payload).first(5 * std::size_t{k})});
        }
    }
    return folder.file("large.etl", as_text(trace.build()));
}

/// Copies its events.
void copy_events(const std::string& path, Order order, WriterOptions options) {
    const auto reader = *Reader::open(*io::InputFile::map(path), {.order = order});
    auto writer = *Writer::create("t.etl", std::move(options));
    for (flow::Run run = reader->next_run(); !run.empty(); run = reader->next_run()) {
        if (!flow::is_logfile_header(run.front())) {
            writer->add(run);
        }
    }
    EXPECT_TRUE(writer->close());
}

TEST(WriterViews, WritesTheSameFromViews) {
    const TemporaryFolder folder;
    const std::string path = with_large_buffers(folder, true);
    for (const Order order : {Order::buffers, Order::time}) {
        for (const std::uint32_t buffer_size : {0x2000U, 2U << 20U, 3U << 20U}) {
            io::MemoryFiles files;
            WriterOptions options{.recording = begin_recording(Filetime{story_start}),
                                  .files = &files};
            options.file.buffer_size = buffer_size;
            copy_events(path, order, options);
            const Image copied = files.files().at("t.etl");
            options.may_keep_views = true;
            copy_events(path, order, options);
            EXPECT_TRUE(files.files().at("t.etl") == copied) << buffer_size;
        }
    }
}

TEST(WriterViews, KeepsOneLargeBufferWithViews) {
    if (!can_count_allocations()) {
        GTEST_SKIP() << "allocations cannot be counted under this sanitizer";
    }
    const TemporaryFolder folder;
    const std::string path = with_large_buffers(folder, false);
    NullFiles nowhere;
    WriterOptions options;
    options.file.buffer_size = 16U << 20U;
    options.files = &nowhere;
    options.may_keep_views = true;
    const std::size_t before = allocations().live;
    reset_peak();
    copy_events(path, Order::buffers, options);
    // Four processors would take four buffers more than the file does.
    EXPECT_LT(allocations().peak - before, 4U * options.file.buffer_size);
}

} // namespace
} // namespace etl::trace::writer_views_test

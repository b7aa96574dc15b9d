// Reading of a trace that nobody reads again: ReaderOptions::is_single_pass.
#include "base/text.hpp"
#include "tests/support/reading.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gtest/gtest.h>

namespace etl::trace::single_pass_test {
namespace {

using namespace test;

Image trace_of(std::uint32_t buffer_size, std::uint16_t buffers) {
    TraceBuilder trace({.buffer_size = buffer_size, .processors = 3, .reference_time = 0});
    for (std::uint16_t i = 0; i < buffers; ++i) {
        auto& buffer = trace.buffer({.processor = static_cast<std::uint16_t>(i % 3)});
        for (std::uint16_t k = 0; k < 30; ++k) {
            buffer.add(
                format::EventRecord{.time = 100 * (i / 3) + 3 * k + i % 3,
                                    .descriptor = {.id = static_cast<std::uint16_t>(100 * i + k)}});
        }
    }
    return trace.build();
}

TEST(SinglePass, GivesTheSameEvents) {
    const Image image = trace_of(0x1000, 60);
    for (const Order order : {Order::time, Order::recorded, Order::file, Order::buffers}) {
        for (const unsigned threads : {1U, 3U}) {
            const Reading mapped = read(image, {.order = order, .threads = threads});
            const Reading copied =
                read(image, {.order = order, .is_single_pass = true, .threads = threads});
            EXPECT_EQ(mapped.events.size(), 60U * 30U + 1U);
            EXPECT_EQ(copied.events, mapped.events);
            EXPECT_EQ(copied.damage, 0U);
        }
    }
}

/// Whether the buffers of a file are views of its mapping: of runs, of visits, and of those shown.
std::vector<bool> are_mapped(const std::string& path, bool is_single_pass) {
    const auto reader = Reader::open(*io::InputFile::map(path), {.is_single_pass = is_single_pass});
    const flow::Run run = (*reader)->next_run();
    std::vector<bool> mapped{run.front().buffer->is_mapped};
    (*reader)->for_each_buffer(1, [&](unsigned, const BufferEntry& entry, flow::Run events) {
        if (entry.sequence == 1) {
            mapped.push_back(events.front().buffer->is_mapped);
        }
    });
    (*reader)->show_buffers(
        {1}, [&](const BufferContent& buffer) { mapped.push_back(buffer.context->is_mapped); });
    return mapped;
}

TEST(SinglePass, CopiesSmallBuffersOnly) {
    const TemporaryFolder folder;
    const std::string small = folder.file("small.etl", as_text(trace_of(0x1000, 3)));
    const std::string large = folder.file("large.etl", as_text(trace_of(2U << 20U, 3)));
    EXPECT_EQ(are_mapped(small, false), std::vector(3, true));
    EXPECT_EQ(are_mapped(small, true), std::vector(3, false));
    EXPECT_EQ(are_mapped(large, true), std::vector(3, true));
}

} // namespace
} // namespace etl::trace::single_pass_test

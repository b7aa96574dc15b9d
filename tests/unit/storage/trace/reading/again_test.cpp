// Readers that end early, those that are opened again, and what is known for that.
#include "tests/support/corpus/ten_buffers.hpp"
#include "tests/support/reading.hpp"

#include <gtest/gtest.h>

namespace etl::again_test {
namespace {

using namespace test;
using trace::Reader;

std::shared_ptr<const io::InputFile> file_of_ten_buffers() {
    return io::InputFile::from_memory(ten_buffers(facts_of(u"Ten")).build(), "ten.etl");
}

std::vector<Seen> rest_of(Reader& reader) {
    std::vector<Seen> events;
    for (flow::Run run = reader.next_run(); !run.empty(); run = reader.next_run()) {
        std::ranges::transform(run, std::back_inserter(events), seen);
    }
    return events;
}

TEST(StoppedReaders, LoadNoMoreBuffers) {
    for (const unsigned threads : {1U, 3U}) {
        const auto whole = Reader::open(file_of_ten_buffers(), {.threads = threads});
        const std::size_t all = rest_of(**whole).size();
        Stop stop;
        const auto reader =
            Reader::open(file_of_ten_buffers(), {.threads = threads, .stop = &stop});
        ASSERT_TRUE(reader);
        const std::size_t first = (*reader)->next_run().size();
        stop.request();
        const std::size_t read = first + rest_of(**reader).size();
        EXPECT_TRUE(threads > 1 ? read <= all : read < all); // what is loaded already is given
        EXPECT_EQ((*reader)->error(), nullptr);
        std::size_t visited = 0;
        (*reader)->for_each_buffer(
            threads, [&](unsigned, const trace::BufferEntry&, flow::Run) { ++visited; });
        (*reader)->show_buffers({0, 1}, [&](const trace::BufferContent&) { ++visited; });
        EXPECT_EQ(visited, 0U);
    }
}

/// Threads load more than one group of buffers ahead; they must not outlive what they load for.
TEST(StoppedReaders, WaitForWhatThreadsLoad) {
    TraceFacts facts = facts_of(u"Many");
    facts.buffer_size = 0x4000;
    facts.processors = 2;
    TraceBuilder trace(facts);
    for (std::uint16_t i = 0; i < 200; ++i) {
        BufferBuilder& buffer = trace.buffer({.processor = static_cast<std::uint16_t>(i % 2)});
        for (std::int64_t k = 0; k < 100; ++k) {
            buffer.add(numbered(facts.reference_time + 1'000 * i + k, i));
        }
    }
    const auto file = io::InputFile::from_memory(trace.build(), "many.etl");
    for (int runs = 0; runs < 150; runs += 3) {
        Stop stop;
        const auto reader = Reader::open(file, {.threads = 4, .stop = &stop});
        for (int i = 0; i < runs; ++i) {
            static_cast<void>((*reader)->next_run());
        }
        stop.request();
        EXPECT_LE(rest_of(**reader).size(), 20'000U);
    }
}

TEST(ReadersOpenedAgain, BeginAgain) {
    const auto file = file_of_ten_buffers();
    const auto reader = Reader::open(file, {.file = 3});
    ASSERT_TRUE(reader);
    const std::vector<Seen> all = rest_of(**reader);
    for (int i = 0; i < 2; ++i) {
        const auto again = Reader::open(**reader, file, {.file = 4});
        ASSERT_TRUE(again);
        EXPECT_EQ(rest_of(**again), all);
        EXPECT_EQ((*again)->info().file, 4U);
        EXPECT_EQ((*again)->info().missing_buffers, (*reader)->info().missing_buffers);
        EXPECT_EQ((*again)->info().header.buffers_lost, (*reader)->info().header.buffers_lost);
    }
}

TEST(ReadersOpenedAgain, CountMissingBuffersOnce) {
    Image image = ten_buffers(facts_of(u"Ten")).build();
    const auto buffer = [&](std::ptrdiff_t number) {
        return image.begin() + number * std::ptrdiff_t{small_buffer};
    };
    image.erase(buffer(4), buffer(5));
    const auto file = io::InputFile::from_memory(std::move(image), "nine.etl");
    const auto reader = Reader::open(file, {});
    ASSERT_TRUE(reader);
    ASSERT_GT((*reader)->info().missing_buffers, 0U);
    const auto again = Reader::open(**reader, file, {});
    ASSERT_TRUE(again);
    EXPECT_EQ((*again)->info().header.buffers_lost, (*reader)->info().header.buffers_lost);
}

/// An index would hide what is wrong with the buffers.
TEST(KnownBuffers, AreNotThoseOfADamagedTrace) {
    Image image = ten_buffers(facts_of(u"Ten")).build();
    const auto known_of = [](const Image& of) {
        auto reader = Reader::open(io::InputFile::from_memory(Image(of), "ten.etl"), {});
        EXPECT_TRUE(reader);
        return (*reader)->known_buffers();
    };
    EXPECT_FALSE(known_of(image).empty());
    image.insert(image.begin() + std::ptrdiff_t{4 * small_buffer}, 100, std::byte{'x'});
    EXPECT_TRUE(known_of(image).empty());
}

} // namespace
} // namespace etl::again_test

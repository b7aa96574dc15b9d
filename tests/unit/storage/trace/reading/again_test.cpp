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
        EXPECT_LT(first + rest_of(**reader).size(), all);
        EXPECT_EQ((*reader)->error(), nullptr);
        std::size_t visited = 0;
        (*reader)->for_each_buffer(
            threads, [&](unsigned, const trace::BufferEntry&, flow::Run) { ++visited; });
        (*reader)->show_buffers({0, 1}, [&](const trace::BufferContent&) { ++visited; });
        EXPECT_EQ(visited, 0U);
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

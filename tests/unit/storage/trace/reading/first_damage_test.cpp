#include "tests/support/damage.hpp"
#include "tests/support/reading.hpp"
#include "trace/first_damage.hpp"
#include "trace/reader.hpp"

#include <gtest/gtest.h>

namespace etl::trace::first_damage_test {
namespace {

using namespace test;

constexpr std::uint32_t size = 0x400;
constexpr std::uint16_t buffers = 6;
constexpr std::uint16_t events_each = 3;

// A header buffer and `buffers` others of three events each, on two processors by turns.
Image story() {
    TraceFacts facts;
    facts.lineage = Lineage::session;
    facts.reference_time = 0;
    facts.processors = 2;
    facts.buffer_size = size;
    TraceBuilder trace(facts);
    for (std::uint16_t i = 1; i <= buffers; ++i) {
        auto& buffer = trace.buffer({.processor = static_cast<std::uint16_t>(i % 2)});
        for (std::uint16_t k = 0; k < events_each; ++k) {
            buffer.add(format::EventRecord{
                .time = 10 * i + k, .descriptor = {.id = i}, .payload = noise(8, i)});
        }
    }
    return trace.build();
}

std::optional<DamageLocation> damage_of(const Image& image) {
    return find_first_damage(io::InputFile::from_memory(image, "test"), 2);
}

/// How many events of the file lie before the place, the log file header left out.
std::size_t events_before(const Image& image, const DamageLocation& place) {
    const auto reader = Reader::open(io::InputFile::from_memory(image, "test"));
    EXPECT_TRUE(reader);
    std::size_t count = 0;
    for (flow::Run run = (*reader)->next_run(); !run.empty(); run = (*reader)->next_run()) {
        for (const flow::Event& event : run) {
            count += event.buffer->number > 0 && place.is_after(event) ? 1U : 0U;
        }
    }
    return count;
}

Image with_zeros(Image image, std::size_t at, std::size_t count) {
    std::fill_n(image.begin() + static_cast<std::ptrdiff_t>(at), count, std::byte{0});
    return image;
}

/// Where the second record of a buffer begins.
std::uint32_t second_record(const Image& image, std::uint64_t buffer) {
    const auto reader =
        Reader::open(io::InputFile::from_memory(image, "test"), {.order = Order::file});
    for (flow::Run run = (*reader)->next_run(); !run.empty(); run = (*reader)->next_run()) {
        if (run.front().buffer->number == buffer) {
            return run[1].offset();
        }
    }
    ADD_FAILURE() << "no buffer " << buffer;
    return 0;
}

TEST(FirstDamage, IsNothingInAnIntactTrace) {
    EXPECT_EQ(damage_of(story()), std::nullopt);
}

TEST(FirstDamage, IsTheFirstRecordThatCannotBeRead) {
    Image image = story();
    const std::uint32_t at = second_record(image, 3);
    image[3 * size + at + 3] = std::byte{0x55}; // no record marker
    image[5 * size + at + 3] = std::byte{0x55};
    const auto place = damage_of(image);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->buffer, FileOffset{3 * size});
    EXPECT_EQ(place->offset, at);
    EXPECT_EQ(events_before(image, *place), 2U * events_each + 1);
}

TEST(FirstDamage, IsTheGapBetweenBuffers) {
    const Image image = with_zeros(story(), 4 * size, 0x48); // no buffer header
    const auto place = damage_of(image);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->buffer, FileOffset{4 * size});
    EXPECT_EQ(events_before(image, *place), 3U * events_each);
}

TEST(FirstDamage, IsBehindTheRecordsOfABufferThatTheFileEndsIn) {
    const Image image = story();
    const std::uint32_t at = second_record(image, buffers);
    const Image cut = truncate_at(image, buffers * size + at + 10);
    const auto place = damage_of(cut);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->buffer, FileOffset{buffers * size});
    EXPECT_EQ(events_before(cut, *place), (buffers - 1U) * events_each + 1);
}

TEST(FirstDamage, OfWhatIsNoTraceIsAtItsBeginning) {
    EXPECT_EQ(damage_of(Image(1000)), DamageLocation{});
}

} // namespace
} // namespace etl::trace::first_damage_test

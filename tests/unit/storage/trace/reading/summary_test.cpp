#include "format/kernel_group.hpp"
#include "tests/support/damage.hpp"
#include "tests/support/reading.hpp"
#include "trace/reader.hpp"
#include "trace/summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::trace::summary_test {

namespace {

using namespace test;
using namespace literals;

constexpr Guid provider = "11223344-5566-7788-99aa-bbccddeeff00"_guid;

TraceBuilder sample() {
    TraceFacts facts;
    facts.reference_time = 5;
    facts.processors = 2;
    TraceBuilder trace(facts);
    const Image ten = noise(10);
    trace.buffer({.processor = 1, .flags = format::buffer_flag::events_lost})
        .add(format::EventRecord{.time = 90, .provider = provider, .payload = ten})
        .add(format::EventRecord{.time = 20, .provider = provider})
        .add(format::MessageRecord{.number = 1});
    trace.buffer({.processor = 0}).add(format::SystemRecord{.hook_id = 0x0301, .time = 50});
    return trace;
}

std::vector<std::string> findings_of_check(const Image& file) {
    DiagnosticList list;
    auto reader = Reader::open(in_memory(file), {.diagnostics = &list});
    EXPECT_TRUE(reader);
    const std::uint64_t warnings = check(**reader, list);
    std::vector<std::string> found;
    std::uint64_t counted = 0;
    for (const Diagnostic& d : list.list()) {
        found.push_back(std::string(d.severity == Severity::warning ? "warning: " : "note: ") +
                        d.what);
        counted += d.severity == Severity::warning ? 1U : 0U;
    }
    EXPECT_EQ(warnings, counted);
    return found;
}

TEST(Summary, CountsEverythingOnce) {
    auto reader = Reader::open(in_memory(sample().build()));
    ASSERT_TRUE(reader);
    for (const unsigned threads : {1U, 3U}) {
        const Summary s = summarize(**reader, threads);
        EXPECT_EQ(s.events, 5U);
        EXPECT_EQ(s.by_kind[format::number_of(format::wide(format::RecordFamily::event))], 2U);
        EXPECT_EQ(s.by_kind[format::number_of(format::wide(format::RecordFamily::system))], 2U);
        EXPECT_EQ(s.by_provider.at(provider).events, 2U);
        EXPECT_EQ(s.by_provider.at(provider).payload_bytes, 10U);
        EXPECT_EQ(s.by_provider.at(format::class_of_hook(0x0301)).events, 1U);
        EXPECT_EQ(s.by_processor.at(0), 2U);
        EXPECT_EQ(s.by_processor.at(1), 3U);
        EXPECT_EQ(s.first_time, 5);
        EXPECT_EQ(s.last_time, 90);
        EXPECT_EQ(s.first_own_time, 20) << "the header is context";
        EXPECT_EQ(s.last_own_time, 90);
        EXPECT_EQ(s.without_timestamp, 1U);
        EXPECT_EQ(s.buffers_with_lost_events, 1U);
    }
}

TEST(Summary, CountsDamageInsideBuffers) {
    TraceBuilder trace;
    trace.buffer().add(format::EventRecord{.time = 1}).add(format::EventRecord{.time = 2});
    trace.buffer().add(format::EventRecord{.time = 3});
    Image file = trace.build();
    const std::size_t second_record = buffers_of(file).at(1).offset + 0x48 + 0x50;
    auto reader = Reader::open(in_memory(flip(std::move(file), second_record + 3)));
    ASSERT_TRUE(reader);
    for (const unsigned threads : {1U, 3U}) {
        EXPECT_EQ(summarize(**reader, threads).damage, 1U);
    }
    EXPECT_EQ((*reader)->damage(), 0U) << "not found by opening";
}

TEST(Check, FindsNothingInASoundTrace) {
    EXPECT_THAT(
        findings_of_check(sample().build()),
        testing::ElementsAre("note: the session lost events before the buffer was flushed"));
}

TEST(Check, NotesAnUnfinishedSession) {
    TraceFacts facts;
    facts.end_time = std::nullopt;
    EXPECT_THAT(findings_of_check(TraceBuilder(facts).build()),
                testing::ElementsAre(testing::HasSubstr("note: the trace is not finalized")));
}

TEST(Check, WarnsOfBuffersThatTheHeaderDoesNotCount) {
    TraceFacts facts;
    facts.buffers_written = 7;
    EXPECT_THAT(findings_of_check(TraceBuilder(facts).build()),
                testing::ElementsAre(testing::HasSubstr("warning: missing buffers")));
    facts.buffers_written = 0;
    EXPECT_THAT(findings_of_check(TraceBuilder(facts).build()),
                testing::ElementsAre(testing::HasSubstr("more buffers than BuffersWritten")));
}

TEST(Check, WarnsOfBrokenItems) {
    const std::array<format::ExtendedItem, 1> items{{{format::ItemType::sid, {}}}};
    TraceBuilder trace;
    trace.buffer().add(format::EventRecord{.items = items});
    Image file = trace.build();
    store_le(file.data() + 0x1000 + 0x48 + 0x50, std::uint16_t{3});
    EXPECT_THAT(findings_of_check(file),
                testing::ElementsAre(testing::HasSubstr("warning: invalid extended data items")));
}

TEST(Check, CountsTheFindingsOfReading) {
    EXPECT_THAT(findings_of_check(insert_garbage(sample().build(), 1, 100)),
                testing::Contains(testing::HasSubstr("missing buffer header")));
}

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

} // namespace etl::trace::summary_test

// Headers and sizes that are missing or wrong, and what stands in for them.
#include "base/limits.hpp"
#include "format/records.hpp"
#include "tests/unit/editing/repair/repair_story.hpp"
#include "tests/unit/editing/repair/repaired.hpp"

#include <gmock/gmock.h>

namespace etl::repair::repair_header_test {
namespace {

using namespace test;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

/// As story(), compressed; buffer `damaged` says that it unpacks to so many bytes.
Image compressed_story(std::uint16_t count, std::uint16_t damaged, std::uint32_t claim) {
    TraceFacts facts;
    facts.lineage = trace::Lineage::relogger;
    facts.reference_time = 0;
    facts.buffer_size = story_buffer_size;
    TraceBuilder trace(facts);
    for (std::uint16_t i = 1; i <= count; ++i) {
        auto& buffer = trace.buffer({.time_stamp = 10 * i + 9,
                                     .compression = codec::Format::xpress,
                                     .used = i == damaged ? std::optional(claim) : std::nullopt});
        for (std::uint16_t k = 0; k < 3; ++k) {
            buffer.add(
                format::EventRecord{.time = 10 * i + k,
                                    .descriptor = {.id = static_cast<std::uint16_t>(10 * i + k)},
                                    .payload = {}});
        }
    }
    return trace.build();
}

TEST(Repair, BelievesNoClaimThatNothingStandsBehind) {
    constexpr std::uint16_t count = 200;
    const Repaired sound = repaired(compressed_story(count, 0, 0));
    ASSERT_FALSE(sound.error);
    for (const std::uint32_t claim : {0x401U, 0x10000U, etl::limits::buffer_bytes}) {
        SCOPED_TRACE(claim);
        const Repaired made = repaired(compressed_story(count, 5, claim));
        ASSERT_FALSE(made.error);
        expect_clean(made.file);
        EXPECT_EQ(made.file.size(), sound.file.size());
        EXPECT_EQ(ids_of(made.file), ids_of(sound.file));
        EXPECT_FALSE(made.report.is_complete);
        ASSERT_EQ(made.losses().size(), 1U);
        EXPECT_EQ(made.losses()[0].sequence, 5);
        EXPECT_LT(made.losses()[0].bytes, story_buffer_size); // a buffer holds no more
    }
}

TEST(Repair, KeepsBuffersOfProcessorsThatTheHeaderBufferCannotName) {
    TraceFacts facts;
    facts.processors = 301;
    TraceBuilder trace(facts);
    trace.buffer({.processor = 300})
        .add(format::EventRecord{.time = 5, .descriptor = {.id = 7}, .payload = {}});
    Image file = trace.build();
    // As programs other than Windows write the header buffer: without PROC_INDEX.
    const std::size_t field = format::buffer_header::buffer_flag.offset;
    const auto flags = load_le<std::uint16_t>(file.data() + field);
    ASSERT_NE(flags & format::buffer_flag::processor_index, 0);
    store_le(file.data() + field,
             static_cast<std::uint16_t>(flags & ~format::buffer_flag::processor_index));
    ASSERT_EQ(ids_of(file), std::vector{7});
    const Repaired made = repaired(file);
    ASSERT_FALSE(made.error);
    expect_clean(made.file);
    EXPECT_EQ(ids_of(made.file), std::vector{7});
}

TEST(Repair, KeepsTheRecordsOfABufferThatIsLargerThanTheHeaderSays) {
    TraceFacts facts;
    facts.lineage = trace::Lineage::relogger;
    facts.reference_time = 0;
    facts.buffer_size = 0x2000;
    TraceBuilder trace(facts);
    auto& buffer = trace.buffer({.time_stamp = 99, .compression = codec::Format::xpress});
    for (std::uint16_t k = 0; k < 40; ++k) {
        buffer.add(
            format::EventRecord{.time = k, .descriptor = {.id = k}, .payload = noise(60, k)});
    }
    Image file = trace.build();
    const std::vector<int> ids = ids_of(file);
    // The header says 1 KB: a damaged field of it.
    const std::size_t field = format::buffer_header::size + format::system_record::size;
    ASSERT_EQ(load_le<std::uint32_t>(file.data() + field), 0x2000U);
    store_le(file.data() + field, std::uint32_t{0x400});
    const Repaired made = repaired(file);
    ASSERT_FALSE(made.error);
    expect_clean(made.file);
    EXPECT_EQ(ids_of(made.file), ids);
    EXPECT_TRUE(made.report.is_complete);
}

TEST(Repair, BelievesNoBufferSizeThatNoBufferNeeds) {
    constexpr std::uint16_t count = 200;
    Image file = compressed_story(count, 0, 0);
    const Repaired sound = repaired(file);
    const std::size_t field = format::buffer_header::size + format::system_record::size;
    store_le(file.data() + field, std::uint32_t{1U << 20U});
    const Repaired made = repaired(file);
    ASSERT_FALSE(made.error);
    EXPECT_LE(made.file.size(), 2 * sound.file.size());
    EXPECT_EQ(ids_of(made.file), ids_of(sound.file));
}

constexpr const char* unknown = "0 is LibEtl.Losses/Unknown";

TEST(Repair, GoesByTheHeaderOfAnotherFileOfTheSession) {
    const Image whole = story(2).build();
    auto reader = trace::Reader::open(in_memory(whole));
    ASSERT_TRUE(reader);
    const Image beheaded = drop_buffer(story(3).build(), 0);
    const Repaired made = repaired(beheaded, {.recording = trace::recording_of((*reader)->info())});
    ASSERT_FALSE(made.error);
    expect_clean(made.file);
    const Reading reading = read(made.file);
    EXPECT_EQ(reading.info.header.session_name, u"Signal Box");
    EXPECT_EQ(reading.info.clock.to_filetime(10).ticks, story_start + 10);
    EXPECT_EQ(reading.info.header.end_time, story_start + 32);
    EXPECT_THAT(reading.ids(), ElementsAre(0, 10, 11, 12, 20, 21, 22, 30, 31, 32)) << unknown;
    // What the header buffer contained besides the header is unknown.
    EXPECT_FALSE(made.report.is_complete);
    EXPECT_THAT(made.report.losses,
                ElementsAre(Loss{.kind = Loss::Kind::missing_buffers, .buffers = 1, .before = 10}));
}

TEST(Repair, MakesAHeaderOfWhatTheBuffersTell) {
    const Repaired made = repaired(drop_buffer(story(2).build(), 0));
    ASSERT_FALSE(made.error);
    expect_clean(made.file);
    const Reading reading = read(made.file);
    EXPECT_TRUE(reading.info.has_header);
    EXPECT_EQ(reading.info.header.number_of_processors, 2U);
    EXPECT_EQ(reading.info.header.clock_type(), format::ClockType::qpc);
    EXPECT_EQ(reading.info.reference_time, 10);
    EXPECT_FALSE(made.report.is_complete);
    EXPECT_THAT(made.report.corrections, Contains(HasSubstr("unreadable")));
}

TEST(Repair, FindsTheBuffersBehindAFirstSectorThatIsOverwritten) {
    for (const Image& sector : {Image(512), Image(512, std::byte{0xFF}), noise(512)}) {
        const Repaired made = repaired(overwrite(story(3).build(), 0, sector));
        ASSERT_FALSE(made.error);
        expect_clean(made.file);
        EXPECT_THAT(ids_of(made.file), ElementsAre(0, 10, 11, 12, 20, 21, 22, 30, 31, 32))
            << unknown;
        EXPECT_FALSE(made.report.is_complete);
    }
}

TEST(Repair, KnowsSystemTimeByTheStamps) {
    TraceFacts facts;
    facts.clock = format::ClockType::system_time;
    facts.reference_time = story_start;
    facts.buffer_size = story_buffer_size;
    TraceBuilder trace(facts);
    trace.buffer().add(format::EventRecord{.time = story_start + 5});
    const Repaired made = repaired(drop_buffer(trace.build(), 0));
    const Reading reading = read(made.file);
    EXPECT_EQ(reading.info.header.clock_type(), format::ClockType::system_time);
    EXPECT_EQ(reading.info.header.start_time, story_start + 5);
}

TEST(Repair, ReadsALogFileHeaderWhoseRecordIsDamaged) {
    // The size of the record, and a header buffer that follows another disk's sector.
    const Image file = flip(story(2).build(), format::buffer_header::size + 5, 0x80);
    ASSERT_FALSE(read(file).info.has_header);
    const Repaired made = repaired(file);
    expect_clean(made.file);
    const Reading reading = read(made.file);
    EXPECT_EQ(reading.info.header.session_name, u"Signal Box");
    EXPECT_EQ(reading.info.header.start_time, story_start);
    EXPECT_THAT(made.report.corrections, Contains(HasSubstr("fields recovered")));
}

} // namespace
} // namespace etl::repair::repair_header_test

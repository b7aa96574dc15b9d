#include <etl/base/limits.hpp>
#include <etl/format/records.hpp>

#include "tests/unit/repair/repaired.hpp"

#include <gmock/gmock.h>

namespace etl::repair {
namespace {

using namespace test;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t size = 0x400;
constexpr std::size_t event_size = 0x58; // with its padding

// A header buffer of 1 KB and `count` buffers of three events each on two processors. Times of
// buffer i are 10 * i to 10 * i + 2; it is flushed at 10 * i + 9.
TraceBuilder story(std::uint16_t count, TraceFacts facts = {}) {
    facts.reference_time = 0;
    facts.processors = 2;
    facts.buffer_size = size;
    TraceBuilder trace(facts);
    for (std::uint16_t i = 1; i <= count; ++i) {
        auto& buffer = trace.buffer(
            {.processor = static_cast<std::uint16_t>(i % 2), .time_stamp = 10 * i + 9});
        for (std::uint16_t k = 0; k < 3; ++k) {
            buffer.add(
                format::EventRecord{.time = 10 * i + k,
                                    .descriptor = {.id = static_cast<std::uint16_t>(10 * i + k)},
                                    .payload = noise(5U + k, i)});
        }
    }
    return trace;
}

std::size_t place_of(std::size_t buffer, std::size_t event) {
    return buffer * size + format::buffer_header::size + event * event_size;
}

std::vector<int> ids_of(const Image& file) {
    return read(file).ids();
}

TEST(Repair, FinishesAnUnfinishedTrace) {
    const Repaired made = repaired(story(2, {.end_time = {}, .buffers_written = 0}).build());
    ASSERT_FALSE(made.error);
    expect_clean(made.file);
    const auto info = read(made.file).info;
    EXPECT_EQ(info.header.buffers_written, 3U);
    EXPECT_EQ(info.header.end_time, story_start + 22); // that of the newest event
    EXPECT_EQ(made.report.end_time, info.header.end_time);
    EXPECT_EQ(made.report.buffers, 3U);
    EXPECT_EQ(made.report.records, 7U);
    EXPECT_TRUE(made.report.is_whole);
    EXPECT_THAT(made.report.mended,
                ElementsAre("EndTime: 2024-05-17T04:00:00.0000022Z, was not set",
                            "BuffersWritten: 3, was 0"));
}

TEST(Repair, BelievesNoEndBeforeTheBeginningOfTime) {
    const Repaired made = repaired(story(2, {.end_time = -8'362'496}).build());
    ASSERT_FALSE(made.error);
    expect_clean(made.file);
    EXPECT_EQ(read(made.file).info.header.end_time, story_start + 22);
    EXPECT_EQ(repaired(made.file).file, made.file);
}

TEST(Repair, KeepsTheEndOfASessionThatWasStopped) {
    const Repaired made = repaired(story(2).build());
    EXPECT_EQ(read(made.file).info.header.end_time, *TraceFacts{}.end_time);
    EXPECT_THAT(made.report.mended, IsEmpty());
    EXPECT_EQ(made.file, story(2).build());
}

TEST(Repair, TellsWhatACutTookAway) {
    const Repaired made = repaired(truncate_at(story(4).build(), place_of(3, 1) + 10));
    ASSERT_FALSE(made.error);
    expect_clean(made.file);
    EXPECT_THAT(ids_of(made.file), ElementsAre(10, 11, 12, 20, 21, 22, 30));
    // The buffer that is cut, and the one behind it.
    EXPECT_THAT(made.report.losses,
                ElementsAre(Loss{.what = Loss::What::cut_buffer,
                                 .processor = 1,
                                 .bytes = 2 * event_size - 1,
                                 .sequence = 3,
                                 .where = {3 * size},
                                 .after = 30,
                                 .before = 39},
                            Loss{.what = Loss::What::missing_buffers, .buffers = 1, .after = 30}));
    EXPECT_EQ(read(made.file).info.header.end_time, story_start + 30);
}

TEST(Repair, FillThatIsCutIsNoLoss) {
    const Repaired made = repaired(truncate_at(story(2).build(), place_of(2, 3) + 5));
    EXPECT_THAT(ids_of(made.file), ElementsAre(10, 11, 12, 20, 21, 22));
    EXPECT_THAT(made.losses(), IsEmpty());
    EXPECT_TRUE(made.report.is_whole);
}

TEST(Repair, FindsTheRecordsBehindADamagedOne) {
    const Image file = flip(story(3).build(), place_of(2, 1) + 3); // marker of event 21
    const Repaired made = repaired(file);
    expect_clean(made.file);
    EXPECT_THAT(ids_of(made.file), ElementsAre(10, 11, 12, 20, 22, 30, 31, 32));
    EXPECT_THAT(made.report.losses, ElementsAre(Loss{.what = Loss::What::damaged_buffer,
                                                     .processor = 0,
                                                     .bytes = event_size,
                                                     .sequence = 2,
                                                     .where = {2 * size},
                                                     .after = 20,
                                                     .before = 22}));
    EXPECT_FALSE(made.report.is_whole);
}

TEST(Repair, FindsTheRecordsBehindZeros) {
    const Image file = overwrite(story(3).build(), place_of(2, 0), Image(event_size + 20));
    const Repaired made = repaired(file);
    expect_clean(made.file);
    EXPECT_THAT(ids_of(made.file), ElementsAre(10, 11, 12, 22, 30, 31, 32));
    ASSERT_EQ(made.report.losses.size(), 1U);
    EXPECT_EQ(made.report.losses[0].bytes, 2 * event_size);
    EXPECT_EQ(made.report.losses[0].before, 22);
}

TEST(Repair, BelievesNoRecordWithATimeThatCannotBe) {
    Image file = flip(story(3).build(), place_of(2, 1) + 3);
    // What follows is no evidence either: long before the session, or long behind the flush.
    for (const std::int64_t time : {std::int64_t{-90'000'000'000}, std::int64_t{1} << 60U}) {
        store_le(file.data() + place_of(2, 2) + format::event_record::time_stamp.offset, time);
        const Repaired made = repaired(file);
        EXPECT_THAT(ids_of(made.file), ElementsAre(10, 11, 12, 20, 30, 31, 32));
        ASSERT_EQ(made.losses().size(), 1U);
        EXPECT_EQ(made.losses()[0].bytes, 2 * event_size - 1);
    }
}

/// As story(), compressed; buffer `damaged` says that it unpacks to so many bytes.
Image compressed_story(std::uint16_t count, std::uint16_t damaged, std::uint32_t claim) {
    TraceFacts facts;
    facts.lineage = trace::Lineage::relogger;
    facts.reference_time = 0;
    facts.buffer_size = size;
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
    for (const std::uint32_t claim : {0x401U, 0x10000U, limits::buffer_bytes}) {
        SCOPED_TRACE(claim);
        const Repaired made = repaired(compressed_story(count, 5, claim));
        ASSERT_FALSE(made.error);
        expect_clean(made.file);
        EXPECT_EQ(made.file.size(), sound.file.size());
        EXPECT_EQ(ids_of(made.file), ids_of(sound.file));
        EXPECT_FALSE(made.report.is_whole);
        ASSERT_EQ(made.losses().size(), 1U);
        EXPECT_EQ(made.losses()[0].sequence, 5);
        EXPECT_LT(made.losses()[0].bytes, size); // a buffer holds no more
    }
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
    EXPECT_TRUE(made.report.is_whole);
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

TEST(Repair, TellsOfNumbersThatAreMissing) {
    const Repaired made = repaired(drop_buffer(drop_buffer(story(5).build(), 3), 2));
    expect_clean(made.file);
    EXPECT_THAT(made.report.losses,
                ElementsAre(Loss{
                    .what = Loss::What::missing_buffers, .buffers = 2, .after = 12, .before = 40}));
    EXPECT_EQ(read(made.file).info.header.buffers_written, 4U);
}

TEST(Repair, TellsOfNumbersThatAreMissingAtTheBeginning) {
    const Repaired made = repaired(drop_buffer(story(3).build(), 1));
    EXPECT_THAT(made.report.losses,
                ElementsAre(Loss{
                    .what = Loss::What::missing_buffers, .buffers = 1, .after = {}, .before = 20}));
}

TEST(Repair, TakesMissingNumbersForNoLossWhereTheTraceSaysItIsWhole) {
    TraceFacts facts;
    facts.buffer_size = size;
    facts.reference_time = 0;
    TraceBuilder trace(facts);
    trace.buffer({.sequence = 1}).add(format::EventRecord{.time = 1});
    trace.buffer({.sequence = 3}).add(format::EventRecord{.time = 3});
    const Repaired made = repaired(trace.build());
    EXPECT_THAT(made.report.losses, IsEmpty());
    EXPECT_TRUE(made.report.is_whole);
}

TEST(Repair, KeepsAndTellsOfWhatTheSessionLost) {
    TraceFacts facts;
    facts.events_lost = 41;
    facts.buffers_lost = 2;
    facts.buffer_size = size;
    TraceBuilder trace(facts);
    trace.buffer().add(format::EventRecord{.time = 2'000'000});
    trace.buffer({.flags = format::buffer_flag::events_lost})
        .add(format::EventRecord{.time = 3'000'000});
    const Repaired made = repaired(trace.build());
    EXPECT_TRUE(made.report.is_whole);
    EXPECT_EQ(read(made.file).info.header.events_lost, 41U);
    EXPECT_THAT(made.report.losses,
                ElementsAre(Loss{.what = Loss::What::told_by_trace, .buffers = 2, .events = 41},
                            Loss{.what = Loss::What::told_by_trace,
                                 .processor = 0,
                                 .sequence = 2,
                                 .where = {2 * size},
                                 .after = 2'000'000,
                                 .before = 3'000'000}));
}

TEST(Repair, PutsTheBuffersOfACircularFileInOrder) {
    TraceFacts facts;
    facts.mode = format::log_mode::circular;
    TraceBuilder trace = story(4, facts);
    trace.wrap(2);
    const Repaired made = repaired(trace.build());
    expect_clean(made.file);
    EXPECT_THAT(made.report.mended, Contains("LogFileMode: no longer circular"));
    std::vector<std::int64_t> numbers;
    for (const trace::BufferEntry& buffer : read(made.file).buffers) {
        numbers.push_back(buffer.sequence);
    }
    EXPECT_THAT(numbers, ElementsAre(0, 1, 2, 3, 4));
}

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
    EXPECT_THAT(reading.ids(), ElementsAre(10, 11, 12, 20, 21, 22, 30, 31, 32));
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
    EXPECT_FALSE(made.report.is_whole);
    EXPECT_THAT(made.report.mended, Contains(HasSubstr("none can be read")));
}

TEST(Repair, FindsTheBuffersBehindAFirstSectorThatIsOverwritten) {
    for (const Image& sector : {Image(512), Image(512, std::byte{0xFF}), noise(512)}) {
        const Repaired made = repaired(overwrite(story(3).build(), 0, sector));
        ASSERT_FALSE(made.error);
        expect_clean(made.file);
        EXPECT_THAT(ids_of(made.file), ElementsAre(10, 11, 12, 20, 21, 22, 30, 31, 32));
        EXPECT_FALSE(made.report.is_whole);
    }
}

TEST(Repair, KnowsSystemTimeByTheStamps) {
    TraceFacts facts;
    facts.clock = format::ClockType::system_time;
    facts.reference_time = story_start;
    facts.buffer_size = size;
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
    EXPECT_THAT(made.report.mended, Contains(HasSubstr("its fields were read")));
}

TEST(Repair, SaysOfExtendedItemsThatDoNotParseThatTheyArePayload) {
    TraceFacts facts;
    facts.buffer_size = size;
    TraceBuilder trace(facts);
    const Image data = noise(16);
    const format::ExtendedItem item{.type = static_cast<format::ItemType>(1), .data = data};
    trace.buffer().add(
        format::EventRecord{.time = 2'000'000, .descriptor = {.id = 7}, .items = {&item, 1}});
    Image file = trace.build();
    store_le(file.data() + place_of(1, 0) + format::event_record::size + 6, std::uint16_t{0xFFF0});
    const Repaired made = repaired(file);
    expect_clean(made.file);
    EXPECT_THAT(ids_of(made.file), ElementsAre(7));
    EXPECT_FALSE(made.report.is_whole);
    EXPECT_THAT(made.report.mended, Contains(HasSubstr("1 events: extended items")));
}

TEST(Repair, KeepsBuffersThatAreNotMadeOfRecords) {
    TraceFacts facts;
    facts.reference_time = 0;
    facts.buffer_size = size;
    TraceBuilder trace(facts);
    trace.buffer({.type = format::BufferType::context_swap}).raw(noise(200));
    trace.buffer();
    const Image file = trace.build();
    EXPECT_EQ(repaired(file).file, file);
}

TEST(Repair, TellsOfBytesThatAreNoBuffer) {
    const Repaired made = repaired(insert_garbage(story(3).build(), 2, 700));
    expect_clean(made.file);
    EXPECT_THAT(made.report.losses,
                ElementsAre(Loss{.bytes = 700, .where = {2 * size}, .after = 12, .before = 20}));
}

TEST(Repair, DropsAnUnwrittenTail) {
    const Repaired made = repaired(preallocate(story(2).build(), 20 * size));
    EXPECT_EQ(made.file.size(), 3 * size);
    EXPECT_THAT(made.losses(), IsEmpty());
}

TEST(Repair, RefusesWhatIsNoTrace) {
    ASSERT_TRUE(repaired(noise(5000)).error);
    EXPECT_EQ(repaired(noise(5000)).error->code, ErrorCode::not_a_trace);
}

TEST(Repair, TellsOfADiskThatIsFull) {
    class FullDisk final : public io::FileMaker {
    public:
        Result<std::unique_ptr<io::WritableFile>> open(const std::string& path, Open how) override {
            (void)path;
            (void)how;
            return fail(ErrorCode::io_failure, "open");
        }
    };

    FullDisk disk;
    const auto report = run(in_memory(story(2).build()), "x.etl", {.files = &disk});
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, ErrorCode::io_failure);
}

} // namespace
} // namespace etl::repair

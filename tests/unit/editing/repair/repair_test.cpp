// What a repair keeps, tells and refuses.
#include "format/records.hpp"
#include "repair/limits.hpp"
#include "tests/support/folders.hpp"
#include "tests/unit/editing/repair/repair_story.hpp"
#include "tests/unit/editing/repair/repaired.hpp"

#include <gmock/gmock.h>

namespace etl::repair::repair_test {
namespace {

using namespace test;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::size_t place_of(std::size_t buffer, std::size_t event) {
    return buffer * story_buffer_size + format::buffer_header::size + event * event_size;
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
    EXPECT_TRUE(made.report.is_complete);
    EXPECT_THAT(made.report.corrections,
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
    EXPECT_THAT(made.report.corrections, IsEmpty());
    EXPECT_EQ(made.file, story(2).build());
}

TEST(Repair, TellsWhatACutTookAway) {
    const Repaired made = repaired(truncate_at(story(4).build(), place_of(3, 1) + 10));
    ASSERT_FALSE(made.error);
    expect_clean(made.file);
    EXPECT_THAT(ids_of(made.file), ElementsAre(10, 11, 12, 20, 21, 22, 30));
    // The buffer that is cut, and the one behind it.
    EXPECT_THAT(made.report.losses,
                ElementsAre(Loss{.kind = Loss::Kind::truncated_buffer,
                                 .processor = 1,
                                 .bytes = 2 * event_size - 1,
                                 .sequence = 3,
                                 .where = {3 * story_buffer_size},
                                 .after = 30,
                                 .before = 39},
                            Loss{.kind = Loss::Kind::missing_buffers, .buffers = 1, .after = 30}));
    EXPECT_EQ(read(made.file).info.header.end_time, story_start + 30);
}

TEST(Repair, FillThatIsCutIsNoLoss) {
    const Repaired made = repaired(truncate_at(story(2).build(), place_of(2, 3) + 5));
    EXPECT_THAT(ids_of(made.file), ElementsAre(10, 11, 12, 20, 21, 22));
    EXPECT_THAT(made.losses(), IsEmpty());
    EXPECT_TRUE(made.report.is_complete);
}

TEST(Repair, FindsTheRecordsBehindADamagedOne) {
    const Image file = flip(story(3).build(), place_of(2, 1) + 3); // marker of event 21
    const Repaired made = repaired(file);
    expect_clean(made.file);
    EXPECT_THAT(ids_of(made.file), ElementsAre(10, 11, 12, 20, 22, 30, 31, 32));
    EXPECT_THAT(made.report.losses, ElementsAre(Loss{.kind = Loss::Kind::damaged_buffer,
                                                     .processor = 0,
                                                     .bytes = event_size,
                                                     .sequence = 2,
                                                     .where = {2 * story_buffer_size},
                                                     .after = 20,
                                                     .before = 22}));
    EXPECT_FALSE(made.report.is_complete);
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

TEST(Repair, TellsOfNumbersThatAreMissing) {
    const Repaired made = repaired(drop_buffer(drop_buffer(story(5).build(), 3), 2));
    expect_clean(made.file);
    EXPECT_THAT(made.report.losses,
                ElementsAre(Loss{
                    .kind = Loss::Kind::missing_buffers, .buffers = 2, .after = 12, .before = 40}));
    EXPECT_EQ(read(made.file).info.header.buffers_written, 4U);
}

TEST(Repair, TellsOfNumbersThatAreMissingAtTheBeginning) {
    const Repaired made = repaired(drop_buffer(story(3).build(), 1));
    EXPECT_THAT(made.report.losses,
                ElementsAre(Loss{
                    .kind = Loss::Kind::missing_buffers, .buffers = 1, .after = {}, .before = 20}));
}

TEST(Repair, AddsMissingBuffersToThoseThatTheSessionLost) {
    TraceFacts facts;
    facts.buffers_lost = 2;
    const Repaired made = repaired(drop_buffer(story(3, facts).build(), 2));
    expect_clean(made.file);
    EXPECT_EQ(made.report.buffers_lost, 2U) << "by the session";
    EXPECT_EQ(read(made.file).info.header.buffers_lost, 3U);
    EXPECT_THAT(made.report.corrections, Contains("BuffersLost: 3, was 2"));
    EXPECT_EQ(repaired(made.file).file, made.file);
}

TEST(Repair, KnowsNotHowMuchWasLostWhereOnlyFlagsOfBuffersSayThatSomethingWas) {
    TraceBuilder trace{TraceFacts{}};
    trace.buffer({.flags = format::buffer_flag::events_lost})
        .add(format::EventRecord{.time = 1'000'001});
    const Repaired made = repaired(trace.build());
    EXPECT_TRUE(made.report.is_complete);
    EXPECT_FALSE(made.report.has_losses);
    EXPECT_FALSE(made.report.are_losses_known);
    EXPECT_TRUE(read(made.file).info.has_unknown_losses);
    EXPECT_EQ(repaired(made.file).file, made.file);
}

TEST(Repair, TotalsIncludeLossesThatAreNotListed) {
    TraceBuilder trace(TraceFacts{.buffer_size = story_buffer_size, .events_lost = 1});
    const auto count = static_cast<std::int64_t>(limits::losses) + 2;
    for (std::int64_t i = 1; i <= count; ++i) {
        trace.buffer({.sequence = i < count ? i : i + 7, .flags = format::buffer_flag::events_lost})
            .add(format::EventRecord{.time = 1'000'000 + i});
    }
    Image file = trace.build();
    store_le(file.data() + format::buffer_header::size + 0x20 + 0x24,
             static_cast<std::uint32_t>(count) + 8); // BuffersWritten
    const Repaired made = repaired(file);
    EXPECT_THAT(made.losses(), IsEmpty());
    EXPECT_TRUE(made.report.has_losses);
    EXPECT_EQ(made.report.missing_buffers, 7U);
}

TEST(Repair, OmitsABufferThatRepeatsTheOneBeforeIt) {
    Image file = story(3).build();
    const Image buffer(file.begin() + 2 * story_buffer_size, file.begin() + 3 * story_buffer_size);
    file.insert(file.begin() + 3 * story_buffer_size, buffer.begin(), buffer.end());
    const Repaired made = repaired(file);
    expect_clean(made.file);
    EXPECT_THAT(ids_of(made.file), ElementsAre(10, 11, 12, 20, 21, 22, 30, 31, 32));
    EXPECT_THAT(made.losses(), IsEmpty());
    EXPECT_FALSE(made.report.is_intact);
    EXPECT_FALSE(made.report.is_complete);
    EXPECT_THAT(made.report.corrections, Contains("omitted 1 repeated buffer"));

    // Also if another one is missing.
    Image lacking = story(4).build();
    std::copy_n(lacking.begin() + 2 * story_buffer_size, story_buffer_size,
                lacking.begin() + 3 * story_buffer_size);
    const Repaired less = repaired(lacking);
    EXPECT_EQ(less.report.missing_buffers, 1U);
    EXPECT_EQ(read(less.file).info.header.buffers_lost, 1U);

    // Also of a header buffer.
    Image heads = story(2).build();
    store_le(heads.data() + format::buffer_header::time_stamp.offset, std::int64_t{1'234'567});
    const Image head(heads.begin(), heads.begin() + story_buffer_size);
    heads.insert(heads.begin(), head.begin(), head.end());
    const Repaired one = repaired(heads);
    expect_clean(one.file);
    EXPECT_EQ(one.report.buffers, 3U);
    EXPECT_THAT(one.report.corrections, Contains("omitted 1 repeated buffer"));

    // With other records it is another buffer.
    file = flip(file, 3 * story_buffer_size + format::buffer_header::size + 0x30);
    const Repaired both = repaired(file);
    expect_clean(both.file);
    EXPECT_EQ(ids_of(both.file).size(), 12U);
}

TEST(Repair, TakesAWrongBufferSizeForDamageThatLostNothing) {
    const Image file = image_of(test::source_dir() + "/corpus/damaged/compressed-wrong-size.etl");
    const Repaired made = repaired(file);
    expect_clean(made.file);
    EXPECT_THAT(made.losses(), IsEmpty());
    EXPECT_EQ(ids_of(made.file), ids_of(file));
    EXPECT_FALSE(made.report.is_intact);
    EXPECT_FALSE(made.report.is_complete);
}

TEST(Repair, DoesNotCountTheHeaderThatItMakes) {
    const Repaired made = repaired(drop_buffer(story(2).build(), 0));
    EXPECT_EQ(made.report.records, 6U);
}

TEST(Repair, TakesMissingNumbersForNoLossWhereTheTraceSaysItIsWhole) {
    TraceFacts facts;
    facts.buffer_size = story_buffer_size;
    facts.reference_time = 0;
    TraceBuilder trace(facts);
    trace.buffer({.sequence = 1}).add(format::EventRecord{.time = 1});
    trace.buffer({.sequence = 3}).add(format::EventRecord{.time = 3});
    const Repaired made = repaired(trace.build());
    EXPECT_THAT(made.report.losses, IsEmpty());
    EXPECT_TRUE(made.report.is_complete);
}

TEST(Repair, KeepsAndTellsOfWhatTheSessionLost) {
    TraceFacts facts;
    facts.events_lost = 41;
    facts.buffers_lost = 2;
    facts.buffer_size = story_buffer_size;
    TraceBuilder trace(facts);
    trace.buffer().add(format::EventRecord{.time = 2'000'000});
    trace.buffer({.flags = format::buffer_flag::events_lost})
        .add(format::EventRecord{.time = 3'000'000});
    const Repaired made = repaired(trace.build());
    EXPECT_TRUE(made.report.is_complete);
    EXPECT_EQ(read(made.file).info.header.events_lost, 41U);
    EXPECT_THAT(
        made.report.losses,
        ElementsAre(Loss{.kind = Loss::Kind::reported_by_session, .buffers = 2, .events = 41},
                    Loss{.kind = Loss::Kind::reported_by_session,
                         .processor = 0,
                         .sequence = 2,
                         .where = {2 * story_buffer_size},
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
    EXPECT_THAT(made.report.corrections, Contains("LogFileMode: cleared circular"));
    std::vector<std::int64_t> numbers;
    for (const trace::BufferEntry& buffer : read(made.file).buffers) {
        numbers.push_back(buffer.sequence);
    }
    EXPECT_THAT(numbers, ElementsAre(0, 1, 2, 3, 4));
}

TEST(Repair, SaysOfExtendedItemsThatDoNotParseThatTheyArePayload) {
    TraceFacts facts;
    facts.buffer_size = story_buffer_size;
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
    EXPECT_FALSE(made.report.is_complete);
    EXPECT_THAT(made.report.corrections,
                Contains(HasSubstr("1 event with invalid extended data items")));
}

TEST(Repair, KeepsBuffersThatAreNotMadeOfRecords) {
    TraceFacts facts;
    facts.reference_time = 0;
    facts.buffer_size = story_buffer_size;
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
                ElementsAre(Loss{
                    .bytes = 700, .where = {2 * story_buffer_size}, .after = 12, .before = 20}));
}

TEST(Repair, DropsAnUnwrittenTail) {
    const Repaired made = repaired(preallocate(story(2).build(), 20 * story_buffer_size));
    EXPECT_EQ(made.file.size(), 3 * story_buffer_size);
    EXPECT_THAT(made.losses(), IsEmpty());
}

TEST(Repair, RefusesWhatIsNoTrace) {
    ASSERT_TRUE(repaired(noise(5000)).error);
    EXPECT_EQ(repaired(noise(5000)).error->code, ErrorCode::not_a_trace);
}

TEST(Repair, TellsOfADiskThatIsFull) {
    class FullDisk final : public io::FileFactory {
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
} // namespace etl::repair::repair_test

// What a session that was killed left in its live buffers. docs/repair.md#live
#include "flow/losses.hpp"
#include "format/encode.hpp"
#include "tests/support/traces/live_buffers_builder.hpp"
#include "tests/unit/editing/repair/repaired.hpp"

#include <gmock/gmock.h>

namespace etl::test::live_records_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint32_t size = 0x1000;

/// An event as a session puts it into a buffer: padded.
Image event(std::uint16_t id, std::int64_t time, std::size_t payload_size = 20) {
    const Image payload(payload_size, std::byte{'p'});
    ByteWriter bytes;
    EXPECT_TRUE(format::encode(format::EventRecord{.time = story_start + time,
                                                   .descriptor = {.id = id},
                                                   .payload = payload},
                               bytes));
    bytes.align(8);
    return bytes.take();
}

Image events(std::initializer_list<Image> list) {
    Image all;
    for (const Image& one : list) {
        all.insert(all.end(), one.begin(), one.end());
    }
    return all;
}

/// A log file that nobody finished: buffers 1 to `count` of processor 0, one event in each.
class Log {
public:
    explicit Log(int count, codec::Format compression = codec::Format::none,
                 const char16_t* name = u"Killed") {
        trace::Recording recording = trace::begin_recording({story_start}, 2);
        recording.header.session_name = name;
        auto log = trace::LogFile::open("t.etl", recording,
                                        {.buffer_size = size, .compression = compression}, files_);
        EXPECT_TRUE(log);
        const Bytes header = (*log)->header_buffer();
        header_.assign(header.begin(), header.end());
        for (int i = 1; i <= count; ++i) {
            const Image record = event(static_cast<std::uint16_t>(i), i);
            trace::FilledBuffer buffer{.memory = (*log)->memory(),
                                       .used = format::buffer_header::size,
                                       .sequence = i,
                                       .time_stamp = story_start + i,
                                       .newest_time = story_start + i};
            std::ranges::copy(record, buffer.memory.get() + buffer.used);
            buffer.used += static_cast<std::uint32_t>(record.size());
            (*log)->write(std::move(buffer));
        }
    }

    Image& file() { return files_.files().at("t.etl"); }

    const Image& header() const { return header_; }

private:
    io::MemoryFiles files_;
    Image header_;
};

LiveFileBuilder live_of(const Log& log, std::uint32_t buffers = 8) {
    LiveFileBuilder live(size, buffers);
    live.tell("t.etl", log.header());
    return live;
}

Repaired repaired_with(const Image& log, LiveFileBuilder& live) {
    return repaired(log, {.live_buffers = in_memory(live.bytes())});
}

/// Ids of the events of a trace, in the order of time, without LibEtl.Losses/Unknown.
std::vector<unsigned> ids_of(const Image& file) {
    auto reader = trace::Reader::open(in_memory(file));
    EXPECT_TRUE(reader);
    std::vector<unsigned> ids;
    for (flow::Run run = (*reader)->next_run(); !run.empty(); run = (*reader)->next_run()) {
        for (const flow::Event& one : run) {
            if (format::is_event(one.kind) && !flow::indicates_unknown_losses(one)) {
                ids.push_back(load_le<std::uint16_t>(one.record + 0x28));
            }
        }
    }
    return ids;
}

TEST(LiveRecords, FollowWhatIsInTheFile) {
    Log log(2);
    LiveFileBuilder live = live_of(log);
    live.full(3, {.stripe = 0, .order = 7, .closed_at = story_start + 30}, event(3, 3));
    live.open(1, {.stripe = 0, .order = 9}, events({event(5, 5), event(6, 6)}));
    live.open(0, {.stripe = 1, .order = 8}, event(4, 4));
    const Repaired made = repaired_with(log.file(), live);
    ASSERT_FALSE(made.error);
    EXPECT_THAT(ids_of(made.file), ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_TRUE(made.report.is_complete);
    EXPECT_TRUE(made.report.live.is_used);
    EXPECT_EQ(made.report.live.buffers, 3U);
    EXPECT_EQ(made.report.live.records, 4U);
    EXPECT_EQ(made.report.live.incomplete, 0U);
    EXPECT_EQ(made.report.records, 7U);
    EXPECT_THAT(made.report.corrections,
                testing::Contains(HasSubstr("live buffers: recovered 4 records")));
    expect_clean(made.file);
    const Written written = read_written(made.file);
    EXPECT_EQ(written.sequences(), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(written.info.header.end_time, story_start + 6);
}

TEST(LiveRecords, OfTwoBuffersWithOneNumberAreBothKept) {
    Log log(2);
    LiveFileBuilder live = live_of(log);
    const LiveFacts same{.order = 7, .sequence = 3, .closed_at = story_start + 30};
    live.full(1, same, event(3, 3));
    live.full(2, same, event(4, 4));
    const Repaired made = repaired_with(log.file(), live);
    ASSERT_FALSE(made.error);
    EXPECT_THAT(ids_of(made.file), ElementsAre(1, 2, 3, 4));
    EXPECT_EQ(made.report.live.records, 2U);
    expect_clean(made.file);
    EXPECT_EQ(read_written(made.file).sequences(), (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
}

TEST(LiveRecords, DoNotReplaceALogFileThatIsNoTrace) {
    Log log(2);
    LiveFileBuilder live = live_of(log);
    live.open(1, {.order = 9}, event(3, 3));
    const Repaired made = repaired_with(Image(1500, std::byte{'t'}), live);
    ASSERT_FALSE(made.error);
    EXPECT_THAT(ids_of(made.file), ElementsAre(3));
    EXPECT_FALSE(made.report.is_complete);
    EXPECT_FALSE(made.report.is_intact);
    EXPECT_TRUE(made.report.has_losses);
    ASSERT_EQ(made.losses().size(), 1U);
    EXPECT_EQ(made.losses().front().bytes, 1500U);
    EXPECT_THAT(made.report.corrections, testing::Contains(HasSubstr("from the live buffers")));
    EXPECT_TRUE(repaired_with({}, live).report.is_complete) << "an empty file has lost nothing";
}

TEST(LiveRecords, OfEntriesThatAreDamagedAreLost) {
    namespace entry = format::live_entry;
    Log log(2);
    for (const bool is_state : {true, false}) {
        LiveFileBuilder live = live_of(log);
        live.open(1, {.order = 9}, event(3, 3));
        live.open(2, {.order = 10}, event(4, 4));
        if (is_state) {
            store<entry::state>(live.entry(1), 7U);
        } else {
            store<entry::stripe>(live.entry(1), 99'999U);
        }
        const Repaired made = repaired_with(log.file(), live);
        ASSERT_FALSE(made.error);
        EXPECT_THAT(ids_of(made.file), ElementsAre(1, 2, 4));
        EXPECT_FALSE(made.report.is_complete);
        EXPECT_FALSE(made.report.is_intact);
        ASSERT_EQ(made.losses().size(), 1U);
        EXPECT_EQ(made.losses().front().kind, repair::Loss::Kind::damaged_buffer);
        EXPECT_EQ(made.losses().front().bytes, size);
        EXPECT_THAT(made.report.corrections, testing::Contains(HasSubstr("1 damaged entry")));
    }
    LiveFileBuilder live = live_of(log);
    store<entry::stripe>(live.entry(1), 99'999U); // of a free one: nobody set it
    EXPECT_TRUE(repaired_with(log.file(), live).report.is_complete);
}

TEST(LiveRecords, ThatDoNotIdentifyTheirSessionAreRecoveredAllTheSame) {
    Log log(2);
    LiveFileBuilder live(size, 8);
    live.open(1, {.order = 9}, event(3, 3));
    const Repaired made = repaired_with(log.file(), live);
    EXPECT_THAT(ids_of(made.file), ElementsAre(1, 2, 3));
    EXPECT_TRUE(made.report.live.is_used);
    EXPECT_FALSE(made.report.live.is_identified);
    LiveFileBuilder own = live_of(log);
    EXPECT_TRUE(repaired_with(log.file(), own).report.live.is_identified);
}

TEST(LiveRecords, CountWhatTheSessionLostUntilItsEnd) {
    Log log(2);
    LiveFileBuilder live = live_of(log);
    live.lose({.events = 4000, .buffers = 3}, {.events = 10, .buffers = 1});
    const Repaired made = repaired_with(log.file(), live);
    EXPECT_TRUE(made.report.is_complete);
    EXPECT_TRUE(made.report.are_losses_known);
    EXPECT_EQ(made.report.events_lost, 3990U);
    EXPECT_EQ(made.report.buffers_lost, 2U);
    const auto& header = read_written(made.file).info.header;
    EXPECT_EQ(header.events_lost, 3990U);
    EXPECT_EQ(header.buffers_lost, 2U);
    EXPECT_THAT(made.report.corrections, testing::Contains("EventsLost: 3990, was 0"));
}

TEST(LiveRecords, OfNoneTheLossesOfASessionThatWasKilledAreUnknown) {
    Log log(2);
    EXPECT_FALSE(repaired(log.file()).report.are_losses_known);
    Log other(2, codec::Format::none, u"Another");
    LiveFileBuilder live = live_of(other);
    live.lose({.events = 4000});
    const Repaired made = repaired_with(log.file(), live);
    EXPECT_FALSE(made.report.are_losses_known);
    EXPECT_EQ(made.report.events_lost, 0U);
}

TEST(LiveRecords, OfAnEarlierVersionAreRecoveredAndTheLossesAreUnknown) {
    Log log(2);
    LiveFileBuilder live = live_of(log);
    live.open(1, {.order = 9}, event(3, 3));
    live.make_version_1();
    const Repaired made = repaired_with(log.file(), live);
    ASSERT_FALSE(made.error);
    EXPECT_THAT(ids_of(made.file), ElementsAre(1, 2, 3));
    EXPECT_TRUE(made.report.is_complete);
    EXPECT_FALSE(made.report.are_losses_known);
    EXPECT_EQ(made.report.events_lost, 0U);
    const Repaired empty = repaired_with({}, live);
    ASSERT_FALSE(empty.error);
    EXPECT_THAT(ids_of(empty.file), ElementsAre(3));
}

TEST(LiveRecords, OfALaterVersionAreLeftAloneAndTheRemedyIsNamed) {
    Log log(2);
    LiveFileBuilder live = live_of(log);
    store<format::live_buffers::format_version>(
        std::span(live.bytes()).first<format::live_buffers::size>(), std::uint32_t{3});
    const Repaired made = repaired_with(log.file(), live);
    ASSERT_FALSE(made.error);
    EXPECT_FALSE(made.report.is_complete);
    EXPECT_FALSE(made.report.are_losses_known);
    EXPECT_THAT(made.report.corrections,
                testing::Contains(HasSubstr("with the version of etl that recorded it")));
}

TEST(LiveRecords, UnknownLossesAreInTheOutputAndSurviveAnotherRepair) {
    Log log(2);
    const Repaired once = repaired(log.file());
    EXPECT_FALSE(once.report.are_losses_known);
    EXPECT_EQ(once.report.records, 3U); // with the header, without LibEtl.Losses/Unknown
    EXPECT_THAT(ids_of(once.file), ElementsAre(1, 2));
    DiagnosticList findings;
    trace::check(**trace::Reader::open(in_memory(once.file)), findings);
    ASSERT_EQ(findings.list().size(), 1U);
    EXPECT_THAT(findings.list().front().what, HasSubstr("what the session lost is unknown"));
    expect_clean(once.file);
    const Repaired twice = repaired(once.file);
    EXPECT_FALSE(twice.report.are_losses_known);
    EXPECT_TRUE(twice.report.is_complete);
    EXPECT_EQ(twice.file, once.file);
}

TEST(LiveRecords, ComeOnceEach) {
    Log log(3);
    LiveFileBuilder live = live_of(log);
    live.full(0, {.order = 3, .sequence = 3}, event(3, 3));              // is in the file
    live.full(1, {.order = 4, .sequence = 4}, event(4, 4));              // was to be written
    live.full(2, {.stripe = 1, .order = 5, .sequence = 0}, event(5, 5)); // waited
    const Repaired made = repaired_with(log.file(), live);
    EXPECT_THAT(ids_of(made.file), ElementsAre(1, 2, 3, 4, 5));
    EXPECT_TRUE(made.report.is_complete);
}

TEST(LiveRecords, ReplaceABufferThatTheFileHasAPartOf) {
    for (const std::size_t cut : {std::size_t{1}, std::size_t{10}, std::size_t{72},
                                  std::size_t{100}, std::size_t{190}, std::size_t{4000}}) {
        for (const auto compression : {codec::Format::none, codec::Format::xpress}) {
            Log whole(2, compression);
            Log log(3, compression);
            const std::size_t end = whole.file().size() + cut;
            if (end >= log.file().size()) {
                continue;
            }
            log.file().resize(end);
            LiveFileBuilder live = live_of(log);
            live.full(0, {.order = 3, .sequence = 3}, event(3, 3));
            const Repaired made = repaired_with(log.file(), live);
            ASSERT_FALSE(made.error) << describe(*made.error);
            EXPECT_THAT(ids_of(made.file), ElementsAre(1, 2, 3)) << cut;
            EXPECT_THAT(made.losses(), IsEmpty()) << cut;
            EXPECT_TRUE(made.report.is_complete) << cut;
        }
    }
}

TEST(LiveRecords, StepOverWhatWasNotFinished) {
    Log log(1);
    LiveFileBuilder live = live_of(log);
    const Image first = event(2, 2);
    const Image second = event(3, 3);
    Image error(0x60, std::byte{'x'});
    store_le<std::uint32_t>(error.data(), format::incomplete_record(0x60));
    const Image taken(0x58); // nobody has put down a byte
    live.open(0, {.order = 1}, events({first, error, taken, second}));
    live.full(1, {.stripe = 1, .order = 2}, events({event(4, 4), taken}));
    const Repaired made = repaired_with(log.file(), live);
    EXPECT_THAT(ids_of(made.file), ElementsAre(1, 2, 3, 4));
    EXPECT_EQ(made.report.live.incomplete, 3U);
    EXPECT_TRUE(made.report.is_complete) << "who wrote those was never told that they are there";
}

TEST(LiveRecords, TellOfBytesThatAreNoRecords) {
    Log log(1);
    LiveFileBuilder live = live_of(log);
    const Image garbage(64, std::byte{0x77});
    live.open(0, {.order = 1}, events({event(2, 2), garbage}));
    const Repaired made = repaired_with(log.file(), live);
    EXPECT_THAT(ids_of(made.file), ElementsAre(1, 2));
    EXPECT_FALSE(made.report.is_complete);
    ASSERT_EQ(made.losses().size(), 1U);
    EXPECT_EQ(made.losses()[0].kind, repair::Loss::Kind::damaged_buffer);
    expect_clean(made.file);
}

TEST(LiveRecords, OfAnotherSessionAreLeftAlone) {
    Log log(1);
    const Log other(0, codec::Format::none, u"Another");
    LiveFileBuilder live = live_of(other);
    live.open(0, {.order = 1}, event(9, 9));
    const Repaired made = repaired_with(log.file(), live);
    ASSERT_FALSE(made.error);
    EXPECT_THAT(ids_of(made.file), ElementsAre(1));
    EXPECT_THAT(made.report.corrections, testing::Contains(HasSubstr("another session")));
    EXPECT_FALSE(made.report.live.is_used);
}

TEST(LiveRecords, MakeATraceWhereTheLogFileIsGone) {
    Log log(0);
    LiveFileBuilder live = live_of(log);
    live.open(0, {.order = 1}, event(1, 1));
    for (const Image& file : {Image{}, Image(3000, std::byte{'x'})}) {
        const Repaired made = repaired_with(file, live);
        ASSERT_FALSE(made.error) << describe(*made.error);
        EXPECT_THAT(ids_of(made.file), ElementsAre(1));
        EXPECT_EQ(read_written(made.file).info.header.session_name, u"Killed");
    }
}

TEST(LiveRecords, ThatAreNoneHinderNothing) {
    Log log(2);
    LiveFileBuilder live = live_of(log);
    live.bytes().resize(500);
    for (const Image& bytes : {live.bytes(), Image{}, Image(5000, std::byte{'x'})}) {
        const Repaired made = repaired(log.file(), {.live_buffers = in_memory(bytes)});
        ASSERT_FALSE(made.error);
        EXPECT_THAT(ids_of(made.file), ElementsAre(1, 2));
        EXPECT_FALSE(made.report.is_complete);
        EXPECT_THAT(made.report.corrections, testing::Contains(HasSubstr("live buffers: ")));
    }
}

TEST(LiveRecords, AreBoundedByTheirFile) {
    Log log(1);
    LiveFileBuilder live = live_of(log, 3);
    live.full(0, {.stripe = 0xFFFFFFFF, .order = 1}, event(7, 7)); // no processor
    live.full(1, {.stripe = 2047, .order = 0xFFFFFFFFFFFFFFFF, .sequence = -5}, event(8, 8));
    live.open(2, {.stripe = 1, .order = 2}, {});
    std::fill_n(live.records(2), size - 0x48, std::byte{0xFF});
    const Repaired made = repaired_with(log.file(), live);
    ASSERT_FALSE(made.error);
    EXPECT_THAT(ids_of(made.file), ElementsAre(1, 8));
    expect_clean(made.file);
}

} // namespace
} // namespace etl::test::live_records_test

#include "flow/losses.hpp"
#include "tests/support/failing_files.hpp"
#include "tests/unit/storage/trace/filled.hpp"
#include "trace/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace etl::trace::log_file_append_test {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint32_t size = 0x1000;
constexpr LogFileOptions append{.mode = FileMode::append, .buffer_size = size};
const std::string path = "t.etl";

class AppendedLog : public testing::Test {
protected:
    std::unique_ptr<LogFile> open(const LogFileOptions& options,
                                  const Recording& recording = story_recording()) {
        auto log = LogFile::open(path, recording, options, files_);
        EXPECT_TRUE(log) << describe(log.error());
        return std::move(*log);
    }

    /// A finished trace of two buffers.
    Streams write_first(LogFileOptions options = {}, Recording recording = story_recording()) {
        options.buffer_size = size;
        recording.header.events_lost = 3;
        const auto log = open(options, recording);
        Filler filler(*log);
        filler.write({.processor = 0});
        filler.write({.processor = 1});
        EXPECT_TRUE(log->close());
        return filler.records();
    }

    Error refusal(const LogFileOptions& options = append,
                  const Recording& recording = story_recording()) {
        const Image before = image();
        auto log = LogFile::open(path, recording, options, files_);
        EXPECT_FALSE(log);
        EXPECT_EQ(image(), before) << "what is refused stays as it was";
        return log ? Error{} : log.error();
    }

    Image& image() { return files_.files()[path]; }

    io::MemoryFiles files_;
};

Streams together(Streams first, const Streams& second) {
    for (const auto& [processor, records] : second) {
        first[processor].insert(first[processor].end(), records.begin(), records.end());
    }
    return first;
}

TEST_F(AppendedLog, GoesOnWhereTheFirstStopped) {
    const Streams first = write_first();
    Recording later = story_recording();
    later.header.start_time += 600'000'000;
    later.reference_time += 600'000'000;
    later.header.session_name = u"Another";
    const auto log = open(append, later);
    EXPECT_EQ(log->first_sequence(), 3);
    Filler filler(*log, 600'000'000);
    filler.write({.processor = 1});
    log->add_lost_events(4);
    ASSERT_TRUE(log->close());
    const Written written = read_written(image());
    EXPECT_THAT(written.checked, ElementsAre("the session lost events or buffers"));
    EXPECT_EQ(written.streams, together(first, filler.records()));
    EXPECT_THAT(written.sequences(), ElementsAre(0, 1, 2, 3));
    const format::LogfileHeader& header = written.info.header;
    EXPECT_EQ(header.buffers_written, 4U);
    EXPECT_EQ(header.events_lost, 3U + 4U);
    EXPECT_EQ(header.end_time, filler.last_time());
    EXPECT_EQ(header.start_time, story_start) << "the first session's clock stays";
    EXPECT_EQ(header.session_name, u"Signal Box");
    EXPECT_EQ(header.log_file_mode, format::log_mode::sequential | format::log_mode::append);
    EXPECT_EQ(log->status().buffers_written, 1U) << "by this session";
}

TEST_F(AppendedLog, IsUnfinishedInBetween) {
    write_first();
    const auto log = open(append);
    EXPECT_TRUE(read_written(image()).info.is_unfinalized);
    ASSERT_TRUE(log->close());
    const Written written = read_written(image());
    EXPECT_FALSE(written.info.is_unfinalized);
    EXPECT_EQ(written.info.header.buffers_written, 3U);
    EXPECT_GT(written.info.header.end_time, story_start) << "as it was: nothing came";
}

TEST_F(AppendedLog, MakesAFileThatIsNotThere) {
    const auto log = open(append);
    EXPECT_EQ(log->first_sequence(), 1);
    Filler filler(*log);
    filler.write();
    ASSERT_TRUE(log->close());
    const Written written = read_written(image());
    EXPECT_THAT(written.checked, IsEmpty());
    EXPECT_EQ(written.streams, filler.records());
    EXPECT_EQ(log->status().buffers_written, 2U);
}

TEST_F(AppendedLog, CountsTheOldBuffersAgainstTheLimit) {
    const Streams first = write_first();
    LogFileOptions options = append;
    options.limit = {.count = 16, .unit = SizeLimit::Unit::kilobytes};
    const auto log = open(options);
    Filler filler(*log);
    filler.write();
    filler.write();
    ASSERT_TRUE(log->close());
    EXPECT_TRUE(log->status().is_full);
    EXPECT_EQ(log->status().buffers_lost, 1U);
    const Written written = read_written(image());
    EXPECT_EQ(written.streams, together(first, filler.records(0, 1)));
    EXPECT_EQ(written.info.header.maximum_file_size, 16U);
}

TEST_F(AppendedLog, CutsTheTornEndOfAnUnfinishedFile) {
    const Streams first = write_first({.durability = Durability::none});
    const Image finished = image();
    { // A session that dies, with half a buffer behind.
        const auto log = open(append);
    }
    image().insert(image().end(), finished.begin() + size, finished.begin() + size + 1000);
    const auto log = open(append);
    EXPECT_EQ(image().size(), 3U * size);
    Filler filler(*log);
    filler.write();
    ASSERT_TRUE(log->close());
    EXPECT_EQ(read_written(image()).streams, together(first, filler.records()));
}

TEST_F(AppendedLog, IndicatesThatTheLossesOfAnUnfinishedFileAreUnknown) {
    write_first();
    {
        const auto log = open(append);
    }
    EXPECT_TRUE(read_written(image()).info.is_unfinalized);
    for (int i = 0; i < 2; ++i) { // once
        const auto log = open(append);
        Filler(*log).write();
        ASSERT_TRUE(log->close());
        const flow::TraceInfo info = read_written(image()).info;
        EXPECT_FALSE(info.is_unfinalized);
        EXPECT_TRUE(info.has_unknown_losses);
        EXPECT_FALSE(flow::counts_losses(info));
    }
    const auto reader = Reader::open(in_memory(image()));
    std::size_t events = 0;
    for (flow::Run run = (*reader)->next_run(); !run.empty(); run = (*reader)->next_run()) {
        events +=
            static_cast<std::size_t>(std::ranges::count_if(run, flow::indicates_unknown_losses));
    }
    EXPECT_EQ(events, 1U);
}

TEST_F(AppendedLog, ThatWasFinishedHasLossesThatAreKnown) {
    write_first();
    const auto log = open(append);
    ASSERT_TRUE(log->close());
    EXPECT_TRUE(flow::counts_losses(read_written(image()).info));
}

TEST_F(AppendedLog, GoesOnInAnUnfinishedPreallocatedFile) {
    Streams first;
    {
        const auto log = open({.limit = {.count = 1}, .preallocate = true, .buffer_size = size});
        Filler filler(*log);
        filler.write();
        first = filler.records();
    }
    EXPECT_EQ(image().size(), 1U << 20U);
    const auto log = open(append);
    EXPECT_EQ(log->first_sequence(), 2);
    Filler filler(*log);
    filler.write();
    ASSERT_TRUE(log->close());
    EXPECT_EQ(image().size(), 3U * size);
    EXPECT_EQ(read_written(image()).streams, together(first, filler.records()));
}

TEST_F(AppendedLog, KeepsHeadersOfEveryKind) {
    for (const Lineage lineage : {Lineage::windows7, Lineage::session, Lineage::relogger}) {
        Recording recording = story_recording();
        recording.lineage = lineage;
        recording.header_pointer_size = 4;
        ByteWriter extras;
        extras.fill(format::buffer_header::size);
        ASSERT_TRUE(format::encode(format::PerfinfoRecord{.hook_id = 0x50, .time = 1}, extras));
        const Bytes record = extras.view().subspan(format::buffer_header::size);
        recording.extra_records.assign(record.begin(), record.end());
        files_.files().clear();
        write_first({}, recording);
        const Image before = image();
        const auto log = open(append, recording);
        ASSERT_TRUE(log->close());
        EXPECT_EQ(image().size(), before.size());
        // All but the mode, the two counts and EndTime.
        std::size_t different = 0;
        for (std::size_t i = 0; i < before.size(); ++i) {
            different += image()[i] != before[i] ? 1U : 0U;
        }
        EXPECT_EQ(different, 1U) << "the mode";
        EXPECT_THAT(read_written(image()).checked,
                    ElementsAre("the session lost events or buffers"));
    }
}

TEST_F(AppendedLog, RefusesASessionOfAnotherShape) {
    write_first();
    LogFileOptions options = append;
    options.buffer_size = 2 * size;
    EXPECT_EQ(refusal(options).code, ErrorCode::malformed);
    EXPECT_THAT(refusal(options).what, HasSubstr("buffer size"));
    EXPECT_THAT(refusal(append, story_recording(5)).what, HasSubstr("processors"));
    EXPECT_THAT(refusal(append, begin_recording({story_start}, 2, format::ClockType::qpc)).what,
                HasSubstr("clock"));
}

TEST_F(AppendedLog, TakesAnyNumberOfProcessorsFromASessionThatDoesNotKnowIt) {
    write_first();
    const auto log = open(append, story_recording(0));
    ASSERT_TRUE(log->close());
    EXPECT_EQ(read_written(image()).info.header.number_of_processors, 2U);
}

TEST_F(AppendedLog, RefusesACircularFile) {
    write_first({.mode = FileMode::circular, .limit = {.count = 1}});
    EXPECT_EQ(refusal().code, ErrorCode::malformed);
    EXPECT_THAT(refusal().what, HasSubstr("circular"));
}

TEST_F(AppendedLog, RefusesACompressedFile) {
    write_first({.compression = codec::Format::xpress});
    EXPECT_EQ(refusal().code, ErrorCode::unsupported);
    for (const auto container : {io::Container::zstd, io::Container::lz4}) {
        write_first({.container = container});
        EXPECT_EQ(refusal().code, ErrorCode::unsupported);
        EXPECT_THAT(refusal().what, HasSubstr("container"));
    }
}

TEST_F(AppendedLog, RefusesWhatIsNoTrace) {
    for (const std::size_t bytes : {0U, 1U, 71U, 72U, 5000U}) {
        image().assign(bytes, std::byte{'t'});
        EXPECT_EQ(refusal().code, ErrorCode::not_a_trace) << bytes;
    }
}

TEST_F(AppendedLog, RefusesADamagedFile) {
    write_first();
    const Image whole = image();
    image().resize(whole.size() - 1); // finished, and yet it ends inside a buffer
    EXPECT_EQ(refusal().code, ErrorCode::malformed);
    image() = whole;
    image()[size] = std::byte{1}; // BufferSize of the first data buffer
    EXPECT_EQ(refusal().code, ErrorCode::malformed);
    EXPECT_EQ(refusal().where.value, size);
    image() = whole;
    store_le(image().data() + size + format::buffer_header::sequence_number.offset,
             std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(refusal().code, ErrorCode::malformed) << "no number follows";
    image() = whole;
    std::fill(image().begin() + size, image().end(), std::byte{0});
    EXPECT_EQ(refusal().code, ErrorCode::malformed) << "finished files have no unwritten tail";
    for (const std::size_t bytes : {100U, 1000U, 4000U}) {
        image().assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(bytes));
        EXPECT_EQ(refusal().code, ErrorCode::truncated) << bytes;
    }
}

TEST_F(AppendedLog, RefusesNothingByCrashing) {
    write_first();
    const Image whole = image();
    for (std::size_t i = 0; i < 0x260; ++i) {
        image() = whole;
        image()[i] ^= std::byte{0xFF};
        const auto log = LogFile::open(path, story_recording(), append, files_);
        Image expected = whole;
        expected[i] ^= std::byte{0xFF};
        if (log) {
            EXPECT_TRUE((*log)->close());
        } else {
            EXPECT_TRUE(image() == expected) << "what is refused stays as it was: " << i;
        }
    }
}

TEST_F(AppendedLog, AddsWhatTheRecordingLost) {
    write_first();
    Recording later = story_recording();
    later.header.events_lost = 10;
    later.header.buffers_lost = 20;
    const auto log = open(append, later);
    EXPECT_EQ(read_written(image()).info.header.events_lost, 3U + 10U);
    log->add_lost_events(4);
    ASSERT_TRUE(log->close());
    EXPECT_EQ(read_written(image()).info.header.events_lost, 3U + 10U + 4U);
    EXPECT_EQ(read_written(image()).info.header.buffers_lost, 20U);
}

TEST_F(AppendedLog, RaisesTheProcessorsToThoseThatItSaw) {
    write_first();
    for (const std::uint32_t told : {0U, 2U, 1U}) {
        const auto log = open(append, story_recording(told));
        Filler filler(*log);
        filler.write({.processor = 6});
        ASSERT_TRUE(log->close());
        EXPECT_EQ(read_written(image()).info.header.number_of_processors, 7U) << told;
    }
}

TEST_F(AppendedLog, NeverMovesTheEndBack) {
    write_first();
    const std::int64_t end = read_written(image()).info.header.end_time;
    Recording later = story_recording();
    later.header.end_time = end - 1;
    ASSERT_TRUE(open(append, later)->close());
    EXPECT_EQ(read_written(image()).info.header.end_time, end);
    later.header.end_time = end + 1;
    ASSERT_TRUE(open(append, later)->close());
    EXPECT_EQ(read_written(image()).info.header.end_time, end + 1);
}

TEST_F(AppendedLog, RefusesSequenceNumbersThatNoSessionReaches) {
    write_first();
    const Image whole = image();
    for (const std::int64_t number : {std::int64_t{1} << 62U, (std::int64_t{1} << 62U) + 1}) {
        image() = whole;
        store_le(image().data() + size + format::buffer_header::sequence_number.offset, number);
        if (number == std::int64_t{1} << 62U) {
            ASSERT_TRUE(open(append)->close());
        } else {
            EXPECT_EQ(refusal().code, ErrorCode::malformed);
        }
    }
}

TEST_F(AppendedLog, SaysWhatTheDiskSaid) {
    write_first();
    for (const DiskCall call : {DiskCall::read, DiskCall::write}) {
        FailingFiles failing(files_);
        failing.fail({.call = call, .os_code = EIO});
        const auto log = LogFile::open(path, story_recording(), append, failing);
        ASSERT_FALSE(log);
        EXPECT_EQ(log.error().os_code, EIO);
    }
}

} // namespace
} // namespace etl::trace::log_file_append_test

#include "base/limits.hpp"
#include "tests/support/traces/written.hpp"
#include "trace/writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::trace::recording_test {
namespace {

using test::Image;
using test::TraceBuilder;
using test::TraceFacts;
using testing::AnyOf;

namespace mode = format::log_mode;

flow::TraceInfo info_of(const TraceFacts& facts) {
    TraceBuilder trace(facts);
    trace.buffer().add(format::EventRecord{.time = facts.reference_time + 1});
    return test::read(trace.build()).info;
}

/// The header buffer of a file without events.
Image header_buffer_of(const Recording& recording, const LogFileOptions& options = {}) {
    io::MemoryFiles files;
    auto log = LogFile::open("made.etl", recording, options, files);
    if (!log) {
        ADD_FAILURE() << describe(log.error());
        return {};
    }
    EXPECT_TRUE((*log)->close());
    return files.files().at("made.etl");
}

flow::TraceInfo written_info(const Recording& recording, const LogFileOptions& options = {}) {
    const test::Written written = test::read_written(header_buffer_of(recording, options));
    EXPECT_FALSE(written.error);
    EXPECT_EQ(written.damage, 0U);
    return written.info;
}

TEST(RecordingOf, SaysWhatTheTraceSays) {
    const TraceFacts facts{.clock = format::ClockType::cpu_cycles,
                           .mode = mode::sequential | mode::no_per_processor_buffering,
                           .build = 7601,
                           .processors = 3,
                           .events_lost = 4,
                           .buffers_lost = 5,
                           .process_id = 6,
                           .thread_id = 7};
    const flow::TraceInfo before = info_of(facts);
    const Recording recording = recording_of(before);
    EXPECT_EQ(recording.process_id, 6U);
    EXPECT_EQ(recording.thread_id, 7U);
    EXPECT_EQ(recording.lineage, Lineage::session);
    const flow::TraceInfo after = written_info(recording, {.buffer_size = facts.buffer_size});
    EXPECT_EQ(after.reference_time, before.reference_time);
    EXPECT_EQ(after.process_id, before.process_id);
    EXPECT_EQ(after.thread_id, before.thread_id);
    EXPECT_EQ(after.logger_id, before.logger_id);
    flow::TraceInfo same = before;
    same.header.buffers_written = after.header.buffers_written;
    EXPECT_EQ(format::encode_logfile_header(after.header, 8),
              format::encode_logfile_header(same.header, 8));
}

TEST(RecordingOf, KnowsTheLineage) {
    EXPECT_EQ(recording_of(info_of({.lineage = Lineage::windows7, .build = 7601})).lineage,
              Lineage::windows7);
    EXPECT_EQ(recording_of(info_of({.lineage = Lineage::session})).lineage, Lineage::session);
    EXPECT_EQ(recording_of(info_of({.lineage = Lineage::relogger})).lineage, Lineage::relogger);
}

TEST(RecordingOf, KeepsTheWidthOfTheHeader) {
    const flow::TraceInfo before = info_of({.pointer_size = 4});
    EXPECT_EQ(before.header_pointer_size, 4U);
    EXPECT_EQ(written_info(recording_of(before)).header_pointer_size, 4U);
}

TEST(RecordingOf, KnowsNothingWithoutAHeader) {
    flow::TraceInfo trace;
    trace.header.buffer_size = 77;
    const Recording recording = recording_of(trace);
    EXPECT_EQ(recording.header.clock_type(), format::ClockType::system_time);
    EXPECT_EQ(recording.header.pointer_size, 8U);
    const flow::Clock clock(recording.header, recording.reference_time);
    EXPECT_EQ(clock.to_filetime(123).ticks, trace.clock.to_filetime(123).ticks);
}

TEST(RecordingOf, CutsNamesThatAreTooLong) {
    flow::TraceInfo trace = info_of({});
    trace.header.session_name.assign(20'000, u'x');
    trace.header.log_file_name.assign(12'000, u'y');
    const Recording recording = recording_of(trace);
    EXPECT_EQ(recording.header.session_name.size(), 1024U);
    EXPECT_EQ(recording.header.log_file_name.size(), 1024U);
    written_info(recording, {.buffer_size = buffer_size_for(trace)});
}

TEST(RecordingOf, SaysHowReadersTakeAClockThatCannotBe) {
    struct Odd {
        format::ClockType clock;
        std::int64_t perf_freq;
        std::uint32_t cpu_speed;
    };

    for (const Odd& odd :
         {Odd{format::ClockType::qpc, 0, 1}, Odd{format::ClockType::qpc, -5, 1},
          Odd{format::ClockType::cpu_cycles, 1, 0}, Odd{static_cast<format::ClockType>(7), 1, 1}}) {
        flow::TraceInfo trace = info_of({});
        trace.header.reserved_flags = static_cast<std::uint32_t>(odd.clock);
        trace.header.perf_freq = odd.perf_freq;
        trace.header.cpu_speed_mhz = odd.cpu_speed;
        trace.clock = flow::Clock(trace.header, trace.reference_time);
        const Recording recording = recording_of(trace);
        EXPECT_EQ(recording.header.clock_type(), format::ClockType::system_time);
        const flow::Clock clock(recording.header, recording.reference_time);
        EXPECT_EQ(clock.to_filetime(12345).ticks, trace.clock.to_filetime(12345).ticks);
    }
}

TEST(RecordingOf, BoundsTheNumberOfProcessors) {
    flow::TraceInfo trace = info_of({});
    trace.header.number_of_processors = 0;
    EXPECT_EQ(recording_of(trace).header.number_of_processors, 1U);
    trace.header.number_of_processors = 0xFFFF'FFFF;
    EXPECT_EQ(recording_of(trace).header.number_of_processors, etl::limits::processors);
}

TEST(Relogged, IsTheRelogger) {
    const flow::TraceInfo before =
        info_of({.mode = mode::circular | mode::no_per_processor_buffering,
                 .processors = 5,
                 .events_lost = 4,
                 .buffers_lost = 5,
                 .process_id = 6,
                 .thread_id = 7});
    const flow::TraceInfo after = written_info(relogged(before));
    EXPECT_EQ(after.header.session_name, u"Relogger");
    EXPECT_EQ(after.header.log_file_name, before.header.log_file_name);
    EXPECT_EQ(after.header.logger_name_pointer, 0U);
    EXPECT_EQ(after.header.log_file_name_pointer, 0U);
    EXPECT_EQ(after.header.log_file_mode, 0x00010001U);
    EXPECT_EQ(after.header.number_of_processors, 5U);
    EXPECT_EQ(after.header.events_lost, 4U);
    EXPECT_EQ(after.header.buffers_lost, 5U);
    EXPECT_EQ(after.header.start_time, before.header.start_time);
    EXPECT_EQ(after.header.boot_time, before.header.boot_time);
    EXPECT_EQ(after.header.end_time, before.header.end_time);
    EXPECT_EQ(after.header.perf_freq, before.header.perf_freq);
    EXPECT_EQ(after.header.time_zone.bias, before.header.time_zone.bias);
    EXPECT_EQ(after.reference_time, before.reference_time);
    EXPECT_EQ(after.process_id, 6U);
    EXPECT_EQ(after.thread_id, 7U);
    EXPECT_EQ(after.logger_id, 0U);
}

TEST(Relogged, SaysWhenItIsCompressed) {
    const flow::TraceInfo after =
        written_info(relogged(info_of({})), {.compression = codec::Format::xpress});
    EXPECT_EQ(after.header.log_file_mode, 0x04010001U);
    EXPECT_EQ(after.header.sub_version, 2);
    EXPECT_EQ(after.header.sub_minor_version, 0);
}

TEST(Relogged, TellsTheLimitOfTheSourceInMegabytes) {
    flow::TraceInfo trace = info_of({});
    trace.header.maximum_file_size = 800;
    EXPECT_EQ(written_info(relogged(trace)).header.maximum_file_size, 800U);
    trace.header.log_file_mode |= mode::use_kbytes_for_size;
    trace.header.maximum_file_size = 1025;
    EXPECT_EQ(written_info(relogged(trace)).header.maximum_file_size, 2U);
    trace.header.maximum_file_size = 0xFFFF'FFFF;
    EXPECT_EQ(written_info(relogged(trace)).header.maximum_file_size, 0x40'0000U);
}

TEST(Relogged, EndsAnUnfinishedTraceWithItsNewestEvent) {
    flow::TraceInfo trace = info_of({.end_time = std::nullopt});
    EXPECT_TRUE(trace.is_unfinalized);
    io::MemoryFiles files;
    auto writer =
        std::move(*Writer::create("made.etl", {.recording = relogged(trace), .files = &files}));
    EXPECT_TRUE(writer->add(format::EventRecord{.time = trace.reference_time + 500}));
    EXPECT_TRUE(writer->close());
    const auto info = test::read(files.files().at("made.etl")).info;
    EXPECT_FALSE(info.is_unfinalized);
    EXPECT_EQ(info.header.end_time, trace.header.start_time + 500);
}

TEST(Relogged, LeavesRecordsWithTheirProcessors) {
    const flow::TraceInfo trace = info_of({.mode = mode::no_per_processor_buffering});
    io::MemoryFiles files;
    auto writer =
        std::move(*Writer::create("made.etl", {.recording = relogged(trace), .files = &files}));
    EXPECT_TRUE(writer->add(format::EventRecord{.time = trace.reference_time + 1}, 2));
    EXPECT_TRUE(writer->close());
    const test::Reading reading = test::read(files.files().at("made.etl"));
    EXPECT_EQ(reading.events.back().processor, 2);
    EXPECT_EQ(reading.info.header.number_of_processors, 3U);
}

TEST(BufferSizeFor, IsTheTracesOwn) {
    EXPECT_EQ(buffer_size_for(info_of({.buffer_size = 0x2000})), 0x2000U);
}

TEST(BufferSizeFor, DoesNotBelieveMuchThatIsDeclared) {
    flow::TraceInfo trace = info_of({});
    trace.header.buffer_size = 16U << 20U;
    EXPECT_EQ(buffer_size_for(trace), 1U << 20U);
    trace.max_used_bytes = (3U << 20U) + 1;
    EXPECT_EQ(buffer_size_for(trace), (3U << 20U) + 512);
    trace.header.buffer_size = 0xFFFF'FFFF;
    trace.max_used_bytes = etl::limits::buffer_bytes;
    EXPECT_EQ(buffer_size_for(trace), etl::limits::buffer_bytes);
}

TEST(BufferSizeFor, IsOneThatAFileCanHave) {
    for (const std::uint32_t declared : {0U, 1U, 1023U, 1025U, 0x7FFF'FFFFU}) {
        flow::TraceInfo trace = info_of({});
        trace.header.buffer_size = declared;
        written_info(relogged(trace), {.buffer_size = buffer_size_for(trace)});
    }
}

TEST(FullestBuffer, CountsWhatBuffersHoldWhenUnpacked) {
    TraceBuilder trace({.lineage = Lineage::relogger, .buffer_size = 0x4000});
    const std::vector<std::byte> payload(10'000);
    trace.buffer({.compression = codec::Format::xpress})
        .add(format::EventRecord{.time = 1'000'001, .payload = payload});
    const test::Reading reading = test::read(trace.build());
    EXPECT_EQ(reading.info.max_used_bytes, 72U + 80 + 10'000);
    EXPECT_LT(reading.buffers.back().disk_size, 1000U);
}

} // namespace
} // namespace etl::trace::recording_test

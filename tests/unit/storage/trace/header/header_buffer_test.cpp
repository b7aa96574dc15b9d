#include "format/record_kind.hpp"
#include "tests/unit/storage/trace/filled.hpp"
#include "trace/header/header_buffer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::trace::header_buffer_test {
namespace {

using namespace test;
namespace head = format::buffer_header;
namespace mode = format::log_mode;

HeaderBuffer make(const Recording& recording, const LogFileOptions& options = {}) {
    auto made = HeaderBuffer::make(recording, options, u"made.etl");
    EXPECT_TRUE(made) << describe(made.error());
    return *made;
}

/// What a reader finds.
format::LogfileHeader parsed(const HeaderBuffer& buffer, unsigned pointer_size = 8) {
    const Bytes records = buffer.bytes().subspan(head::size);
    const format::RecordShape shape = format::record_at(records);
    EXPECT_EQ(shape.kind, pointer_size == 4 ? format::narrow(format::RecordFamily::system)
                                            : format::wide(format::RecordFamily::system));
    auto header =
        format::parse_logfile_header(records.subspan(0x20, shape.size - 0x20), pointer_size, {});
    EXPECT_TRUE(header);
    return header.value_or(format::LogfileHeader{});
}

format::BufferHeaderView front(const HeaderBuffer& buffer) {
    return format::BufferHeaderView(buffer.bytes().first<head::size>());
}

TEST(HeaderBuffer, IsUnfinishedUntilTold) {
    HeaderBuffer buffer = make(story_recording());
    EXPECT_EQ(parsed(buffer).end_time, 0);
    EXPECT_EQ(parsed(buffer).buffers_written, 0U);
    buffer.update({.end_time = story_start + 1, .buffers_written = 7});
    EXPECT_EQ(parsed(buffer).end_time, story_start + 1);
    EXPECT_EQ(parsed(buffer).buffers_written, 7U);
}

TEST(HeaderBuffer, KeepsWhatItWasToldOfTheRecording) {
    Recording recording = story_recording();
    recording.header.boot_time = 77;
    recording.header.time_zone.bias = -60;
    recording.header.logger_name_pointer = 2;
    recording.reference_time = 99;
    const HeaderBuffer buffer = make(recording);
    const format::LogfileHeader header = parsed(buffer);
    EXPECT_EQ(header.boot_time, 77);
    EXPECT_EQ(header.time_zone.bias, -60);
    EXPECT_EQ(header.logger_name_pointer, 2U);
    EXPECT_EQ(header.session_name, u"Signal Box");
    EXPECT_EQ(header.number_of_processors, 2U);
    EXPECT_EQ(header.start_time, story_start);
    EXPECT_EQ(buffer.reference_time(), 99);
    EXPECT_EQ(header.log_file_name, u"made.etl");
    recording.header.log_file_name = u"C:\\given.etl";
    EXPECT_EQ(parsed(make(recording)).log_file_name, u"C:\\given.etl");
}

TEST(HeaderBuffer, AddsLossesToThoseOfTheRecording) {
    Recording recording = story_recording();
    recording.header.events_lost = 40;
    recording.header.buffers_lost = 0xFFFFFFFF;
    HeaderBuffer buffer = make(recording);
    buffer.update({.events_lost = 1, .buffers_lost = 1});
    EXPECT_EQ(parsed(buffer).events_lost, 41U);
    EXPECT_EQ(parsed(buffer).buffers_lost, 0xFFFFFFFFU) << "a full count stays full";
    buffer.update({.events_lost = 2});
    EXPECT_EQ(parsed(buffer).events_lost, 42U);
}

TEST(HeaderBuffer, HasAsManyProcessorsAsItsBuffersName) {
    HeaderBuffer buffer = make(story_recording(0));
    EXPECT_EQ(parsed(buffer).number_of_processors, 1U);
    buffer.update({.processors = 12});
    EXPECT_EQ(parsed(buffer).number_of_processors, 12U);
    buffer.update({.processors = 257});
    EXPECT_EQ(parsed(buffer).sub_version, 2) << "that many ask for layout 2.0";
    HeaderBuffer told = make(story_recording(2));
    told.update({.processors = 1});
    EXPECT_EQ(parsed(told).number_of_processors, 2U) << "those of the machine";
    told.update({.processors = 12});
    EXPECT_EQ(parsed(told).number_of_processors, 12U);
}

TEST(HeaderBuffer, HasLayoutTwoOnlyWhereItMust) {
    const auto layout = [](const Recording& recording, const LogFileOptions& options) {
        const format::LogfileHeader header = parsed(make(recording, options));
        return 10 * header.sub_version + header.sub_minor_version;
    };
    EXPECT_EQ(layout(story_recording(), {}), 15);
    EXPECT_EQ(layout(story_recording(), {.buffer_size = 1U << 20U}), 15);
    EXPECT_EQ(layout(story_recording(), {.buffer_size = (1U << 20U) + 512}), 20);
    EXPECT_EQ(layout(story_recording(), {.compression = codec::Format::xpress}), 20);
    EXPECT_EQ(layout(story_recording(256), {}), 15);
    EXPECT_EQ(layout(story_recording(257), {}), 20);
    Recording unpacked = story_recording();
    unpacked.header.sub_version = 2;
    unpacked.header.sub_minor_version = 0;
    EXPECT_EQ(layout(unpacked, {}), 15);
    Recording vista = story_recording();
    vista.header.sub_minor_version = 4;
    EXPECT_EQ(layout(vista, {}), 14) << "records are as they were";
}

TEST(HeaderBuffer, KeepsTheMeaningOfTheClockWhenTheLayoutChanges) {
    Recording xp = story_recording();
    xp.header.sub_minor_version = 0;
    xp.header.reserved_flags = 0;
    EXPECT_EQ(parsed(make(xp)).reserved_flags, 0U);
    EXPECT_EQ(parsed(make(xp, {.compression = codec::Format::xpress})).reserved_flags, 2U);
}

TEST(HeaderBuffer, WritesTheModeOfTheFileNotOfTheSource) {
    Recording recording = story_recording();
    recording.header.log_file_mode =
        mode::circular | mode::compressed | mode::real_time | mode::stop_on_hybrid_shutdown |
        mode::persist_on_hybrid_shutdown | mode::no_per_processor_buffering;
    const auto written = [&](const LogFileOptions& options) {
        return parsed(make(recording, options)).log_file_mode & ~mode::no_per_processor_buffering;
    };
    EXPECT_EQ(written({}), mode::sequential);
    EXPECT_EQ(written({.mode = FileMode::circular}), mode::circular);
    EXPECT_EQ(written({.mode = FileMode::append}), mode::sequential | mode::append);
    EXPECT_EQ(written({.mode = FileMode::new_file}), mode::sequential | mode::new_file);
    EXPECT_EQ(written({.limit = {.count = 1}, .preallocate = true}),
              mode::sequential | mode::preallocate);
    EXPECT_EQ(written({.delay_open = true}), mode::sequential | mode::delay_open);
    const LogFileOptions kilobytes{.limit = {.count = 200, .unit = SizeLimit::Unit::kilobytes}};
    EXPECT_EQ(written(kilobytes), mode::sequential | mode::use_kbytes_for_size);
    EXPECT_EQ(parsed(make(recording, kilobytes)).maximum_file_size, 200U);
    EXPECT_NE(parsed(make(recording)).log_file_mode & mode::no_per_processor_buffering, 0U)
        << "what the recording was stays";
}

TEST(HeaderBuffer, LeavesAModeOfNothingWhereItMeansSequential) {
    Recording recording = story_recording();
    recording.header.log_file_mode = mode::no_per_processor_buffering;
    EXPECT_EQ(parsed(make(recording)).log_file_mode, mode::no_per_processor_buffering);
    EXPECT_EQ(parsed(make(recording, {.mode = FileMode::circular})).log_file_mode,
              mode::no_per_processor_buffering | mode::circular);
}

TEST(HeaderBuffer, FollowsItsLineage) {
    Recording recording = story_recording();
    recording.extra_records.resize(48, std::byte{1});
    const HeaderBuffer session = make(recording);
    EXPECT_EQ(front(session).flags(), 0x21);
    EXPECT_EQ(front(session).state(), 3U);
    EXPECT_EQ(front(session).logger_id(), 5);
    EXPECT_EQ(front(session).saved_offset(), front(session).offset());

    recording.lineage = Lineage::windows7;
    const HeaderBuffer windows7 = make(recording);
    EXPECT_EQ(front(windows7).flags(), 0x01);
    EXPECT_EQ(front(windows7).saved_offset(), 0U);
    EXPECT_EQ(load_le<std::uint16_t>(windows7.bytes().data() + 0x28), 0x0800);

    recording.lineage = Lineage::relogger;
    const HeaderBuffer relogged = make(recording);
    EXPECT_EQ(front(relogged).flags(), 0x01);
    EXPECT_EQ(front(relogged).state(), 0U);
    EXPECT_EQ(front(relogged).logger_id(), 0);
    EXPECT_LE(front(relogged).saved_offset() + 48, front(relogged).offset());
    EXPECT_EQ(parsed(relogged).log_file_mode, mode::sequential | mode::relog);
    EXPECT_EQ(front(make(recording, {.compression = codec::Format::lznt1})).state(), 2U);
}

TEST(HeaderBuffer, NamesTheCodecInAnyLineage) {
    const HeaderBuffer buffer =
        make(story_recording(), {.compression = codec::Format::xpress_huffman});
    EXPECT_EQ(front(buffer).state(), 4U) << "or nobody could read it";
}

TEST(HeaderBuffer, IsAsLargeAsABufferOrHasWhatItNeeds) {
    EXPECT_EQ(make(story_recording(), {.buffer_size = 0x2000}).bytes().size(), 0x2000U);
    const HeaderBuffer packed = make(story_recording(), {.compression = codec::Format::xpress});
    EXPECT_EQ(packed.bytes().size(), 0x200U);
    EXPECT_EQ(front(packed).buffer_size(), 0x200U);
    EXPECT_EQ(parsed(packed).buffer_size, 64U << 10U);
    EXPECT_EQ(packed.bytes().back(), std::byte{0xFF});
}

TEST(HeaderBuffer, HasTheHeaderRecordInEitherWidth) {
    Recording recording = story_recording();
    recording.header_pointer_size = 4;
    EXPECT_EQ(parsed(make(recording), 4).session_name, u"Signal Box");
}

TEST(HeaderBuffer, RefusesNamesThatDoNotFit) {
    Recording recording = story_recording();
    recording.header.session_name = std::u16string(1800, u'n');
    EXPECT_TRUE(HeaderBuffer::make(recording, {.buffer_size = 4096}, u"a"));
    recording.header.session_name = std::u16string(2000, u'n');
    const auto refused = HeaderBuffer::make(recording, {.buffer_size = 4096}, u"a");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_option);
    recording.header.session_name = std::u16string(40'000, u'n');
    EXPECT_FALSE(HeaderBuffer::make(recording, {.buffer_size = 1U << 20U}, u"a"))
        << "no record is larger than 65,535 bytes";
}

TEST(Recording, CountsFromItsStart) {
    const Recording qpc = begin_recording({story_start}, 3, format::ClockType::qpc);
    EXPECT_EQ(qpc.reference_time, 0);
    EXPECT_EQ(qpc.header.perf_freq, 10'000'000);
    const Recording cycles = begin_recording({story_start}, 3, format::ClockType::cpu_cycles);
    EXPECT_EQ(cycles.header.cpu_speed_mhz, 10U);
    const Recording system = begin_recording({story_start});
    EXPECT_EQ(system.reference_time, story_start);
    for (const Recording& each : {qpc, cycles, system}) {
        const flow::Clock clock(each.header, each.reference_time);
        EXPECT_EQ(clock.to_filetime(each.reference_time + 5).ticks, story_start + 5);
    }
}

TEST(Recording, KnowsWhatTimeItIs) {
    const Filetime first = now();
    EXPECT_GT(to_civil(first).year, 2023);
    EXPECT_LE(first, now());
}

} // namespace
} // namespace etl::trace::header_buffer_test

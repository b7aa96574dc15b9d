// Whole files of LogFile against images written by hand, a small one for each lineage: what tests
// of the reader are made with is written by LogFile too, so that both could be wrong in the same
// way. Offsets and values are those of docs/format/buffer.md, logfile-header.md, record.md and
// writing.md#lineage; what no field names is zero.
#include "tests/support/traces/sample_bytes.hpp"
#include "tests/unit/storage/trace/filled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::trace::golden_images_test {
namespace {

using namespace test;
using testing::ElementsAreArray;

constexpr std::uint32_t size = 0x400;

struct Field {
    std::size_t at;
    std::string_view hex; // the bytes as they lie in the file
    const char* name;
};

using Fields = std::vector<Field>;

/// An image of which the parts are placed; 0xFF from `used` to the end.
class Golden {
public:
    explicit Golden(std::size_t used) : bytes_(used) { bytes_.resize(size, std::byte{0xFF}); }

    Golden& put(std::size_t base, const Fields& fields) {
        for (const Field& field : fields) {
            const auto bytes = from_hex(field.hex);
            std::ranges::copy(bytes, MutableBytes(bytes_).subspan(base + field.at).begin());
            names_.push_back({base + field.at, "", field.name});
        }
        return *this;
    }

    /// Fails for each field that differs, and for whatever differs between fields.
    void compare(Bytes file) const {
        ASSERT_EQ(file.size(), bytes_.size());
        for (std::size_t i = 0; i < names_.size(); ++i) {
            const std::size_t begin = names_[i].at;
            const std::size_t end = i + 1 < names_.size() ? names_[i + 1].at : size;
            ASSERT_LE(begin, end) << names_[i].name;
            EXPECT_THAT(file.subspan(begin, end - begin),
                        ElementsAreArray(Bytes(bytes_).subspan(begin, end - begin)))
                << names_[i].name << " at " << begin;
        }
        EXPECT_EQ(names_.front().at, 0U);
    }

private:
    std::vector<std::byte> bytes_;
    Fields names_;
};

// The log file header behind the first record's header: what both widths have in common.
Fields front_of_payload(std::string_view mode, std::string_view pointer_size) {
    return {{0x00, "00 04 00 00", "BufferSize"},
            {0x04, "0a 00", "MajorVersion, MinorVersion of Windows"},
            {0x06, "01 05", "SubVersion, SubMinorVersion"},
            {0x08, "65 4a 00 00", "ProviderVersion: build 19045"},
            {0x0C, "02 00 00 00", "NumberOfProcessors"},
            {0x10, "f4 21 33 b0 0e a8 da 01", "EndTime: 500 ticks of 100 ns behind StartTime"},
            {0x18, "5a 62 02 00", "TimerResolution: 156250"},
            {0x1C, "00 00 00 00", "MaximumFileSize"},
            {0x20, mode, "LogFileMode"},
            {0x24, "02 00 00 00", "BuffersWritten"},
            {0x28, "01 00 00 00", "StartBuffers"},
            {0x2C, pointer_size, "PointerSize"},
            {0x30, "03 00 00 00", "EventsLost"},
            {0x34, "00 00 00 00", "CpuSpeedInMHz"}};
}

const Fields time_zone{
    {0x00, "c4 ff ff ff", "Bias: -60"},
    {0x04, "4d 00", "StandardName: M"},
    {0x44, "00 00 0a 00 00 00 05 00 03 00", "StandardDate: 5th Sunday of October, 3"},
    {0x54, "00 00 00 00", "StandardBias"},
    {0x58, "53 00", "DaylightName: S"},
    {0x98, "00 00 03 00 00 00 05 00 02 00", "DaylightDate: 5th Sunday of March, 2"},
    {0xA8, "c4 ff ff ff", "DaylightBias: -60"}};

// From BootTime on both widths are the same again.
const Fields end_of_payload{{0x00, "00 20 33 b0 0e a8 da 01", "BootTime"},
                            {0x08, "80 96 98 00 00 00 00 00", "PerfFreq: 10 MHz"},
                            {0x10, "00 20 33 b0 0e a8 da 01", "StartTime"},
                            {0x18, "01 00 00 00", "ReservedFlags: QPC"},
                            {0x1C, "00 00 00 00", "BuffersLost"},
                            {0x20, "47 00 6f 00 00 00", "session: Go"},
                            {0x26, "74 00 2e 00 65 00 74 00 6c 00 00 00", "file: t.etl"}};

/// Behind the first three fields, which differ.
const Fields header_record{{0x06, "00 00", "hook of the log file header"},
                           {0x08, "94 10 00 00", "ThreadId: 4244"},
                           {0x0C, "92 10 00 00", "ProcessId: 4242"},
                           {0x10, "40 42 0f 00 00 00 00 00", "SystemTime: 1000000"},
                           {0x18, "07 00 00 00", "KernelTime"},
                           {0x1C, "09 00 00 00", "UserTime"}};

Golden wide_header(const Fields& head, std::string_view mode, std::string_view logger_name,
                   std::string_view file_name) {
    Golden golden(0x198);
    golden.put(0, head)
        .put(0x48, {{0x00, "02 00", "version"},
                    {0x02, "02 c0", "SYSTEM64"},
                    {0x04, "4a 01", "size: 0x20 + 0x118 + 6 + 12"}})
        .put(0x48, header_record)
        .put(0x68, front_of_payload(mode, "08 00 00 00"))
        .put(0x68, {{0x38, logger_name, "LoggerName"}, {0x40, file_name, "LogFileName"}})
        .put(0x68 + 0x48, time_zone)
        .put(0x68 + 0xF8, end_of_payload);
    return golden;
}

Golden narrow_header(const Fields& head) {
    Golden golden(0x190);
    golden.put(0, head)
        .put(0x48, {{0x00, "02 00", "version"},
                    {0x02, "01 c0", "SYSTEM32"},
                    {0x04, "42 01", "size: 0x20 + 0x110 + 6 + 12"}})
        .put(0x48, header_record)
        .put(0x68, front_of_payload("01 00 00 00", "04 00 00 00"))
        .put(0x68, {{0x38, "02 00 00 00", "LoggerName"}, {0x3C, "05 00 00 00", "LogFileName"}})
        .put(0x68 + 0x40, time_zone)
        .put(0x68 + 0xF0, end_of_payload);
    return golden;
}

/// A data buffer with one event.
Golden data_buffer(std::string_view processor, std::string_view logger_id, std::string_view flags) {
    Golden golden(0xA0);
    golden
        .put(0, {{0x00, "00 04 00 00", "BufferSize"},
                 {0x04, "a0 00 00 00", "SavedOffset"},
                 {0x08, "a0 00 00 00", "CurrentOffset"},
                 {0x0C, "00 00 00 00", "ReferenceCount"},
                 {0x10, "34 44 0f 00 00 00 00 00", "TimeStamp: 1000500"},
                 {0x18, "01 00 00 00 00 00 00 00", "SequenceNumber"},
                 {0x28, processor, "ProcessorIndex"},
                 {0x2A, logger_id, "LoggerId"},
                 {0x2C, "03 00 00 00", "State: flush"},
                 {0x30, "a0 00 00 00", "Offset"},
                 {0x34, flags, "BufferFlag"},
                 {0x36, "00 00", "BufferType: generic"}})
        .put(0x48, {{0x00, "55 00", "size: 0x50 + 5"},
                    {0x02, "13 c0", "EVENT64"},
                    {0x04, "00 00 00 00", "Flags, EventProperty"},
                    {0x08, "08 00 00 00", "ThreadId"},
                    {0x0C, "07 00 00 00", "ProcessId"},
                    {0x10, "34 44 0f 00 00 00 00 00", "TimeStamp: 1000500"},
                    {0x18, "00", "ProviderId"},
                    {0x28, "39 05 02 0b", "Id 1337, Version, Channel"},
                    {0x2C, "04 01 06 00", "Level, Opcode, Task"},
                    {0x30, "00 00 00 00 00 00 00 80", "Keyword"},
                    {0x38, "00", "times, ActivityId"},
                    {0x50, "68 65 6c 6c 6f 00 00 00", "payload: hello; padding"}});
    return golden;
}

Recording recording_of(Lineage lineage) {
    Recording recording = begin_recording({story_start}, 2, format::ClockType::qpc);
    recording.lineage = lineage;
    recording.logger_id = 5;
    recording.reference_time = 1'000'000;
    recording.process_id = 4242;
    recording.thread_id = 4244;
    recording.kernel_time = 7;
    recording.user_time = 9;
    format::LogfileHeader& header = recording.header;
    header.session_name = u"Go";
    header.time_zone = {.bias = -60,
                        .standard_name = u"M",
                        .standard_date = {0, 10, 0, 5, 3, 0, 0, 0},
                        .standard_bias = 0,
                        .daylight_name = u"S",
                        .daylight_date = {0, 3, 0, 5, 2, 0, 0, 0},
                        .daylight_bias = -60};
    header.events_lost = 3;
    if (lineage != Lineage::relogger) {
        header.logger_name_pointer = 2;
        header.log_file_name_pointer = 5;
    }
    return recording;
}

/// A header buffer, and one with an event on processor 1.
Image written(const Recording& recording) {
    io::MemoryFiles files;
    const auto log = LogFile::open("t.etl", recording, {.buffer_size = size}, files);
    EXPECT_TRUE(log);
    ByteWriter records;
    records.fill(0x48);
    const auto payload = bytes_of("hello");
    EXPECT_TRUE(format::encode(format::EventRecord{.process_id = 7,
                                                   .thread_id = 8,
                                                   .time = 1'000'500,
                                                   .descriptor = {.id = 1337,
                                                                  .version = 2,
                                                                  .channel = 11,
                                                                  .level = 4,
                                                                  .opcode = 1,
                                                                  .task = 6,
                                                                  .keyword = 1ULL << 63U},
                                                   .payload = payload},
                               records));
    records.align(8);
    FilledBuffer buffer{.memory = (*log)->memory(),
                        .used = static_cast<std::uint32_t>(records.size()),
                        .processor = 1,
                        .flags = format::buffer_flag::flush_marker,
                        .sequence = 1,
                        .time_stamp = 1'000'500,
                        .newest_time = 1'000'500};
    std::ranges::copy(records.view(), buffer.memory.get());
    (*log)->write(std::move(buffer));
    EXPECT_TRUE((*log)->close());
    return files.files().at("t.etl");
}

void compare(const Golden& header, const Golden& data, const Image& file) {
    ASSERT_EQ(file.size(), 2 * size);
    header.compare(Bytes(file).first(size));
    data.compare(Bytes(file).last(size));
}

TEST(GoldenImage, OfASession) {
    const Fields head{{0x00, "00 04 00 00", "BufferSize"},
                      {0x04, "98 01 00 00", "SavedOffset"},
                      {0x08, "98 01 00 00", "CurrentOffset"},
                      {0x0C, "00", "ReferenceCount, TimeStamp, SequenceNumber, pointers"},
                      {0x28, "00 00", "ProcessorIndex"},
                      {0x2A, "05 00", "LoggerId"},
                      {0x2C, "03 00 00 00", "State: flush"},
                      {0x30, "98 01 00 00", "Offset"},
                      {0x34, "21 00", "BufferFlag: PROC_INDEX, FLUSH_MARKER"},
                      {0x36, "04 00", "BufferType: header"}};
    compare(wide_header(head, "01 00 00 00", "02 00 00 00 00 00 00 00", "05 00 00 00 00 00 00 00"),
            data_buffer("01 00", "05 00", "21 00"), written(recording_of(Lineage::session)));
}

TEST(GoldenImage, OfARelogger) {
    const Fields head{{0x00, "00 04 00 00", "BufferSize"},
                      {0x04, "98 01 00 00", "SavedOffset: behind the first record"},
                      {0x08, "00 00 00 00", "CurrentOffset"},
                      {0x0C, "00", "ReferenceCount, TimeStamp, SequenceNumber, pointers"},
                      {0x28, "00 00", "ProcessorIndex"},
                      {0x2A, "00 00", "LoggerId"},
                      {0x2C, "00 00 00 00", "State: no codec"},
                      {0x30, "98 01 00 00", "Offset"},
                      {0x34, "01 00", "BufferFlag: FLUSH_MARKER"},
                      {0x36, "04 00", "BufferType: header"}};
    compare(wide_header(head, "01 00 01 00", "00", "00"), data_buffer("01 00", "00 00", "21 00"),
            written(recording_of(Lineage::relogger)));
}

TEST(GoldenImage, OfWindows7On32Bits) {
    const Fields head{{0x00, "00 04 00 00", "BufferSize"},
                      {0x04, "00 00 00 00", "SavedOffset"},
                      {0x08, "90 01 00 00", "CurrentOffset"},
                      {0x0C, "00", "ReferenceCount, TimeStamp, SequenceNumber, pointers"},
                      {0x28, "00 08", "ProcessorNumber, Alignment"},
                      {0x2A, "05 00", "LoggerId"},
                      {0x2C, "03 00 00 00", "State: flush"},
                      {0x30, "90 01 00 00", "Offset"},
                      {0x34, "01 00", "BufferFlag: FLUSH_MARKER"},
                      {0x36, "04 00", "BufferType: header"}};
    Recording recording = recording_of(Lineage::windows7);
    recording.header_pointer_size = 4;
    recording.header.pointer_size = 4;
    compare(narrow_header(head), data_buffer("01 08", "05 00", "01 00"), written(recording));
}

} // namespace
} // namespace etl::trace::golden_images_test

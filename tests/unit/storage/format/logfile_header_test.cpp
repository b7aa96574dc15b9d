#include "base/layout.hpp"
#include "format/logfile_header.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace etl::format::logfile_header_test {
namespace {

// Every field its own value.
LogfileHeader sample() {
    LogfileHeader h;
    h.buffer_size = 0x10000;
    h.major_version = 10;
    h.minor_version = 1;
    h.sub_version = 1;
    h.sub_minor_version = 5;
    h.provider_version = 19045;
    h.number_of_processors = 16;
    h.end_time = 0x01D8'0000'1111'2222;
    h.timer_resolution = 156'250;
    h.maximum_file_size = 64;
    h.log_file_mode = 0x10001;
    h.buffers_written = 99;
    h.start_buffers = 1;
    h.pointer_size = 8;
    h.events_lost = 41;
    h.cpu_speed_mhz = 2400;
    h.logger_name_pointer = 0x11;
    h.log_file_name_pointer = 0x22;
    h.time_zone = {.bias = -60,
                   .standard_name = u"Mitteleuropäische Zeit",
                   .standard_date = {0, 10, 0, 5, 3, 0, 0, 0},
                   .standard_bias = 1,
                   .daylight_name = u"@tzres.dll,-321",
                   .daylight_date = {0, 3, 0, 5, 2, 0, 0, 0},
                   .daylight_bias = -60};
    h.boot_time = 0x01D7'0000'0000'0001;
    h.perf_freq = 10'000'000;
    h.start_time = 0x01D8'0000'0000'0001;
    h.reserved_flags = 1;
    h.buffers_lost = 3;
    h.session_name = u"Kaffeemaschine";
    h.log_file_name = u"C:\\k.etl";
    return h;
}

void expect_same(const LogfileHeader& a, const LogfileHeader& b) {
    EXPECT_EQ(a.buffer_size, b.buffer_size);
    EXPECT_EQ(a.major_version, b.major_version);
    EXPECT_EQ(a.minor_version, b.minor_version);
    EXPECT_EQ(a.sub_version, b.sub_version);
    EXPECT_EQ(a.sub_minor_version, b.sub_minor_version);
    EXPECT_EQ(a.provider_version, b.provider_version);
    EXPECT_EQ(a.number_of_processors, b.number_of_processors);
    EXPECT_EQ(a.end_time, b.end_time);
    EXPECT_EQ(a.timer_resolution, b.timer_resolution);
    EXPECT_EQ(a.maximum_file_size, b.maximum_file_size);
    EXPECT_EQ(a.log_file_mode, b.log_file_mode);
    EXPECT_EQ(a.buffers_written, b.buffers_written);
    EXPECT_EQ(a.start_buffers, b.start_buffers);
    EXPECT_EQ(a.pointer_size, b.pointer_size);
    EXPECT_EQ(a.events_lost, b.events_lost);
    EXPECT_EQ(a.cpu_speed_mhz, b.cpu_speed_mhz);
    EXPECT_EQ(a.logger_name_pointer, b.logger_name_pointer);
    EXPECT_EQ(a.log_file_name_pointer, b.log_file_name_pointer);
    EXPECT_EQ(a.time_zone.bias, b.time_zone.bias);
    EXPECT_EQ(a.time_zone.standard_name, b.time_zone.standard_name);
    EXPECT_EQ(a.time_zone.standard_date.month, b.time_zone.standard_date.month);
    EXPECT_EQ(a.time_zone.standard_bias, b.time_zone.standard_bias);
    EXPECT_EQ(a.time_zone.daylight_name, b.time_zone.daylight_name);
    EXPECT_EQ(a.time_zone.daylight_date.hour, b.time_zone.daylight_date.hour);
    EXPECT_EQ(a.time_zone.daylight_bias, b.time_zone.daylight_bias);
    EXPECT_EQ(a.boot_time, b.boot_time);
    EXPECT_EQ(a.perf_freq, b.perf_freq);
    EXPECT_EQ(a.start_time, b.start_time);
    EXPECT_EQ(a.reserved_flags, b.reserved_flags);
    EXPECT_EQ(a.buffers_lost, b.buffers_lost);
    EXPECT_EQ(a.session_name, b.session_name);
    EXPECT_EQ(a.log_file_name, b.log_file_name);
}

class LogfileHeaderOfWidth : public testing::TestWithParam<unsigned> {};

TEST_P(LogfileHeaderOfWidth, ComesBackAsItWasEncoded) {
    const auto payload = encode_logfile_header(sample(), GetParam());
    const auto parsed = parse_logfile_header(payload, GetParam(), {});
    ASSERT_TRUE(parsed);
    expect_same(*parsed, sample());
}

TEST_P(LogfileHeaderOfWidth, HasTheOffsetsOfTheSpecification) {
    const auto payload = encode_logfile_header(sample(), GetParam());
    const std::size_t wide = GetParam() == 8 ? 8 : 0; // two pointers lie in front
    const auto u64_at = [&](std::size_t at) { return load_le<std::int64_t>(payload.data() + at); };
    EXPECT_EQ(u64_at(0x10), sample().end_time);
    EXPECT_EQ(u64_at(0xF0 + wide), sample().boot_time);
    EXPECT_EQ(u64_at(0xF8 + wide), sample().perf_freq);
    EXPECT_EQ(u64_at(0x100 + wide), sample().start_time);
    EXPECT_EQ(load_le<std::uint32_t>(payload.data() + 0x10C + wide), sample().buffers_lost);
    EXPECT_EQ(load_le<std::uint16_t>(payload.data() + 0x110 + wide), u'K');
    EXPECT_EQ(payload.size(), 0x110 + wide + 2 * (sample().session_name.size() + 1) +
                                  2 * (sample().log_file_name.size() + 1));
}

TEST_P(LogfileHeaderOfWidth, SurvivesEveryCut) {
    const auto payload = encode_logfile_header(sample(), GetParam());
    const std::size_t fixed = 0x108 + 2 * std::size_t{GetParam()};
    for (std::size_t size = 0; size < payload.size(); ++size) {
        const auto parsed = parse_logfile_header(Bytes(payload).first(size), GetParam(), {0x68});
        ASSERT_EQ(parsed.has_value(), size >= fixed) << size;
        if (parsed) {
            EXPECT_TRUE(sample().session_name.starts_with(parsed->session_name));
        } else {
            EXPECT_EQ(parsed.error().code, ErrorCode::truncated);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Widths, LogfileHeaderOfWidth, testing::Values(4U, 8U),
                         testing::PrintToStringParamName());

TEST(LogfileHeader, CutsZoneNamesThatDoNotFit) {
    LogfileHeader h = sample();
    h.time_zone.standard_name = std::u16string(40, u'z');
    const auto parsed = parse_logfile_header(encode_logfile_header(h, 8), 8, {});
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->time_zone.standard_name, std::u16string(31, u'z'));
    EXPECT_EQ(parsed->start_time, h.start_time);
}

TEST(LogfileHeader, TakesClockZeroForSystemTimeOnlyBeforeVista) {
    LogfileHeader h;
    h.sub_version = 1;
    h.sub_minor_version = 3;
    EXPECT_EQ(h.clock_type(), ClockType::system_time);
    h.sub_minor_version = 4;
    EXPECT_EQ(h.clock_type(), ClockType::unknown);
    h.reserved_flags = 3;
    EXPECT_EQ(h.clock_type(), ClockType::cpu_cycles);
    h.reserved_flags = 4;
    EXPECT_EQ(h.clock_type(), ClockType::unknown);
}

} // namespace
} // namespace etl::format::logfile_header_test

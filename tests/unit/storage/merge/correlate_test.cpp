#include "merge/correlate.hpp"

#include <gmock/gmock.h>

namespace etl::merge::correlate_test {
namespace {

using flow::TraceInfo;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t boot = 133'603'920'000'000'000;

TraceInfo trace() {
    TraceInfo made;
    made.has_header = true;
    made.header.boot_time = boot;
    made.header.reserved_flags = 1;
    made.header.sub_version = 1;
    made.header.sub_minor_version = 5;
    made.header.provider_version = 19045;
    made.header.number_of_processors = 8;
    made.header.perf_freq = 10'000'000;
    made.header.cpu_speed_mhz = 2394;
    made.header.pointer_size = 8;
    return made;
}

/// What a second trace has against the first, after a change.
std::vector<Mismatch> with(void (*change)(TraceInfo& second)) {
    const TraceInfo first = trace();
    TraceInfo second = trace();
    change(second);
    const std::array traces{&first, static_cast<const TraceInfo*>(&second)};
    return correlate(traces);
}

std::string told(const std::vector<Mismatch>& mismatches) {
    std::string text;
    for (const Mismatch& each : mismatches) {
        text += std::to_string(each.input) + " " + each.field + ": " + each.first + ", " +
                each.other + (each.is_other_machine ? " other machine" : "") + "\n";
    }
    return text;
}

TEST(Correlate, SessionsOfOneBootFit) {
    EXPECT_EQ(told(with([](TraceInfo&) {})), "");
    EXPECT_THAT(correlate({}), IsEmpty());
}

TEST(Correlate, ABootTimeThatMovedALittleFits) {
    EXPECT_EQ(told(with([](TraceInfo& t) { t.header.boot_time += 10'000'000; })), "");
}

TEST(Correlate, AnotherBootDoesNotFit) {
    EXPECT_EQ(told(with([](TraceInfo& t) { t.header.boot_time += 10'000'001; })),
              "1 boot time: 2024-05-17T04:00:00.0000000Z, 2024-05-17T04:00:01.0000001Z\n");
}

TEST(Correlate, AnUnknownBootTimeFitsNone) {
    EXPECT_EQ(told(with([](TraceInfo& t) { t.header.boot_time = 0; })),
              "1 boot time: 2024-05-17T04:00:00.0000000Z, not recorded\n");
    TraceInfo unknown = trace();
    unknown.header.boot_time = 0;
    unknown.header.start_time = boot + 1'000;
    const std::array<const TraceInfo*, 2> parts{&unknown, &unknown};
    EXPECT_EQ(told(correlate(parts)), "") << "parts of one recording";
    TraceInfo other = unknown;
    other.header.start_time += 1;
    const std::array<const TraceInfo*, 2> traces{&unknown, &other};
    EXPECT_EQ(told(correlate(traces)), "1 boot time: not recorded, not recorded\n");
    for (TraceInfo* const one : {&unknown, &other}) {
        one->header.reserved_flags = 2;
        one->header.start_time = 0;
    }
    EXPECT_EQ(told(correlate(traces)), "") << "system times of any boots are comparable";
}

TEST(Correlate, AnotherClockDoesNotFit) {
    EXPECT_EQ(told(with([](TraceInfo& t) { t.header.reserved_flags = 2; })),
              "1 clock: qpc, system-time\n");
}

TEST(Correlate, AnotherFrequencyOnTheSameBootIsAnotherMachine) {
    EXPECT_EQ(told(with([](TraceInfo& t) { t.header.perf_freq = 2'337'949; })),
              "1 clock frequency: 10000000 Hz, 2337949 Hz other machine\n");
}

TEST(Correlate, OtherProcessorsBuildsAndSpeedsAreOtherMachines) {
    EXPECT_EQ(told(with([](TraceInfo& t) { t.header.number_of_processors = 4; })),
              "1 processors: 8, 4 other machine\n");
    EXPECT_EQ(told(with([](TraceInfo& t) { t.header.provider_version = 22631; })),
              "1 Windows build: 19045, 22631 other machine\n");
    EXPECT_EQ(told(with([](TraceInfo& t) { t.header.cpu_speed_mhz = 3600; })),
              "1 CPU speed: 2394 MHz, 3600 MHz other machine\n");
}

TEST(Correlate, AnotherBootOfAnotherMachineIsToldAsSuch) {
    const auto found = with([](TraceInfo& t) {
        t.header.boot_time -= 36'000'000'000;
        t.header.number_of_processors = 4;
    });
    ASSERT_EQ(found.size(), 1U);
    EXPECT_STREQ(found[0].field, "boot time");
    EXPECT_TRUE(found[0].is_other_machine);
}

TEST(Correlate, ASessionWithOneStreamFitsAnyNumberOfProcessors) {
    EXPECT_EQ(told(with([](TraceInfo& t) {
                  t.header.number_of_processors = 1;
                  t.header.log_file_mode = format::log_mode::no_per_processor_buffering;
              })),
              "");
}

TEST(Correlate, TheControllersPointerSizeIsNoMismatch) {
    EXPECT_EQ(told(with([](TraceInfo& t) { t.header.pointer_size = 4; })), "");
}

TEST(Correlate, CyclesAskForTheVerySameSpeed) {
    TraceInfo first = trace();
    first.header.reserved_flags = 3;
    TraceInfo second = first;
    second.header.cpu_speed_mhz = 2395;
    const std::array<const TraceInfo*, 2> traces{&first, &second};
    EXPECT_EQ(told(correlate(traces)), "1 CPU speed: 2394 MHz, 2395 MHz other machine\n");
}

TEST(Correlate, ATraceWithoutHeaderFitsNoOther) {
    EXPECT_EQ(told(with([](TraceInfo& t) { t.has_header = false; })),
              "1 log file header: there, none\n");
    TraceInfo alone;
    const std::array<const TraceInfo*, 1> traces{&alone};
    EXPECT_THAT(correlate(traces), IsEmpty());
}

TEST(Correlate, TellsOneMismatchOfEachTrace) {
    const TraceInfo first = trace();
    TraceInfo second = trace();
    second.header.boot_time += 1'000'000'000;
    TraceInfo fourth = trace();
    fourth.header.reserved_flags = 2;
    fourth.header.boot_time = 1;
    const std::array<const TraceInfo*, 4> traces{&first, &second, &first, &fourth};
    const auto found = correlate(traces);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].input, 1U);
    EXPECT_EQ(found[1].input, 3U);
    EXPECT_STREQ(found[1].field, "clock");
}

} // namespace
} // namespace etl::merge::correlate_test

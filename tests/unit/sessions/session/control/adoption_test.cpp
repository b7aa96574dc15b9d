// What becomes of the options of a session that is started. docs/sessions.md#checks
#include "session/control/adoption.hpp"
#include "session/control/session_names.hpp"
#include "session/control/start_checks.hpp"
#include "session/limits.hpp"
#include "tests/unit/sessions/session/control/asked.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

namespace etl::session::adoption_test {
namespace {

SessionOptions adopted(const Asked& asked) {
    return adopt(asked.options(),
                 {.processors = four_processors, .has_cycle_clock = true, .fresh_guid = some_guid});
}

/// What is adopted: options that a row asks for, and those that it speaks of afterwards.
struct AdoptRow {
    const char* id = "";
    Asked asked;
    void (*expect)(const SessionOptions& got) = nullptr;

    friend std::ostream& operator<<(std::ostream& to, const AdoptRow& row) { return to << row.id; }
};

// clang-format off
const AdoptRow adopt_rows[] = {
    {"V023", {.name = "NT Kernel Logger", .mode = 0x100}, [](const auto& got) { EXPECT_EQ(got.guid, system_trace_control_guid); }},
    {"V024", {.name = "nt kernel LOGGER", .mode = 0x100}, [](const auto& got) { EXPECT_EQ(got.guid, system_trace_control_guid); }},
    {"V025", {.name = "NT Kernel Logger", .guid = some_guid, .mode = 0x100}, [](const auto& got) { EXPECT_EQ(got.guid, system_trace_control_guid); }},
    {"V027", {.name = "Circular Kernel Context Logger", .mode = 0x400}, [](const auto& got) { EXPECT_EQ(got.guid, ckcl_guid); }},
    {"V036", {.file = "a.etl"}, [](const auto& got) { EXPECT_EQ(got.mode, mode::sequential); }},
    {"V061", {.clock = 2, .mode = 0x4, .file = "a.etl"}, [](const auto& got) { EXPECT_EQ(got.mode, mode::append | mode::sequential); }},
    {"V068", {.maximum_file_size = 1, .mode = 0x8, .file = "a%d.etl"}, [](const auto& got) { EXPECT_EQ(got.mode, mode::new_file | mode::sequential); }},
    {"V091", {.mode = 0x100}, [](const auto& got) { EXPECT_EQ(got.mode, mode::real_time); }},
    {"V092", {.mode = 0x100, .file = "a.etl"}, [](const auto& got) { EXPECT_EQ(got.mode, mode::real_time | mode::sequential); }},
    {"V102", {.mode = 0x500}, [](const auto& got) { EXPECT_EQ(got.mode, mode::buffering); }},
    {"V103", {.mode = 0x400, .flush_timer = 5}, [](const auto& got) { EXPECT_EQ(got.flush_timer, 0U); }},
    {"V123", {.mode = 0x1080100}, [](const auto& got) { EXPECT_EQ(got.mode, mode::kd_filter | mode::real_time); }},
    {"V143", {.mode = 0x100, .enable_flags = 0x800801e0, .enable_extension = std::vector<std::byte>(100)}, [](const auto& got) { EXPECT_EQ(got.enable_extension.size(), 32U); }},
    {"V145", {.mode = 0x100, .enable_flags = 0x80ff0200, .enable_extension = extension(3, {{2, 1}}, 1)}, [](const auto& got) { EXPECT_EQ(got.enable_extension.size(), 12U); }},
    {"V152", {.buffer_kb = 0, .mode = 0x100}, [](const auto& got) { EXPECT_EQ(got.buffer_kb, 64U); }},
    {"V153", {.buffer_kb = 1, .mode = 0x100}, [](const auto& got) { EXPECT_EQ(got.buffer_kb, 4U); }},
    {"V154", {.buffer_kb = 4, .mode = 0x100}, [](const auto& got) { EXPECT_EQ(got.buffer_kb, 4U); }},
    {"V155", {.buffer_kb = 20000, .mode = 0x100}, [](const auto& got) { EXPECT_EQ(got.buffer_kb, 16384U); }},
    {"V156", {.buffer_kb = 2048, .mode = 0x100}, [](const auto& got) { EXPECT_EQ(got.buffer_kb, 2048U); }},
    {"V157", {.mode = 0x100}, [](const auto& got) { EXPECT_EQ(got.minimum_buffers, 8U); }},
    {"V158", {.mode = 0x10000100}, [](const auto& got) { EXPECT_EQ(got.minimum_buffers, 2U); }},
    {"V159", {.minimum_buffers = 20, .maximum_buffers = 40, .mode = 0x100}, [](const auto& got) { EXPECT_EQ(got.minimum_buffers, 20U); EXPECT_EQ(got.maximum_buffers, 40U); }},
    {"V160", {.minimum_buffers = 2, .maximum_buffers = 4, .mode = 0x100}, [](const auto& got) { EXPECT_EQ(got.minimum_buffers, 8U); EXPECT_GE(got.maximum_buffers, 8U); }},
    {"V161", {.mode = 0x100}, [](const auto& got) { EXPECT_EQ(got.maximum_buffers, 30U); }},
    {"V162", {.minimum_buffers = 16, .maximum_buffers = 64, .mode = 0x400}, [](const auto& got) { EXPECT_EQ(got.minimum_buffers, 16U); EXPECT_EQ(got.maximum_buffers, 16U); }},
    {"V163", {.mode = 0x100}, [](const auto& got) { EXPECT_EQ(flush_period(got), 1000U); EXPECT_EQ(got.flush_timer, 1U); }},
    {"V164", {.mode = 0x1, .file = "a.etl"}, [](const auto& got) { EXPECT_EQ(flush_period(got), 0U); }},
    {"V165", {.mode = 0x400, .flush_timer = 7}, [](const auto& got) { EXPECT_EQ(flush_period(got), 0U); }},
    {"V166", {.mode = 0x110, .flush_timer = 250}, [](const auto& got) { EXPECT_EQ(flush_period(got), 250U); }},
    {"V167", {.clock = 0, .mode = 0x100}, [](const auto& got) { EXPECT_EQ(got.clock, 1U); }},
    {"V168", {.clock = 2, .mode = 0x100}, [](const auto& got) { EXPECT_EQ(got.clock, 2U); }},
    {"V169", {.clock = 3, .mode = 0x100}, [](const auto& got) { EXPECT_EQ(got.clock, 3U); }},
    {"V170", {.mode = 0x100}, [](const auto& got) { EXPECT_EQ(got.guid, some_guid); }},
};
// clang-format on

class AdoptedOptions : public testing::TestWithParam<AdoptRow> {};

TEST_P(AdoptedOptions, AreWhatTheTableSays) {
    ASSERT_TRUE(check_start(GetParam().asked.options(), {}));
    GetParam().expect(adopted(GetParam().asked));
}

INSTANTIATE_TEST_SUITE_P(Table, AdoptedOptions, testing::ValuesIn(adopt_rows),
                         [](const auto& row) { return std::string(row.param.id); });

TEST(AdoptedClock, IsSystemTimeWhereCyclesAreNone) {
    const SessionOptions options{.name = "T1", .clock = 3, .mode = mode::real_time};
    EXPECT_EQ(adopt(options, {.has_cycle_clock = false}).clock, 2U);
}

TEST(AdoptedClock, IsQpcForNumbersOfNoClock) {
    const SessionOptions options{.name = "T1", .clock = 77, .mode = mode::real_time};
    EXPECT_EQ(adopt(options, {}).clock, 1U);
}

TEST(AdoptedBuffers, AreBoundedHoweverManyAreAskedFor) {
    const SessionOptions options{.name = "T1",
                                 .buffer_kb = 16384,
                                 .minimum_buffers = 0xFFFFFFFF,
                                 .maximum_buffers = 0xFFFFFFFF,
                                 .mode = mode::real_time};
    const SessionOptions got = adopt(options, {.processors = 2});
    EXPECT_LE(std::uint64_t{got.maximum_buffers} * got.buffer_kb, limits::memory_bytes >> 10U);
    EXPECT_LE(got.minimum_buffers, got.maximum_buffers);
    EXPECT_GE(got.minimum_buffers, 4U);
}

TEST(AdoptedTimer, DoesNotOverflowInMilliseconds) {
    const SessionOptions options{.name = "T1", .mode = mode::real_time, .flush_timer = 0xFFFFFFFF};
    EXPECT_GE(flush_period(adopt(options, {})), 0xFFFFFFFFU - 1000);
}

} // namespace
} // namespace etl::session::adoption_test

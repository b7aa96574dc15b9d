// What becomes of the options of a session that is started. docs/sessions.md#checks
#include "session/control/session_names.hpp"
#include "session/control/start_options.hpp"
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

namespace etl::session::start_checks_test {

// The rows of the table of starting a session that are about its options: what is refused, and why
// in this order. Those about the C structure: tests/unit/compat. docs/sessions.md#checks

namespace {

struct StartRow {
    const char* id = "";
    Asked asked;
    Status expected = Status::success;
    Running running{};

    friend std::ostream& operator<<(std::ostream& to, const StartRow& row) { return to << row.id; }
};

// clang-format off
const StartRow start_rows[] = {
    {"V020", {.name = "", .file = "a.etl"}, Status::invalid_name},
    {"V021", {.name = std::string(1024, 'n'), .mode = 0x100}, Status::success},
    {"V022", {.name = std::string(1025, 'n'), .mode = 0x100}, Status::invalid_name},
    {"V023", {.name = "NT Kernel Logger", .mode = 0x100, .enable_flags = 0x1}, Status::success},
    {"V024", {.name = "nt kernel LOGGER", .mode = 0x100, .enable_flags = 0x1}, Status::success},
    {"V025", {.name = "NT Kernel Logger", .guid = some_guid, .mode = 0x100}, Status::success},
    {"V026", {.guid = system_trace_control_guid, .mode = 0x100}, Status::invalid_parameter},
    {"V027", {.name = "Circular Kernel Context Logger", .mode = 0x400}, Status::success},
    {"V028", {.guid = ckcl_guid, .mode = 0x400}, Status::invalid_parameter},
    {"V029", {.name = "NT Kernel Logger", .guid = ckcl_guid, .maximum_file_size = 10, .mode = 0x8, .file = "a%d.etl"}, Status::invalid_parameter},
    {"V030", {.name = "t1", .mode = 0x100}, Status::already_exists, {.has_name = true}},
    {"V031", {.name = "T2", .guid = some_guid, .mode = 0x100}, Status::already_exists, {.has_guid = true}},
    {"V032", {.mode = 0x100}, Status::no_system_resources, {.sessions = 64}},
    {"PagedContextLogger", {.name = "Circular Kernel Context Logger", .mode = 0x1000100}, Status::success},
    {"PagedContextLoggerForTheSystem", {.name = "Circular Kernel Context Logger", .mode = 0x3000100}, Status::invalid_parameter},
    {"V033", {.mode = 0x2000100, .enable_flags = 0x1}, Status::no_system_resources, {.system_loggers = 8}},
    {"V034", {.mode = 0x20800, .file = "a.etl"}, Status::no_system_resources, {.private_sessions = 8}},
    {"V035", {}, Status::bad_pathname},
    {"V036", {.file = "a.etl"}, Status::success},
    {"V037", {.mode = 0x1}, Status::bad_pathname},
    {"V038", {.mode = 0x1, .file = ""}, Status::bad_pathname},
    {"V039", {.maximum_file_size = 10, .mode = 0x2}, Status::bad_pathname},
    {"V040", {.maximum_file_size = 10, .mode = 0x8}, Status::bad_pathname},
    {"V041", {.maximum_file_size = 10, .mode = 0x108}, Status::invalid_parameter},
    {"V042", {.maximum_file_size = 10, .mode = 0x120}, Status::invalid_parameter},
    {"V043", {.maximum_file_size = 10, .mode = 0x2100}, Status::invalid_parameter},
    {"V044", {.mode = 0x40}, Status::bad_pathname},
    {"V045", {.file = std::string(1025, 'f')}, Status::bad_pathname},
    {"LongPathInRealTime", {.mode = 0x100, .file = std::string(1025, 'f')}, Status::bad_pathname},
    {"LongPathInMemory", {.mode = 0x400, .file = std::string(1025, 'f')}, Status::bad_pathname},
    {"LongPathOfPrivate", {.mode = 0x20800, .file = std::string(1025, 'f')}, Status::bad_pathname},
    {"LongestPathInRealTime", {.mode = 0x100, .file = std::string(1024, 'f')}, Status::success},
    {"LongPathAndNoName", {.name = "", .mode = 0x100, .file = std::string(1025, 'f')}, Status::invalid_name},
    {"V050", {.mode = 0x1, .file = "a.etl"}, Status::success},
    {"V051", {.maximum_file_size = 10, .mode = 0x1, .file = "a.etl"}, Status::success},
    {"V052", {.maximum_file_size = 10, .mode = 0x2, .file = "a.etl"}, Status::success},
    {"V053", {.mode = 0x2, .file = "a.etl"}, Status::invalid_parameter},
    {"V054", {.maximum_file_size = 10, .mode = 0x3, .file = "a.etl"}, Status::invalid_parameter},
    {"V055", {.maximum_file_size = 10, .mode = 0x6, .file = "a.etl"}, Status::invalid_parameter},
    {"V056", {.maximum_file_size = 10, .mode = 0xa, .file = "a%d.etl"}, Status::invalid_parameter},
    {"V057", {.maximum_file_size = 10, .mode = 0x30802, .file = "a.etl"}, Status::invalid_parameter},
    {"V058", {.maximum_file_size = 10, .mode = 0x102, .file = "a.etl"}, Status::success},
    {"V059", {.maximum_file_size = 10, .mode = 0x22, .file = "a.etl"}, Status::success},
    {"V060", {.clock = 2, .mode = 0x4, .file = "a.etl"}, Status::success},
    {"V061", {.clock = 2, .mode = 0x5, .file = "a.etl"}, Status::success},
    {"V062", {.mode = 0x104, .file = "a.etl"}, Status::invalid_parameter},
    {"V063", {.mode = 0x30804, .file = "a.etl"}, Status::invalid_parameter},
    {"V064", {.maximum_file_size = 10, .mode = 0xc, .file = "a%d.etl"}, Status::invalid_parameter},
    {"V065", {.maximum_file_size = 10, .mode = 0x24, .file = "a.etl"}, Status::invalid_parameter},
    {"V067", {.mode = 0x20804, .file = "a.etl"}, Status::invalid_parameter},
    {"V068", {.maximum_file_size = 1, .mode = 0x8, .file = "a%d.etl"}, Status::success},
    {"V069", {.maximum_file_size = 1, .mode = 0x9, .file = "a%d.etl"}, Status::success},
    {"V070", {.mode = 0x8, .file = "a%d.etl"}, Status::invalid_parameter},
    {"V071", {.maximum_file_size = 1, .mode = 0x28, .file = "a%d.etl"}, Status::invalid_parameter},
    {"V072", {.maximum_file_size = 1, .mode = 0x30808, .file = "a%d.etl"}, Status::invalid_parameter},
    {"V073", {.name = "NT Kernel Logger", .maximum_file_size = 1, .mode = 0x8, .file = "a%d.etl"}, Status::invalid_parameter},
    {"V074", {.name = "Circular Kernel Context Logger", .maximum_file_size = 1, .mode = 0x8, .file = "a%d.etl"}, Status::invalid_parameter},
    {"V075", {.maximum_file_size = 1, .mode = 0x2000008, .file = "a%d.etl"}, Status::invalid_parameter},
    {"V076", {.maximum_file_size = 1, .mode = 0x20808, .file = "a%d.etl"}, Status::success},
    {"V077", {.maximum_file_size = 1, .mode = 0x108, .file = "a%d.etl"}, Status::success},
    {"V078", {.maximum_file_size = 1, .mode = 0x8, .file = "a.etl"}, Status::invalid_name},
    {"V079", {.maximum_file_size = 1, .mode = 0x8, .file = "a%d_%d.etl"}, Status::invalid_name},
    {"V080", {.maximum_file_size = 1, .mode = 0x8, .file = "a%u.etl"}, Status::invalid_name},
    {"V081", {.maximum_file_size = 1, .mode = 0x8, .file = "a%04d.etl"}, Status::invalid_name},
    {"V082", {.maximum_file_size = 1, .mode = 0x8, .file = "a%D.etl"}, Status::invalid_name},
    {"V083", {.maximum_file_size = 1, .mode = 0x8, .file = "a%%%d.etl"}, Status::invalid_name},
    {"V084", {.mode = 0x1, .file = "100%x.etl"}, Status::success},
    {"V085", {.maximum_file_size = 4, .mode = 0x21, .file = "a.etl"}, Status::success},
    {"V086", {.mode = 0x21, .file = "a.etl"}, Status::invalid_parameter},
    {"V087", {.maximum_file_size = 4, .mode = 0x20820, .file = "a.etl"}, Status::success},
    {"V088", {.mode = 0x41, .file = "a.etl"}, Status::invalid_parameter},
    {"V089", {.maximum_file_size = 10, .mode = 0x42, .file = "a.etl"}, Status::invalid_parameter},
    {"V090", {.mode = 0x180}, Status::success},
    {"V091", {.mode = 0x100}, Status::success},
    {"V092", {.mode = 0x100, .file = "a.etl"}, Status::success},
    {"V093", {.mode = 0x20900, .file = "a.etl"}, Status::invalid_parameter},
    {"V094", {.mode = 0x1100}, Status::invalid_parameter},
    {"V095", {.mode = 0x200, .file = "a.etl"}, Status::success},
    {"V096", {.mode = 0x200}, Status::bad_pathname},
    {"V097", {.mode = 0x400}, Status::success},
    {"V098", {.mode = 0x400, .file = "a.etl"}, Status::invalid_parameter},
    {"V099", {.mode = 0x401}, Status::invalid_parameter},
    {"V100", {.maximum_file_size = 10, .mode = 0x402}, Status::invalid_parameter},
    {"V101", {.mode = 0x404}, Status::invalid_parameter},
    {"V102", {.mode = 0x500}, Status::success},
    {"V103", {.mode = 0x400, .flush_timer = 5}, Status::success},
    {"V104", {.mode = 0x40400}, Status::invalid_parameter},
    {"V105", {.mode = 0x20801, .file = "a.etl"}, Status::success},
    {"V106", {.guid = some_guid, .mode = 0x801, .file = "a.etl"}, Status::success},
    {"V107", {.mode = 0x801, .file = "a.etl"}, Status::invalid_parameter},
    {"V108", {.mode = 0x20800}, Status::bad_pathname},
    {"V109", {.mode = 0x20001, .file = "a.etl"}, Status::invalid_parameter},
    {"V110", {.mode = 0x1001, .file = "a.etl"}, Status::success},
    {"V111", {.maximum_file_size = 512, .mode = 0x2001, .file = "a.etl"}, Status::success},
    {"V112", {.mode = 0x2001, .file = "a.etl"}, Status::invalid_parameter},
    {"V113", {.mode = 0x4001, .file = "a.etl"}, Status::success},
    {"V114", {.mode = 0x8001, .file = "a.etl"}, Status::success},
    {"V115", {.mode = 0xc001, .file = "a.etl"}, Status::invalid_parameter},
    {"V116", {.mode = 0x10000, .file = "a.etl"}, Status::invalid_parameter},
    {"V117", {.mode = 0x30800, .file = "a.etl"}, Status::success},
    {"V118", {.mode = 0xc00100}, Status::invalid_parameter},
    {"V119", {.mode = 0x800100}, Status::success},
    {"V120", {.mode = 0x1000100}, Status::success},
    {"V121", {.mode = 0x3000100}, Status::invalid_parameter},
    {"V122", {.name = "NT Kernel Logger", .mode = 0x1000100}, Status::invalid_parameter},
    {"V123", {.mode = 0x1080100}, Status::success},
    {"V124", {.mode = 0x2000100, .enable_flags = 0x3}, Status::success},
    {"V125", {.mode = 0x4000001, .file = "a.etl"}, Status::invalid_parameter},
    {"V126", {.mode = 0x4000400}, Status::success},
    {"V127", {.mode = 0x4020801, .file = "a.etl"}, Status::success},
    {"V128", {.maximum_file_size = 10, .mode = 0x4020802, .file = "a.etl"}, Status::invalid_parameter},
    {"V129", {.mode = 0x8000100}, Status::success},
    {"V130", {.mode = 0x8000100, .profile = Profile::start_trace_page}, Status::invalid_parameter},
    {"V131", {.mode = 0x8020801, .file = "a.etl"}, Status::invalid_parameter},
    {"V132", {.mode = 0x8020801, .file = "a.etl", .profile = Profile::start_trace_page}, Status::success},
    {"V133", {.mode = 0x10000100}, Status::success},
    {"V134", {.mode = 0x20020801, .file = "a.etl"}, Status::success},
    {"V135", {.mode = 0x20000001, .file = "a.etl"}, Status::success},
    {"V136", {.mode = 0x40000001, .file = "a.etl"}, Status::success},
    {"V137", {.mode = 0x80000100}, Status::success},
    {"V138", {.mode = 0x100, .enable_flags = 0x80010000}, Status::invalid_parameter},
    {"V139", {.mode = 0x100, .enable_flags = 0x80000100}, Status::invalid_parameter},
    {"V142", {.mode = 0x100, .enable_flags = 0x800801f0, .enable_extension = std::vector<std::byte>(16)}, Status::invalid_parameter},
    {"V143", {.mode = 0x100, .enable_flags = 0x800801e0, .enable_extension = std::vector<std::byte>(32)}, Status::success},
    {"V144", {.mode = 0x100, .enable_flags = 0x80ff0200, .enable_extension = std::vector<std::byte>(2)}, Status::invalid_parameter},
    {"V145", {.mode = 0x100, .enable_flags = 0x80ff0200, .enable_extension = extension(3, {{2, 1}}, 1)}, Status::success},
    {"V146", {.mode = 0x100, .enable_flags = 0x80ff0200, .enable_extension = extension(3, {{2, 1}}, 1, 8)}, Status::invalid_parameter},
    {"V147", {.mode = 0x100, .enable_flags = 0x80ff0200, .enable_extension = extension(3, {{3, 1}}, 1)}, Status::invalid_parameter},
    {"V148", {.mode = 0x100, .enable_flags = 0x80ff0200, .enable_extension = extension(3, {{0, 1}}, 1)}, Status::invalid_parameter},
    {"V149", {.mode = 0x100, .enable_flags = 0x80ff0200, .enable_extension = extension(3, {{2, 1}}, 2)}, Status::invalid_parameter},
    {"V150", {.mode = 0x100, .enable_flags = 0x80ff0200, .enable_extension = extension(6, {{3, 1}, {2, 3}}, 2)}, Status::success},
    {"V151", {.mode = 0x100, .enable_flags = 0x1}, Status::success},
    {"V152", {.buffer_kb = 0, .mode = 0x100}, Status::success},
    {"V153", {.buffer_kb = 1, .mode = 0x100}, Status::success},
    {"V154", {.buffer_kb = 4, .mode = 0x100}, Status::success},
    {"V155", {.buffer_kb = 20000, .mode = 0x100}, Status::success},
    {"V156", {.buffer_kb = 2048, .mode = 0x100}, Status::success},
    {"V157", {.minimum_buffers = 0, .mode = 0x100}, Status::success},
    {"V158", {.minimum_buffers = 0, .mode = 0x10000100}, Status::success},
    {"V159", {.minimum_buffers = 20, .maximum_buffers = 40, .mode = 0x100}, Status::success},
    {"V160", {.minimum_buffers = 2, .maximum_buffers = 4, .mode = 0x100}, Status::success},
    {"V161", {.mode = 0x100}, Status::success},
    {"V162", {.minimum_buffers = 16, .maximum_buffers = 64, .mode = 0x400}, Status::success},
    {"V163", {.mode = 0x100, .flush_timer = 0}, Status::success},
    {"V164", {.mode = 0x1, .flush_timer = 0, .file = "a.etl"}, Status::success},
    {"V165", {.mode = 0x400, .flush_timer = 7}, Status::success},
    {"V166", {.mode = 0x110, .flush_timer = 250}, Status::success},
    {"V167", {.clock = 0, .mode = 0x100}, Status::success},
    {"V168", {.clock = 2, .mode = 0x100}, Status::success},
    {"V169", {.clock = 3, .mode = 0x100}, Status::success},
    {"V170", {.mode = 0x100}, Status::success},
};
// clang-format on

class StartChecks : public testing::TestWithParam<StartRow> {};

TEST_P(StartChecks, AnswerAsTheTableSays) {
    const StartRow& row = GetParam();
    const auto checked = check_start(row.asked.options(), row.running);
    const Status got = checked ? Status::success : checked.error().status;
    EXPECT_EQ(name(got), name(row.expected)) << (checked ? "" : checked.error().what);
}

INSTANTIATE_TEST_SUITE_P(Table, StartChecks, testing::ValuesIn(start_rows),
                         [](const auto& row) { return std::string(row.param.id); });

TEST(StartChecksOrder, NamesComeBeforeModesAndModesBeforeDuplicates) {
    const Running duplicate{.sessions = 64, .has_name = true};
    SessionOptions options{.name = "", .mode = mode::nonstoppable | mode::real_time};
    EXPECT_EQ(check_start(options, duplicate).error().status, Status::invalid_name);
    options.name = "T1";
    EXPECT_EQ(check_start(options, duplicate).error().status, Status::invalid_parameter);
    options.mode = mode::real_time;
    EXPECT_EQ(check_start(options, duplicate).error().status, Status::already_exists);
    EXPECT_EQ(check_start(options, {.sessions = 64}).error().status, Status::no_system_resources);
    EXPECT_TRUE(check_start(options, {.sessions = 63}));
}

TEST(StartChecksOrder, TheNameOfASeriesComesBeforeWhatTheCoreRefuses) {
    const SessionOptions options{.name = "T1",
                                 .maximum_file_size = 1,
                                 .mode = mode::new_file | mode::append,
                                 .file = "a.etl"};
    EXPECT_EQ(check_start(options, {}).error().status, Status::invalid_name);
}

TEST(StartChecksOrder, PrivateSessionsHaveSlotsOfTheirOwn) {
    const SessionOptions options{
        .name = "T1", .mode = mode::private_logger | mode::private_in_proc, .file = "a.etl"};
    EXPECT_TRUE(check_start(options, {.sessions = 64, .private_sessions = 7}));
    EXPECT_FALSE(check_start(options, {.private_sessions = 8}));
}

TEST(SessionNames, AreTheSameWhateverTheirCase) {
    EXPECT_EQ(folded_name("Morning"), folded_name("MORNING"));
    EXPECT_EQ(folded_name("\u00c4rger \u0416"), folded_name("\u00e4RGER \u0436"));
    EXPECT_NE(folded_name("Morning"), folded_name("Mornings"));
}

} // namespace
} // namespace etl::session::start_checks_test

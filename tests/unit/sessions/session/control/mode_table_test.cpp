// Every bit of LogFileMode: what becomes of it. docs/sessions.md#modes
#include <etl/session.hpp>

#include "tests/support/folders.hpp"
#include "tests/unit/sessions/session/traced.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

namespace etl::session::mode_table_test {
namespace {

enum class Fate : std::uint8_t {
    implemented, // the session does it
    recorded,    // shown by queries, in the header of the file; nothing else comes of it
    refused,     // invalid_parameter
};

struct ModeRow {
    std::uint32_t bit = 0;
    const char* name = "";
    Fate fate = Fate::implemented;
    /// What it can only be with, and what it implies.
    std::uint32_t with = 0, implied = 0;

    friend std::ostream& operator<<(std::ostream& to, const ModeRow& row) { return to << row.name; }
};

constexpr std::uint32_t in_process = mode::private_logger | mode::private_in_proc;

const ModeRow rows[] = {
    {mode::sequential, "sequential", Fate::implemented},
    {mode::circular, "circular", Fate::implemented},
    {mode::append, "append", Fate::implemented, 0, mode::sequential},
    {mode::new_file, "new_file", Fate::implemented, 0, mode::sequential},
    {mode::use_ms_flush_timer, "use_ms_flush_timer", Fate::implemented, 0, mode::sequential},
    {mode::preallocate, "preallocate", Fate::implemented, 0, mode::sequential},
    {mode::nonstoppable, "nonstoppable", Fate::refused},
    {mode::secure, "secure", Fate::implemented, 0, mode::sequential},
    {mode::real_time, "real_time", Fate::implemented, 0, mode::sequential},
    {mode::delay_open, "delay_open", Fate::recorded, 0, mode::sequential},
    {mode::buffering, "buffering", Fate::implemented},
    {mode::private_logger, "private_logger", Fate::implemented, 0, mode::sequential},
    {mode::add_header, "add_header", Fate::recorded, 0, mode::sequential},
    {mode::use_kbytes_for_size, "use_kbytes_for_size", Fate::implemented, 0, mode::sequential},
    {mode::use_global_sequence, "use_global_sequence", Fate::implemented, 0, mode::sequential},
    {mode::use_local_sequence, "use_local_sequence", Fate::implemented, 0, mode::sequential},
    {mode::relog, "relog", Fate::implemented, in_process, mode::sequential},
    {mode::private_in_proc, "private_in_proc", Fate::implemented, mode::private_logger,
     mode::sequential},
    {mode::buffer_interface, "buffer_interface", Fate::recorded, 0,
     mode::sequential | mode::secure},
    {mode::kd_filter, "kd_filter", Fate::recorded, 0, mode::sequential},
    {mode::real_time_relog, "real_time_relog", Fate::recorded, 0, mode::sequential},
    {mode::lost_events_debug, "lost_events_debug", Fate::recorded, 0, mode::sequential},
    {mode::stop_on_hybrid_shutdown, "stop_on_hybrid_shutdown", Fate::recorded, 0, mode::sequential},
    {mode::persist_on_hybrid_shutdown, "persist_on_hybrid_shutdown", Fate::recorded, 0,
     mode::sequential},
    {mode::use_paged_memory, "use_paged_memory", Fate::recorded, 0, mode::sequential},
    {mode::system_logger, "system_logger", Fate::recorded, 0, mode::sequential},
    {mode::compressed, "compressed", Fate::implemented, in_process, mode::sequential},
    {mode::independent_session, "independent_session", Fate::implemented, 0, mode::sequential},
    {mode::no_per_processor_buffering, "no_per_processor_buffering", Fate::implemented, 0,
     mode::sequential},
    {mode::blocking, "blocking", Fate::implemented, in_process, mode::sequential},
    {0x4000'0000, "bit_30", Fate::recorded, 0, mode::sequential},
    {mode::add_to_triage_dump, "add_to_triage_dump", Fate::recorded, 0, mode::sequential},
};

SessionOptions options_for(const ModeRow& row, const TestFolder& folder) {
    SessionOptions options;
    options.name = "Modes";
    options.guid = some_guid;
    options.clock = 2;
    options.mode = row.bit | row.with;
    constexpr std::uint32_t limited = mode::circular | mode::new_file | mode::preallocate;
    if ((row.bit & limited) != 0) {
        options.maximum_file_size = 1;
    }
    if (row.bit == mode::use_kbytes_for_size) {
        options.maximum_file_size = 1024;
    }
    if (row.bit != mode::buffering) {
        options.file = folder / (row.bit == mode::new_file ? "a%d.etl" : "a.etl");
    }
    return options;
}

TEST(ModeTable, HasARowForEveryBitOnce) {
    std::uint32_t all = 0;
    for (const ModeRow& row : rows) {
        EXPECT_EQ(all & row.bit, 0U) << row.name;
        all |= row.bit;
    }
    EXPECT_EQ(all, 0xFFFF'FFFF);
    EXPECT_EQ(std::size(rows), 32U);
}

TEST(ModeTable, IsTheOneOfTheDocuments) {
    std::ifstream file(test::source_dir() + "/docs/sessions.md");
    std::stringstream text;
    text << file.rdbuf();
    for (const ModeRow& row : rows) {
        constexpr const char* words[] = {"implemented", "recorded", "rejected (87)"};
        std::ostringstream line;
        line << "| `0x" << std::hex << row.bit << "` | `" << row.name << "` | "
             << words[static_cast<std::size_t>(row.fate)] << " |";
        EXPECT_NE(text.str().find(line.str()), std::string::npos) << line.str();
    }
}

class EachMode : public testing::TestWithParam<ModeRow> {};

TEST_P(EachMode, IsRefusedOrShownAndInTheHeader) {
    const ModeRow& row = GetParam();
    const TestFolder folder;
    Runtime runtime;
    const auto session = runtime.start(options_for(row, folder));
    if (row.fate == Fate::refused) {
        EXPECT_EQ(said(session), "ERROR_INVALID_PARAMETER");
        EXPECT_THAT(folder.names(), testing::IsEmpty());
        return;
    }
    ASSERT_TRUE(session) << describe(session.error());
    const std::uint32_t adopted = row.bit | row.with | row.implied;
    EXPECT_EQ(session->query()->options.mode, adopted);
    ASSERT_TRUE(session->stop(row.bit == mode::buffering ? folder / "a.etl" : std::string()));

    const test::Written written =
        written_to(folder / (row.bit == mode::new_file ? "a1.etl" : "a.etl"));
    ASSERT_FALSE(written.error);
    EXPECT_THAT(written.checked, testing::IsEmpty());
    constexpr std::uint32_t not_stored =
        mode::real_time | mode::stop_on_hybrid_shutdown | mode::persist_on_hybrid_shutdown;
    EXPECT_EQ(written.info.header.log_file_mode, adopted & ~not_stored);
    EXPECT_EQ(written.info.header.session_name, u"Modes");
}

INSTANTIATE_TEST_SUITE_P(Table, EachMode, testing::ValuesIn(rows),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(ModeTable, BlockingIsOnlyRecordedInOrdinarySessions) {
    const TestFolder folder;
    Runtime runtime;
    SessionOptions options;
    options.name = "T1";
    options.mode = mode::blocking;
    options.file = folder / "a.etl";
    const auto session = runtime.start(options);
    ASSERT_TRUE(session);
    EXPECT_EQ(session->query()->options.mode, mode::blocking | mode::sequential);
}

TEST(ModeTable, OneProcessorIsTheHeadersWithoutBuffersPerProcessor) {
    const TestFolder folder;
    Runtime runtime;
    SessionOptions options;
    options.name = "T1";
    options.processors = 4;
    options.file = folder / "a.etl";
    ASSERT_TRUE(runtime.start(options)->stop());
    EXPECT_EQ(written_to(options.file).info.header.number_of_processors, 4U);
    options.mode = mode::no_per_processor_buffering;
    ASSERT_TRUE(runtime.start(options)->stop());
    EXPECT_EQ(written_to(options.file).info.header.number_of_processors, 1U);
}

} // namespace
} // namespace etl::session::mode_table_test

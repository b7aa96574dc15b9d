// The rows of the table that are about controlling and listing sessions by the C structure.
// docs/sessions.md#checks
#include "tests/unit/faces/compat/c_session.hpp"

#include <gtest/gtest.h>

#include <ostream>

namespace etl::test::control_trace_test {
namespace {

struct Row {
    const char* id = "";
    ULONG expected = ERROR_SUCCESS;
    ULONG code = EVENT_TRACE_CONTROL_QUERY;
    const char16_t* name = u"T1";
    TRACEHANDLE handle = 0;
    std::size_t size = PropertyBlock::usual_size;
    bool has_properties = true;

    friend std::ostream& operator<<(std::ostream& to, const Row& row) { return to << row.id; }
};

const Row rows[] = {
    {.id = "V171", .expected = 87, .name = nullptr},
    {.id = "V172", .expected = 87, .name = nullptr, .handle = 0x7777},
    {.id = "V173", .expected = 4201, .code = EVENT_TRACE_CONTROL_STOP, .name = u"nosuch"},
    {.id = "V174", .handle = 0x7777},
    {.id = "V175", .name = u"t1"},
    {.id = "V176", .expected = 87, .has_properties = false},
    {.id = "V177", .expected = 24, .size = 0x40},
    {.id = "V178", .expected = 234, .code = EVENT_TRACE_CONTROL_STOP, .size = 0x7A},
    {.id = "V186", .expected = 87, .code = EVENT_TRACE_CONTROL_INCREMENT_FILE},
    {.id = "V188", .expected = 87, .code = 6},
};

class ControlTrace_ : public testing::TestWithParam<Row> {};

TEST_P(ControlTrace_, AnswersAsTheTableSays) {
    const Row& row = GetParam();
    const CSession session;
    ASSERT_EQ(session.status(), 0U);
    PropertyBlock block(row.size);
    EXPECT_EQ(
        ControlTraceW(row.handle, row.name, row.has_properties ? block.get() : nullptr, row.code),
        row.expected);
    PropertyBlock later;
    const bool was_stopped = std::string_view(row.id) == "V178";
    EXPECT_EQ(ControlTraceW(session.handle(), nullptr, later.get(), EVENT_TRACE_CONTROL_QUERY),
              was_stopped ? ULONG{ERROR_WMI_INSTANCE_NOT_FOUND} : ULONG{ERROR_SUCCESS});
}

INSTANTIATE_TEST_SUITE_P(Rows, ControlTrace_, testing::ValuesIn(rows),
                         [](const auto& row) { return std::string(row.param.id); });

TEST(UpdateTrace_, RefusesTheFileOfNow) { // V180
    const Folder folder;
    const CSession session(u"T1", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "now.etl");
    ASSERT_EQ(session.status(), 0U);
    PropertyBlock block;
    block.file(folder / "now.etl");
    EXPECT_EQ(UpdateTraceW(0, u"T1", block.get()), ULONG{ERROR_BAD_PATHNAME});
}

TEST(UpdateTrace_, RefusesTheFileOfAnother) { // V181
    const Folder folder;
    const CSession other(u"T2", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "other.etl");
    const CSession session(u"T1", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "now.etl");
    PropertyBlock block;
    block.file(folder / "other.etl");
    EXPECT_EQ(UpdateTraceW(0, u"T1", block.get()), ULONG{ERROR_BAD_PATHNAME});
}

TEST(UpdateTrace_, GoesOnInAnotherFile) {
    const Folder folder;
    const CSession session(u"T1", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "first.etl");
    PropertyBlock block;
    block.file(folder / "second.etl");
    EXPECT_EQ(UpdateTraceW(0, u"T1", block.get()), 0U);
    EXPECT_EQ(block.file_name(), to_utf16(folder / "second.etl"));
    EXPECT_TRUE(std::filesystem::exists(folder / "second.etl"));
}

TEST(UpdateTrace_, LeavesWhatIsZero) { // V182, V183
    PropertyBlock asked;
    asked->LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
    asked->FlushTimer = 5;
    asked->MaximumBuffers = 300;
    const CSession session(u"T1", asked);
    ASSERT_EQ(session.status(), 0U);
    PropertyBlock block;
    block->LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
    ASSERT_EQ(UpdateTraceW(0, u"T1", block.get()), 0U);
    EXPECT_EQ(block->FlushTimer, 5U);
    EXPECT_EQ(block->MaximumBuffers, 300U);
}

TEST(UpdateTrace_, TurnsRealTimeOnAndOff) { // V184, V185
    const Folder folder;
    const CSession session(u"T1", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "a.etl");
    PropertyBlock on;
    on->LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
    ASSERT_EQ(UpdateTraceW(0, u"T1", on.get()), 0U);
    EXPECT_EQ(on->LogFileMode, ULONG{EVENT_TRACE_REAL_TIME_MODE | 1U});
    PropertyBlock off;
    ASSERT_EQ(UpdateTraceW(0, u"T1", off.get()), 0U);
    EXPECT_EQ(off->LogFileMode, 1U);
}

TEST(IncrementFile, IsTheNextOneOfASeries) { // V187
    const Folder folder;
    PropertyBlock asked;
    asked->LogFileMode = EVENT_TRACE_FILE_MODE_NEWFILE;
    asked->MaximumFileSize = 1;
    asked.file(folder / "a%d.etl");
    const CSession session(u"T1", asked);
    ASSERT_EQ(session.status(), 0U);
    EXPECT_EQ(asked.file_name(), to_utf16(folder / "a1.etl"));
    PropertyBlock block;
    block.file("");
    ASSERT_EQ(ControlTraceW(0, u"T1", block.get(), EVENT_TRACE_CONTROL_INCREMENT_FILE), 0U);
    EXPECT_EQ(block.file_name(), to_utf16(folder / "a2.etl"));
}

TEST(StopTrace_, GivesTheLastCountsAndTheSessionIsGone) {
    CSession session;
    PropertyBlock block;
    EXPECT_EQ(StopTraceW(session.handle(), nullptr, block.get()), 0U);
    EXPECT_EQ(block->Wnode.HistoricalContext, session.handle());
    EXPECT_EQ(block.logger_name(), u"T1");
    EXPECT_EQ(StopTraceW(0, u"T1", block.get()), ULONG{ERROR_WMI_INSTANCE_NOT_FOUND});
    EXPECT_EQ(session.stop(), ULONG{ERROR_WMI_INSTANCE_NOT_FOUND});
}

TEST(FlushTrace_, PutsARingIntoTheFileThatIsNamed) {
    const Folder folder;
    const CSession session(u"Ring", EVENT_TRACE_BUFFERING_MODE);
    ASSERT_EQ(session.status(), 0U);
    PropertyBlock unnamed;
    EXPECT_EQ(FlushTraceW(0, u"Ring", unnamed.get()), ULONG{ERROR_BAD_PATHNAME});
    PropertyBlock named;
    named.file(folder / "ring.etl");
    EXPECT_EQ(FlushTraceW(0, u"Ring", named.get()), 0U);
    EXPECT_GT(std::filesystem::file_size(folder / "ring.etl"), 0U);
}

TEST(ControlTracePrivate, IsFoundByItsGuid) {
    const Folder folder;
    PropertyBlock asked;
    asked->LogFileMode = EVENT_TRACE_PRIVATE_LOGGER_MODE | EVENT_TRACE_PRIVATE_IN_PROC;
    asked->Wnode.Guid = some_provider;
    asked.file(folder / "private.etl");
    const CSession session(u"Private", asked);
    ASSERT_EQ(session.status(), 0U);
    PropertyBlock by_name;
    EXPECT_EQ(QueryTraceW(0, u"Private", by_name.get()), ULONG{ERROR_WMI_INSTANCE_NOT_FOUND});
    PropertyBlock by_guid;
    by_guid->LogFileMode = EVENT_TRACE_PRIVATE_LOGGER_MODE;
    by_guid->Wnode.Guid = some_provider;
    EXPECT_EQ(QueryTraceW(0, u"Private", by_guid.get()), 0U);
    EXPECT_EQ(by_guid->Wnode.HistoricalContext, session.handle());
}

struct Array {
    std::vector<PropertyBlock> blocks;
    std::vector<EVENT_TRACE_PROPERTIES*> pointers;

    explicit Array(std::size_t count) : blocks(count) {
        for (PropertyBlock& block : blocks) {
            pointers.push_back(block.get());
        }
    }
};

TEST(QueryAllTraces_, RefusesNoRoom) { // V189
    Array array(1);
    ULONG count = 0;
    EXPECT_EQ(QueryAllTracesW(array.pointers.data(), 0, &count), ULONG{ERROR_INVALID_PARAMETER});
}

TEST(QueryAllTraces_, RefusesNoArray) { // V190
    ULONG count = 0;
    EXPECT_EQ(QueryAllTracesW(nullptr, 1, &count), ULONG{ERROR_INVALID_PARAMETER});
}

TEST(QueryAllTraces_, GivesWhatFitsAndSaysHowManyThereAre) { // V191
    const CSession one(u"One");
    const CSession two(u"Two");
    const CSession three(u"Three");
    Array array(2);
    ULONG count = 0;
    EXPECT_EQ(QueryAllTracesW(array.pointers.data(), 2, &count), ULONG{ERROR_MORE_DATA});
    EXPECT_EQ(count, 3U);
    EXPECT_EQ(array.blocks[0].logger_name(), u"One");
    EXPECT_EQ(array.blocks[1].logger_name(), u"Two");
}

TEST(QueryAllTraces_, LeavesPrivateSessionsOut) { // V192
    const Folder folder;
    const CSession session(u"Ordinary");
    const CSession hidden(u"Hidden", EVENT_TRACE_PRIVATE_LOGGER_MODE | EVENT_TRACE_PRIVATE_IN_PROC,
                          folder / "hidden.etl");
    ASSERT_EQ(hidden.status(), 0U);
    Array array(64);
    ULONG count = 0;
    EXPECT_EQ(QueryAllTracesW(array.pointers.data(), 64, &count), 0U);
    EXPECT_EQ(count, 1U);
}

} // namespace
} // namespace etl::test::control_trace_test

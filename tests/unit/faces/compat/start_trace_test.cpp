// The rows of the table of starting a session that are about the C structure. Those about options:
// tests/unit/sessions/session/control/start_options_test.cpp. docs/sessions.md#checks
#include "tests/unit/faces/compat/c_session.hpp"

#include <gtest/gtest.h>

#include <ostream>

namespace etl::test::start_trace_test {
namespace {

constexpr std::size_t usual = PropertyBlock::usual_size;

struct Row {
    const char* id = "";
    ULONG expected = ERROR_SUCCESS;
    std::size_t size = usual;
    ULONG mode = 0;
    ULONG logger_at = 0x78;
    const char* file = nullptr;
    ULONG file_at = sizeof(EVENT_TRACE_PROPERTIES) + 2048;
    ULONG flags = WNODE_FLAG_TRACED_GUID;
    std::optional<std::u16string> name = u"T1";
    bool has_handle = true, has_properties = true;
    ULONG enable_flags = 0;
    std::vector<USHORT> extension{}; // words at the place that enable_flags say

    friend std::ostream& operator<<(std::ostream& to, const Row& row) { return to << row.id; }
};

const Row rows[] = {
    {.id = "V001", .expected = 87, .file = "a.etl", .has_handle = false},
    {.id = "V002", .expected = 87, .has_properties = false},
    {.id = "V003", .expected = 123, .file = "a.etl", .name = {}},
    {.id = "V004", .expected = 87, .file = "a.etl", .name = {}, .has_handle = false},
    {.id = "V005", .expected = 24, .size = 0, .logger_at = 0},
    {.id = "V006", .expected = 24, .size = 0x77, .logger_at = 0},
    {.id = "V007", .expected = 24, .size = 0x78, .mode = 0x100, .logger_at = 0},
    {.id = "V008", .expected = 0, .size = 0x7E, .mode = 0x100},
    {.id = "V009", .expected = 24, .size = 0x7C, .mode = 0x100},
    {.id = "V010", .expected = 87, .mode = 0x100, .logger_at = 0x77},
    {.id = "V011", .expected = 87, .mode = 0x100, .logger_at = 1},
    {.id = "V012", .expected = 87, .size = 0x200, .mode = 0x100, .logger_at = 0x200},
    {.id = "V013", .expected = 0, .mode = 0x100, .logger_at = 0},
    {.id = "V014", .expected = 87, .file = "a.etl", .file_at = 0x70},
    {.id = "V015", .expected = 87, .size = 0x400, .file = "a.etl", .file_at = 0x400},
    {.id = "V016", .expected = 24, .size = 0x104, .file = "a.etl", .file_at = 0x100},
    {.id = "V017", .expected = 24, .size = 0x80, .logger_at = 0, .flags = 0x00820000},
    {.id = "V018", .expected = 0, .mode = 0x100, .logger_at = 0x90, .flags = 0x00820000},
    {.id = "V019", .expected = 87, .file = "a.etl", .flags = 0},
    {.id = "V020", .expected = 123, .file = "a.etl", .name = u""},
    {.id = "V021",
     .expected = 0,
     .size = 0x4000,
     .mode = 0x100,
     .name = std::u16string(1024, u'n')},
    {.id = "V022",
     .expected = 123,
     .size = 0x4000,
     .mode = 0x100,
     .name = std::u16string(1025, u'n')},
    {.id = "V035", .expected = 161},
    {.id = "V038", .expected = 161, .mode = 0x1, .file = "", .file_at = 0x1000},
    {.id = "V138", .expected = 87, .mode = 0x100, .enable_flags = 0x80010000},
    {.id = "V139", .expected = 87, .mode = 0x100, .enable_flags = 0x80000100},
    {.id = "V140", .expected = 87, .mode = 0x100, .enable_flags = 0x80010070},
    {.id = "V141", .expected = 87, .size = 0x200, .mode = 0x100, .enable_flags = 0x80010200},
    {.id = "V142", .expected = 87, .size = 0x200, .mode = 0x100, .enable_flags = 0x800801F0},
    {.id = "V143", .expected = 0, .size = 0x200, .mode = 0x100, .enable_flags = 0x800801E0},
    {.id = "V144", .expected = 87, .size = 0x202, .mode = 0x100, .enable_flags = 0x80FF0200},
    {.id = "V145",
     .expected = 0,
     .size = 0x300,
     .mode = 0x100,
     .enable_flags = 0x80FF0200,
     .extension = {3, 1, 2, 1}},
    {.id = "V146",
     .expected = 87,
     .size = 0x208,
     .mode = 0x100,
     .enable_flags = 0x80FF0200,
     .extension = {3, 1, 2, 1}},
    {.id = "V147",
     .expected = 87,
     .size = 0x300,
     .mode = 0x100,
     .enable_flags = 0x80FF0200,
     .extension = {3, 1, 3, 1}},
    {.id = "V148",
     .expected = 87,
     .size = 0x300,
     .mode = 0x100,
     .enable_flags = 0x80FF0200,
     .extension = {3, 1, 0, 1}},
    {.id = "V149",
     .expected = 87,
     .size = 0x300,
     .mode = 0x100,
     .enable_flags = 0x80FF0200,
     .extension = {3, 2, 2, 1}},
    {.id = "V150",
     .expected = 0,
     .size = 0x300,
     .mode = 0x100,
     .enable_flags = 0x80FF0200,
     .extension = {6, 2, 3, 1, 0, 0, 0, 0, 2, 3}},
    {.id = "V151", .expected = 0, .mode = 0x100, .enable_flags = 1},
};

class StartTrace_ : public testing::TestWithParam<Row> {};

PropertyBlock block_of(const Row& row) {
    PropertyBlock block(row.size);
    block->Wnode.Flags = row.flags;
    block->LogFileMode = row.mode;
    block->LoggerNameOffset = row.logger_at;
    block->EnableFlags = row.enable_flags;
    if (row.file != nullptr) {
        block.file(row.file, row.file_at);
    }
    if (!row.extension.empty()) {
        const std::size_t extension_at = row.enable_flags & 0xFFFFU;
        std::memcpy(block.at(extension_at), row.extension.data(),
                    std::min(row.extension.size() * sizeof(USHORT), row.size - extension_at));
    }
    return block;
}

TEST_P(StartTrace_, AnswersAsTheTableSays) {
    const Row& row = GetParam();
    const Folder folder;
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder / "");
    PropertyBlock block = block_of(row);
    TRACEHANDLE handle = 0x5555;
    const ULONG status =
        StartTraceW(row.has_handle ? &handle : nullptr, row.name ? row.name->c_str() : nullptr,
                    row.has_properties ? block.get() : nullptr);
    EXPECT_EQ(status, row.expected);
    if (status == ERROR_SUCCESS) {
        EXPECT_NE(handle, 0U);
        EXPECT_EQ(block->Wnode.HistoricalContext, handle);
        PropertyBlock stopped;
        EXPECT_EQ(ControlTraceW(handle, nullptr, stopped.get(), EVENT_TRACE_CONTROL_STOP), 0U);
    } else if (row.has_handle && row.has_properties) {
        EXPECT_EQ(handle, 0U);
    }
    std::filesystem::current_path(before);
}

INSTANTIATE_TEST_SUITE_P(Rows, StartTrace_, testing::ValuesIn(rows),
                         [](const auto& row) { return std::string(row.param.id); });

TEST(StartTraceOutput, TellsWhatWasAdopted) { // V170, V152, V163, V167
    PropertyBlock block;
    block->LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
    block->BufferSize = 0;
    block->Wnode.ClientContext = 0;
    const CSession session(u"Adopted", block);
    ASSERT_EQ(session.status(), 0U);
    EXPECT_NE(block->Wnode.Guid, GUID{});
    EXPECT_EQ(block->Wnode.ClientContext, 1U);
    EXPECT_EQ(block->BufferSize, 64U);
    EXPECT_EQ(block->FlushTimer, 1U);
    EXPECT_GT(block->NumberOfBuffers, 0U);
    EXPECT_GT(block->Wnode.TimeStamp.QuadPart, 0);
    EXPECT_NE(block->LoggerThreadId, nullptr);
    EXPECT_EQ(block->Wnode.BufferSize, PropertyBlock::usual_size);
    EXPECT_EQ(block.logger_name(), u"Adopted");
}

TEST(StartTraceOutput, NamesTheFile) {
    const Folder folder;
    PropertyBlock block;
    block.file(folder / "named.etl");
    const CSession session(u"Named", block);
    ASSERT_EQ(session.status(), 0U);
    EXPECT_EQ(block.file_name(), to_utf16(folder / "named.etl"));
    EXPECT_EQ(block->BuffersWritten, 1U);
}

ULONG start(std::u16string name, ULONG mode, const std::string& file, ULONG buffer_kb = 64) {
    PropertyBlock block;
    block->LogFileMode = mode;
    block->BufferSize = buffer_kb;
    block->Wnode.ClientContext = 2;
    block.file(file);
    const CSession session(std::move(name), block);
    return session.status();
}

TEST(StartTraceFile, IsNotOneThatAnotherSessionWrites) { // V046
    const Folder folder;
    const CSession other(u"Other", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "a.etl");
    EXPECT_EQ(start(u"T1", 0, folder / "a.etl"), ULONG{ERROR_BAD_PATHNAME});
}

TEST(StartTraceFile, IsNotMadeInAFolderThatIsNotThere) { // V047
    const Folder folder;
    EXPECT_EQ(start(u"T1", 0, folder / "nodir/a.etl"), ULONG{ERROR_PATH_NOT_FOUND});
}

TEST(StartTraceFile, IsNotMadeWhereOneMayNot) { // V048
    const Folder folder;
    std::filesystem::create_directory(folder / "ro");
    std::filesystem::permissions(folder / "ro", std::filesystem::perms::owner_read |
                                                    std::filesystem::perms::owner_exec);
    const ULONG status = start(u"T1", 0, folder / "ro/a.etl");
    std::filesystem::permissions(folder / "ro", std::filesystem::perms::owner_all);
    if (::geteuid() == 0) {
        GTEST_SKIP() << "who may do everything is refused nothing";
    }
    EXPECT_EQ(status, ULONG{ERROR_ACCESS_DENIED});
}

TEST(StartTraceFile, IsNotAppendedToWithOtherBuffers) { // V066
    const Folder folder;
    ASSERT_EQ(start(u"T1", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "a.etl"), 0U);
    EXPECT_EQ(start(u"T1", EVENT_TRACE_FILE_MODE_APPEND, folder / "a.etl", 128),
              ULONG{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(start(u"T1", EVENT_TRACE_FILE_MODE_APPEND, folder / "a.etl"), 0U);
}

TEST(StartTraceNarrow, TakesAndGivesNarrowNames) {
    const Folder folder;
    PropertyBlock block;
    const std::string file = folder / "narrow.etl";
    block->LogFileNameOffset = sizeof(EVENT_TRACE_PROPERTIES) + 2048;
    std::memcpy(block.at(block->LogFileNameOffset), file.c_str(), file.size() + 1);
    TRACEHANDLE handle = 0;
    ASSERT_EQ(StartTraceA(&handle, "Narrow", block.get()), 0U);
    EXPECT_STREQ(reinterpret_cast<const char*>(block.at(0x78)), "Narrow");
    EXPECT_TRUE(std::filesystem::exists(file));
    EXPECT_EQ(StopTraceA(0, "narrow", block.get()), 0U);
}

TEST(StartTraceVersion2, RefusesFiltersOfOrdinarySessions) {
    EVENT_FILTER_DESCRIPTOR filter{};
    filter.Type = EVENT_FILTER_TYPE_PID;
    PropertyBlock block;
    block->Wnode.Flags = WNODE_FLAG_TRACED_GUID | WNODE_FLAG_VERSIONED_PROPERTIES;
    block->LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
    block->LoggerNameOffset = 0x90;
    auto* all = reinterpret_cast<EVENT_TRACE_PROPERTIES_V2*>(block.get());
    all->FilterDescCount = 1;
    all->FilterDesc = &filter;
    TRACEHANDLE handle = 0;
    EXPECT_EQ(StartTraceW(&handle, u"Filtered", block.get()), ULONG{ERROR_INVALID_PARAMETER});
}

} // namespace
} // namespace etl::test::start_trace_test

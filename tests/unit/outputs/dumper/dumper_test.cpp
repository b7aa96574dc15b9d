#include "tests/unit/outputs/dumper/dumped.hpp"

namespace etl::dumper::dumper_test {
namespace {

using namespace literals;

constexpr std::uint64_t stove = 0xFFFFF80000000000, tea = 0x7FF600000000;

std::vector<std::string> events_of(const std::string& text, std::string_view kind) {
    auto lines = lines_of_kind(text, kind);
    EXPECT_FALSE(lines.empty()) << kind << '\n' << text;
    return lines.empty() ? lines : std::vector(lines.begin() + 1, lines.end());
}

TEST(Dumper, BeginsWithSchemasAndTheTrace) {
    const auto lines = lines_of(dumped(tea_kitchen()));
    ASSERT_GT(lines.size(), 9U);
    EXPECT_EQ(lines.front(), "BeginHeader");
    const auto end = std::ranges::find(lines, "EndHeader");
    ASSERT_NE(end, lines.end());
    EXPECT_EQ(end[1], "OS Version: 10.0.19045, Trace Size: 128KB, Events Lost: 0, Buffers lost: 0, "
                      "Trace Start: 133603920000000000, Trace Length: 60 sec, PointerSize: 8, "
                      "Trace Name: made.etl");
    EXPECT_EQ(end[2], "FirstReliableEventTimeStamp, 0");
    EXPECT_EQ(end[3], "FirstReliableCSwitchEventTimeStamp, 0");
}

TEST(Dumper, HasASchemaLineForEachKindThatOccurs) {
    const auto lines = lines_of(dumped(tea_kitchen()));
    std::vector<std::string> names;
    for (const std::string& line : lines) {
        if (line == "EndHeader") {
            break;
        }
        names.push_back(cells_of(line).front());
    }
    EXPECT_EQ(names, (std::vector<std::string>{"BeginHeader", "FirstReliableEventTimeStamp",
                                               "FirstReliableCSwitchEventTimeStamp", "P-DCStart",
                                               "T-DCStart", "I-DCStart"}));
}

TEST(Dumper, PrintsSamplesAndTheirStacks) {
    const std::string text = dumped(tea_kitchen(
        {sample_record(t0 + 367'650, stove + 0x100, 104),
         stack_record(t0 + 367'660, t0 + 367'650, 100, 104, {stove + 0x100, stove + 0x200}),
         stack_record(t0 + 367'670, t0 + 367'650, 100, 104, {tea + 0x10, 0x1234})}));
    const auto lines = lines_of(text);
    const std::vector<std::string> last(lines.end() - 5, lines.end());
    EXPECT_EQ(last, (std::vector<std::string>{
                        "         SampledProfile,      36765,       kettle.exe ( 100),        104, "
                        "0xfffff80000000100,   0,          tea.dll!0x00007ff600000900,        "
                        "stove.sys!0xfffff80000000100,     1, Unbatched",
                        "                  Stack,      36765,        104,   1, 0xfffff80000000100,"
                        "        stove.sys!0xfffff80000000100",
                        "                  Stack,      36765,        104,   2, 0xfffff80000000200,"
                        "        stove.sys!0xfffff80000000200",
                        "                  Stack,      36765,        104,   1, 0x00007ff600000010,"
                        "          tea.dll!0x00007ff600000010",
                        "                  Stack,      36765,        104,   2, 0x0000000000001234,"
                        "          Unknown!0x0000000000001234"}));
    EXPECT_EQ(lines_of_kind(text, "Stack").front(),
              "                  Stack,  TimeStamp,   ThreadID, No.,            Address,"
              "            Image!Function");
}

TEST(Dumper, JoinsStacksForMachines) {
    Options options;
    options.joins_stacks = true;
    const auto lines = lines_of(
        dumped(tea_kitchen({sample_record(t0 + 10, stove + 0x100, 104),
                            stack_record(t0 + 20, t0 + 10, 100, 104, {stove + 0x100, tea + 0x10})}),
               options));
    EXPECT_EQ(lines.back(), "                  Stack,          1,        104,        "
                            "stove.sys!0xfffff80000000100,          tea.dll!0x00007ff600000010");
}

TEST(Dumper, MeasuresContextSwitches) {
    const auto lines = events_of(
        dumped(tea_kitchen({switch_record(t0 + 1000, 104, 0), switch_record(t0 + 1500, 204, 104),
                            ready_record(t0 + 1900, 104), switch_record(t0 + 2050, 104, 204)})),
        "CSwitch");
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(
        lines[2],
        "                CSwitch,        205,       kettle.exe ( 100),        104,    8,   -1,"
        "          55,       15,       teapot.exe ( 200),        204,    8,   -1,"
        "         Waiting,      UserRequest, Swapable,     55,   0,   2,          0,    0,    0,"
        "           0,           0");
}

TEST(Dumper, NamesFilesOfRequests) {
    const std::uint64_t file = 0xFFFFE00000000020;
    const auto text =
        dumped(tea_kitchen({file_name_record(t0, 0, file, u"\\Kitchen\\a, b.txt"),
                            file_read_record(t0 + 100, file, 104), file_end_record(t0 + 180)}));
    EXPECT_EQ(events_of(text, "FileIoRead").front(),
              "             FileIoRead,         10,       kettle.exe ( 100),        104,   0, "
              "0xffffe00011113333, 0xffffe00000000020, 0x0000000000, 0x00000200, 0x00000000,   "
              "NotSet, \"\\Kitchen\\a, b.txt\", ");
    EXPECT_EQ(events_of(text, "FileIoOpEnd").front(),
              "            FileIoOpEnd,         18,       kettle.exe ( 100),        104,   0, "
              "0xffffe00011113333, 0xffffe00000000020,           8, 0x00000000, "
              "0x0000000000000200, FileIoRead, \"\\Kitchen\\a, b.txt\"");
}

TEST(Dumper, PrintsUnknownAndInvalidEvents) {
    ByteWriter unknown, invalid;
    unknown.u32(1);
    invalid.u16(1);
    KernelRecord unknown_record = record_of(0x0F7F, 2, t0 + 20, unknown);
    const std::string text = dumped(tea_kitchen(
        {std::move(unknown_record).by(100, 104), record_of(0x0524, 4, t0 + 30, invalid)}));
    EXPECT_EQ(events_of(text, "UnknownEvent/Classic").front(),
              "   UnknownEvent/Classic,          2,       kettle.exe ( 100),        104,   0, "
              "{ce1dbfb4-137e-4da6-87b0-3f59aa102cbc}, 0x7f,  0x00,  0x0002, 4");
    EXPECT_EQ(events_of(text, "InvalidEvent/Classic").front(),
              "   InvalidEvent/Classic,          3,          Unknown (  -1),         -1,   0, "
              "{3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c}, 0x24,  0x00,  0x0004, 2");
    EXPECT_EQ(lines_of_kind(text, "UnknownEvent/Classic").front(),
              "   UnknownEvent/Classic,  TimeStamp,     Process Name ( PID),   ThreadID, CPU,"
              "                              EventGuid, Type, Level, Version, MofLength");
}

test::Image with_event(const format::EventRecord& record, unsigned pointer_size = 8) {
    TraceBuilder trace({.pointer_size = pointer_size, .buffer_size = 0x10000});
    BufferBuilder& buffer = trace.buffer();
    for (const KernelRecord& one : tea_kitchen()) {
        one.add_to(buffer);
    }
    buffer.add(record);
    return trace.build();
}

TEST(Dumper, PrintsUnknownEventsOfProviders) {
    const format::EventRecord record{
        .process_id = 100,
        .thread_id = 104,
        .time = t0 + 10,
        .provider = "12345678-1234-1234-1234-123456789abc"_guid,
        .descriptor = {.id = 7, .version = 1, .level = 4, .keyword = 3}};
    const std::string text = dumped(with_event(record));
    EXPECT_EQ(
        lines_of_kind(text, "UnknownEvent/Crimson"),
        (std::vector<std::string>{
            "   UnknownEvent/Crimson,  TimeStamp,     Process Name ( PID),   ThreadID, CPU,"
            "                             ProviderId,     Id,   Task, Opcode, Version, Channel,"
            " Level,            Keyword, UserDataLength",
            "   UnknownEvent/Crimson,          1,       kettle.exe ( 100),        104,   0, "
            "{12345678-1234-1234-1234-123456789abc}, 0x0007, 0x0000,   0x00,    0x01,    0x00,"
            "  0x04, 0x0000000000000003, 0"}));
}

TEST(Dumper, PointersAreNarrowIn32BitTraces) {
    const format::EventRecord record{.time = t0 + 10,
                                     .provider = "12345678-1234-1234-1234-123456789abc"_guid,
                                     .descriptor = {.keyword = 3}};
    const std::string text = dumped(with_event(record, 4));
    EXPECT_TRUE(lines_of_kind(text, "UnknownEvent/Crimson")
                    .front()
                    .contains(" Level,            Keyword, UserDataLength"));
    EXPECT_TRUE(lines_of_kind(text, "I-DCStart")
                    .front()
                    .contains("     Process Name ( PID),   BaseAddr,    EndAddr,   Checksum,"));
}

TEST(Dumper, PrintsOnlyWhatIsSelected) {
    Options options;
    options.from = Filetime{story_start + 15};
    options.to = Filetime{story_start + 30};
    const std::string text =
        dumped(tea_kitchen({switch_record(t0 + 10, 104, 0), switch_record(t0 + 20, 204, 104),
                            switch_record(t0 + 30, 104, 204)}),
               options);
    const auto lines = events_of(text, "CSwitch");
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(cells_of(lines[0])[2], "teapot.exe ( 200)");
    EXPECT_EQ(cells_of(lines[0])[15], "1"); // kettle.exe ran since before the range
    EXPECT_TRUE(lines_of_kind(text, "P-DCStart").empty());
}

TEST(Dumper, SelectsProvidersAndClasses) {
    Options options;
    options.providers = {"3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c"_guid};
    const std::string text = dumped(tea_kitchen({switch_record(t0 + 10, 104, 0)}), options);
    EXPECT_EQ(events_of(text, "CSwitch").size(), 1U);
    EXPECT_EQ(events_of(text, "T-DCStart").size(), 2U);
    EXPECT_TRUE(lines_of_kind(text, "I-DCStart").empty());
}

TEST(Dumper, AddsRawData) {
    Options options;
    options.has_raw_data = true;
    const auto lines = lines_of(dumped(tea_kitchen({switch_record(t0 + 15, 104, 0)}), options));
    EXPECT_EQ(lines[lines.size() - 2], "# 0 # 0x00000000000f424f # 1500");
}

TEST(Dumper, KeepsTextsInTheirLines) {
    const std::string text =
        dumped({process_record(t0, Life::start, 300, "a\nb,c.exe", u"x\r\n\x1b[2J")});
    const auto lines = events_of(text, "P-Start");
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NE(lines[0].find("a\\x0ab;c.exe ( 300)"), std::string::npos) << lines[0];
    EXPECT_NE(lines[0].find("x\\x0d\\x0a\\x1b[2J"), std::string::npos) << lines[0];
}

} // namespace
} // namespace etl::dumper::dumper_test

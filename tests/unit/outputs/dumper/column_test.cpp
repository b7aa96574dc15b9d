// The columns of each kind against the table of the format, which is written here again.
#include "tests/unit/outputs/dumper/dumped.hpp"

namespace etl::dumper::column_test {

namespace {

constexpr const char* who = "Process Name ( PID)";

using Cells = std::vector<std::string>;

/// A kind: an event of it, and the columns after TimeStamp.
struct Case {
    const char* kind;
    std::function<KernelRecord()> record;
    Cells columns;
};

KernelRecord image_event(Life life) {
    return image_record(t0, life, 100, 0x1000, 0x100, u"\\a.dll");
}

KernelRecord file_event(std::uint8_t type, std::function<void(ByteWriter&)> rest) {
    ByteWriter payload;
    payload.u64(0xFFFFE00000000010).u64(0xFFFFE00000000020);
    rest(payload);
    return record_of(static_cast<std::uint16_t>(0x0400U | type), 3, t0, payload);
}

KernelRecord info_event(std::uint8_t type) {
    return file_event(type, [](ByteWriter& to) { to.u64(0x30).u64(7).u32(104).u32(4); });
}

KernelRecord simple_event(std::uint8_t type) {
    return file_event(type, [](ByteWriter& to) { to.u64(0x30).u32(104); });
}

KernelRecord create_event() {
    return file_event(64, [](ByteWriter& to) {
        to.u32(104).u32(0x01000060).u32(0x80).u32(3).zero_terminated16(u"\\Kitchen\\cup.txt");
    });
}

KernelRecord transfer_event(std::uint8_t type) {
    ByteWriter payload;
    payload.u64(0xCE).u64(0xFFFFE00000000010).u64(0xFFFFE00000000020).u64(0x30).u32(104);
    payload.u32(0x41).u32(0x00060A00);
    return record_of(static_cast<std::uint16_t>(0x0400U | type), 3, t0, payload);
}

KernelRecord disk_event(std::uint8_t type) {
    KernelRecord record = disk_read_record(t0 + 500, 0, 0x18F0B8000, 0xFFFFE00000000020, 104);
    record.hook_id = static_cast<std::uint16_t>(0x0100U | type);
    return record;
}

KernelRecord disk_init(std::uint8_t type) {
    ByteWriter payload;
    payload.u64(0xFFFFE00000000010).u32(104);
    return record_of(static_cast<std::uint16_t>(0x0100U | type), 3, t0, payload);
}

KernelRecord interrupt() {
    ByteWriter payload;
    payload.u64(static_cast<std::uint64_t>(t0 - 40)).u64(0xFFFFF80000000100).u8(1).u16(0x91).u8(0);
    return record_of(0x0F43, 2, t0, payload);
}

KernelRecord timer_dpc() {
    KernelRecord record = dpc_record(t0, 0xFFFFF80000000100);
    record.hook_id = 0x0F45;
    return record;
}

KernelRecord page_fault() {
    ByteWriter payload;
    payload.u64(0x2000).u64(0x7FF600000100);
    return record_of(0x020B, 2, t0, payload).by(100, 104);
}

KernelRecord interval(std::uint8_t type) {
    ByteWriter payload;
    payload.u32(0).u32(10000).u32(20000);
    return record_of(static_cast<std::uint16_t>(0x0F00U | type), 2, t0, payload);
}

const Cells process_columns{
    who,     "ParentPID", "SessionID",    "UniqueKey",       "DirectoryTableBase",
    "Flags", "UserSid",   "Command Line", "PackageFullName", "PRAID"};
const Cells process_end_columns{
    who,     "ParentPID", "SessionID",    "UniqueKey",       "Status", "DirectoryTableBase",
    "Flags", "UserSid",   "Command Line", "PackageFullName", "PRAID"};
const Cells thread_columns{who,         "ThreadID", "StackBase",     "StackLimit", "UsrStkBase",
                           "UsrStkLmt", "TebBase",  "SubProcessTag", "BasePri",    "PagePri",
                           "IoPri",     "Flags",    "Image!Function"};
const Cells image_columns{who,           "BaseAddr", "EndAddr", "Checksum", "TimeDateStamp",
                          "DefaultBase", "FileName"};
const Cells disk_columns{who,           "ThreadID",   "IrpPtr",   "ByteOffset",  "IOSize",
                         "ElapsedTime", "DiskNum",    "IrpFlags", "DiskSvcTime", "I/O Pri",
                         "VolSnap",     "FileObject", "FileName"};
const Cells info_columns{who,          "ThreadID",  "CPU",       "IrpPtr",
                         "FileObject", "ExtraInfo", "InfoClass", "FileName"};
const Cells transfer_columns{who,    "ThreadID", "CPU",      "IrpPtr",   "FileObject", "ByteOffset",
                             "Size", "Flags",    "Priority", "FileName", "ParsedFlags"};
const Cells simple_columns{who, "ThreadID", "CPU", "IrpPtr", "FileObject", "FileName"};
const Cells interval_columns{who, "ThreadID", "Source", "New Interval", "Old Interval"};

std::vector<Case> all_cases() {
    const auto process = [](Life life) {
        return [life] { return process_record(t0, life, 300, "cup.exe"); };
    };
    const auto thread = [](Life life) {
        return [life] { return thread_record(t0, life, 100, 112); };
    };
    const auto image = [](Life life) { return [life] { return image_event(life); }; };
    const auto info = [](std::uint8_t type) { return [type] { return info_event(type); }; };
    const auto name = [](std::uint8_t type) {
        return [type] { return file_name_record(t0, type, 0x20, u"\\a"); };
    };
    return {
        {"P-Start", process(Life::start), process_columns},
        {"P-End", process(Life::end), process_end_columns},
        {"P-DCStart", process(Life::rundown_at_start), process_columns},
        {"P-DCEnd", process(Life::rundown_at_end), process_columns},
        {"T-Start", thread(Life::start), thread_columns},
        {"T-End", thread(Life::end), thread_columns},
        {"T-DCStart", thread(Life::rundown_at_start), thread_columns},
        {"T-DCEnd", thread(Life::rundown_at_end), thread_columns},
        {"I-Start", image(Life::start), image_columns},
        {"I-End", image(Life::end), image_columns},
        {"I-DCStart", image(Life::rundown_at_start), image_columns},
        {"I-DCEnd", image(Life::rundown_at_end), image_columns},
        {"CSwitch",
         [] { return switch_record(t0, 104, 204); },
         {"New Process Name ( PID)",
          "New TID",
          "NPri",
          "NQnt",
          "TmSinceLast",
          "WaitTime",
          "Old Process Name ( PID)",
          "Old TID",
          "OPri",
          "OQnt",
          "OldState",
          "Wait Reason",
          "Swapable",
          "InSwitchTime",
          "CPU",
          "IdealProc",
          "OldRemQnt",
          "NewPriDecr",
          "PrevCState",
          "OldThrdBamQosLevel",
          "NewThrdBamQosLevel"}},
        {"SampledProfile",
         [] { return sample_record(t0, 0x7FF600000100, 104); },
         {who, "ThreadID", "PrgrmCtr", "CPU", "ThreadStartImage!Function", "Image!Function",
          "Count", "SampledProfile type"}},
        {"DPC",
         [] { return dpc_record(t0, 0xFFFFF80000000100); },
         {"ElapsedTime", "CPU", "ServiceAddr", "Image!Function"}},
        {"DPCTmr", timer_dpc, {"ElapsedTime", "CPU", "ServiceAddr", "Image!Function"}},
        {"Interrupt",
         interrupt,
         {"ElapsedTime", "CPU", "Vector", "MessageIndex", "Status", "ServiceAddr",
          "Image!Function"}},
        {"DiskRead", [] { return disk_event(10); }, disk_columns},
        {"DiskWrite", [] { return disk_event(11); }, disk_columns},
        {"DiskReadInit", [] { return disk_init(12); }, {who, "ThreadID", "IrpPtr"}},
        {"DiskWriteInit", [] { return disk_init(13); }, {who, "ThreadID", "IrpPtr"}},
        {"FileIoCreate",
         create_event,
         {who, "ThreadID", "CPU", "IrpPtr", "FileObject", "Options", "Attributes", "ShareAccess",
          "FileName", "ParsedOptions", "ParsedAttributes", "ParsedShareAccess"}},
        {"FileIoRead", [] { return transfer_event(67); }, transfer_columns},
        {"FileIoWrite", [] { return transfer_event(68); }, transfer_columns},
        {"FileIoCleanup", [] { return simple_event(65); }, simple_columns},
        {"FileIoClose", [] { return simple_event(66); }, simple_columns},
        {"FileIoFlush", [] { return simple_event(73); }, simple_columns},
        {"FileIoSetInfo", info(69), info_columns},
        {"FileIoDelete", info(70), info_columns},
        {"FileIoRename", info(71), info_columns},
        {"FileIoQueryInfo", info(74), info_columns},
        {"FileIoFSCTL", info(75), info_columns},
        {"FileIoOpEnd",
         [] { return file_end_record(t0); },
         {who, "ThreadID", "CPU", "IrpPtr", "FileObject", "ElapsedTime", "Status", "ExtraInfo",
          "Type", "FileName"}},
        {"FileNameCreate", name(32), {"FileObject", "FileName"}},
        {"FileNameDelete", name(35), {"FileObject", "FileName"}},
        {"FileNameRundown", name(36), {"FileObject", "FileName"}},
        {"HardFault",
         [] { return hard_fault_record(t0, 104); },
         {who, "ThreadID", "VirtualAddr", "ByteOffset", "IOSize", "ElapsedTime", "FileObject",
          "FileName"}},
        {"PageFault",
         page_fault,
         {who, "ThreadID", "VirtualAddr", "PrgrmCtr", "Type", "Image!Function"}},
        {"VirtualAlloc",
         [] { return virtual_alloc_record(t0, 100); },
         {who, "BaseAddr", "EndAddr", "Flags"}},
        {"ProfileFreq-SetInterval", [] { return interval(72); }, interval_columns},
        {"ProfileFreq-DCStart", [] { return interval(73); }, interval_columns},
        {"ProfileFreq-DCEnd", [] { return interval(74); }, interval_columns},
        {"TcpIp/Send",
         [] { return tcp_send_record(t0, 100); },
         {who, "ThreadID", "CPU", "size", "daddr", "saddr", "dport", "sport", "startime", "endtime",
          "seqnum", "connid"}},
    };
}

TEST(Columns, AreInTheOrderOfTheFormat) {
    for (const Case& one : all_cases()) {
        const std::string text = dumped({one.record()});
        const auto lines = lines_of_kind(text, one.kind);
        ASSERT_EQ(lines.size(), 2U) << one.kind << '\n' << text;
        Cells expected{one.kind, "TimeStamp"};
        expected.insert(expected.end(), one.columns.begin(), one.columns.end());
        EXPECT_EQ(cells_of(lines[0]), expected) << one.kind;
        EXPECT_EQ(cells_of(lines[1]).size(), expected.size()) << lines[1];
    }
}

TEST(Columns, BeginWithTheNameIn23Columns) {
    constexpr std::size_t width = 23;
    for (const Case& one : all_cases()) {
        for (const std::string& line : lines_of_kind(dumped({one.record()}), one.kind)) {
            EXPECT_EQ(line.find(','), std::max(width, std::string_view(one.kind).size())) << line;
        }
    }
}

/// In front of the last column, which may be any text, each value fills its column.
TEST(Columns, AreAligned) {
    for (const char* kind : {"DiskRead", "FileIoRead", "SampledProfile", "DPC", "Interrupt"}) {
        const auto all = all_cases();
        const auto one = std::ranges::find(all, std::string_view(kind),
                                           [](const Case& c) { return std::string_view(c.kind); });
        const auto lines = lines_of_kind(dumped(tea_kitchen({one->record()})), kind);
        ASSERT_EQ(lines.size(), 2U) << kind;
        std::size_t heading = 0, value = 0;
        for (int column = 0; column < 3; ++column) {
            heading = lines[0].find(',', heading + 1);
            value = lines[1].find(',', value + 1);
            EXPECT_EQ(heading, value) << lines[0] << '\n' << lines[1];
        }
    }
}

TEST(Columns, OfOtherVersionsAreLeftOut) {
    ByteWriter payload;
    payload.u64(0xFFFFA00000000000).u32(300).u32(4).u32(1).u32(0x103).u32(0);
    payload.zero_terminated8("cup.exe").zero_terminated16(u"cup.exe -a");
    const auto lines = lines_of_kind(dumped({record_of(0x0301, 2, t0, payload)}), "P-Start");
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(
        lines[0],
        "                P-Start,  TimeStamp,     Process Name ( PID),  ParentPID,  SessionID,"
        "        UniqueKey, UserSid, Command Line");
    EXPECT_EQ(
        lines[1],
        "                P-Start,          0,          cup.exe ( 300),          4,          1,"
        " 0xffffa00000000000, , cup.exe -a");
}

TEST(Columns, OfContextSwitchesHaveLevelsSinceVersion3) {
    KernelRecord record = switch_record(t0, 104, 204);
    constexpr std::size_t flags_at = 13;
    record.payload[flags_at] = std::byte{0b0101'0110}; // levels 5 and 3, kernel mode
    auto lines = lines_of_kind(dumped({record}), "CSwitch");
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_TRUE(lines[0].ends_with(", PrevCState, OldThrdBamQosLevel, NewThrdBamQosLevel"));
    EXPECT_TRUE(lines[1].ends_with(",    0,           3,           5")) << lines[1];
    EXPECT_NE(lines[1].find(" NonSwap,"), lines[1].npos);
    record.version = 2; // the byte is the wait mode
    lines = lines_of_kind(dumped({record}), "CSwitch");
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_TRUE(lines[0].ends_with(", PrevCState")) << lines[0];
    EXPECT_EQ(cells_of(lines[0]).size(), cells_of(lines[1]).size());
}

TEST(Columns, OfThreadsHaveNamesIfThereAreAny) {
    KernelRecord unnamed = thread_record(t0, Life::start, 100, 112);
    unnamed.payload.insert(unnamed.payload.end(), 2, std::byte{0});
    auto lines = lines_of_kind(dumped({unnamed}), "T-Start");
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_TRUE(lines[0].ends_with("Image!Function")) << lines[0];
    KernelRecord named = thread_record(t0 + 10, Life::start, 100, 116);
    ByteWriter name;
    name.zero_terminated16(u"Steam, \"hot\"");
    const auto bytes = name.take();
    named.payload.insert(named.payload.end(), bytes.begin(), bytes.end());
    lines = lines_of_kind(dumped({unnamed, named}), "T-Start");
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_TRUE(lines[0].ends_with("Image!Function, ThreadName")) << lines[0];
    EXPECT_TRUE(lines[1].ends_with(", \"\"")) << lines[1];
    EXPECT_TRUE(lines[2].ends_with(", \"Steam, \"\"hot\"\"\"")) << lines[2];
}

} // namespace

} // namespace etl::dumper::column_test

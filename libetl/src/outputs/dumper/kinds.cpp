#include "dumper/kinds.hpp"

#include "dumper/column.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace etl::dumper::columns {

namespace {

// The columns of the kinds.

constexpr DumpColumn who{"Process Name ( PID)", 23, show::process};
constexpr DumpColumn at_thread{"ThreadID", 10, show::thread};
constexpr DumpColumn on_cpu{"CPU", 3, show::cpu};

constexpr DumpColumn pointer_to(std::string_view heading, std::string_view field) {
    return {heading, pointer_width, show::pointer, field};
}

constexpr DumpColumn number(std::string_view heading, std::uint8_t width, std::string_view field,
                            std::uint8_t since = 0) {
    return {heading, width, show::decimal, field, {}, 0, since};
}

constexpr DumpColumn hex_number(std::string_view heading, std::uint8_t width, std::uint8_t digits,
                                std::string_view field, std::uint8_t since = 0) {
    return {heading, width, show::hex, field, {}, digits, since};
}

constexpr DumpColumn code(std::string_view field) {
    return {"Image!Function", 25, show::function, field};
}

constexpr DumpColumn unknown_classic_columns[] = {who,
                                                  at_thread,
                                                  on_cpu,
                                                  {"EventGuid", 38, show::guid},
                                                  {"Type", 4, show::opcode},
                                                  {"Level", 5, show::level},
                                                  {"Version", 7, show::class_version},
                                                  {"MofLength", 0, show::payload_size}};

constexpr DumpColumn unknown_crimson_columns[] = {who,
                                                  at_thread,
                                                  on_cpu,
                                                  {"ProviderId", 38, show::guid},
                                                  {"Id", 6, show::id},
                                                  {"Task", 6, show::task},
                                                  {"Opcode", 6, show::opcode},
                                                  {"Version", 7, show::version},
                                                  {"Channel", 7, show::channel},
                                                  {"Level", 5, show::level},
                                                  {"Keyword", 18, show::keyword},
                                                  {"UserDataLength", 0, show::payload_size}};

constexpr std::uint8_t with_directory = 3, with_package = 4; // class versions
constexpr DumpColumn directory_table{
    "DirectoryTableBase", pointer_width, show::pointer, "DirectoryTableBase", {}, 0,
    with_directory};
constexpr DumpColumn process_flags = hex_number("Flags", 10, 8, "Flags", with_package);
constexpr DumpColumn package{"PackageFullName", 0, show::text_or_none, "PackageFullName", {}, 0,
                             with_package};
constexpr DumpColumn application{"PRAID", 0, show::text_or_none, "ApplicationId",
                                 {},      0, with_package};
constexpr DumpColumn unique_key{"UniqueKey", 16, show::pointer, "UniqueProcessKey"};
constexpr DumpColumn user{"UserSid", 0, show::text, "UserSID"};
constexpr DumpColumn command_line{"Command Line", 0, show::text, "CommandLine"};

constexpr DumpColumn process_columns[] = {who,
                                          number("ParentPID", 10, "ParentId"),
                                          number("SessionID", 10, "SessionId"),
                                          unique_key,
                                          directory_table,
                                          process_flags,
                                          user,
                                          command_line,
                                          package,
                                          application};

constexpr DumpColumn process_end_columns[] = {who,
                                              number("ParentPID", 10, "ParentId"),
                                              number("SessionID", 10, "SessionId"),
                                              unique_key,
                                              hex_number("Status", 10, 8, "ExitStatus"),
                                              directory_table,
                                              process_flags,
                                              user,
                                              command_line,
                                              package,
                                              application};

constexpr std::uint8_t with_priorities = 3; // class version

constexpr DumpColumn thread_columns[] = {
    who,
    at_thread,
    pointer_to("StackBase", "StackBase"),
    pointer_to("StackLimit", "StackLimit"),
    pointer_to("UsrStkBase", "UserStackBase"),
    pointer_to("UsrStkLmt", "UserStackLimit"),
    pointer_to("TebBase", "TebBase"),
    hex_number("SubProcessTag", 13, 8, "SubProcessTag"),
    number("BasePri", 7, "BasePriority", with_priorities),
    number("PagePri", 7, "PagePriority", with_priorities),
    number("IoPri", 5, "IoPriority", with_priorities),
    hex_number("Flags", 5, 2, "ThreadFlags", with_priorities),
    code("Win32StartAddr"),
    {"ThreadName", 0, show::quoted, "ThreadName", {}, 0, 0, true}};

constexpr DumpColumn image_columns[] = {
    who,
    pointer_to("BaseAddr", "ImageBase"),
    {"EndAddr", pointer_width, show::end_address, "ImageBase", "ImageSize"},
    hex_number("Checksum", 10, 8, "ImageChecksum"),
    hex_number("TimeDateStamp", 13, 8, "TimeDateStamp"),
    pointer_to("DefaultBase", "DefaultBase"),
    {"FileName", 0, show::path, "FileName"}};

constexpr std::uint8_t with_thread_flags = 3; // class version

constexpr DumpColumn switch_columns[] = {
    {"New Process Name ( PID)", 23, show::process_of_thread, "NewThreadId"},
    number("New TID", 10, "NewThreadId"),
    number("NPri", 4, "NewThreadPriority"),
    {"NQnt", 4, show::quantum, "NewThreadQuantum"},
    {"TmSinceLast", 11, show::since_switched_out},
    {"WaitTime", 8, show::ready_time},
    {"Old Process Name ( PID)", 23, show::process_of_thread, "OldThreadId"},
    number("Old TID", 10, "OldThreadId"),
    number("OPri", 4, "OldThreadPriority"),
    {"OQnt", 4, show::quantum, "OldThreadQuantum"},
    {"OldState", 15, show::thread_state, "OldThreadState"},
    {"Wait Reason", 16, show::wait_reason, "OldThreadWaitReason"},
    {"Swapable", 8, show::wait_mode, "OldThreadWaitMode", "ThreadFlags"},
    {"InSwitchTime", 6, show::switched_in_time},
    on_cpu,
    number("IdealProc", 3, "OldThreadWaitIdealProcessor"),
    number("OldRemQnt", 10, "Reserved"),
    number("NewPriDecr", 4, "SpareByte"),
    number("PrevCState", 4, "PreviousCState"),
    {"OldThrdBamQosLevel", 11, show::old_qos, "ThreadFlags", {}, 0, with_thread_flags},
    {"NewThrdBamQosLevel", 11, show::new_qos, "ThreadFlags", {}, 0, with_thread_flags}};

constexpr DumpColumn ready_columns[] = {
    who,
    at_thread,
    {"Rdy Process Name ( PID)", 23, show::process_of_thread, "TThreadId"},
    number("Rdy TID", 10, "TThreadId"),
    number("AdjustReason", 12, "AdjustReason"),
    number("AdjustIncrement", 15, "AdjustIncrement"),
    hex_number("Flags", 5, 2, "Flag")};

constexpr DumpColumn sample_columns[] = {who,
                                         at_thread,
                                         pointer_to("PrgrmCtr", "InstructionPointer"),
                                         on_cpu,
                                         {"ThreadStartImage!Function", 25, show::start_function},
                                         code("InstructionPointer"),
                                         number("Count", 5, "Count"),
                                         {"SampledProfile type", 0, show::sample_type}};

constexpr DumpColumn since_start{"ElapsedTime", 11, show::elapsed_since, "InitialTime"};

constexpr DumpColumn dpc_columns[] = {since_start, on_cpu, pointer_to("ServiceAddr", "Routine"),
                                      code("Routine")};

constexpr DumpColumn interrupt_columns[] = {since_start,
                                            on_cpu,
                                            number("Vector", 6, "Vector"),
                                            number("MessageIndex", 12, "MessageNumber"),
                                            hex_number("Status", 10, 8, "ReturnValue"),
                                            pointer_to("ServiceAddr", "Routine"),
                                            code("Routine")};

constexpr DumpColumn irp = pointer_to("IrpPtr", "Irp");
constexpr DumpColumn disk_elapsed{"ElapsedTime", 11, show::elapsed, "HighResResponseTime"};
constexpr DumpColumn disk_service{"DiskSvcTime", 11, show::service_time, "HighResResponseTime",
                                  "DiskNumber"};
constexpr DumpColumn disk_priority{"I/O Pri", 7, show::io_priority, "IrpFlags"};

constexpr DumpColumn disk_columns[] = {who,
                                       at_thread,
                                       irp,
                                       hex_number("ByteOffset", 12, 10, "ByteOffset"),
                                       hex_number("IOSize", 10, 8, "TransferSize"),
                                       disk_elapsed,
                                       number("DiskNum", 8, "DiskNumber"),
                                       hex_number("IrpFlags", 8, 6, "IrpFlags"),
                                       disk_service,
                                       disk_priority,
                                       {"VolSnap", 8, show::volume_snapshot},
                                       pointer_to("FileObject", "FileObject"),
                                       {"FileName", 0, show::file, {}, "FileObject"}};

constexpr DumpColumn disk_init_columns[] = {who, at_thread, irp};

constexpr DumpColumn flush_columns[] = {who,
                                        at_thread,
                                        irp,
                                        disk_elapsed,
                                        number("DiskNum", 8, "DiskNumber"),
                                        hex_number("IrpFlags", 8, 6, "IrpFlags"),
                                        disk_service,
                                        disk_priority};

constexpr DumpColumn file_irp = pointer_to("IrpPtr", "IrpPtr");
constexpr DumpColumn file_object = pointer_to("FileObject", "FileObject");
constexpr DumpColumn file_name{"FileName", 0, show::file, "FileKey", "FileObject"};

constexpr DumpColumn create_columns[] = {
    who,
    at_thread,
    on_cpu,
    file_irp,
    file_object,
    hex_number("Options", 10, 8, "CreateOptions"),
    hex_number("Attributes", 10, 8, "FileAttributes"),
    hex_number("ShareAccess", 11, 8, "ShareAccess"),
    {"FileName", 0, show::path, "OpenPath"},
    {"ParsedOptions", 0, show::create_options, "CreateOptions"},
    {"ParsedAttributes", 0, show::file_attributes, "FileAttributes"},
    {"ParsedShareAccess", 0, show::share_access, "ShareAccess"}};

constexpr DumpColumn simple_file_columns[] = {who,      at_thread,   on_cpu,
                                              file_irp, file_object, file_name};

constexpr DumpColumn transfer_columns[] = {who,
                                           at_thread,
                                           on_cpu,
                                           file_irp,
                                           file_object,
                                           hex_number("ByteOffset", 12, 10, "Offset"),
                                           hex_number("Size", 10, 8, "IoSize"),
                                           hex_number("Flags", 10, 8, "IoFlags"),
                                           {"Priority", 8, show::io_priority_name, "IoFlags"},
                                           file_name,
                                           {"ParsedFlags", 0, show::irp_flags, "IoFlags"}};

constexpr DumpColumn info_columns[] = {who,
                                       at_thread,
                                       on_cpu,
                                       file_irp,
                                       file_object,
                                       pointer_to("ExtraInfo", "ExtraInfo"),
                                       hex_number("InfoClass", 10, 8, "InfoClass"),
                                       file_name};

constexpr DumpColumn directory_columns[] = {who,
                                            at_thread,
                                            on_cpu,
                                            file_irp,
                                            file_object,
                                            hex_number("FileIndex", 10, 8, "FileIndex"),
                                            hex_number("Size", 10, 8, "Length"),
                                            hex_number("InfoClass", 10, 8, "InfoClass"),
                                            {"FileName", 0, show::quoted, "FileName"},
                                            file_name};

constexpr DumpColumn end_columns[] = {who,
                                      at_thread,
                                      on_cpu,
                                      file_irp,
                                      {"FileObject", pointer_width, show::request_object},
                                      {"ElapsedTime", 11, show::request_time},
                                      hex_number("Status", 10, 8, "NtStatus"),
                                      pointer_to("ExtraInfo", "ExtraInfo"),
                                      {"Type", 0, show::request_kind},
                                      {"FileName", 0, show::request_file}};

constexpr DumpColumn name_columns[] = {file_object, {"FileName", 0, show::path, "FileName"}};

constexpr DumpColumn hard_fault_columns[] = {who,
                                             at_thread,
                                             pointer_to("VirtualAddr", "VirtualAddress"),
                                             hex_number("ByteOffset", 12, 10, "ReadOffset"),
                                             hex_number("IOSize", 10, 8, "ByteCount"),
                                             since_start,
                                             file_object,
                                             {"FileName", 0, show::file, {}, "FileObject"}};

constexpr DumpColumn page_fault_columns[] = {who,
                                             at_thread,
                                             pointer_to("VirtualAddr", "VirtualAddress"),
                                             pointer_to("PrgrmCtr", "ProgramCounter"),
                                             {"Type", 11, show::fault_kind},
                                             code("ProgramCounter")};

constexpr DumpColumn virtual_columns[] = {
    who,
    pointer_to("BaseAddr", "BaseAddress"),
    {"EndAddr", pointer_width, show::end_address, "BaseAddress", "RegionSize"},
    {"Flags", 0, show::allocation_flags, "Flags"}};

constexpr DumpColumn interval_columns[] = {who, at_thread, number("Source", 6, "Source"),
                                           number("New Interval", 12, "NewInterval"),
                                           number("Old Interval", 12, "OldInterval")};

constexpr DumpColumn call_columns[] = {who, at_thread, pointer_to("ServiceAddr", "SysCallAddress"),
                                       code("SysCallAddress")};

constexpr DumpColumn call_end_columns[] = {who, at_thread,
                                           hex_number("Status", 10, 8, "SysCallNtStatus")};

} // namespace

} // namespace etl::dumper::columns

namespace etl::dumper {

namespace {

using namespace columns;

constexpr std::string_view process_id = "ProcessId", thread_id = "TThreadId", file_thread = "TTID",
                           issuer = "IssuingThreadId";

constexpr Kind all_kinds[] = {
    {"UnknownEvent/Classic", {}, {}, {}, unknown_classic_columns},
    {"InvalidEvent/Classic", {}, {}, {}, unknown_classic_columns},
    {"UnknownEvent/Crimson", {}, {}, {}, unknown_crimson_columns},
    {"InvalidEvent/Crimson", {}, {}, {}, unknown_crimson_columns},
    {"P-Start", {0x0301}, process_id, {}, process_columns},
    {"P-End", {0x0302}, process_id, {}, process_end_columns},
    {"P-DCStart", {0x0303}, process_id, {}, process_columns},
    {"P-DCEnd", {0x0304}, process_id, {}, process_columns},
    {"P-Zombie", {0x0327}, process_id, {}, process_columns},
    {"T-Start", {0x0501}, process_id, thread_id, thread_columns},
    {"T-End", {0x0502}, process_id, thread_id, thread_columns},
    {"T-DCStart", {0x0503}, process_id, thread_id, thread_columns},
    {"T-DCEnd", {0x0504}, process_id, thread_id, thread_columns},
    {"I-Start", {0x030A, 0x140A}, process_id, {}, image_columns},
    {"I-End", {0x1402}, process_id, {}, image_columns},
    {"I-DCStart", {0x1403}, process_id, {}, image_columns},
    {"I-DCEnd", {0x1404}, process_id, {}, image_columns},
    {"CSwitch", {0x0524}, {}, "NewThreadId", switch_columns, Effect::context_switch},
    {"ReadyThread", {0x0532}, {}, {}, ready_columns, Effect::ready},
    {"SampledProfile", {0x0F2E}, {}, "ThreadId", sample_columns},
    {"DPC", {0x0F44}, {}, {}, dpc_columns, Effect::interrupt},
    {"DPCTmr", {0x0F45}, {}, {}, dpc_columns, Effect::interrupt},
    {"Interrupt", {0x0F43, 0x0F32}, {}, {}, interrupt_columns, Effect::interrupt},
    {"SysCallEnter", {0x0F33}, {}, {}, call_columns},
    {"SysCallExit", {0x0F34}, {}, {}, call_end_columns},
    {"ProfileFreq-SetInterval", {0x0F48}, {}, {}, interval_columns},
    {"ProfileFreq-DCStart", {0x0F49}, {}, {}, interval_columns},
    {"ProfileFreq-DCEnd", {0x0F4A}, {}, {}, interval_columns},
    {"VirtualAlloc", {0x0262}, process_id, {}, virtual_columns},
    {"VirtualFree", {0x0263}, process_id, {}, virtual_columns},
    {"PageFault", {0x020A, 0x020B, 0x020C, 0x020D, 0x020E, 0x020F}, {}, {}, page_fault_columns},
    {"HardFault", {0x0220}, {}, thread_id, hard_fault_columns},
    {"DiskRead", {0x010A}, {}, issuer, disk_columns, Effect::disk_end},
    {"DiskWrite", {0x010B}, {}, issuer, disk_columns, Effect::disk_end},
    {"DiskReadInit", {0x010C}, {}, issuer, disk_init_columns, Effect::disk_begin},
    {"DiskWriteInit", {0x010D}, {}, issuer, disk_init_columns, Effect::disk_begin},
    {"DiskFlush", {0x010E}, {}, issuer, flush_columns, Effect::disk_end},
    {"DiskFlushInit", {0x010F}, {}, issuer, disk_init_columns, Effect::disk_begin},
    {"FileIoCreate", {0x0440}, {}, file_thread, create_columns, Effect::request_begin},
    {"FileIoCleanup", {0x0441}, {}, file_thread, simple_file_columns, Effect::request_begin},
    {"FileIoClose", {0x0442}, {}, file_thread, simple_file_columns, Effect::request_begin},
    {"FileIoFlush", {0x0449}, {}, file_thread, simple_file_columns, Effect::request_begin},
    {"FileIoRead", {0x0443}, {}, file_thread, transfer_columns, Effect::request_begin},
    {"FileIoWrite", {0x0444}, {}, file_thread, transfer_columns, Effect::request_begin},
    {"FileIoSetInfo", {0x0445}, {}, file_thread, info_columns, Effect::request_begin},
    {"FileIoQueryInfo", {0x044A}, {}, file_thread, info_columns, Effect::request_begin},
    {"FileIoFSCTL", {0x044B}, {}, file_thread, info_columns, Effect::request_begin},
    {"FileIoDelete", {0x0446}, {}, file_thread, info_columns, Effect::request_begin},
    {"FileIoRename", {0x0447}, {}, file_thread, info_columns, Effect::request_begin},
    {"FileIoDirEnum", {0x0448}, {}, file_thread, directory_columns, Effect::request_begin},
    {"FileIoDirNotify", {0x044D}, {}, file_thread, directory_columns, Effect::request_begin},
    {"FileIoOpEnd", {0x044C}, {}, {}, end_columns, Effect::request_end},
    {"FileNameCreate", {0x0420}, {}, {}, name_columns},
    {"FileNameDelete", {0x0423}, {}, {}, name_columns},
    {"FileNameRundown", {0x0424}, {}, {}, name_columns},
};

static_assert(std::size(all_kinds) < no_kind);

constexpr auto kinds_by_hook = [] {
    constexpr std::size_t groups = 0x15, types = 0x100;
    std::array<std::uint8_t, groups * types> by_hook{};
    by_hook.fill(no_kind);
    for (std::size_t i = 0; i < std::size(all_kinds); ++i) {
        for (const std::uint16_t hook : all_kinds[i].hooks) {
            if (hook != 0) {
                by_hook[hook] = static_cast<std::uint8_t>(i);
            }
        }
    }
    return by_hook;
}();

} // namespace

std::span<const Kind> kinds() noexcept {
    return all_kinds;
}

std::uint8_t kind_of_hook(std::uint16_t hook) noexcept {
    return hook < kinds_by_hook.size() ? kinds_by_hook[hook] : no_kind;
}

} // namespace etl::dumper

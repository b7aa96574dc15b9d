// The columns of the kinds. Private to kinds.cpp.
#pragma once

#include "dumper/cells/show.hpp"

namespace etl::dumper::columns {

inline constexpr Column who{"Process Name ( PID)", 23, show::process};
inline constexpr Column at_thread{"ThreadID", 10, show::thread};
inline constexpr Column on_cpu{"CPU", 3, show::cpu};

constexpr Column pointer_to(std::string_view heading, std::string_view field) {
    return {heading, pointer_width, show::pointer, field};
}

constexpr Column number(std::string_view heading, std::uint8_t width, std::string_view field,
                        std::uint8_t since = 0) {
    return {heading, width, show::decimal, field, {}, 0, since};
}

constexpr Column hex_number(std::string_view heading, std::uint8_t width, std::uint8_t digits,
                            std::string_view field, std::uint8_t since = 0) {
    return {heading, width, show::hex, field, {}, digits, since};
}

constexpr Column code(std::string_view field) {
    return {"Image!Function", 25, show::function, field};
}

inline constexpr Column unknown_classic_columns[] = {who,
                                                     at_thread,
                                                     on_cpu,
                                                     {"EventGuid", 38, show::guid},
                                                     {"Type", 4, show::opcode},
                                                     {"Level", 5, show::level},
                                                     {"Version", 7, show::class_version},
                                                     {"MofLength", 0, show::payload_size}};

inline constexpr Column unknown_crimson_columns[] = {who,
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

inline constexpr std::uint8_t with_directory = 3, with_package = 4; // class versions
inline constexpr Column directory_table{
    "DirectoryTableBase", pointer_width, show::pointer, "DirectoryTableBase", {}, 0,
    with_directory};
inline constexpr Column process_flags = hex_number("Flags", 10, 8, "Flags", with_package);
inline constexpr Column package{"PackageFullName", 0, show::text_or_none, "PackageFullName", {}, 0,
                                with_package};
inline constexpr Column application{"PRAID", 0, show::text_or_none, "ApplicationId",
                                    {},      0, with_package};
inline constexpr Column unique_key{"UniqueKey", 16, show::pointer, "UniqueProcessKey"};
inline constexpr Column user{"UserSid", 0, show::text, "UserSID"};
inline constexpr Column command_line{"Command Line", 0, show::text, "CommandLine"};

inline constexpr Column process_columns[] = {who,
                                             number("ParentPID", 10, "ParentId"),
                                             number("SessionID", 10, "SessionId"),
                                             unique_key,
                                             directory_table,
                                             process_flags,
                                             user,
                                             command_line,
                                             package,
                                             application};

inline constexpr Column process_end_columns[] = {who,
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

inline constexpr std::uint8_t with_priorities = 3; // class version

inline constexpr Column thread_columns[] = {
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

inline constexpr Column image_columns[] = {
    who,
    pointer_to("BaseAddr", "ImageBase"),
    {"EndAddr", pointer_width, show::end_address, "ImageBase", "ImageSize"},
    hex_number("Checksum", 10, 8, "ImageChecksum"),
    hex_number("TimeDateStamp", 13, 8, "TimeDateStamp"),
    pointer_to("DefaultBase", "DefaultBase"),
    {"FileName", 0, show::path, "FileName"}};

inline constexpr std::uint8_t with_thread_flags = 3; // class version

inline constexpr Column switch_columns[] = {
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

inline constexpr Column ready_columns[] = {
    who,
    at_thread,
    {"Rdy Process Name ( PID)", 23, show::process_of_thread, "TThreadId"},
    number("Rdy TID", 10, "TThreadId"),
    number("AdjustReason", 12, "AdjustReason"),
    number("AdjustIncrement", 15, "AdjustIncrement"),
    hex_number("Flags", 5, 2, "Flag")};

inline constexpr Column sample_columns[] = {who,
                                            at_thread,
                                            pointer_to("PrgrmCtr", "InstructionPointer"),
                                            on_cpu,
                                            {"ThreadStartImage!Function", 25, show::start_function},
                                            code("InstructionPointer"),
                                            number("Count", 5, "Count"),
                                            {"SampledProfile type", 0, show::sample_type}};

inline constexpr Column since_start{"ElapsedTime", 11, show::elapsed_since, "InitialTime"};

inline constexpr Column dpc_columns[] = {since_start, on_cpu, pointer_to("ServiceAddr", "Routine"),
                                         code("Routine")};

inline constexpr Column interrupt_columns[] = {since_start,
                                               on_cpu,
                                               number("Vector", 6, "Vector"),
                                               number("MessageIndex", 12, "MessageNumber"),
                                               hex_number("Status", 10, 8, "ReturnValue"),
                                               pointer_to("ServiceAddr", "Routine"),
                                               code("Routine")};

inline constexpr Column irp = pointer_to("IrpPtr", "Irp");
inline constexpr Column disk_elapsed{"ElapsedTime", 11, show::elapsed, "HighResResponseTime"};
inline constexpr Column disk_service{"DiskSvcTime", 11, show::service_time, "HighResResponseTime",
                                     "DiskNumber"};
inline constexpr Column disk_priority{"I/O Pri", 7, show::io_priority, "IrpFlags"};

inline constexpr Column disk_columns[] = {who,
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

inline constexpr Column disk_init_columns[] = {who, at_thread, irp};

inline constexpr Column flush_columns[] = {who,
                                           at_thread,
                                           irp,
                                           disk_elapsed,
                                           number("DiskNum", 8, "DiskNumber"),
                                           hex_number("IrpFlags", 8, 6, "IrpFlags"),
                                           disk_service,
                                           disk_priority};

inline constexpr Column file_irp = pointer_to("IrpPtr", "IrpPtr");
inline constexpr Column file_object = pointer_to("FileObject", "FileObject");
inline constexpr Column file_name{"FileName", 0, show::file, "FileKey", "FileObject"};

inline constexpr Column create_columns[] = {
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

inline constexpr Column simple_file_columns[] = {who,      at_thread,   on_cpu,
                                                 file_irp, file_object, file_name};

inline constexpr Column transfer_columns[] = {who,
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

inline constexpr Column info_columns[] = {who,
                                          at_thread,
                                          on_cpu,
                                          file_irp,
                                          file_object,
                                          pointer_to("ExtraInfo", "ExtraInfo"),
                                          hex_number("InfoClass", 10, 8, "InfoClass"),
                                          file_name};

inline constexpr Column directory_columns[] = {who,
                                               at_thread,
                                               on_cpu,
                                               file_irp,
                                               file_object,
                                               hex_number("FileIndex", 10, 8, "FileIndex"),
                                               hex_number("Size", 10, 8, "Length"),
                                               hex_number("InfoClass", 10, 8, "InfoClass"),
                                               {"FileName", 0, show::quoted, "FileName"},
                                               file_name};

inline constexpr Column end_columns[] = {who,
                                         at_thread,
                                         on_cpu,
                                         file_irp,
                                         {"FileObject", pointer_width, show::request_object},
                                         {"ElapsedTime", 11, show::request_time},
                                         hex_number("Status", 10, 8, "NtStatus"),
                                         pointer_to("ExtraInfo", "ExtraInfo"),
                                         {"Type", 0, show::request_kind},
                                         {"FileName", 0, show::request_file}};

inline constexpr Column name_columns[] = {file_object, {"FileName", 0, show::path, "FileName"}};

inline constexpr Column hard_fault_columns[] = {who,
                                                at_thread,
                                                pointer_to("VirtualAddr", "VirtualAddress"),
                                                hex_number("ByteOffset", 12, 10, "ReadOffset"),
                                                hex_number("IOSize", 10, 8, "ByteCount"),
                                                since_start,
                                                file_object,
                                                {"FileName", 0, show::file, {}, "FileObject"}};

inline constexpr Column page_fault_columns[] = {who,
                                                at_thread,
                                                pointer_to("VirtualAddr", "VirtualAddress"),
                                                pointer_to("PrgrmCtr", "ProgramCounter"),
                                                {"Type", 11, show::fault_kind},
                                                code("ProgramCounter")};

inline constexpr Column virtual_columns[] = {
    who,
    pointer_to("BaseAddr", "BaseAddress"),
    {"EndAddr", pointer_width, show::end_address, "BaseAddress", "RegionSize"},
    {"Flags", 0, show::allocation_flags, "Flags"}};

inline constexpr Column interval_columns[] = {who, at_thread, number("Source", 6, "Source"),
                                              number("New Interval", 12, "NewInterval"),
                                              number("Old Interval", 12, "OldInterval")};

inline constexpr Column call_columns[] = {
    who, at_thread, pointer_to("ServiceAddr", "SysCallAddress"), code("SysCallAddress")};

inline constexpr Column call_end_columns[] = {who, at_thread,
                                              hex_number("Status", 10, 8, "SysCallNtStatus")};

} // namespace etl::dumper::columns

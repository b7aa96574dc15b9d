// FileIo operations. Private to analysis. docs/analysis.md#files
#pragma once

#include "analysis/analyzer.hpp"
#include "format/known_guids.hpp"
#include "format/record_kind.hpp"

namespace etl::analysis {

/// Types of FileIo events, from this one on; one is completion. Microsoft-Windows-Kernel-File has
/// the same operations under IDs of its own.
inline constexpr std::uint32_t first_file_operation = 64, file_completion = 76;

/// Names by type; empty: not an operation. The last ones have no type: only the provider has them.
inline constexpr std::string_view file_operations[] = {"Create",
                                                       "Cleanup",
                                                       "Close",
                                                       "Read",
                                                       "Write",
                                                       "SetInfo",
                                                       "Delete",
                                                       "Rename",
                                                       "DirEnum",
                                                       "Flush",
                                                       "QueryInfo",
                                                       "FSControl",
                                                       "",
                                                       "DirNotify",
                                                       "",
                                                       "DeletePath",
                                                       "RenamePath",
                                                       "SetLinkPath",
                                                       "SetSecurity",
                                                       "QuerySecurity",
                                                       "SetEA",
                                                       "QueryEA",
                                                       "CreateNewFile"};

inline constexpr std::uint32_t class_file_operations = 18;

/// An event of Microsoft-Windows-Kernel-File.
struct FileEvent {
    std::uint16_t id;
    std::uint32_t type; // of FileIo
};

/// Source: the manifest of the provider, and the names of the types in the class FileIo.
inline constexpr FileEvent file_events[] = {
    {12, 64}, // Create
    {13, 65}, // Cleanup
    {14, 66}, // Close
    {15, 67}, // Read
    {16, 68}, // Write
    {17, 69}, // SetInformation: SetInfo
    {18, 70}, // SetDelete: Delete
    {19, 71}, // Rename
    {20, 72}, // DirEnum
    {21, 73}, // Flush
    {22, 74}, // QueryInformation: QueryInfo
    {23, 75}, // FSCTL: FSControl
    {25, 77}, // DirNotify
    {26, 79}, // DeletePath
    {27, 80}, // RenamePath
    {28, 81}, // SetLinkPath
    {29, 71}, // Rename, with the name
    {30, 86}, // CreateNewFile
    {31, 82}, // SetSecurity
    {32, 83}, // QuerySecurity
    {33, 84}, // SetEA
    {34, 85}, // QueryEA
};

inline constexpr std::uint16_t file_completion_event = 24;

inline constexpr std::string_view record_files =
    "xperf -on FILE_IO+FILE_IO_INIT, wpr -start FileIO, or Microsoft-Windows-Kernel-File";

/// Places of the fields in the subscription.
struct FileField {
    enum : unsigned { irp, thread, file_key, file_object, open_path };
};

/// Asks for all operations, with their types as tags, and for their completions.
inline void ask_for_file_operations(Subscriptions& subscriptions, std::uint32_t completion_tag) {
    for (std::uint32_t i = 0; i < class_file_operations; ++i) {
        if (!file_operations[i].empty()) {
            const std::uint32_t type = first_file_operation + i;
            subscriptions.hook(static_cast<std::uint16_t>(0x0400U | type), type,
                               {"IrpPtr", "TTID", "FileKey", "FileObject", "OpenPath"});
        }
    }
    subscriptions.hook(0x0400U | file_completion, completion_tag,
                       {"IrpPtr", "ExtraInfo", "NtStatus"});
    for (const FileEvent& event : file_events) {
        // The name in events about directories is a pattern.
        const bool is_of_directory = event.id == 20 || event.id == 25;
        subscriptions.provider(format::kernel_file_guid, event.type, {event.id}, Use::values,
                               {"Irp", "IssuingThreadId|ThreadId", "FileKey", "FileObject",
                                is_of_directory ? "" : "FileName|FilePath"});
    }
    subscriptions.provider(format::kernel_file_guid, completion_tag, {file_completion_event},
                           Use::values, {"Irp", "ExtraInformation", "Status"});
}

constexpr bool is_file_operation(std::uint32_t tag) noexcept {
    return tag >= first_file_operation && tag < first_file_operation + std::size(file_operations);
}

constexpr std::string_view file_operation_name(std::uint32_t type) noexcept {
    return file_operations[type - first_file_operation];
}

/// Whether a record says once more what another one says: the kernel's classes count.
inline bool is_file_repetition(const Record& record, const Context& context) noexcept {
    return format::is_event(record.event->kind) && context.facts->class_sources().file_io;
}

/// Whether a record only adds the path to an operation, which has a record and an end of its own.
inline bool is_path_of_operation(const Record& record) noexcept {
    constexpr std::uint32_t first_path = 79, last_path = 81, create_new_file = 86;
    return (record.tag >= first_path && record.tag <= last_path) || record.tag == create_new_file;
}

} // namespace etl::analysis

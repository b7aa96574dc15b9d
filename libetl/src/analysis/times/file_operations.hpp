// FileIo operations. Private to analysis. docs/analysis.md#files
#pragma once

#include <etl/analysis/analyzer.hpp>

namespace etl::analysis {

/// Types of FileIo events, from this one on; the last is completion.
inline constexpr std::uint32_t first_file_operation = 64, file_completion = 76;

/// Names by type; empty: not an operation.
inline constexpr std::string_view file_operations[] = {
    "Create", "Cleanup",   "Close",   "Read",       "Write",      "SetInfo",
    "Delete", "Rename",    "DirEnum", "Flush",      "QueryInfo",  "FSControl",
    "",       "DirNotify", "",        "DeletePath", "RenamePath", "SetLinkPath"};

/// Places of the fields in the wish.
struct FileField {
    enum : unsigned { irp, thread, file_key, file_object, open_path };
};

/// Asks for all operations, with their types as tags.
inline void ask_for_file_operations(Wishes& wishes) {
    for (std::uint32_t i = 0; i < std::size(file_operations); ++i) {
        if (!file_operations[i].empty()) {
            const std::uint32_t type = first_file_operation + i;
            wishes.hook(static_cast<std::uint16_t>(0x0400U | type), type,
                        {"IrpPtr", "TTID", "FileKey", "FileObject", "OpenPath"});
        }
    }
}

constexpr bool is_file_operation(std::uint32_t tag) noexcept {
    return tag >= first_file_operation && tag < first_file_operation + std::size(file_operations);
}

constexpr std::string_view file_operation_name(std::uint32_t type) noexcept {
    return file_operations[type - first_file_operation];
}

} // namespace etl::analysis

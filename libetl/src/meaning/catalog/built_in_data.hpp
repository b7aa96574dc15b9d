// The data of the built-in schemas, made by cmake/embed_built_in.cmake. Constants; any thread.
// Private to catalog.
#pragma once

#include <etl/guid.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace etl::catalog {

/// Several files in one zstd frame.
struct BuiltInGroup {
    std::span<const std::uint64_t> words; // the frame, eight bytes each, the first byte lowest
    std::size_t bytes = 0;                // of the frame
    std::size_t unpacked = 0;
};

struct BuiltInFile {
    std::string_view name; // "process.mof", "Microsoft-Windows-Kernel-Process.txt"
    std::size_t group = 0;
    std::size_t offset = 0; // in the unpacked group
    std::size_t size = 0;
};

/// A provider or class, and one of the files that define it.
struct BuiltInProvider {
    Guid guid;
    std::size_t file = 0;
};

std::span<const BuiltInGroup> built_in_groups() noexcept;

/// Returns all files, sorted by group.
std::span<const BuiltInFile> built_in_files() noexcept;

/// Returns all providers, sorted by file.
std::span<const BuiltInProvider> built_in_providers() noexcept;

} // namespace etl::catalog

// The schemas that are part of the library: schemas/kernel, schemas/classic, and schemas/providers.
// One thread. Private to catalog. schemas/README.md
#pragma once

#include <etl/guid.hpp>

#include "base/function_ref.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace etl::catalog {

// The data, made by cmake/embed_built_in.cmake. Constants; any thread.

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

/// Returns the builds of Windows whose schemas are built in, in ascending order.
std::span<const std::uint32_t> built_in_builds() noexcept;

class BuiltIn {
public:
    BuiltIn();

    /// `text` is valid during the call only.
    using Receiver = FunctionRef<void(std::string_view name, std::string_view text)>;

    /// Passes on the files that define one of `providers`, in order. Each file comes once, whatever
    /// the calls.
    void take(const std::unordered_set<Guid>& providers, Receiver receiver);
    /// Passes on the files that have not come yet, in order.
    void take_all(Receiver receiver);

private:
    std::string_view text_of(std::size_t file);

    std::vector<bool> is_taken_; // by file
    std::optional<std::size_t> group_;
    std::string text_; // of that group
};

} // namespace etl::catalog

// The stream of debug information: modules, their contributions to the image, further streams.
// Private to symbols. docs/format/pdb.md#debug-information
#pragma once

#include "base/result.hpp"
#include "symbols/pdb/address_space.hpp"
#include "symbols/source/address_index.hpp"
#include "symbols/stream_file.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace etl::symbols {

inline constexpr std::uint16_t no_stream = 0xFFFF;

/// Where the symbols of an object file are.
struct ModuleStream {
    std::uint16_t stream = no_stream;
    std::uint32_t symbol_bytes = 0;
    std::uint32_t old_line_bytes = 0; // C11, not read
    std::uint32_t line_bytes = 0;     // C13
};

/// A range of the image that one module produced.
struct Contribution {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint16_t module = 0;
};

struct DebugInfo {
    /// Errors: malformed or truncated.
    static Result<DebugInfo> read(const StreamFile& file);

    std::uint32_t age = 0;
    std::uint16_t publics = no_stream; // their index
    std::uint16_t records = no_stream; // of public and global symbols
    std::vector<ModuleStream> modules;
    std::vector<Contribution> contributions; // sorted
    AddressIndex<Contribution, &Contribution::begin> contribution_index;
    AddressSpace addresses;
};

} // namespace etl::symbols

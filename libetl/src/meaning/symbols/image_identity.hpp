// The identity of an executable: its own key in a symbol store, and its program database.
// docs/format/pdb.md#executables
#pragma once

#include "symbols/symbol_file.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace etl::symbols {

/// The program database that an executable names.
struct DatabaseReference {
    Identity identity;
    std::string path; // as the linker stored it, as UTF-8
    bool is_portable = false;
};

struct ImageIdentity {
    std::uint32_t time_stamp = 0; // of the link, or a hash of the content
    std::uint32_t image_size = 0; // in memory, bytes
    std::optional<DatabaseReference> database;

    /// Returns the directory name in a symbol store: the time stamp as 8 uppercase hexadecimal
    /// digits, followed by the size in lowercase ones.
    std::string key() const;
};

/// Returns whether the file begins like an executable.
bool is_image(Bytes file) noexcept;

/// Reads the headers and the debug directory. Errors: malformed, truncated; limit (sections).
Result<ImageIdentity> read_image_identity(Bytes file);

} // namespace etl::symbols

// A portable program database as a source of lines. Private to symbols.
// docs/format/pdb.md#portable
#pragma once

#include "symbols/pe_file.hpp"
#include "symbols/source/source.hpp"

#include <memory>

namespace etl::symbols {

/// Returns whether the file begins like a portable program database.
bool is_portable(Bytes file) noexcept;

/// Opens a portable program database; views `file`. Errors: malformed, truncated, unsupported.
Result<std::unique_ptr<const Source>> open_portable(Bytes file);

/// Opens the one embedded in an executable. Null if there is none, or it is damaged.
std::unique_ptr<const Source> open_embedded(const PeFile& image, std::size_t file_size);

} // namespace etl::symbols

// Text maps of precompiled .NET code (.ni.r2rmap). Private to symbols.
// docs/format/pdb.md#native-maps
#pragma once

#include "symbols/source/source.hpp"

#include <memory>

namespace etl::symbols {

/// Returns whether the file begins like a map.
bool is_native_map(Bytes file) noexcept;

/// Parses a map; views `file`. Errors: malformed (no signature).
Result<std::unique_ptr<const Source>> open_native_map(Bytes file);

} // namespace etl::symbols

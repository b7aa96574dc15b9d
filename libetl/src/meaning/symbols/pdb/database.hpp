// A program database as a source of symbols. Private to symbols. docs/format/pdb.md
#pragma once

#include "symbols/source/source.hpp"

#include <memory>

namespace etl::symbols {

/// Opens a program database; views `file`. Errors: those of StreamFile::open; malformed, truncated.
Result<std::unique_ptr<const Source>> open_database(Bytes file);

} // namespace etl::symbols

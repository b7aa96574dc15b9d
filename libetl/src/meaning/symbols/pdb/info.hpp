// The first stream of a program database: identity and named streams. Private to symbols.
// docs/format/pdb.md#streams
#pragma once

#include "base/guid.hpp"
#include "base/result.hpp"
#include "symbols/stream_file.hpp"

#include <cstdint>

namespace etl::symbols {

struct DatabaseInfo {
    Guid guid;
    std::uint32_t age = 0;   // at least that of the debug information
    std::uint32_t names = 0; // number of the stream `/names`; 0: there is none
};

/// Errors: truncated.
Result<DatabaseInfo> read_info(const StreamFile& file);

} // namespace etl::symbols

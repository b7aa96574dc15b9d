// The file of an index: what one pass shows about the buffers of a trace, and what tables need to
// answer questions about windows of it. docs/parts.md#index
#pragma once

#include "analysis/states.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace etl::analysis {

struct IndexFile {
    std::string trace;            // its name
    std::vector<std::byte> bytes; // of the file
    std::uint64_t damage = 0;     // findings in buffers
    std::size_t buffers = 0;
    std::size_t schema_buffers = 0; // those that are read for schemas
};

/// Makes the index of one trace, by reading it twice. `options.has_tables` is taken as false for a
/// damaged trace. Errors: those of opening, of schema files, and of reading; stopped, if `stop`,
/// which may be null, is requested meanwhile.
std::expected<IndexFile, TraceError> make_index_file(const dataset::Input& input,
                                                     const trace::IndexKey& key, unsigned threads,
                                                     const StateOptions& options = {},
                                                     const Stop* stop = nullptr);

} // namespace etl::analysis

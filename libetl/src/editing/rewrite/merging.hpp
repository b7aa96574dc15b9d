// Traces merged into a file. docs/merge.md
#pragma once

#include <etl/rewrite.hpp>

#include "decode/embedding.hpp"
#include "rewrite/joined.hpp"
#include "rewrite/output.hpp"

#include <optional>

namespace etl::rewrite {

/// Schemas can be larger than all records of a trace; a record has at most 64 KB.
inline constexpr std::uint32_t embedding_buffer_size = 128U << 10U;

struct Merging {
    merge::Options how{};
    OutputOptions output{};
    std::optional<gather::SchemaScope> embedded{}; // none: schemas are not embedded
    Progress progress{};                           // may be empty
};

struct Merged {
    Written written{};
    bool replaces = false;                             // a file that existed
    std::optional<decode::EmbeddingReport> embedded{}; // none: not requested
    std::uint64_t repeated_context = 0;                // merge::MergedSource::repeated_context()
};

/// Sets Options::offsets. Errors: not_found, about the name.
std::expected<void, TraceError> place_offsets(const std::vector<Offset>& offsets,
                                              const dataset::Dataset& traces, merge::Options& how);

/// Merges the traces and writes the output, whose failures are in Merged::written. Uses up the
/// readers. Errors: those of Joined, of schema files, and of Output; reading.
std::expected<Merged, MergeError> merge(dataset::Dataset& traces, const Merging& what);

} // namespace etl::rewrite

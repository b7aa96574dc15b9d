// Indexes of traces in the user's cache, for those that have none next to them. docs/parts.md#cache
#pragma once

#include <etl/error.hpp>

#include "trace/trace_index.hpp"

#include <cstdint>
#include <string>

namespace etl::gather {

/// Bytes of all indexes in the cache, unless a caller sets another limit. One is 0.2 % of its
/// trace.
inline constexpr std::uint64_t index_cache_bytes = std::uint64_t{1} << 30U;

/// Returns the path of the index of a trace in the cache; empty: the user has no directory for
/// caches. The same for all names of the file, and known only to whoever has the key.
std::string cached_index_path(const std::string& trace, const trace::IndexKey& key);

/// Puts an index into the cache, in place of the one that the trace had, and removes the oldest
/// ones beyond `most` bytes. Errors: not_found (no directory for caches); limit (larger than a
/// quarter of `most`); io_failure.
Result<void> cache_index(const std::string& trace, const trace::IndexKey& key, Bytes index,
                         std::uint64_t most = index_cache_bytes);

} // namespace etl::gather

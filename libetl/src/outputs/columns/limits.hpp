// Limits of the room columns, each with its reason. See base/limits.hpp.
#pragma once

#include <cstddef>

namespace etl::columns::limits {

/// Columns of a layout: real events have at most some 100 fields; kinds that match one selection
/// can have different ones.
inline constexpr std::size_t columns = 4096;

/// Bytes of one column, and of its lists, in a batch: offsets have 31 bits, and memory is bounded.
/// A batch ends early when a column exceeds it; one event adds at most 64 KB, decompressed texts
/// more.
inline constexpr std::size_t column_bytes = 64U << 20U;

/// Bytes of arrays that are kept for further batches: a batch of 65,536 rows and 300 columns has
/// about half as many.
inline constexpr std::size_t spare_bytes = 256U << 20U;

/// Rows of a batch.
inline constexpr std::size_t batch_rows = 1U << 24U;

} // namespace etl::columns::limits

// Limits of the room sql, each with its reason. See base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::sql::limits {

/// Bytes of a query: those written by hand have a few hundred.
inline constexpr std::size_t query_bytes = 1U << 20U;

/// Bytes of a query with what is put into it before SQLite compiles it.
inline constexpr int prepared_query_bytes = 16 << 20;

/// Bytes of one value, and of one row: the largest event has 64 KB, and ten times that as JSON.
inline constexpr int query_value_bytes = 64 << 20;

/// Nesting of expressions, and terms of a compound SELECT: the stack of the parser is bounded.
inline constexpr int query_depth = 200;

/// Subqueries with names (WITH), and windows: queries written by hand have a few.
inline constexpr std::size_t query_subqueries = 1000;

/// Steps of a compiled query.
inline constexpr int query_steps = 250'000;

/// Tables of kinds of events. Real traces have at most some thousands.
inline constexpr std::size_t query_kinds = 1U << 16U;

/// Columns of the fields of one kind: SQLite accepts 2,000 columns.
inline constexpr std::size_t query_fields = 1900;

/// Groups of events that a pass counts before it passes them on: few queries have more, and then
/// SQLite adds up those with the same values.
inline constexpr std::size_t groups = 1U << 15U;
inline constexpr std::size_t group_bytes = 16U << 20U;

/// Groups whose values a thread keeps.
inline constexpr std::size_t known_groups = 1U << 14U;

/// Events of a batch: enough to make handing it over cheap. Of the first batch: queries with LIMIT
/// often need few.
inline constexpr std::size_t batch_events = 4096, first_batch_events = 64;

/// Memory of SQLite, if the caller sets no other limit.
inline constexpr std::int64_t query_memory = std::int64_t{512} << 20;

} // namespace etl::sql::limits

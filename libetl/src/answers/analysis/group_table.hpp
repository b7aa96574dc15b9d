// Tables from groups. Private to analysis.
#pragma once

#include "analysis/groups.hpp"

#include <initializer_list>
#include <span>

namespace etl::analysis {

/// What a part of a group key is, and the columns that it becomes.
enum class KeyPart : std::uint8_t {
    owner,      // `process`, `pid`
    waker,      // the same, as `waker`, `waker_pid`
    number,     // an ID
    text,       // of Texts
    everything, // no column: the table has one row
};

struct KeyColumn {
    KeyPart part = KeyPart::number;
    std::string_view name; // of `number` and `text`
};

/// Returns a table with a row for each group that has a value. Groups of the owner Idle are not
/// part of the total.
Table table_of(std::string_view name, const Groups& groups, const Owners& owners,
               const Texts& texts, std::span<const KeyColumn> keys,
               std::span<const Column> columns);

/// Lists a source that is missing: Table::blank_missing() sets its columns to null. `columns` are
/// names of the table.
void set_missing(Table& table, std::string_view source, std::vector<std::string_view> columns,
                 std::string_view record);

/// Adds the column `cpu_percent`, of a column in nanoseconds, and sorts by that one.
void add_percent(Table& table, std::string_view of);

} // namespace etl::analysis

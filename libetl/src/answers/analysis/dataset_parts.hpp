// Tables of parts and of time windows of a dataset, read from the buffers that they need.
// docs/parts.md
#pragma once

#include "analysis/origin_keys.hpp"
#include "analysis/parts.hpp"
#include "dataset/dataset.hpp"

#include <expected>
#include <optional>
#include <vector>

namespace etl::analysis {

/// A table of which a part, or a window, is wanted.
struct DividedTable {
    const TableForm* form = nullptr;
    TableOptions options;
    /// Of all traces; `scope`, `range`, and `is_ordered` are found for each.
    PassOptions pass;
};

/// Returns what a part of each trace contributes, in the order of the traces. Completes the
/// indexes. Errors: those of reading; unsupported (as run_part()).
std::expected<std::vector<TablePart>, TraceError>
parts_of(dataset::Dataset& traces, const DividedTable& table, const trace::Part& part);

/// Returns the table of the window in the options, without ratios, if all traces have an index, and
/// it costs the share of the window or of what precedes it: run() returns the same. Nothing: it
/// must be computed from all events. Errors: those of reading.
std::expected<std::optional<Table>, TraceError>
table_of_window(dataset::Dataset& traces, const DividedTable& table, const OriginKeys& keys);

/// The same of one trace, which has an index and is of one machine and boot.
std::expected<std::optional<Table>, TraceError>
table_of_window(dataset::Dataset& traces, std::size_t number, const DividedTable& table);

} // namespace etl::analysis

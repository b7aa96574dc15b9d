// A table of a dataset, in one call: as `etl cpu`, `etl stats`, and others compute it.
//
//     auto traces = dataset::Dataset::open({"trace.etl"}, {.from = "+10s"});
//     auto table = analysis::table_of(traces, *analysis::find_table("cpu", "process"));
//
// docs/analysis.md
#pragma once

#include "analysis/origin_keys.hpp"
#include "analysis/pass.hpp"
#include "analysis/table.hpp"
#include "analysis/tables.hpp"
#include "dataset/dataset.hpp"

#include <expected>
#include <string>
#include <vector>

namespace etl::analysis {

struct TableRequest {
    TableOptions table{};
    /// As facts::parse_process_selection; empty: all. For tables with TableForm::has_processes.
    std::vector<std::string> processes{};
};

/// The pass of a table of the events that the options of the dataset choose.
struct PreparedTable {
    PassOptions pass;
    OriginKeys keys; // of traces of several machines or boots
};

/// Finds what must be known before the first event. Errors: as table_of().
std::expected<PreparedTable, TraceError>
prepare_table(dataset::Dataset& traces, const TableForm& form, const TableRequest& request = {});

/// Computes a table of the events that the options of the dataset choose. Traces of several
/// machines or boots have a pass each, and a key in each row that tells them apart. Ratios are
/// computed, and the rows are sorted. Uses up the readers. Errors: those of the options, of schema
/// files, and of reading; invalid_option about "processes".
std::expected<Table, TraceError> table_of(dataset::Dataset& traces, const TableForm& form,
                                          const TableRequest& request = {});

} // namespace etl::analysis

// The computation of a table of traces, as `etl cpu` and others do it. Private to capi.
#pragma once

#include "analysis/tables.hpp"
#include "capi/errors.hpp"
#include "dataset/dataset.hpp"
#include "dataset/messages.hpp"

#include <string>
#include <vector>

namespace etl::capi {

struct TableRequest {
    const analysis::TableForm* form = nullptr; // not null
    std::vector<std::string> paths, processes;
    dataset::Options opening{};
    std::size_t slices = 60;
};

struct ComputedTable {
    analysis::Table table;
    std::vector<std::string> remarks;
};

/// Opens traces. An input that cannot be read is a remark, unless none can. `messages` outlives the
/// dataset.
std::expected<dataset::Dataset, etl_error> open_traces(const std::vector<std::string>& paths,
                                                       dataset::Options options,
                                                       dataset::Messages& messages);

/// Adds what the table says of its events to the messages.
ComputedTable complete(analysis::Table&& table, dataset::Messages& messages);

/// Errors: no trace, an option, reading.
std::expected<ComputedTable, etl_error> compute(const TableRequest& request);

} // namespace etl::capi

struct etl_table {
    etl::capi::ComputedTable computed;
};

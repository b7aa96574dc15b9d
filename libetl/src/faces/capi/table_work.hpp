// The computation of a table of traces, as `etl cpu` and others do it. Private to capi.
#pragma once

#include "analysis/tables.hpp"
#include "capi/errors.hpp"

#include <string>
#include <vector>

namespace etl::capi {

struct TableRequest {
    const analysis::TableForm* form = nullptr; // not null
    std::vector<std::string> paths, processes, schemas, symbols;
    std::string where, from, to;
    unsigned threads = 1;
    std::size_t slices = 60;
};

struct ComputedTable {
    analysis::Table table;
    std::vector<std::string> remarks;
};

/// Errors: no trace, an option, reading.
std::expected<ComputedTable, etl_error> compute(const TableRequest& request);

} // namespace etl::capi

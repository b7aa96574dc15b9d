#include "capi/table_work.hpp"

#include "analysis/dataset_table.hpp"

#include <utility>

namespace etl::capi {

std::expected<dataset::Dataset, etl_error> open_traces(const std::vector<std::string>& paths,
                                                       dataset::Options options,
                                                       dataset::Messages& messages) {
    messages.receive_from(options);
    auto traces = dataset::Dataset::open(paths, std::move(options));
    if (!traces.is_empty()) {
        return traces;
    }
    if (traces.problems().empty()) {
        return failed(ETL_NOT_FOUND, "no trace");
    }
    const dataset::Problem& problem = traces.problems().front();
    return failed(TraceError{problem.error, problem.name});
}

ComputedTable complete(analysis::Table&& table, dataset::Messages& messages) {
    for (std::string& line : analysis::remarks_of(table.coverage)) {
        messages.add(std::move(line));
    }
    return {std::move(table), messages.take()};
}

std::expected<ComputedTable, etl_error> compute(const TableRequest& request) {
    dataset::Messages messages; // outlives the readers
    auto traces = open_traces(request.paths, request.opening, messages);
    if (!traces) {
        return std::unexpected(std::move(traces.error()));
    }
    auto table =
        analysis::table_of(*traces, *request.form,
                           {.table = {.slices = request.slices}, .processes = request.processes});
    if (!table) {
        return failed(table.error());
    }
    return complete(*std::move(table), messages);
}

} // namespace etl::capi

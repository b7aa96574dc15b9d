#include "capi/table_work.hpp"

#include "analysis/dataset_table.hpp"

#include <utility>

namespace etl::capi {

namespace {

std::string text_of_gap(const analysis::NotRecorded& gap) {
    std::string text = "not recorded: " + std::string(gap.source);
    if (!gap.record.empty()) {
        text += "; to record it: " + std::string(gap.record);
    }
    return text;
}

void add_remarks(const analysis::Coverage& coverage, dataset::Messages& to) {
    for (const analysis::OtherVersion& events : coverage.other_versions) {
        to.add(describe(events));
    }
    for (const analysis::NotRecorded& gap : coverage.not_recorded) {
        to.add(text_of_gap(gap));
    }
    if (coverage.lost_events.value_or(0) > 0) {
        to.add("the session lost " + std::to_string(*coverage.lost_events) + " events");
    }
    if (coverage.lost_buffers.value_or(0) > 0) {
        to.add("the session lost " + std::to_string(*coverage.lost_buffers) + " buffers");
    }
}

} // namespace

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
    add_remarks(table.coverage, messages);
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

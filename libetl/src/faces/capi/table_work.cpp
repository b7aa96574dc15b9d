#include "capi/table_work.hpp"

#include "analysis/dataset_table.hpp"
#include "dataset/dataset.hpp"
#include "view/limits.hpp"

#include <algorithm>

namespace etl::capi {

namespace {

using dataset::Dataset;

/// Damage of the traces, of which only the first lines are kept.
class Findings {
public:
    void add(const Diagnostic& finding, const std::string& input) {
        if (finding.severity == Severity::warning && count_++ < limits::kept_findings) {
            lines_.push_back(input + ":" + describe(finding));
        }
    }

    void append_to(std::vector<std::string>& lines) const {
        lines.insert(lines.end(), lines_.begin(), lines_.end());
        if (count_ > lines_.size()) {
            lines.push_back(std::to_string(count_ - lines_.size()) + " more findings");
        }
    }

private:
    std::vector<std::string> lines_;
    std::uint64_t count_ = 0;
};

/// What inputs cannot be read is a remark, unless none can.
std::expected<void, etl_error> check_inputs(const Dataset& traces,
                                            std::vector<std::string>& remarks) {
    for (const dataset::Problem& problem : traces.problems()) {
        etl_error error = failed(TraceError{problem.error, problem.name, {}}).error();
        if (traces.is_empty()) {
            return std::unexpected(std::move(error));
        }
        if (!problem.is_in_findings) {
            remarks.push_back(std::move(error.message));
        }
    }
    if (traces.is_empty()) {
        return failed(ETL_NOT_FOUND, "no trace");
    }
    return {};
}

std::string text_of_gap(const analysis::NotRecorded& gap) {
    std::string text = "not recorded: " + std::string(gap.source);
    if (!gap.record.empty()) {
        text += "; to record it: " + std::string(gap.record);
    }
    return text;
}

void add_remarks(const analysis::Coverage& coverage, std::vector<std::string>& to) {
    std::ranges::transform(coverage.other_versions, std::back_inserter(to), analysis::describe);
    std::ranges::transform(coverage.not_recorded, std::back_inserter(to), text_of_gap);
    if (coverage.lost_events.value_or(0) > 0) {
        to.push_back("the session lost " + std::to_string(*coverage.lost_events) + " events");
    }
    if (coverage.lost_buffers.value_or(0) > 0) {
        to.push_back("the session lost " + std::to_string(*coverage.lost_buffers) + " buffers");
    }
}

} // namespace

std::expected<ComputedTable, etl_error> compute(const TableRequest& request) {
    Findings findings; // outlives the readers
    std::vector<std::string> remarks;
    Dataset traces = Dataset::open(
        request.paths,
        {.schemas = request.schemas,
         .where = request.where,
         .from = request.from,
         .to = request.to,
         .threads = request.threads,
         .symbols = request.symbols,
         .findings = [&](const Diagnostic& finding,
                         const std::string& input) { findings.add(finding, input); },
         .remarks = [&](const gather::Remark& line) { remarks.push_back(describe(line)); }});
    if (auto checked = check_inputs(traces, remarks); !checked) {
        return std::unexpected(std::move(checked.error()));
    }
    auto table =
        analysis::table_of(traces, *request.form,
                           {.table = {.slices = request.slices}, .processes = request.processes});
    if (!table) {
        return failed(table.error());
    }
    add_remarks(table->coverage, remarks);
    findings.append_to(remarks);
    return ComputedTable{*std::move(table), std::move(remarks)};
}

} // namespace etl::capi

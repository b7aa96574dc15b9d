// The report of tracerpt: tables of the analysis. docs/tracerpt.md#report
#pragma once

#include <etl/analysis/table.hpp>

#include "verbs/tracerpt/summary.hpp"
#include "verbs/tracerpt/text_output.hpp"

#include <expected>
#include <string>
#include <vector>

namespace cli {

struct ReportTable {
    std::string title; // "cpu by process"
    etl::analysis::Table table;
};

struct Report {
    InputTotals totals;
    std::vector<ReportTable> tables; // without empty ones
};

/// Computes the tables up to the level of the options: 1 to 5. Prints errors.
std::expected<Report, ExitCode> make_report(const EncodingOptions& inputs, unsigned level,
                                            const InputTotals& totals);

std::string report_text(const Report& report, ReportFormat format);

} // namespace cli

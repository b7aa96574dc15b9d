// The report of tracerpt: tables of the analysis. docs/tracerpt.md#report
#pragma once

#include "analysis/table.hpp"
#include "verbs/tracerpt/text_output.hpp"

#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace cli {

/// The head of a report.
struct ReportTotals {
    std::vector<std::string> files;
    std::uint64_t buffers = 0;
    std::uint64_t events = 0;
    std::uint64_t lost_events = 0;
    etl::Filetime begin;
    std::optional<etl::Filetime> end; // none: unknown
};

ReportTotals totals_of(const Traces& traces, std::uint64_t events);

struct ReportTable {
    std::string title; // "cpu by process"
    etl::analysis::Table table;
};

struct Report {
    ReportTotals totals;
    std::vector<ReportTable> tables; // without empty ones
};

/// Computes the tables up to a level, 1 to 5. Prints errors.
std::expected<Report, ExitCode> make_report(const TraceOptions& traces,
                                            const SchemaOptions& schemas, unsigned level,
                                            ReportTotals totals);

std::string report_text(const Report& report, ReportFormat format);

} // namespace cli

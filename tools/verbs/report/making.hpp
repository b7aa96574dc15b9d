// The parts of a report while it is made. Private to the verb.
#pragma once

#include "verbs/report/report.hpp"

#include <optional>

namespace cli::reports {

/// Adds a table if it has rows. `row_count`: of all, if the table has fewer.
void add_table(Report& report, const etl::analysis::TableForm& form, etl::analysis::Table table,
               std::optional<std::uint64_t> row_count = {});

/// Whether providers of a trace capture packets.
bool has_packets(const etl::trace::Summary& summary);

/// Adds the conversations and the first packets of a capture, in a pass of its own over its events.
ExitCode add_packets(Report& report, const ReportOptions& options);

} // namespace cli::reports

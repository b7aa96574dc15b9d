// The tables of a report, and the events behind their rows. docs/report.md
#pragma once

#include <span>
#include <string_view>

namespace cli::reports {

/// A table of the analysis. `sort`: empty: the default order.
struct ReportContent {
    std::string_view verb, by;
    std::string_view title;
    /// A filter for the events behind a row, with `{column}` for the cells of its keys, `{process}`
    /// for its process, and `{text}` for a text that the lines of the events contain. A row without
    /// one of these cells has no filter.
    std::string_view events;
    std::string_view options = {}; // of `etl dump`
};

/// In the order of the report.
std::span<const ReportContent> report_contents() noexcept;

/// The same for conversations and packets, which are no tables of the analysis.
const ReportContent& flow_content() noexcept;
const ReportContent& packet_content() noexcept;

} // namespace cli::reports

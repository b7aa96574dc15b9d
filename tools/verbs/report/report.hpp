// The content of a report: what a trace is, and all tables of it. docs/report.md
#pragma once

#include "analysis/tables.hpp"
#include "outputs/anonymized_copy.hpp"
#include "pages/flame_data.hpp"
#include "verbs/analyze/analyze.hpp"
#include "verbs/info/shown.hpp"

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cli::reports {

struct ReportOptions {
    AnalyzeOptions analysis;  // what is read, and what of it
    AnonymizedCopy copy;      // is read instead, if it is wanted
    std::string words;        // the options that select events, as in a shell
    std::string symbol_words; // --symbols, which not all verbs have
    std::size_t rows = 300;   // of each table, at most
    bool is_json = false, is_brief = false;
    /// As is_brief, without what only a pass over the whole trace shows: with an index, a window
    /// costs its share.
    bool is_window = false;
};

struct ReportTable {
    const etl::analysis::TableForm* form = nullptr;
    etl::analysis::Table table; // can have fewer rows
    std::string command;        // prints all of it
    std::uint64_t row_count = 0;
    /// Of the rows, in slices; null: the table has none.
    std::shared_ptr<const etl::analysis::WindowSums> sums{};
};

/// The stacks of a kind of events.
struct ReportFlame {
    const etl::pages::FlameKind* kind = nullptr;
    etl::analysis::Table table;
    std::string command; // draws all of them
};

/// Members refer to each other: not moved.
struct Report {
    std::unique_ptr<Traces> traces;
    std::string trace;               // as a word of a shell
    std::string words, symbol_words; // as in ReportOptions
    bool is_window = false;          // likewise
    Overview overview;               // empty if it is
    etl::schema::SchemasByTrace schemas;
    ShownTrace shown{};
    std::vector<ReportTable> tables; // with rows
    std::vector<ReportFlame> flames; // with stacks
    std::vector<etl::analysis::NotRecorded> not_recorded;
    /// With the greatest number of events that a table has.
    std::vector<etl::analysis::OtherVersion> other_versions;
    etl::analysis::Coverage coverage; // of the range
    std::vector<std::string> notes;
    ExitCode exit = ExitCode::well;
};

/// Whether there is one trace. Prints if there are more.
bool is_single(const Traces& traces);

/// Computes the report of the only trace, which was opened. Prints errors.
std::expected<std::unique_ptr<Report>, ExitCode> make_report(const OpenedFiles& opened,
                                                             const ReportOptions& options);

/// The content for programs, and of the page. docs/report.md#json
std::string report_json(const Report& report, std::size_t rows);

/// The most important parts, in at most 4 KB. docs/report.md#brief
std::string brief_text(const Report& report);

// The parts of a report while it is made.

/// Adds a table if it has rows. `row_count`: of all, if the table has fewer; `sums` are those of
/// the pass that made it.
void add_table(Report& report, const etl::analysis::TableForm& form, etl::analysis::Table table,
               std::optional<std::uint64_t> row_count = {},
               std::shared_ptr<const etl::analysis::WindowSums> sums = {});

/// Whether providers of a trace capture packets.
bool has_packets(const etl::trace::Summary& summary);

/// Adds the conversations and the first packets of a capture, in a pass of its own over its events.
ExitCode add_packets(Report& report, const ReportOptions& options);

} // namespace cli::reports

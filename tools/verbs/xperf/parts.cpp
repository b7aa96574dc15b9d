#include "verbs/xperf/parts.hpp"

#include "verbs/analyze/analyze.hpp"
#include "verbs/xperf/plain_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cli::xperf {

namespace {

/// How many slices of about that many seconds the range has: by the begins of two halves, as the
/// headers of traces that were rewritten do not tell the time of the last event.
std::size_t slices_of(AnalyzeOptions options, double seconds) {
    options.table.slices = 2;
    const auto halves = analyze(options);
    const auto begin = halves ? halves->table.find("begin") : std::nullopt;
    if (!begin || halves->table.rows.size() != options.table.slices) {
        return 1;
    }
    const auto* const first = std::get_if<std::uint64_t>(&halves->table.rows[0].cells[*begin]);
    const auto* const second = std::get_if<std::uint64_t>(&halves->table.rows[1].cells[*begin]);
    if (first == nullptr || second == nullptr || *second < *first) {
        return 1;
    }
    const double length =
        2 * static_cast<double>(*second - *first) / static_cast<double>(etl::Filetime::per_second);
    constexpr double most = static_cast<double>(etl::limits::analysis_slices);
    return static_cast<std::size_t>(std::clamp(std::round(length / seconds), 1.0, most));
}

ExitCode print_part(const Run& run, const Part& part, const Selection& selection) {
    AnalyzeOptions options;
    options.traces = run.options->traces;
    options.schemas = run.options->schemas;
    if (run.options->has_symbols) {
        options.symbols = run.options->symbols;
    }
    options.filters.from = selection.from;
    options.filters.to = selection.to;
    options.filters.processes = selection.processes;
    options.verb = part.table;
    options.by = part.by;
    options.sort = part.sort;
    options.progress = run.options->progress();
    if (part.slice_seconds > 0) {
        options.table.slices = slices_of(options, part.slice_seconds);
    }
    auto analysis = analyze(options);
    if (!analysis) {
        return analysis.error();
    }
    etl::analysis::Table& table = analysis->table;
    if (const auto samples = table.find("samples"); samples && part.least_samples > 0) {
        std::erase_if(table.rows, [&](const etl::analysis::Row& row) {
            const auto* const number = std::get_if<std::uint64_t>(&row.cells[*samples]);
            return number == nullptr || *number < part.least_samples;
        });
    }
    std::string text = fmt::format("{}\n\n{}\n", part.title,
                                   plain_text(table, bounds_of(*run.options).start, part.hidden));
    const std::size_t length = text.size();
    for (const auto& missing : table.coverage.not_recorded) {
        if (!std::ranges::all_of(missing.columns, [&](std::string_view column) {
                return std::ranges::find(part.hidden, column) != part.hidden.end();
            })) {
            text +=
                fmt::format("Not recorded: {} (to record: {})\n", missing.source, missing.record);
        }
    }
    if (text.size() > length) {
        text += '\n';
    }
    return worst(run.write(text), analysis->exit);
}

} // namespace

ExitCode print_parts(const Run& run, const std::vector<Part>& parts, const Selection& selection) {
    ExitCode exit = ExitCode::well;
    for (const Part& part : parts) {
        exit = worst(exit, print_part(run, part, selection));
        if (exit == ExitCode::failed || exit == ExitCode::usage) {
            break;
        }
    }
    return exit;
}

} // namespace cli::xperf

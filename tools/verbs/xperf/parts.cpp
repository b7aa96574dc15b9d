#include "verbs/xperf/parts.hpp"

#include "cli/console.hpp"
#include "outputs/table_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace cli::xperf {

namespace {

using namespace etl::analysis;

struct Heading {
    std::string_view column; // of analysis
    std::string_view heading;
};

// Words of xperf, where they are known.
constexpr Heading headings[] = {{"tid", "ThreadID"},
                                {"cpu", "CPU"},
                                {"parent_pid", "ParentPID"},
                                {"session", "SessionID"},
                                {"user", "UserSid"},
                                {"command_line", "Command Line"},
                                {"exit_code", "Status"},
                                {"start", "Start Time"},
                                {"end", "End Time"},
                                {"time", "TimeStamp"},
                                {"mark", "Mark"},
                                {"image", "FileName"},
                                {"file", "FileName"},
                                {"base", "BaseAddr"},
                                {"timestamp", "TimeDateStamp"},
                                {"checksum", "Checksum"},
                                {"reason", "Wait Reason"},
                                {"module", "Module Name"},
                                {"function", "Module Name!Function Name"},
                                {"sampled_ns", "Weight"},
                                {"cpu_percent", "Usage %"},
                                {"disk", "DiskNum"},
                                {"service_ns", "DiskSvcTime"},
                                {"elapsed_ns", "ElapsedTime"}};

std::string heading_of(const Column& column) {
    const auto known = std::ranges::find(headings, column.name, &Heading::column);
    if (known != std::end(headings)) {
        return std::string(known->heading);
    }
    std::string_view name = column.name;
    if (name.ends_with("_ns")) {
        name.remove_suffix(3);
        return std::string(name) + "_us";
    }
    return std::string(name);
}

std::string without_commas(std::string text) {
    std::ranges::replace(text, ',', ';');
    return text;
}

std::string cell_of(const Cell& cell, Unit unit, etl::Filetime start) {
    if (const auto* const text = std::get_if<std::string>(&cell)) {
        return without_commas(printable(*text));
    }
    if (const auto* const list = std::get_if<std::vector<std::uint64_t>>(&cell)) {
        return fmt::format("{}", fmt::join(*list, " "));
    }
    const auto* const number = std::get_if<std::uint64_t>(&cell);
    if (number == nullptr) {
        return "-";
    }
    constexpr std::uint64_t thousand = 1000, hundred = 100;
    constexpr std::int64_t per_microsecond = 10;
    switch (unit) {
    case Unit::nanoseconds:
        return std::to_string(*number / thousand);
    case Unit::time:
        return std::to_string((static_cast<std::int64_t>(*number) - start.ticks) / per_microsecond);
    case Unit::hundredths:
    case Unit::signed_hundredths:
        return fmt::format("{}.{:02}", *number / hundred, *number % hundred);
    case Unit::address:
        return fmt::format("{:#018x}", *number);
    case Unit::text:
    case Unit::id:
    case Unit::count:
    case Unit::bytes:
    case Unit::histogram:
        break;
    }
    return std::to_string(*number);
}

/// `kettle.exe ( 100)` of the columns `process` and `pid`.
std::string process_cell(const Cell& name, const Cell& id) {
    const auto* const text = std::get_if<std::string>(&name);
    const auto* const number = std::get_if<std::uint64_t>(&id);
    return fmt::format("{:>16} ({:>4})",
                       text != nullptr ? without_commas(printable(*text)) : "Unknown",
                       number != nullptr ? std::to_string(*number) : "-1");
}

/// `tea.dll!Boil`; a function without a name contains its module.
std::string function_cell(const Cell& module, const Cell& function) {
    const auto* const in = std::get_if<std::string>(&module);
    const auto* const name = std::get_if<std::string>(&function);
    std::string text = name != nullptr ? *name : "Unknown";
    if (in != nullptr && !text.starts_with(*in + '!')) {
        text.insert(0, *in + '!');
    }
    return without_commas(printable(text));
}

class PlainTable {
public:
    PlainTable(const Table& table, std::span<const std::string_view> hidden)
        : table_(&table), process_(table.find("process")), pid_(table.find("pid")),
          module_(table.find("module")) {
        if (!process_ || !pid_) {
            process_ = pid_ = std::nullopt;
        }
        if (!table.find("function")) {
            module_ = std::nullopt; // a column of its own
        }
        for (std::uint32_t i = 0; i < table.columns.size(); ++i) {
            const Column& column = table.columns[i];
            if (i != pid_ && i != module_ && !column.is_hidden &&
                std::ranges::find(hidden, column.name) == hidden.end()) {
                shown_.push_back(i);
            }
        }
        // Names of files and functions are long: they come last, as in xperf.
        std::ranges::stable_sort(shown_, {}, [&](std::uint32_t i) {
            return i != process_ && table.columns[i].unit == Unit::text;
        });
    }

    std::string text(etl::Filetime start) const {
        std::vector<std::vector<std::string>> lines;
        auto& first = lines.emplace_back();
        for (const std::uint32_t i : shown_) {
            first.push_back(i == process_ ? "Process Name ( PID)" : heading_of(table_->columns[i]));
        }
        for (const Row& row : table_->rows) {
            const std::vector<Cell>& cells = row.cells;
            auto& line = lines.emplace_back();
            for (const std::uint32_t i : shown_) {
                line.push_back(i == process_ ? process_cell(cells[i], cells[*pid_])
                               : module_ && table_->columns[i].name == "function"
                                   ? function_cell(cells[*module_], cells[i])
                                   : cell_of(cells[i], table_->columns[i].unit, start));
            }
        }
        return aligned(lines);
    }

private:
    /// Right-aligned, except the last column if it is text.
    std::string aligned(const std::vector<std::vector<std::string>>& lines) const {
        std::vector<std::size_t> widths(shown_.size());
        for (const auto& line : lines) {
            for (std::size_t i = 0; i < line.size(); ++i) {
                widths[i] = std::max(widths[i], line[i].size());
            }
        }
        if (!shown_.empty() && table_->columns[shown_.back()].unit == Unit::text) {
            widths.back() = 0;
        }
        std::string text;
        for (const auto& line : lines) {
            for (std::size_t i = 0; i < line.size(); ++i) {
                text += fmt::format("{}{:>{}}", i == 0 ? "" : ", ", line[i], widths[i]);
            }
            text += '\n';
        }
        return text;
    }

    const Table* table_;
    std::optional<std::uint32_t> process_, pid_, module_;
    std::vector<std::uint32_t> shown_;
};

} // namespace

std::string plain_text(const Table& table, etl::Filetime start,
                       std::span<const std::string_view> hidden) {
    return PlainTable(table, hidden).text(start);
}

namespace {

using etl::analysis::Row;
using etl::analysis::Table;

AnalyzeOptions options_of(const Options& options, const Part& part, const Selection& selection) {
    AnalyzeOptions how;
    how.traces = options.traces;
    how.schemas = options.schemas;
    if (options.has_symbols) {
        how.symbols = options.symbols;
    }
    how.filters.from = selection.from;
    how.filters.to = selection.to;
    how.filters.processes = selection.processes;
    how.verb = part.table;
    how.by = part.by;
    how.rows.sort = part.sort;
    how.table = part.options;
    how.slice_seconds = part.slice_seconds;
    how.progress = options.progress();
    return how;
}

void drop_below(Table& table, std::string_view column, std::size_t least) {
    if (const auto at = table.find(column); at && least > 0) {
        std::erase_if(table.rows, [&](const Row& row) {
            const auto* const number = std::get_if<std::uint64_t>(&row.cells[*at]);
            return number == nullptr || *number < least;
        });
    }
}

/// The rows that a part shows.
Table shown_rows(const Part& part, Table table) {
    drop_below(table, "samples", part.least_samples);
    drop_below(table, "inclusive_events", part.least_events);
    if (!table.find("inclusive_events")) {
        drop_below(table, "events", part.least_events);
    }
    if (const auto usage = table.find("cpu_percent"); usage && part.is_of_machine) {
        const std::uint64_t processors = std::max<std::uint64_t>(table.coverage.processors, 1);
        for (Row& row : table.rows) {
            if (auto* const percent = std::get_if<std::uint64_t>(&row.cells[*usage])) {
                *percent = (*percent + processors / 2) / processors;
            }
        }
    }
    if (const auto kind = table.find("kind"); kind && !part.kind.empty()) {
        std::erase_if(table.rows, [&](const Row& row) {
            const auto* const text = std::get_if<std::string>(&row.cells[*kind]);
            return text == nullptr || !text->contains(part.kind);
        });
    }
    return table;
}

std::string part_text(const Part& part, const Table& table, etl::Filetime start) {
    std::string text =
        fmt::format("{}\n\n{}\n", part.title,
                    part.text ? part.text(part, table) : plain_text(table, start, part.hidden));
    const std::size_t length = text.size();
    for (const auto& missing : table.coverage.not_recorded) {
        if (missing.columns.empty() ||
            !std::ranges::all_of(missing.columns, [&](std::string_view column) {
                return std::ranges::find(part.hidden, column) != part.hidden.end();
            })) {
            text += fmt::format("Not recorded: {} (to record: {})\n",
                                missing_source(missing, table.coverage), missing.record);
        }
    }
    if (text.size() > length) {
        text += '\n';
    }
    return text;
}

} // namespace

std::expected<std::vector<Analysis>, ExitCode> compute(const Options& options,
                                                       const std::vector<Report>& reports) {
    std::vector<AnalyzeOptions> all;
    for (const Report& report : reports) {
        for (const Part& part : report.parts) {
            all.push_back(options_of(options, part, part.selection.value_or(report.selection)));
        }
    }
    return all.empty() ? std::vector<Analysis>() : analyze(all);
}

ExitCode print_report(const Run& run, const Report& report, std::span<const Analysis> tables) {
    ExitCode exit = ExitCode::well;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const Part& part = report.parts[i];
        const Table table = shown_rows(part, tables[i].table);
        const std::string text =
            report.format ? text_of({.table = &table, .rows = table.rows.size()}, *report.format)
                          : part_text(part, table, run.start);
        exit = worst(exit, worst(run.write(text), tables[i].exit));
        if (exit == ExitCode::failed) {
            break;
        }
    }
    return exit;
}

void add_report(std::vector<Action>& actions, Verb& app,
                std::function<std::expected<Report, ExitCode>()> report,
                std::function<ExitCode(const Run&)> more) {
    actions.push_back({.app = &app,
                       .run =
                           [more = std::move(more)](const Run& run, const Report& its,
                                                    std::span<const Analysis> tables) {
                               const ExitCode exit = print_report(run, its, tables);
                               return more && exit != ExitCode::failed ? worst(exit, more(run))
                                                                       : exit;
                           },
                       .report = std::move(report)});
}

void add_interval(Verb& app, const std::string& name, double& seconds, const std::string& help) {
    app.add_option_function<std::string>(
           name,
           [name, &seconds](const std::string& word) {
               seconds = 1;
               if (!word.empty() && (!read_number(word, seconds) || seconds <= 0)) {
                   throw UsageError(name.substr(1),
                                    "'" + printable(word) + "' is not a number of seconds");
               }
           },
           help + " (default: 1)")
        ->expected(0, 1)
        ->type_name("N");
}

void add_processes(Verb& app, const std::string& name, const std::string& type,
                   const std::string& help, std::vector<std::string>& to) {
    app.add_option_function<std::vector<std::string>>(
           name,
           [&to](const std::vector<std::string>& words) {
               to.insert(to.end(), words.begin(), words.end());
           },
           help)
        ->type_name(type);
}

} // namespace cli::xperf

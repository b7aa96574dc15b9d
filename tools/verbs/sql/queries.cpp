#include "verbs/sql/queries.hpp"

#include "base/text.hpp"
#include "cli/destination.hpp"
#include "cli/print.hpp"
#include "io/output_file.hpp"
#include "match/expression.hpp"
#include "verbs/sql/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cli {

namespace {

using etl::sql::Query;
using etl::sql::QueryError;

/// What an error says, and what to do if no table has a similar name.
std::string text_of(const QueryError& error) {
    const bool is_unknown_table =
        error.what.starts_with("no such table: ") && !error.what.contains("; similar: ");
    return printable(error.what) +
           (is_unknown_table ? "; `etl sql --tables` lists the tables" : "");
}

/// Prints it, and the line of the query with its place.
ExitCode say_error(std::string_view text, const QueryError& error) {
    if (error.kind == QueryError::Kind::interrupted) {
        say("the query was interrupted; its rows are incomplete");
        return ExitCode::failed;
    }
    if (!error.offset || *error.offset > text.size()) {
        say(fmt::format("the query: {}", text_of(error)));
    } else {
        const std::string_view before = text.substr(0, *error.offset);
        const auto line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
        const std::size_t begin = before.rfind('\n') + 1; // npos + 1 is 0
        const std::size_t end = std::min(text.find('\n', *error.offset), text.size());
        const std::size_t column = *error.offset - begin + 1;
        const std::string place =
            text.find('\n') != text.npos ? fmt::format("the query, line {}", line) : "the query";
        say(fmt::format("{}, {}", place,
                        etl::match::describe(printable(text.substr(begin, end - begin)),
                                             {.column = column, .what = text_of(error)})));
    }
    return error.kind == QueryError::Kind::query ? ExitCode::usage : ExitCode::failed;
}

} // namespace

ExitCode Queries::run(std::string_view text) {
    const StopSignals signals;
    *running_ = &signals;
    const ExitCode exit = run_all(text);
    *running_ = nullptr;
    return exit;
}

bool Queries::has_statement(std::string_view text) {
    std::size_t size = 0;
    for (; !text.empty(); text.remove_prefix(std::min(size, text.size()))) {
        const auto query = database_->prepare(text, &size);
        if (!query || *query) {
            return true; // be it a wrong one
        }
        if (size == 0) {
            break;
        }
    }
    return false;
}

ExitCode Queries::run_all(std::string_view text) {
    std::string_view rest = text;
    while (!rest.empty()) {
        std::size_t size = 0;
        auto query = database_->prepare(rest, &size);
        if (!query) {
            QueryError error = query.error();
            if (error.offset) {
                *error.offset += text.size() - rest.size();
            }
            return say_error(text, error);
        }
        if (*query) {
            if (options_->output != "-" &&
                has_statement(rest.substr(std::min(size, rest.size())))) {
                say(fmt::format("-o {}: a file has the rows of one query; there are several",
                                printable(options_->output)));
                return ExitCode::usage;
            }
            if (const ExitCode exit = write(**query, text); exit != ExitCode::well) {
                return exit;
            }
        }
        if (size == 0) {
            break;
        }
        rest.remove_prefix(std::min(size, rest.size()));
    }
    if (const std::size_t omitted = database_->omitted_kinds(); omitted > 0) {
        say(fmt::format("warning: {} kinds of events have no table: the limit is {}; use the table "
                        "events",
                        omitted, etl::limits::query_kinds));
    }
    return ExitCode::well;
}

ExitCode Queries::write(Query& query, std::string_view text) {
    if (options_->output != "-") {
        return options_->is_database ? save(query, text) : write_to_file(query, text);
    }
    etl::io::StandardOutput output;
    return write_to(output, query, text, [&] { return output.closed(); });
}

ExitCode Queries::write_to(etl::Output& output, Query& query, std::string_view text,
                           const std::function<bool()>& is_closed) {
    const RowOutput how{.format = options_->format.value_or(TableFormat::text),
                        .width = text_width(options_->output),
                        .big_numbers = options_->big_numbers,
                        .is_closed = is_closed};
    const auto written = write_rows(query, output, how);
    if (written) {
        return ExitCode::well;
    }
    if (!written.error().query) {
        return say_error(text, written.error().query.error());
    }
    say(options_->output == "-" ? "standard output" : options_->output,
        written.error().output.error());
    return ExitCode::failed;
}

ExitCode Queries::write_to_file(Query& query, std::string_view text) {
    Destination file(options_->output);
    return file.open() ? file.finish(write_to(file.output(), query, text, {})) : ExitCode::failed;
}

ExitCode Queries::save(Query& query, std::string_view text) {
    const auto stage = etl::io::StagedFile::beside(options_->output); // SQLite opens a path itself
    if (!stage) {
        say(options_->output, stage.error());
        return ExitCode::failed;
    }
    const auto rows = query.save((*stage)->path());
    if (rows) {
        const auto committed = (*stage)->commit();
        if (!committed) {
            say(options_->output, committed.error());
        }
        return committed ? ExitCode::well : ExitCode::failed;
    }
    if (rows.error().kind == QueryError::Kind::failed) {
        say(fmt::format("{}: {}", printable(options_->output), printable(rows.error().what)));
        return ExitCode::failed;
    }
    return say_error(text, rows.error());
}

ExitCode Queries::print_tables(std::string_view name) {
    std::string text;
    for (const etl::sql::TableInfo& table : database_->tables()) {
        if (!name.empty() && !etl::equals_ignoring_case(table.name, name)) {
            continue;
        }
        text += printable(table.name) + "\n";
        for (const etl::sql::Column& column : table.columns) {
            text += fmt::format("    {:<24} {}\n", printable(column.name), column.type);
        }
    }
    if (text.empty()) {
        say(fmt::format("no table is named '{}'", printable(name)));
        return ExitCode::usage;
    }
    return print(text);
}

} // namespace cli

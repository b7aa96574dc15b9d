#include "verbs/sql/queries.hpp"

#include "base/output.hpp"
#include "base/text.hpp"
#include "cli/destination.hpp"
#include "cli/json_object.hpp"
#include "io/output_file.hpp"
#include "match/expression.hpp"
#include "outputs/table_output.hpp"
#include "rows/writer.hpp"
#include "sql/database.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <expected>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace cli {

// Rows of queries as text, CSV, TSV, and JSON. docs/sql.md#output

struct RowOutput {
    TableFormat format = TableFormat::text;
    std::size_t width = 0;                       // of text, in columns; 0: unlimited
    BigNumbers big_numbers = BigNumbers::number; // JSON
    /// Whether the rest is not wanted. May be empty.
    std::function<bool()> is_closed{};
};

/// Why rows could not be written: the query, or the output.
struct RowError {
    std::expected<void, etl::sql::QueryError> query{};
    etl::Result<void> output{};
};

/// Writes all rows of a query. Bounded memory: text is aligned in groups of rows.
std::expected<void, RowError> write_rows(etl::sql::Query& query, etl::Output& to,
                                         const RowOutput& how);

namespace {

using etl::sql::Query;

constexpr std::size_t block_bytes = 64U << 10U;
constexpr std::size_t rows_of_group = 1000;   // that are aligned with each other
constexpr std::size_t rows_per_question = 16; // whether the output is closed: a system call

/// The values of the row of a query. Text of a query is UTF-8, unless it was made from bytes.
class RowValues {
public:
    explicit RowValues(const Query& query)
        : query_(&query), values_(query.columns().size()), texts_(values_.size()) {}

    /// Valid until the next call, and while the query stays at its row.
    std::span<const etl::rows::Value> read() {
        for (std::size_t i = 0; i < values_.size(); ++i) {
            values_[i] =
                std::visit([](auto value) { return etl::rows::Value(value); }, query_->value(i));
            const auto* const text = std::get_if<std::string_view>(&values_[i]);
            if (text != nullptr && !etl::is_valid_utf8(*text)) [[unlikely]] {
                texts_[i] = utf8_text(*text);
                values_[i] = std::string_view(texts_[i]);
            }
        }
        return values_;
    }

private:
    const Query* query_;
    std::vector<etl::rows::Value> values_;
    std::vector<std::string> texts_; // that were not UTF-8
};

std::vector<etl::rows::RowColumn> columns_of(const Query& query) {
    std::vector<etl::rows::RowColumn> columns;
    for (const std::string& name : query.columns()) {
        columns.push_back({.name = name});
    }
    return columns;
}

/// Writes what there is, if it is enough, and empties the text.
etl::Result<void> flush(std::string& text, std::size_t min_size, etl::Output& to) {
    if (text.size() < std::max<std::size_t>(min_size, 1)) {
        return {};
    }
    const auto written = to.write(text);
    text.clear();
    return written;
}

/// Writes all rows if threads can encode them, after what is in `text`; false: they cannot.
std::expected<bool, RowError> write_scan(Query& query, const etl::rows::RowEncoder& encoder,
                                         std::string& text, etl::Output& to, const RowOutput& how) {
    etl::Result<void> written;
    const auto is_scanned = query.scan(encoder, [&](std::string_view rows) {
        written = flush(text, 1, to);
        written = written ? to.write(rows) : written;
        return written && !(how.is_closed && how.is_closed());
    });
    if (!is_scanned) {
        static_cast<void>(flush(text, 1, to)); // what precedes the rows
        return std::unexpected(RowError{.query = std::unexpected(is_scanned.error())});
    }
    return written ? std::expected<bool, RowError>(*is_scanned)
                   : std::unexpected(RowError{.output = written});
}

} // namespace

std::expected<void, RowError> write_rows(etl::sql::Query& query, etl::Output& to,
                                         const RowOutput& how) {
    if (query.columns().empty()) {
        const auto ended = query.next(); // a PRAGMA that returns nothing
        return ended ? std::expected<void, RowError>()
                     : std::unexpected(RowError{.query = std::unexpected(ended.error())});
    }
    std::string text;
    const etl::rows::WriterOptions options{.format = how.format,
                                           .width = how.width,
                                           .group = rows_of_group,
                                           .max_number = largest_of(how.big_numbers)};
    const auto writer = etl::rows::make_writer(columns_of(query), options, text);
    writer->begin();
    const auto encoder = etl::rows::make_encoder(columns_of(query), options);
    const auto is_written =
        encoder ? write_scan(query, *encoder, text, to, how) : std::expected<bool, RowError>(false);
    if (!is_written) {
        return std::unexpected(is_written.error());
    }
    RowValues values(query);
    for (std::size_t row = 0; !*is_written; ++row) {
        const auto has_row = query.next();
        if (!has_row) {
            static_cast<void>(flush(text, 1, to)); // the rows before it
            return std::unexpected(RowError{.query = std::unexpected(has_row.error())});
        }
        const bool asks = row % rows_per_question == 0 && how.is_closed;
        if (!*has_row || (asks && how.is_closed())) {
            break;
        }
        writer->add(values.read());
        if (const auto written = flush(text, block_bytes, to); !written) {
            return std::unexpected(RowError{.output = written});
        }
    }
    writer->end();
    if (const auto written = flush(text, 1, to); !written) {
        return std::unexpected(RowError{.output = written});
    }
    return {};
}

namespace {

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
                        omitted, etl::sql::limits::query_kinds));
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
        for (const etl::sql::ColumnInfo& column : table.columns) {
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

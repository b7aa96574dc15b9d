// Runs queries and writes their rows. docs/sql.md
#pragma once

#include "base/output.hpp"
#include "cli/exit_code.hpp"
#include "cli/stop_signals.hpp"
#include "sql/database.hpp"
#include "verbs/sql/queried_traces.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace cli {

/// Whether an argument is a query: it begins with a word that a query can begin with, and is not
/// the name of a file.
bool is_query(const std::string& argument);

/// Runs one statement after the other. One thread.
class Queries {
public:
    /// `database` must outlive this. `running` points to the signals that stop a query, while one
    /// runs; at other times, they end the program.
    Queries(const SqlOptions& options, etl::sql::Database& database, const StopSignals*& running)
        : options_(&options), database_(&database), running_(&running) {}

    /// Runs all statements of a text, and prints errors with their place in it. Ends at the first
    /// error.
    ExitCode run(std::string_view text);

    /// Prints the tables with their columns; `name`: only that one, with any case; empty: all.
    ExitCode print_tables(std::string_view name = {});

private:
    /// Whether a text has a statement, and not only space and comments.
    bool has_statement(std::string_view text);
    ExitCode run_all(std::string_view text);
    ExitCode write(etl::sql::Query& query, std::string_view text);
    ExitCode write_to(etl::Output& output, etl::sql::Query& query, std::string_view text,
                      const std::function<bool()>& is_closed);
    ExitCode write_to_file(etl::sql::Query& query, std::string_view text);
    ExitCode save(etl::sql::Query& query, std::string_view text);

    const SqlOptions* options_;
    etl::sql::Database* database_;
    const StopSignals** running_;
};

} // namespace cli

// etl sql: queries in SQL over traces. docs/sql.md
#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "cli/option_values.hpp"
#include "cli/stop_signals.hpp"
#include "cli/verbs.hpp"
#include "io/find_files.hpp"
#include "io/output_file.hpp"
#include "outputs/output_guard.hpp"
#include "outputs/output_options.hpp"
#include "verbs/sql/prompt.hpp"
#include "verbs/sql/queried_traces.hpp"
#include "verbs/sql/queries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <string>
#include <vector>

namespace cli {

namespace {

/// Words after -o that are formats of standard output: the first, text, is called `table`.
std::vector<std::string> output_words() {
    std::vector<std::string> words = names_of(etl::rows::formats());
    words.front() = "table";
    return words;
}

/// What the name of a file can end with, for messages.
std::string endings_or(const char* database) {
    std::vector<std::string> endings = endings_of(etl::rows::formats());
    endings.emplace_back(database);
    return list_of(endings, "or");
}

constexpr std::array<std::string_view, 3> database_endings{".sqlite", ".sqlite3", ".db"};

/// Whether a text begins with a word that a query can begin with.
bool begins_as_query(std::string_view argument) {
    argument.remove_prefix(std::min(argument.find_first_not_of(" \t\r\n("), argument.size()));
    if (argument.starts_with("--") || argument.starts_with("/*")) {
        return true;
    }
    const std::size_t end =
        std::min(argument.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
                 argument.size());
    const bool is_word =
        end == argument.size() || std::string_view(" \t\r\n(*'\"").contains(argument[end]);
    constexpr std::array<std::string_view, 14> words{
        "select", "with",   "values", "explain", "pragma", "attach", "insert",
        "update", "delete", "create", "drop",    "alter",  "vacuum", "replace"};
    return is_word && std::ranges::any_of(words, [&](std::string_view word) {
               return etl::equals_ignoring_case(word, argument.substr(0, end));
           });
}

/// Takes the query from the end of the arguments.
void split_arguments(SqlOptions& options) {
    std::vector<std::string>& arguments = options.traces.arguments;
    if (arguments.size() > 1 && is_query(arguments.back())) {
        options.query = std::move(arguments.back());
        arguments.pop_back();
    }
}

/// Whether the output is named as a trace, which queries do not write; if so, prints what they
/// write.
bool is_named_as_trace(const SqlOptions& options, std::string_view name) {
    constexpr std::array<std::string_view, 3> traces{".etl", ".etl.zst", ".etl.lz4"};
    if (std::ranges::any_of(traces,
                            [&](std::string_view ending) { return name.ends_with(ending); })) {
        say(fmt::format(
            "-o {}: a query returns rows, not a trace; use {}, or `etl relog` for a trace",
            printable(options.output), endings_or(".sqlite")));
        return true;
    }
    return false;
}

/// Finds out what -o means.
ExitCode read_output(SqlOptions& options) {
    const std::vector<std::string> words = output_words();
    if (const auto word = std::ranges::find(words, options.output); word != words.end()) {
        options.output = "-";
        options.format = static_cast<TableFormat>(word - words.begin());
        return ExitCode::well;
    }
    const std::string name = etl::to_lower_ascii(options.output);
    options.is_database = std::ranges::any_of(
        database_endings, [&](std::string_view ending) { return name.ends_with(ending); });
    if (options.is_database) {
        return ExitCode::well;
    }
    if (is_named_as_trace(options, name)) {
        return ExitCode::usage;
    }
    const auto format = table_format_of(options.format, options.output);
    options.format = format ? std::optional(*format) : std::nullopt;
    return format ? ExitCode::well : format.error();
}

/// Returns standard input, up to the limit of a query and a little.
std::expected<std::string, ExitCode> read_standard_input() {
    std::string text;
    std::array<char, 16384> block{};
    while (text.size() <= etl::sql::limits::query_bytes && std::feof(stdin) == 0) {
        text.append(block.data(), std::fread(block.data(), 1, block.size(), stdin));
        if (std::ferror(stdin) != 0) {
            say("standard input: it cannot be read");
            return std::unexpected(ExitCode::failed);
        }
    }
    return text;
}

constexpr const char* prompt_help = R"(SELECT ...;          run a query; it may take several lines
.tables              list the tables
.schema TABLE        print the columns of a table
.quit                end (also Ctrl-D)
)";

/// `.tables` and others. Returns false at the end.
bool run_command(const std::string& line, Queries& queries, etl::sql::Database& database) {
    const std::size_t blank = line.find(' ');
    const std::string word = line.substr(0, blank);
    std::string rest = blank == line.npos ? "" : line.substr(blank + 1);
    std::erase(rest, '"');
    if (word == ".tables") {
        std::string text;
        for (const etl::sql::TableInfo& table : database.tables()) {
            text += printable(table.name) + "\n";
        }
        print(text);
    } else if (word == ".schema") {
        queries.print_tables(rest);
    } else if (word == ".help") {
        print(prompt_help);
    } else if (word != ".quit" && word != ".exit") {
        say(fmt::format("unknown command {}; .help lists the commands", printable(word)));
    }
    return word != ".quit" && word != ".exit";
}

/// Errors of single queries do not count: they were seen.
ExitCode run_prompt(Queries& queries, etl::sql::Database& database) {
    print("etl sql: end a query with ; and the session with Ctrl-D; .help lists the commands\n");
    PromptHistory history(history_path());
    std::string query;
    while (const auto line = read_prompt(query.empty() ? "sql> " : "...> ")) {
        if (query.empty() && line->starts_with('.')) {
            history.add(*line);
            if (!run_command(*line, queries, database)) {
                break;
            }
            continue;
        }
        query += query.empty() ? *line : "\n" + *line;
        if (query.find_first_not_of(" \t\n;") == query.npos) {
            query.clear();
        } else if (etl::sql::is_complete_statement(query)) {
            history.add(query);
            queries.run(query);
            query.clear();
        }
    }
    return ExitCode::well;
}

ExitCode answer(const SqlOptions& options, etl::sql::Database& database,
                const StopSignals*& running) {
    Queries queries(options, database, running);
    if (options.lists_tables) {
        return queries.print_tables();
    }
    if (!options.query.empty()) {
        return queries.run(options.query);
    }
    if (etl::io::standard_input_is_terminal()) {
        return run_prompt(queries, database);
    }
    const auto text = read_standard_input();
    if (text && text->find_first_not_of(" \t\r\n;") == text->npos) {
        say("standard input contains no query; give one as the last argument");
        return ExitCode::usage;
    }
    return text ? queries.run(*text) : text.error();
}

ExitCode run_sql(SqlOptions options) {
    split_arguments(options);
    if (const ExitCode exit = read_output(options); exit != ExitCode::well) {
        return exit;
    }
    const bool reads_query = options.query.empty() && !options.lists_tables;
    if (reads_query &&
        std::ranges::find(options.traces.arguments, "-") != options.traces.arguments.end()) {
        say("standard input is a trace; give the query as the last argument");
        return ExitCode::usage;
    }
    OutputGuard guard;
    guard.reads(options.traces);
    guard.reads(options.schemas);
    if (!guard.permits(options.output, existing_files(options.force))) {
        return ExitCode::failed;
    }
    options.traces.is_single_pass = !reads_query; // each query of a prompt reads them
    const auto traces = QueriedTraces::open(options);
    if (!traces) {
        return traces.error();
    }
    const StopSignals* running = nullptr;
    auto database = etl::sql::Database::open((*traces)->inputs(
        [&] { return running != nullptr && running->received().load(std::memory_order_relaxed); }));
    if (!database) {
        say(database.error());
        return ExitCode::failed;
    }
    const ExitCode exit = answer(options, **database, running);
    database->reset();
    (*traces)->report();
    return worst(exit, (*traces)->exit_code());
}

} // namespace

bool is_query(const std::string& argument) {
    return begins_as_query(argument) && !etl::io::is_regular_file(argument);
}

void add_sql(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand("sql", "Query events and tables in SQL");
    auto options = std::make_shared<SqlOptions>();
    options->traces.add_to(verb);
    verb.get_option("FILE")->description(
        "traces as for the other verbs, and last the query; without it, standard input");
    options->schemas.add_to(verb);
    options->symbols.add_to(verb);
    verb.add_flag("--tables", options->lists_tables,
                  "print the tables with their columns and types");
    Option* const output = verb.add_option(
        "-o,--output", options->output,
        fmt::format("{} to standard output, or a FILE, which appears when complete: {} "
                    "(default: table)",
                    list_of(output_words(), "or"), endings_or("a database .sqlite")));
    suggest_values(output->type_name("FORMAT|FILE"), output_words());
    add_table_format(verb, options->format, options->big_numbers);
    add_force(verb, options->force);
    verb.add_option("--memory", options->memory,
                    "limit the memory of SQLite; large sorts use temporary files (default: 512 MB)")
        ->as_size()
        ->type_name("BYTES");
    verb.footer(R"(Examples:
  etl sql trace.etl 'SELECT provider, event, count(*) FROM events GROUP BY 1, 2 ORDER BY 3 DESC'
  etl sql trace.etl -o csv 'SELECT time, pid, Cups FROM "Tea-House/Brewing/Start" WHERE Cups > 2'
  etl sql --tables trace.etl
  etl sql trace.etl -o result.sqlite 'SELECT * FROM events WHERE level <= 2'
  etl sql trace.etl < queries.sql
  etl sql trace.etl                    a prompt

The tables and their columns are defined in docs/sql.md. Queries only read. The prompt stores its
history in etl/sql_history of the user's state directory, or in the file ETL_SQL_HISTORY (empty: nowhere).
Exit codes: 0 success, 1 damage, or some inputs could not be opened, 2 failure, 64 the query or the command
line is wrong.)");
    verb.callback([options, &exit] { exit = run_sql(*options); });
}

} // namespace cli

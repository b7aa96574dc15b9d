#include "cli/console.hpp"
#include "cli/progress.hpp"
#include "columns/limits.hpp"
#include "verbs/export/column_tables.hpp"
#include "verbs/export/formats.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include <bitset>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace cli {

// The tables of an earlier export to the same directory. docs/columns.md#list

/// Returns the names of the files that the list of tables in a directory names: only names that an
/// export can have written there. None without a list; a list that is not one is reported.
std::vector<std::string> earlier_tables(const std::string& folder);

namespace {

namespace fs = std::filesystem;
namespace json = simdjson::ondemand;

/// Names without a directory: a list can come from elsewhere.
bool is_name_of_table(std::string_view name) noexcept {
    return (name.ends_with(".parquet") || name.ends_with(".arrow")) && !name.starts_with('.') &&
           name.find_first_of("/\\:") == name.npos && name.find('\0') == name.npos;
}

/// Nothing: not a list of tables.
std::optional<std::vector<std::string>> read_column_list(const std::string& path) {
    simdjson::padded_string text;
    json::parser parser;
    json::document document;
    json::array tables;
    std::string_view maker;
    if (simdjson::padded_string::load(path).get(text) != simdjson::SUCCESS ||
        parser.iterate(text).get(document) != simdjson::SUCCESS ||
        document["creator"].get(maker) != simdjson::SUCCESS || !maker.starts_with("etl ") ||
        document["tables"].get(tables) != simdjson::SUCCESS) {
        return std::nullopt;
    }
    std::vector<std::string> names;
    for (auto table : tables) {
        std::string_view name;
        if (table["file"].get(name) != simdjson::SUCCESS) {
            return std::nullopt;
        }
        if (is_name_of_table(name)) {
            names.emplace_back(name);
        }
    }
    return names;
}

} // namespace

std::vector<std::string> earlier_tables(const std::string& folder) {
    const fs::path path = fs::path(folder) / ColumnTables::list_name;
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) {
        return {};
    }
    auto names = read_column_list(path.string());
    if (!names) {
        say(fmt::format("warning: {}: not a list of tables; files of an earlier export may remain "
                        "beside the new ones",
                        printable(path.string())));
    }
    return std::move(names).value_or(std::vector<std::string>());
}

// etl export --to parquet|arrow: a table for each kind of event. docs/columns.md

namespace {

/// Whether tables may be written there; if not, prints why.
ExitCode permit_folder(const ExportOptions& options, std::string_view format) {
    const std::string& folder = options.output;
    std::error_code ignored;
    if (folder == "-") {
        say(fmt::format("--to {} writes several files; name a directory with -o", format));
        return ExitCode::usage;
    }
    if (options.filters.counts()) {
        say("--skip, --limit: tables are of all events; use --from and --until");
        return ExitCode::usage;
    }
    if (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored)) {
        say(fmt::format("{}: not a directory; name another one with -o", printable(folder)));
        return ExitCode::failed;
    }
    if (!options.force && fs::is_directory(folder, ignored) && !fs::is_empty(folder, ignored)) {
        say(fmt::format("{}: the directory is not empty; use --force to replace tables in it",
                        printable(folder)));
        return ExitCode::failed;
    }
    return ExitCode::well;
}

struct Written {
    std::uint64_t errors = 0;
    std::uint64_t unrepresentable = 0;
    std::uint64_t unset_times = 0;
    std::uint64_t with_items = 0;
    std::bitset<32> item_types;
};

/// The names of docs/output.md#ext.
std::string names_of_items(std::bitset<32> types) {
    using enum etl::format::ItemType;
    constexpr std::pair<etl::format::ItemType, std::string_view> names[] = {
        {stack_trace32, "stack"},
        {stack_trace64, "stack"},
        {stack_key32, "stack_key"},
        {stack_key64, "stack_key"},
        {sid, "sid"},
        {terminal_session_id, "session_id"},
        {instance_info, "instance_info"},
        {pebs_index, "pebs_index"},
        {pmc_counters, "pmc"},
        {psm_key, "psm_key"},
        {event_key, "event_key"},
        {process_start_key, "process_start_key"},
        {control_guid, "control_guid"},
        {qpc_delta, "qpc_delta"},
        {container_id, "container"}};
    std::vector<std::string_view> found;
    for (const auto& [type, name] : names) {
        const auto bit = static_cast<std::size_t>(type);
        if (types[bit] && (found.empty() || found.back() != name)) {
            found.push_back(name);
        }
        types.reset(bit);
    }
    if (types.any()) {
        found.emplace_back("others");
    }
    return fmt::format("{}", fmt::join(found, ", "));
}

void report_tables(const std::string& folder, const ColumnTables& tables, const Written& written) {
    if (written.errors > 0) {
        say(fmt::format("warning: {} do not match their schema; see the columns decode_error and "
                        "payload",
                        plural(written.errors, "payload")));
    }
    if (written.unrepresentable > 0) {
        say(fmt::format("warning: {} before 1677 or after 2262 became null",
                        plural(written.unrepresentable, "time")));
    }
    if (written.unset_times > 0) {
        say(fmt::format(
            "note: {} became null",
            plural(written.unset_times, "time that is not set (0)", "times that are not set (0)")));
    }
    if (written.with_items > 0) {
        say(fmt::format("note: {} extended data items that tables do not contain ({}); `etl dump` "
                        "prints them",
                        plural(written.with_items, "event has", "events have"),
                        names_of_items(written.item_types)));
    }
    if (tables.omitted() > 0) {
        say(fmt::format("warning: {} no column, because a table has at most {}",
                        plural(tables.omitted(), "field has", "fields have"),
                        etl::columns::limits::columns));
    }
    if (tables.rows() == 0) {
        say(fmt::format("{}: no events; the directory contains only {}", printable(folder),
                        ColumnTables::list_name));
    }
}

ExitCode write_tables(const ExportOptions& options, std::string_view format, MergedEvents& events,
                      Written& written, std::uint64_t& rows) {
    auto folder = StagedFolder::create(options.output);
    if (!folder) {
        say(options.output, folder.error());
        return ExitCode::failed;
    }
    const unsigned threads = events.threads();
    etl::TaskPool pool(threads > 1 ? threads : 0);
    ColumnTables tables(**folder, pool, format);
    ProgressBar bar(options.progress);
    const auto worker = make_table_worker(events.sink());
    const auto done =
        run_batches(events.source(), *worker, pool,
                    [&](std::unique_ptr<etl::flow::BatchResult> result) {
                        auto& parts = static_cast<TableParts&>(*result);
                        written.errors += parts.errors;
                        written.unrepresentable += parts.unrepresentable;
                        written.unset_times += parts.unset_times;
                        written.with_items += parts.with_items;
                        written.item_types |= parts.item_types;
                        return tables.add(parts);
                    },
                    {.progress = [&](std::uint64_t count, const etl::flow::Event& newest) {
                        bar.show(fraction_by_place(newest), count);
                        return true;
                    }});
    ExitCode exit = ExitCode::well;
    if (const etl::Error* const error = events.source().error()) {
        say(events.traces().files().front().name(), *error);
        exit = ExitCode::damaged;
    } else if (!done) {
        say(options.output, done.error());
        return ExitCode::failed;
    }
    std::vector<std::string> names;
    for (const auto& reader : events.traces().readers()) {
        names.push_back(reader->info().name);
    }
    if (const auto committed = tables.commit(names, earlier_tables(options.output)); !committed) {
        say(options.output, committed.error());
        return ExitCode::failed;
    }
    rows = tables.rows();
    report_tables(options.output, tables, written);
    const bool is_complete = written.unrepresentable == 0 && tables.omitted() == 0;
    return worst(exit, is_complete ? ExitCode::well : ExitCode::damaged);
}

} // namespace

ExitCode export_columns(const ExportOptions& options, std::string_view name) {
    if (const ExitCode exit = permit_folder(options, name); exit != ExitCode::well) {
        return exit;
    }
    auto events =
        MergedEvents::open(options.traces, options.schemas, options.filters, options.sink);
    if (!events) {
        return events.error();
    }
    Written written;
    std::uint64_t rows = 0;
    const ExitCode exit = write_tables(options, name, **events, written, rows);
    if (exit != ExitCode::failed) {
        (*events)->report(rows);
    }
    return worst(exit, (*events)->traces().exit_code());
}

} // namespace cli

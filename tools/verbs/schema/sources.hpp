// Where the verbs of `etl schema` take schemas from: files and traces, kept apart by file.
#pragma once

#include <etl/schema/schema_set.hpp>

#include "cli/exit_code.hpp"
#include "cli/output_guard.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// What one file holds.
struct SchemaSource {
    std::string file;
    etl::schema::SchemaSet set;
    std::string content; // of files whose text is not that of a manifest; else empty
};

struct SourceOptions {
    std::vector<std::string> paths;  // schema files, folders, archives
    std::vector<std::string> traces; // whose own schemas are meant
    bool defaults = false;           // ETL_SCHEMA_PATH, the user's folder and what is built in, too
    bool keep_content = false;
    bool skips_bad_paths = false; // reports unusable paths and goes on without them
    std::string culture = "en-US";

    /// All of them as inputs.
    OutputGuard guard() const;

    /// `--culture`.
    void add_culture(CLI::App& verb);
};

struct Sources {
    std::vector<SchemaSource> list; // in the order of the paths, traces last
    ExitCode exit = ExitCode::well; // failed: nothing can be used, or a path that must be cannot
};

/// Reads them all; says on standard error what was refused.
Sources read_sources(const SourceOptions& options);

/// Everything in one set.
etl::schema::SchemaSet join(std::vector<SchemaSource> sources);

/// True when a provider is meant by one of the patterns: globs of names, or GUIDs. No pattern: all.
bool is_meant(const etl::schema::ProviderNames& names, const std::vector<std::string>& patterns);

/// Leaves only the providers that are meant.
void keep_meant(etl::schema::SchemaSet& set, const std::vector<std::string>& patterns);

/// Leaves out classes and trace messages, which manifests cannot describe; says how many there
/// were.
void leave_out_classes(etl::schema::SchemaSet& set);

/// Where the schemas of a set come from: "manifest", "wevt" ...; "-" when it holds no event.
std::string_view origin_of(const etl::schema::EventSchema* event);

/// Writes to standard output.
ExitCode print(std::string_view text);

/// Writes a file that appears when complete, once a guard permits it; `-` is standard output.
ExitCode write_file(const std::string& path, std::string_view text);

/// Says on standard error what was left out.
void tell_notes(const std::vector<std::string>& notes);

} // namespace cli

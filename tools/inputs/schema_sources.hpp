// The sources of the verbs of `etl schema`: schema files and traces, each kept separate.
#pragma once

#include "catalog/catalog.hpp"
#include "cli/exit_code.hpp"
#include "cli/verb.hpp"
#include "schema/schema_set.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// The schemas of one file.
struct SchemaSource {
    std::string file;
    etl::schema::SchemaSet set;
    std::string content;     // text of MOF and TMF files; else empty
    std::uint32_t build = 0; // of Windows: of the trace, or of a file of Windows; 0: unknown
    /// Other sources describe the same events better: an event log, or a merged trace of several
    /// machines, whose schemas are also sources by machine.
    bool is_secondary = false;
};

struct SourceOptions {
    std::vector<std::string> paths;  // schema files, directories, archives
    std::vector<std::string> traces; // for their embedded schemas
    bool defaults = false; // also those of the environment and the user, and built-in ones
    bool built_in = false; // also built-in ones
    bool keep_content = false;
    bool skips_bad_paths = false; // report and skip unusable paths
    bool by_machine = false;      // also a source for each machine of a merged trace
    std::string culture = "en-US";
    bool code_names = false; // also symbols of manifests
    std::uint32_t build = 0; // only layouts of this build of Windows; 0: all

    /// Adds files of any kind to `paths` and `traces`; directories and archives of both, to both.
    void add_inputs(const std::vector<std::string>& arguments);

    /// The schema files among the sources.
    etl::catalog::Options schema_files() const;

    /// `--culture`.
    void add_culture(Verb& verb);
    /// `--build`.
    void add_build(Verb& verb);
};

struct Sources {
    std::vector<SchemaSource> list; // by path, traces last
    ExitCode exit = ExitCode::well; // failed: no source, or a required path, is usable
};

/// Reads all sources; prints rejected files to standard error.
Sources read_sources(const SourceOptions& options);

/// Removes layouts that only other builds of Windows have.
void select_build(etl::schema::SchemaSet& set, std::uint32_t build);

/// Joins all sources into one set.
etl::schema::SchemaSet join(std::vector<SchemaSource> sources);

/// Whether a provider matches one of the patterns: globs of names, or GUIDs. No patterns match all.
bool is_selected(const etl::schema::ProviderNames& names, const std::vector<std::string>& patterns);

/// Removes providers that do not match.
void select_providers(etl::schema::SchemaSet& set, const std::vector<std::string>& patterns);

/// Removes classes, also those that a merge embedded, and trace messages, which manifests cannot
/// describe, and prints their number.
void remove_classes(etl::schema::SchemaSet& set);

/// Returns the GUIDs that only classes describe: events have them, but a session cannot enable
/// them, and no event log has their events.
std::set<etl::Guid> class_guids(const etl::schema::SchemaSet& set);

/// The kind of source of an event: "manifest", "wevt", ...; "-" if null.
std::string_view origin_of(const etl::schema::EventSchema* event);

/// Prints notes to standard error.
void print_notes(const std::vector<std::string>& notes);

} // namespace cli

// The options of tracerpt, and what it runs.
#pragma once

#include "cli/exit_code.hpp"
#include "inputs/merged_events.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cli {

enum class DumpKind : unsigned char { xml, csv, evtx };
enum class TextEncoding : unsigned char { utf8, ansi, unicode };
enum class ReportFormat : unsigned char { xml, html };

/// An option that may stand alone: its file then has the default name.
using OptionalFile = std::optional<std::vector<std::string>>;

struct TracerptOptions {
    std::vector<std::string> files, listed; // positional, and of -l
    std::vector<std::string> live;          // -rt
    std::string settings;                   // -config
    bool yes = false;
    OptionalFile dump, summary, report, schemas; // -o, -summary, -report, -export
    DumpKind dump_kind = DumpKind::xml;
    TextEncoding encoding = TextEncoding::utf8;
    ReportFormat report_format = ReportFormat::xml;
    unsigned report_level = 1;
    std::string report_schema;                             // -df
    std::string structure;                                 // -int
    bool raw_times = false;                                // -rts
    std::vector<std::string> manifests, tmf_files;         // -import, -tmf
    std::vector<std::string> tmf_paths, images, pdb_paths; // -tp, -i, -pdb: lists, by `;`
    bool utc_messages = false;                             // -gmt
    bool lenient = false;                                  // -lr
    bool short_offset = false;                             // --compat-offset
    std::vector<std::string> schema_paths;                 // --schema
    unsigned threads = 0;
    ProgressBar::Mode progress = ProgressBar::Mode::automatic;
};

/// The files to write; empty: not wanted.
struct TracerptFiles {
    std::string dump, summary, report, schemas, structure;

    std::vector<std::string> all() const;
};

/// The files that the options name, with the default names of tracerpt.
TracerptFiles files_of(const TracerptOptions& options);

/// The traces and schemas that the options name.
TraceOptions traces_of(const TracerptOptions& options);
SchemaOptions schemas_of(const TracerptOptions& options);

/// Returns whether the files may be written: asks on a terminal, unless -y. Prints why not.
bool permits(const TracerptOptions& options, const TraceOptions& traces,
             const SchemaOptions& schemas, const TracerptFiles& files);

// `etl tracerpt` after the command line is read.

ExitCode run_tracerpt(const TracerptOptions& options);

} // namespace cli

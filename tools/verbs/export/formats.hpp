// The formats of `etl export`.
#pragma once

#include "cli/exit_code.hpp"
#include "inputs/merged_events.hpp"
#include "inputs/symbol_path.hpp"
#include "sink/event_xml.hpp"

#include <span>
#include <string>
#include <string_view>

namespace cli {

// The options of `etl export`.

struct ExportOptions {
    TraceOptions traces;
    SchemaOptions schemas;
    SymbolPathOptions symbols; // of profiles: for names of functions
    FilterOptions filters;
    etl::sink::Options sink; // what is shown
    std::string to;          // name of the format; empty: by the extension of the output
    std::string output = "-";
    bool force = false;
    bool local = false; // times in the local zone
    ProgressBar::Mode progress = ProgressBar::Mode::automatic;
    etl::sink::XmlOptions xml;
};

struct ExportFormat {
    std::string_view name;      // of --to
    std::string_view extension; // of -o, lowercase
    std::string_view content;   // for the help
    /// Writes the events to the output of the options. Prints errors. `result` says how many.
    ExitCode (*write)(const ExportOptions& options, MergedEvents& events,
                      etl::flow::PipelineResult& result);
    /// Instead: opens the traces itself, and writes packets or a profile. Null: a format of events.
    ExitCode (*write_other)(const ExportOptions& options, std::string_view name) = nullptr;
};

std::span<const ExportFormat> export_formats() noexcept;

/// Returns the format of --to, else by the extension of the output; null: prints what to use.
const ExportFormat* format_of(const ExportOptions& options);

ExitCode export_xml(const ExportOptions& options, MergedEvents& events,
                    etl::flow::PipelineResult& result);

ExitCode export_evtx(const ExportOptions& options, MergedEvents& events,
                     etl::flow::PipelineResult& result);

ExitCode export_pcapng(const ExportOptions& options, std::string_view name);

/// Writes files of columns to a directory.
ExitCode export_columns(const ExportOptions& options, std::string_view name);

/// Writes a format of profiles::formats().
ExitCode export_profile(const ExportOptions& options, std::string_view name);

} // namespace cli

// Generation of C headers with the names, macros, and types of Windows' message compiler
// (mc.exe -um), so that sources written for those headers compile unchanged. Pure; thread-safe.
// docs/compat.md#generated-headers
#pragma once

#include "authoring/cpp_header.hpp"

#include <string>

namespace etl::authoring {

/// The switches of mc.exe that change the header.
struct McHeaderOptions {
    std::string write_prefix = "EventWrite"; // -p: of the macros that write events
    std::string cut_prefix{};                // -P: removed from symbols in names of macros
    bool kernel = false;                     // -km: write macros take an activity ID first
    bool callout = false;                    // -co: MCGEN_CALLOUT is called after each write
};

/// Writes a header in C (C99 and later) and C++ for all providers of `set`, with
/// SchemaSet::code_names as their symbols; names are derived if these are missing. The header
/// includes wmistr.h, evntrace.h, and evntprov.h. The output is deterministic. Names are converted
/// to identifiers; those that differ from the manifest are noted. Omitted: class, WPP, and
/// TraceLogging events, and the write macros of events with more than 127 data descriptors.
/// Errors: invalid_option (`write_prefix` is not an identifier), limit (longer than
/// schema::limits::manifest_file_bytes).
Result<CppHeader> write_mc_header(const schema::SchemaSet& set,
                                  const McHeaderOptions& options = {});

} // namespace etl::authoring

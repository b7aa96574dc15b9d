// The file that qe and epl read, and which of its events.
#pragma once

#include "cli/verb.hpp"
#include "inputs/merged_events.hpp"

#include <string>

namespace cli {

struct LogFileOptions {
    TraceOptions traces;
    SchemaOptions schemas;
    FilterOptions filters;
    std::string computer; // of all events; empty: as recorded
    bool is_file = false;
};

/// Declares FILE, the query, and options of wevtutil that are refused, with their reasons.
void add_log_file(Verb& verb, LogFileOptions& options);

/// Returns whether FILE is a file. If not, prints what to use.
bool is_log_file(const LogFileOptions& options);

} // namespace cli

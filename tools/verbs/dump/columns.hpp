// Columns that depend on all events: `etl dump --columns auto` and `--split-by event`.
#pragma once

#include "sink/event_kinds.hpp"
#include "verbs/dump/dumping.hpp"

#include <vector>

namespace cli {

/// The kinds of events that match the filters, found in a separate pass. Findings are reported by
/// the pass that writes.
std::vector<etl::sink::EventKind> find_kinds(const DumpOptions& options, const DumpInput& input);

/// The columns of the options, with `data` replaced by columns for `fields`.
std::vector<std::string> columns_with(const etl::sink::Options& options,
                                      const std::vector<std::string>& fields);

} // namespace cli

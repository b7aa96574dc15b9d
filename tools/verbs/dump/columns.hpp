// Columns that only all events tell: `etl dump --columns auto` and `--split-by event`.
#pragma once

#include <etl/sink/event_kinds.hpp>

#include "verbs/dump/dumping.hpp"

#include <vector>

namespace cli {

/// The kinds of the events that the filters let through, in a pass of its own. What its source has
/// to say is left to the pass that writes.
std::vector<etl::sink::EventKind> find_kinds(const DumpOptions& options, const DumpInput& input);

/// The columns that the options ask for, `data` replaced by columns for `fields`.
std::vector<std::string> columns_with(const etl::sink::Options& options,
                                      const std::vector<std::string>& fields);

} // namespace cli

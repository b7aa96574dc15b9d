// --process, --pid, --tid: messages about names that match nothing and events that cannot be
// attributed. docs/processes.md
#pragma once

#include "facts/process_matcher.hpp"
#include "match/matcher.hpp"

#include <string>
#include <vector>

namespace cli {

/// Prints to standard error the names that match no process of the traces, with similar names.
void report_unknown_names(const std::vector<std::string>& words,
                          const etl::facts::FactsByTrace& facts);

/// Prints to standard error how many events the filters could not decide. Call after the last
/// event.
void report(const etl::match::Notes& notes);

} // namespace cli

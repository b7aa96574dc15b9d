// The report of --anonymize, as JSON and as messages. docs/anonymize.md#check
#pragma once

#include "anonymize/anonymize.hpp"

#include <string>

namespace cli {

/// One object and a newline.
std::string to_json(const etl::anonymize::Report& report);

/// Print to standard error what was changed, and what was dropped, redacted, or not checked.
void report_changes(const etl::anonymize::Report& report);
void report_unchecked(const etl::anonymize::Report& report);

} // namespace cli

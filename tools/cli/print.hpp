// Output of verbs that print text without options. One thread.
#pragma once

#include "cli/exit_code.hpp"

#include <string_view>

namespace cli {

/// Writes to standard output. A closed pipe is a success.
ExitCode print(std::string_view text);

} // namespace cli

// Output of text that is complete in memory. One thread.
#pragma once

#include "cli/exit_code.hpp"

#include <string>
#include <string_view>

namespace cli {

/// Writes to standard output. A closed pipe is a success.
ExitCode print(std::string_view text);

/// Writes a file that appears when complete; `-` is standard output. Prints errors. Ask an
/// OutputGuard first.
ExitCode write_file(const std::string& path, std::string_view text);

} // namespace cli

// Other programs: finding and running them. POSIX systems only; elsewhere every call fails
// (unsupported).
#pragma once

#include <etl/base/result.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace etl::host {

/// Returns the path of a program: beside this one, else in PATH; empty if it is in neither.
std::string find_program(std::string_view name);

/// Starts a program in a session of its own, without a terminal, with its standard streams on
/// /dev/null. Errors: io_failure.
Result<void> start_in_background(const std::string& path,
                                 const std::vector<std::string>& arguments);

/// Runs a program, searched in PATH, and waits for its end. Meanwhile, Ctrl-C and Ctrl-\\ end that
/// program only. Returns its exit code, or 128 + the number of the signal that ended it. Errors:
/// not_found, io_failure.
Result<int> run_and_wait(const std::vector<std::string>& command);

} // namespace etl::host

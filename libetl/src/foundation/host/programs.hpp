// Other programs: finding and running them. POSIX systems only; elsewhere every call fails
// (unsupported).
#pragma once

#include <etl/error.hpp>

#include "base/function_ref.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
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

/// The bounds of a captured run.
struct CaptureOptions {
    std::size_t max_output = 64U << 10U; // of standard output; a program that writes more is ended
    std::size_t max_errors = 64U << 10U; // of standard error; the rest is dropped
    std::chrono::milliseconds time_limit = std::chrono::minutes(1);
};

/// What a program wrote, and how it ended.
struct Captured {
    enum class End : std::uint8_t {
        exited,
        signaled,    // by a signal of its own, such as SIGSEGV
        output_full, // ended because it wrote more than max_output
        timed_out,   // ended after time_limit
        stopped,     // ended because should_stop returned true
    };

    End end = End::exited;
    int code = 0; // exited: the exit code; signaled: the number of the signal
    std::string output, errors;
};

/// Returns a path that starts this program again, also if its file was replaced meanwhile; empty if
/// the system has none.
std::string own_program();

/// Runs a program, searched in PATH, with standard input on /dev/null, and returns what it writes.
/// `should_stop` is called several times a second. Errors: not_found, io_failure.
Result<Captured> run_and_capture(const std::vector<std::string>& command,
                                 const CaptureOptions& options, FunctionRef<bool()> should_stop);

} // namespace etl::host

// The exit codes of all verbs, the only place that knows them.
#pragma once

namespace cli {

enum class ExitCode : int {
    well = 0,    // all well; events without a schema and a closed pipe are well, too
    damaged = 1, // finished, but the structure was damaged and something was lost or skipped
    failed = 2,  // nothing could be opened or written
    usage = 64,  // the command line is wrong
};

/// Of several files the worst counts.
constexpr ExitCode worst(ExitCode a, ExitCode b) noexcept {
    return static_cast<int>(a) > static_cast<int>(b) ? a : b;
}

} // namespace cli

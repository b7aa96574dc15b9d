// The exit codes of all verbs.
#pragma once

namespace cli {

enum class ExitCode : int {
    well = 0,         // success, also with events without a schema or a closed pipe
    damaged = 1,      // finished, but something was damaged, lost, or skipped
    failed = 2,       // no result
    condition = 3,    // a condition of `etl diff --fail-if` is true
    incomparable = 4, // a condition of `etl diff --fail-if` cannot be compared
    usage = 64,       // the command line is wrong
};

/// The exit code of several steps towards one result.
constexpr ExitCode worst(ExitCode a, ExitCode b) noexcept {
    return static_cast<int>(a) > static_cast<int>(b) ? a : b;
}

/// The exit code of several independent inputs: failed only if all of them failed.
class EachInput {
public:
    constexpr void add(ExitCode one) noexcept {
        some_done_ = some_done_ || one != ExitCode::failed;
        worst_ = worst(worst_, one);
    }

    /// Well if there were no inputs.
    constexpr ExitCode exit_code() const noexcept {
        return worst_ == ExitCode::failed && some_done_ ? ExitCode::damaged : worst_;
    }

private:
    bool some_done_ = false;
    ExitCode worst_ = ExitCode::well;
};

} // namespace cli

// The exit codes of all verbs, the only place that knows them.
#pragma once

namespace cli {

enum class ExitCode : int {
    well = 0,    // all well; events without a schema and a closed pipe are well, too
    damaged = 1, // finished, but something was damaged, lost or skipped, an input perhaps
    failed = 2,  // nothing could be done
    usage = 64,  // the command line is wrong
};

/// Of several steps towards one result the worst counts.
constexpr ExitCode worst(ExitCode a, ExitCode b) noexcept {
    return static_cast<int>(a) > static_cast<int>(b) ? a : b;
}

/// Of several inputs that are handled one by one: failed only if all of them failed.
class EachInput {
public:
    constexpr void add(ExitCode one) noexcept {
        some_done_ = some_done_ || one != ExitCode::failed;
        worst_ = worst(worst_, one);
    }

    /// Well if there was none.
    constexpr ExitCode exit_code() const noexcept {
        return worst_ == ExitCode::failed && some_done_ ? ExitCode::damaged : worst_;
    }

private:
    bool some_done_ = false;
    ExitCode worst_ = ExitCode::well;
};

} // namespace cli

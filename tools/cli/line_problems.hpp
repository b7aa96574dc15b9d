// Errors in lines of input, as FILE:LINE: error.
#pragma once

#include "cli/console.hpp"
#include "fromjson/line_trace.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

namespace cli {

/// Prints errors in lines, up to a limit; then only counts them.
class LineProblems {
public:
    enum class Shown : unsigned char {
        all,
        first,         // with --verbose for the rest
        first_at_most, // the verb has no --verbose
    };

    explicit LineProblems(Shown which)
        : most_(which == Shown::all ? UINT64_MAX : shown), which_(which) {}

    LineProblems(const LineProblems&) = delete;
    LineProblems& operator=(const LineProblems&) = delete;

    ~LineProblems() {
        if (count_ > most_) {
            say(fmt::format("{}{}", plural(count_ - most_, "more invalid line"),
                            which_ == Shown::first ? "; use --verbose to list all" : ""));
        }
    }

    void add(std::string_view file, std::uint64_t line, const etl::fromjson::LineError& error) {
        if (++count_ <= most_) {
            constexpr std::size_t max_field = 200; // names in a line have any length
            const std::string_view between = error.field.empty() ? "" : ": ";
            say_plainly(fmt::format("{}:{}: error: {}{}{}", printable(file), line,
                                    printable(error.field.substr(0, max_field)), between,
                                    printable(error.what)));
        }
    }

    std::uint64_t count() const noexcept { return count_; }

private:
    static constexpr std::uint64_t shown = 20;

    std::uint64_t most_;
    Shown which_;
    std::uint64_t count_ = 0;
};

} // namespace cli

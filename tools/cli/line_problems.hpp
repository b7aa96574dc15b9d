// What is wrong with lines of input, said where somebody looks for it: FILE:LINE: error.
#pragma once

#include <etl/lines/line_error.hpp>

#include "cli/console.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

namespace cli {

/// Says what is wrong with lines; after a number of them it only counts.
class LineProblems {
public:
    explicit LineProblems(bool all) : most_(all ? UINT64_MAX : shown) {}

    LineProblems(const LineProblems&) = delete;
    LineProblems& operator=(const LineProblems&) = delete;

    ~LineProblems() {
        if (count_ > most_) {
            say(fmt::format("{} more bad lines; --verbose lists them all", count_ - most_));
        }
    }

    void add(std::string_view file, std::uint64_t line, const etl::lines::LineError& error) {
        if (++count_ <= most_) {
            constexpr std::size_t longest_field = 200; // names in a line are as long as they like
            const std::string_view between = error.field.empty() ? "" : ": ";
            say_plainly(fmt::format("{}:{}: error: {}{}{}", printable(file), line,
                                    printable(error.field.substr(0, longest_field)), between,
                                    printable(error.what)));
        }
    }

    std::uint64_t count() const noexcept { return count_; }

private:
    static constexpr std::uint64_t shown = 20;

    std::uint64_t most_;
    std::uint64_t count_ = 0;
};

} // namespace cli

// The files of a session that went on into new files, found by the names of some of them.
// docs/merge.md#join
#pragma once

#include <etl/base/result.hpp>

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cli {

/// A path with a number in its name: `x_12.etl`, `x_12.etl.zst`, `x.etl.012` of an AutoLogger.
struct NumberedName {
    std::string before, behind; // the number
    std::uint32_t number = 0;

    bool is_series_of(const NumberedName& other) const noexcept {
        return before == other.before && behind == other.behind;
    }
};

/// Nothing, when there is no number. In front of `.etl` the last one counts. `%d` in place of it
/// makes the number 0.
std::optional<NumberedName> parse_numbered(std::string_view path);

/// Returns the digits that the name of `file` has between `before` and `behind`, empty if it is not
/// of that form. Directories are not compared: a listing may spell them in another way. A view of
/// `file`.
std::string_view number_between(std::string_view file, std::string_view before,
                                std::string_view behind) noexcept;

struct Series {
    std::vector<std::string> files;     // in the order of their numbers
    std::vector<std::uint32_t> numbers; // of files, ascending
    bool left_one_out = false;          // there was one, which find_series was told of
};

/// Two files of one number, `x_1.etl` and `x_01.etl`: nobody knows which one is meant.
struct SameNumber {
    std::string first, other;
};

/// All files there are of the series, `left_out` aside. Errors: those of the folder; not_found.
std::expected<Series, std::variant<etl::Error, SameNumber>>
find_series(const NumberedName& name, const std::string& left_out = {});

/// The numbers that are not there between the first and the last: `3, 7 to 9`. Empty: none.
std::string describe_gaps(const std::vector<std::uint32_t>& numbers);

} // namespace cli

// The numbered files of a session, found by the name of any of them.
// docs/merge.md#join
#pragma once

#include <etl/error.hpp>

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
    std::string before, after; // the parts around the number
    std::uint32_t number = 0;

    bool is_series_of(const NumberedName& other) const noexcept {
        return before == other.before && after == other.after;
    }
};

/// Nothing if there is no number. Before `.etl`, the last number counts. `%d` in its place stands
/// for any number and parses as 0.
std::optional<NumberedName> parse_numbered(std::string_view path);

struct Series {
    std::vector<std::string> files;     // by number
    std::vector<std::uint32_t> numbers; // of files, ascending
    bool skipped_output = false;        // `output` of find_series() was among the files
};

/// Two files with the same number, `x_1.etl` and `x_01.etl`: ambiguous.
struct SameNumber {
    std::string first, other;
};

/// All files of the series except `output`. Errors: those of the directory; not_found.
std::expected<Series, std::variant<etl::Error, SameNumber>>
find_series(const NumberedName& name, const std::string& output = {});

/// The numbers missing between the first and the last: `3, 7 to 9`. Empty: none.
std::string describe_gaps(const std::vector<std::uint32_t>& numbers);

} // namespace cli

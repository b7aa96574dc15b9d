#include "inputs/series.hpp"

#include "base/text.hpp"
#include "io/find_files.hpp"
#include "rewrite/numbered_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

namespace cli {

namespace {

constexpr std::string_view digits = "0123456789";
constexpr std::string_view pattern = "%d";

std::optional<std::uint32_t> parse_file_number(std::string_view text) {
    std::uint32_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, code] = std::from_chars(text.data(), end, number);
    return code == std::errc{} && rest == end && !text.empty() ? std::optional(number)
                                                               : std::nullopt;
}

std::optional<NumberedName> split(std::string_view path, std::size_t at, std::size_t size) {
    const auto number = parse_file_number(path.substr(at, size));
    if (!number) {
        return std::nullopt;
    }
    return NumberedName{std::string(path.substr(0, at)), std::string(path.substr(at + size)),
                        *number};
}

} // namespace

std::optional<NumberedName> parse_numbered(std::string_view path) {
    const std::size_t name = path.find_last_of("/\\") + 1; // 0 if there is no directory
    if (const std::size_t at = path.rfind(pattern); at != std::string_view::npos && at >= name) {
        return NumberedName{std::string(path.substr(0, at)),
                            std::string(path.substr(at + pattern.size())), 0};
    }
    const std::size_t ending = etl::to_lower_ascii(path).rfind(".etl");
    if (ending == std::string::npos || ending < name) {
        return std::nullopt;
    }
    const std::string_view after = path.substr(ending + 4);
    if (after.size() > 1 && after.find_first_not_of(digits, 1) == std::string_view::npos) {
        return split(path, ending + 5, after.size() - 1);
    }
    const std::size_t last = path.substr(0, ending).find_last_of(digits);
    if (last == std::string_view::npos || last < name) {
        return std::nullopt;
    }
    const std::size_t before = path.substr(0, last).find_last_not_of(digits);
    const std::size_t first = before == std::string_view::npos ? 0 : std::max(before + 1, name);
    return split(path, first, last + 1 - first);
}

std::expected<Series, std::variant<etl::Error, SameNumber>> find_series(const NumberedName& name,
                                                                        const std::string& output) {
    const auto found =
        etl::io::find_files(fmt::format("{}*{}", name.before, name.after), etl::io::Recursion::no,
                            [](std::string_view) { return true; });
    if (!found) {
        return std::unexpected(found.error());
    }
    Series series;
    std::map<std::uint32_t, std::string> by_number;
    for (const std::string& file : *found) {
        const auto number =
            parse_file_number(etl::rewrite::number_between(file, name.before, name.after));
        if (!number) {
            continue;
        }
        if (!output.empty() && etl::io::is_same_file(file, output)) {
            series.skipped_output = true;
            continue;
        }
        const auto [first, is_new] = by_number.emplace(*number, file);
        if (!is_new) {
            return std::unexpected(SameNumber{first->second, file});
        }
    }
    if (by_number.empty()) {
        return std::unexpected(
            etl::Error{.code = etl::ErrorCode::not_found, .what = "no files of this series"});
    }
    for (auto& [number, file] : by_number) {
        series.numbers.push_back(number);
        series.files.push_back(std::move(file));
    }
    return series;
}

std::string describe_gaps(const std::vector<std::uint32_t>& numbers) {
    std::string text;
    for (std::size_t i = 1; i < numbers.size(); ++i) {
        const std::uint32_t first = numbers[i - 1] + 1;
        const std::uint32_t last = numbers[i] - 1;
        if (numbers[i] <= first) {
            continue;
        }
        text += text.empty() ? "" : ", ";
        text += first == last ? fmt::format("{}", first) : fmt::format("{} to {}", first, last);
    }
    return text;
}

} // namespace cli

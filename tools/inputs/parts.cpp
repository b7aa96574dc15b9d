#include "inputs/parts.hpp"

#include "base/text.hpp"
#include "cli/console.hpp"
#include "trace/limits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli {

namespace {

std::optional<std::uint32_t> parse_part_number(std::string_view text) {
    const bool has_digits =
        !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
    const auto number = has_digits ? etl::parse_number(text) : std::nullopt;
    return number && *number >= 1 && *number <= etl::limits::parts
               ? std::optional(static_cast<std::uint32_t>(*number))
               : std::nullopt;
}

std::optional<etl::trace::Part> parse_part(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) {
        return std::nullopt;
    }
    const auto number = parse_part_number(text.substr(0, slash));
    const auto count = parse_part_number(text.substr(slash + 1));
    return number && count && *number <= *count
               ? std::optional(etl::trace::Part{.number = *number, .count = *count})
               : std::nullopt;
}

} // namespace

void add_part(Verb& verb, std::optional<etl::trace::Part>& part, const std::string& use) {
    verb.add_option_function<std::string>(
            "--part",
            [&part](const std::string& text) {
                part = parse_part(text);
                if (!part) {
                    throw UsageError("--part",
                                     fmt::format("'{}' is not a part; use K/N, such as 1/8 to 8/8",
                                                 printable(text)));
                }
            },
            fmt::format("the Kth of N time spans with about the same bytes of buffers; {} "
                        "(docs/parts.md)",
                        use))
        ->type_name("K/N")
        ->group("Filters");
}

} // namespace cli

// Values of options, each with its check: fixed sets, numbers, durations; and the options of that
// kind that verbs share.
#pragma once

#include "base/code_page.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/verb.hpp"
#include "match/time_point.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace cli {

/// After the values of an option that accepts others as well.
inline constexpr const char* other_values = "...";

/// Keeps the values of an option as the name of a check that accepts everything: `{csv,json}`.
inline Option* list_values(Option* option, const std::vector<std::string>& values) {
    std::string name;
    for (const std::string& value : values) {
        name += (name.empty() ? "" : ",") + value;
    }
    return option->check([](const std::string&) { return std::string(); }, '{' + name + '}');
}

/// Names values for completion, of an option that accepts others as well or checks them itself.
inline Option* suggest_values(Option* option, std::vector<std::string> values) {
    values.emplace_back(other_values);
    return list_values(option, values);
}

/// The same for a range of texts, such as the keys of a table.
template <std::ranges::common_range Texts>
Option* suggest_values(Option* option, const Texts& texts) {
    return suggest_values(option, std::vector<std::string>(texts.begin(), texts.end()));
}

/// Returns the values that completion offers for an option; none if it has no list.
inline std::vector<std::string> suggestions_of(const Option& option) {
    const std::string type = option.get_type_name();
    const std::size_t begin = type.find(":{");
    if (begin == type.npos || !type.ends_with('}')) {
        return {};
    }
    auto values = split_list(type.substr(begin + 2, type.size() - begin - 3), ',');
    std::erase(values, other_values);
    return values;
}

/// Returns the values of an option that was declared with add_choice(), in lowercase; none of
/// others.
inline std::vector<std::string> choices_of(const Option& option) {
    const bool has_others = option.get_type_name().ends_with(std::string(other_values) + '}');
    return has_others ? std::vector<std::string>() : suggestions_of(option);
}

/// `help` lists the values. `to` must outlive `verb`.
template <typename T>
Option* add_choice(Verb& verb, const std::string& name, T& to,
                   const std::map<std::string, T>& choices, const std::string& help,
                   const std::string& type) {
    const auto names = choices | std::views::keys;
    Option* const option = verb.add_option_function<std::string>(
        name,
        [name, &to, choices, help](const std::string& word) {
            const auto found = choices.find(etl::to_lower_ascii(word));
            if (found == choices.end()) {
                std::string expected;
                for (const auto& [choice, value] : choices) {
                    expected += (expected.empty() ? "" : ", ") + choice;
                }
                throw UsageError(name.substr(0, name.find(',')),
                                 "expected one of " + expected + "; found '" + word + "'");
            }
            to = found->second;
        },
        help);
    return list_values(option->type_name(type), {names.begin(), names.end()});
}

/// The same for an option that takes one of some words as it is.
inline Option* add_choice(Verb& verb, const std::string& name, std::string& to,
                          const std::vector<std::string>& words, const std::string& help,
                          const std::string& type) {
    std::map<std::string, std::string> choices;
    for (const std::string& word : words) {
        choices.emplace(word, word);
    }
    return add_choice(verb, name, to, choices, help, type);
}

// The check of an option that is a number.

/// `1000000000`, not `1e+09`.
template <typename T>
std::string shown_bound(T bound) {
    if constexpr (std::is_floating_point_v<T>) {
        constexpr T max_exact = 1e15; // whole numbers below are exact
        return std::abs(bound) < max_exact && std::trunc(bound) == bound
                   ? fmt::format("{:.0f}", bound)
                   : fmt::format("{}", bound);
    } else {
        return fmt::format("{}", bound);
    }
}

/// Accepts numbers from `min` to `max`. Words of the parser would differ between its versions.
template <typename T>
Check in_range(T min, T max) {
    return [min, max](std::string& word) {
        T value{};
        const bool is_one = read_number(word, value) && value >= min && value <= max;
        return is_one ? std::string()
                      : fmt::format("'{}' is not a number from {} to {}", word, shown_bound(min),
                                    shown_bound(max));
    };
}

// Durations on the command line.

/// Parses `10s`, `+1.5s`, `-200ms`, `2h` into ticks of 100 ns (docs/filters.md#times). Nothing for
/// other text, including absolute times.
inline std::optional<std::int64_t> parse_duration(std::string_view text) noexcept {
    using Kind = etl::match::TimePoint::Kind;
    const auto point = etl::match::parse_time_point(text);
    return point && (point->kind == Kind::from_start || point->kind == Kind::from_end)
               ? std::optional(point->at.ticks)
               : std::nullopt;
}

// --big-numbers: how JSON shows integers that readers with 53 bits would round.

enum class BigNumbers : std::uint8_t { number, text };

/// Adds --big-numbers. `to` must outlive `verb`.
void add_big_numbers(Verb& verb, BigNumbers& to);

/// The largest integer that is written as a number.
constexpr std::uint64_t largest_of(BigNumbers how) noexcept {
    return how == BigNumbers::text ? etl::max_exact_integer : UINT64_MAX;
}

/// Returns complete JSON values in that form.
std::string with_big_numbers(std::string json, BigNumbers how);

// --ansi-codepage, for all verbs that show 8-bit text.

/// `to` must outlive `verb`.
inline void add_code_page(Verb& verb, std::shared_ptr<const etl::CodePage>& to) {
    constexpr const char* name = "--ansi-codepage";
    verb.add_option_function<std::string>(
            name,
            [&to](const std::string& page) {
                auto opened = etl::CodePage::open(page);
                if (!opened) {
                    throw UsageError(name, "unsupported code page '" + printable(page) + "'");
                }
                to = std::move(*opened);
            },
            "code page of 8-bit text, by number or name: 1251, cp932, utf-8 (default: UTF-8 if "
            "valid, else 1252)")
        ->type_name("PAGE");
}

// --pointer-size, for all verbs that decode.

/// `to` becomes 4 or 8.
inline void add_pointer_size(Verb& verb, unsigned& to) {
    add_choice<unsigned>(verb, "--pointer-size", to, {{"4", 4}, {"8", 8}},
                         "force payload pointers to 4 or 8 bytes (default: detect)", "BYTES");
}

} // namespace cli

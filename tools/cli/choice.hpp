// Options with a fixed set of values.
#pragma once

#include "base/text.hpp"
#include "cli/verb.hpp"

#include <map>
#include <ranges>
#include <string>
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

} // namespace cli

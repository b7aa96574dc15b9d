// Options with a fixed set of values.
#pragma once

#include <etl/base/text.hpp>

#include <CLI/CLI.hpp>

#include <map>
#include <string>
#include <vector>

namespace cli {

/// The names of choices as the name of a check that accepts everything: `{csv,json}`.
template <typename T>
std::string name_of_choices(const std::map<std::string, T>& choices) {
    std::string name;
    for (const auto& [choice, value] : choices) {
        name += (name.empty() ? '{' : ',') + choice;
    }
    return name + '}';
}

/// Returns the values of an option that was declared with add_choice(), in lowercase; none of
/// others.
inline std::vector<std::string> choices_of(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    const std::size_t begin = type.find(":{");
    if (begin == type.npos || !type.ends_with('}')) {
        return {};
    }
    return CLI::detail::split(type.substr(begin + 2, type.size() - begin - 3), ',');
}

/// `help` lists the values. `to` must outlive `verb`.
template <typename T>
void add_choice(CLI::App& verb, const std::string& name, T& to,
                const std::map<std::string, T>& choices, const std::string& help,
                const std::string& type) {
    verb.add_option_function<std::string>(
            name,
            [name, &to, choices, help](const std::string& word) {
                const auto found = choices.find(etl::to_lower_ascii(word));
                if (found == choices.end()) {
                    std::string expected;
                    for (const auto& [choice, value] : choices) {
                        expected += (expected.empty() ? "" : ", ") + choice;
                    }
                    throw CLI::ValidationError(name.substr(0, name.find(',')),
                                               "expected one of " + expected + "; found '" + word +
                                                   "'");
                }
                to = found->second;
            },
            help)
        ->type_name(type)
        ->check([](const std::string&) { return std::string(); }, name_of_choices(choices));
}

} // namespace cli

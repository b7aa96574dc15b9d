// Options with a fixed set of values.
#pragma once

#include <etl/base/text.hpp>

#include <CLI/CLI.hpp>

#include <map>
#include <string>

namespace cli {

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
        ->type_name(type);
}

} // namespace cli

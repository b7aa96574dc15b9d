// -o and --force of verbs that write a file of text.
#pragma once

#include "cli/console.hpp"
#include "cli/verb.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

// Names and file extensions of formats: structures with the members `name` and `endings`, in lists
// whose first format is the default.

/// Returns the extension that a format suggests; empty: it has none.
constexpr std::string_view first_ending(std::string_view endings) noexcept {
    return endings.substr(0, endings.find(' '));
}

/// Returns the names in the order of the list.
template <std::ranges::range Formats>
std::vector<std::string> names_of(const Formats& formats) {
    std::vector<std::string> names;
    for (const auto& format : formats) {
        names.emplace_back(format.name);
    }
    return names;
}

/// Returns `.csv`, `.tsv`, `.txt`: the first extension of each format that has one, the default
/// last.
template <std::ranges::range Formats>
std::vector<std::string> endings_of(const Formats& formats) {
    std::vector<std::string> endings;
    for (const auto& format : formats) {
        if (!format.endings.empty()) {
            endings.emplace_back(first_ending(format.endings));
        }
    }
    std::ranges::rotate(endings, endings.begin() + 1);
    return endings;
}

/// Returns the format of files with an extension; null: none has it.
template <std::ranges::range Formats>
auto* find_by_ending(const Formats& formats, std::string_view ending) {
    const auto found = std::ranges::find_if(formats, [&](const auto& format) {
        return std::ranges::any_of(std::views::split(format.endings, ' '), [&](const auto& one) {
            return std::string_view(one.begin(), one.end()) == ending;
        });
    });
    return found == std::ranges::end(formats) ? nullptr : &*found;
}

inline void add_force(Verb& verb, bool& force) {
    verb.add_flag("--force", force,
                  "replace an existing file, never an input, atomically on completion");
}

/// For tables and events: the extension of the file, one of `endings`, sets the format.
inline void add_text_output(Verb& verb, std::string& output, bool& force,
                            const std::vector<std::string>& endings) {
    verb.add_option("-o,--output", output,
                    "write to FILE, which appears when complete; " + list_of(endings, "or") +
                        " sets the format (default: standard output)")
        ->type_name("FILE");
    add_force(verb, force);
}

} // namespace cli

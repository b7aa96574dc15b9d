#include "cli/windows_words.hpp"

#include "base/file_name.hpp"
#include "base/text.hpp"
#include "cli/help.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace cli {

namespace {

/// Shows options with one dash.
class WindowsHelp final : public HelpFormatter {
public:
    using HelpFormatter::HelpFormatter;

    std::string spelling(const CLI::Option& option, bool is_positional) const override {
        std::string name = HelpFormatter::spelling(option, is_positional);
        if (!name.starts_with("--")) {
            return name;
        }
        for (std::size_t at = 0; at < name.size(); at = name.find("--", at)) {
            name.erase(at, 1); // of each name: --ge,--getevents
        }
        return name;
    }
};

bool is_option_of(const CLI::App& verb, const std::string& name) {
    return verb.get_option_no_throw("--" + name) != nullptr;
}

/// The option that a word names, with two dashes, in `verb` or the one that it belongs to.
std::string option_named(const CLI::App& verb, const std::string& word) {
    if (word == "?" || word == "h") {
        return "--help";
    }
    for (const CLI::App* owner = &verb; owner != nullptr; owner = owner->get_parent()) {
        if (is_option_of(*owner, word)) {
            return "--" + word;
        }
    }
    return {};
}

bool is_number(std::string_view word) {
    return !word.empty() && word.find_first_not_of("0123456789.") == word.npos;
}

/// One word as the declared options have it.
std::string read_word(const CLI::App& verb, const std::string& word) {
    if (word.starts_with("--")) {
        const std::string off = "no-" + etl::to_lower_ascii(word.substr(2));
        return is_option_of(verb, off) ? "--" + off : word;
    }
    if (word.size() < 2 || (word[0] != '-' && word[0] != '/')) {
        return word;
    }
    const std::size_t colon = std::min(word.find(':'), word.size());
    const std::string name = etl::to_lower_ascii(word.substr(1, colon - 1));
    const std::string option = option_named(verb, name);
    if (!option.empty()) {
        return colon < word.size() ? option + "=" + word.substr(colon + 1) : option;
    }
    // CLI11 would take the word for several options of one letter.
    return word[0] == '/' || is_number(word.substr(1)) ? word : "-" + word;
}

const CLI::App* verb_in_any_case(const CLI::App& parent, const std::string& word) {
    const CLI::App* const found = verb_named(parent, word);
    return found != nullptr ? found : verb_named(parent, etl::to_lower_ascii(word));
}

/// The verb that a word names after `verb`: of it, or next to it if it falls through (`-a x -a y`).
const CLI::App* verb_after(const CLI::App& verb, const std::string& word) {
    const CLI::App* found = verb_in_any_case(verb, word);
    const CLI::App* const parent = verb.get_parent();
    return found == nullptr && parent != nullptr && verb.get_fallthrough()
               ? verb_in_any_case(*parent, word)
               : found;
}

/// Whether the verb of a word follows `-a`: any other word may be a value that has its name.
bool has_action_words(const CLI::App& verb) {
    return is_option_of(verb, "a") ||
           (verb.get_parent() != nullptr && is_option_of(*verb.get_parent(), "a"));
}

/// Whether the next word may be the value of this one.
bool takes_value(const std::string& word) {
    return word.starts_with("--") && word != "--a" && !word.contains('=');
}

bool is_one(std::string_view name) {
    return std::ranges::find(windows_tools, name) != std::end(windows_tools);
}

} // namespace

CLI::App& add_windows_tool(CLI::App& etl, const std::string& name, const std::string& description) {
    CLI::App& verb = *etl.add_subcommand(name, description);
    verb.group("Command lines of Windows");
    verb.formatter(std::make_shared<WindowsHelp>(help_width()));
    return verb;
}

bool is_windows_tool(const CLI::App& verb) {
    return is_one(verb.get_name()) ||
           (verb.get_parent() != nullptr && is_windows_tool(*verb.get_parent()));
}

std::vector<std::string> read_windows_words(const CLI::App& etl, std::string_view program,
                                            std::vector<std::string> words) {
    std::string name = etl::to_lower_ascii(std::string(etl::file_name_of(program)));
    name = name.substr(0, name.find(".exe"));
    if (is_one(name)) {
        words.insert(words.begin(), name);
    }
    if (words.empty() || !is_one(etl::to_lower_ascii(words.front()))) {
        return words;
    }
    words.front() = etl::to_lower_ascii(words.front());
    const CLI::App* verb = verb_named(etl, words.front());
    std::vector<std::string> read{words.front()};
    for (const std::string& word : std::span(words).subspan(1)) {
        const CLI::App* const next = verb_after(*verb, word);
        if (next != nullptr && has_action_words(*verb) && takes_value(read.back())) {
            read.back() += '=' + word; // `-detail stack`
        } else if (next != nullptr) {
            read.push_back(next->get_name());
            verb = next;
        } else {
            read.push_back(read_word(*verb, word));
        }
    }
    return read;
}

} // namespace cli

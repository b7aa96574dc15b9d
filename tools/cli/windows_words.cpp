#include "cli/windows_words.hpp"

#include "base/file_name.hpp"
#include "base/text.hpp"
#include "cli/help.hpp"

#include <algorithm>
#include <utility>

namespace cli {

namespace {

bool is_option_of(const Verb& verb, const std::string& name) {
    return verb.get_option_no_throw("--" + name) != nullptr;
}

/// The option that a word names, with two dashes, in `verb` or the one that it belongs to.
std::string option_named(const Verb& verb, const std::string& word) {
    if (word == "?" || word == "h") {
        return "--help";
    }
    for (const Verb* owner = &verb; owner != nullptr; owner = owner->get_parent()) {
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
std::string read_word(const Verb& verb, const std::string& word) {
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

const Verb* verb_in_any_case(const Verb& parent, const std::string& word) {
    const Verb* const found = verb_named(parent, word);
    return found != nullptr ? found : verb_named(parent, etl::to_lower_ascii(word));
}

/// The verb that a word names after `verb`: of it, or next to it if it falls through (`-a x -a y`).
const Verb* verb_after(const Verb& verb, const std::string& word) {
    const Verb* found = verb_in_any_case(verb, word);
    const Verb* const parent = verb.get_parent();
    return found == nullptr && parent != nullptr && verb.falls_through()
               ? verb_in_any_case(*parent, word)
               : found;
}

/// Whether the verb of a word follows `-a`: any other word may be a value that has its name.
bool has_action_words(const Verb& verb) {
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

Verb& add_windows_tool(Verb& etl, const std::string& name, const std::string& description) {
    Verb& verb = *etl.add_subcommand(name, description);
    verb.group("Command lines of Windows");
    verb.one_dash();
    return verb;
}

bool is_windows_tool(const Verb& verb) {
    return is_one(verb.get_name()) ||
           (verb.get_parent() != nullptr && is_windows_tool(*verb.get_parent()));
}

std::vector<std::string> read_windows_words(const Verb& etl, std::string_view program,
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
    const Verb* verb = verb_named(etl, words.front());
    std::vector<std::string> read{words.front()};
    for (const std::string& word : std::span(words).subspan(1)) {
        const Verb* const next = verb_after(*verb, word);
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

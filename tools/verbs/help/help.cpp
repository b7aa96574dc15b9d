#include "cli/help.hpp"

#include "analysis/tables.hpp"
#include "base/json_object.hpp"
#include "cli/destination.hpp"
#include "cli/option_values.hpp"
#include "cli/refusal.hpp"
#include "cli/verb.hpp"
#include "cli/verbs.hpp"
#include "cli/windows_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

// Completion of words in shells, from the option tables of the verbs.

/// Returns what can stand for the last of `words`, a line each: `WORD`, a tab, and its description;
/// `:files` or `:directories` if names of files can. The first word is the name that the program
/// was called by; the last one may be empty.
std::vector<std::string> completions_of(const Verb& etl, std::vector<std::string> words);

namespace {

constexpr const char* any_files = ":files";
constexpr const char* directories = ":directories";

/// Where the words before the last one lead to.
struct Place {
    const Verb* verb = nullptr;
    const Option* option = nullptr; ///< the one whose value comes next, or may come
    const Verb* topic = nullptr;    ///< of `help`: the verb named so far
    bool has_arguments = false;     ///< positional ones; verbs can no longer follow
    bool is_command = false;        ///< after `--`
};

/// Whether the next word must be a value. That of xperf's -a is optional: actions are verbs.
bool needs_value(const Place& at) {
    return at.option != nullptr && at.option->min_values() != 0;
}

/// Looks for an option in a verb and, as `xperf -i` after an action, in those that it belongs to.
const Option* option_named(const Verb& verb, const std::string& name) {
    for (const Verb* owner = &verb; owner != nullptr; owner = owner->get_parent()) {
        const Option* option = owner->get_option_no_throw(name);
        if (option != nullptr || !owner->falls_through()) {
            return option;
        }
    }
    return nullptr;
}

void follow(Place& at, const std::string& word) {
    if (at.is_command || (word == "=" && at.option != nullptr)) { // bash splits --format=csv
        return;
    }
    const bool is_value = needs_value(at);
    at.option = nullptr;
    if (is_value) {
        return;
    }
    if (word == "--") {
        at.is_command = true;
    } else if (word.size() > 1 && word.starts_with('-')) {
        const Option* option = option_named(*at.verb, word.substr(0, word.find('=')));
        const bool is_flag = option == nullptr || option->is_flag();
        at.option = is_flag || word.contains('=') ? nullptr : option;
    } else if (const Verb* verb = verb_named(*at.verb, word);
               verb != nullptr && !at.has_arguments) {
        at.verb = verb;
        at.topic = word == "help" ? verb->get_parent() : nullptr;
    } else {
        at.has_arguments = true;
        at.topic = at.topic != nullptr ? verb_named(*at.topic, word) : nullptr;
    }
}

std::string candidate(std::string_view word, std::string_view description) {
    return fmt::format("{}\t{}", word, description);
}

void add_verbs(std::vector<std::string>& to, const Verb& parent, std::string_view begin) {
    for (const Verb* verb : shown_verbs(parent)) {
        if (verb->get_name().starts_with(begin)) {
            to.push_back(candidate(verb->get_name(), verb->get_description()));
        }
    }
}

void add_options(std::vector<std::string>& to, const Verb& verb, std::string_view begin) {
    for (const Option* option : verb.get_options()) {
        if (option->is_positional() || option->get_group().empty()) {
            continue;
        }
        // The long name, which comes last: -o,--output.
        const std::string names = spelling_of(verb, *option);
        const std::string name = names.substr(names.rfind(',') + 1);
        if (name.starts_with(begin)) {
            to.push_back(candidate(name, option->get_description()));
        }
    }
}

/// The values of an option or a positional argument, with `prefix` in front. Some options take
/// lists, such as `flip:20,truncate` or `Circular+Preallocate`.
void add_values(std::vector<std::string>& to, const Option& option, std::string_view prefix,
                std::string_view begin) {
    const std::size_t last = choices_of(option).empty() ? begin.find_last_of(",+") + 1 : 0;
    for (const std::string& value : suggestions_of(option)) {
        if (value.starts_with(begin.substr(last))) {
            to.push_back(
                candidate(fmt::format("{}{}{}", prefix, begin.substr(0, last), value), ""));
        }
    }
    std::string type = option.get_type_name();
    type.erase(std::min(type.find(':'), type.size()));
    type.insert(0, option.is_positional() ? option.get_name(true) : "");
    if (type.contains("DIR")) {
        to.push_back(directories);
    } else if (type.contains("FILE") || type.contains("PATH") || type.contains("TRACE")) {
        to.push_back(any_files);
    }
}

/// The verbs or the positional arguments that can follow.
void add_arguments(std::vector<std::string>& to, const Place& at, std::string_view begin) {
    if (at.topic != nullptr || !at.has_arguments) {
        add_verbs(to, at.topic != nullptr ? *at.topic : *at.verb, begin);
    }
    for (const Option* option : at.verb->get_options()) {
        if (option->is_positional()) {
            add_values(to, *option, "", begin);
        }
    }
}

/// The verb of a command that is called by its own name, such as `xperf`.
const Verb* verb_of_command(const Verb& etl, const std::string& program) {
    const std::vector<std::string> words = read_windows_words(etl, program, {});
    return words.empty() ? &etl : verb_named(etl, words.front());
}

} // namespace

std::vector<std::string> completions_of(const Verb& etl, std::vector<std::string> words) {
    if (words.size() < 2) {
        return {};
    }
    Place at{.verb = verb_of_command(etl, words.front())};
    const std::string last = words.back() == "=" ? "" : words.back();
    const bool is_windows =
        is_windows_tool(*at.verb) || (words.size() > 2 && verb_named(etl, words[1]) != nullptr &&
                                      is_windows_tool(*verb_named(etl, words[1])));
    words.erase(words.begin());
    words.pop_back();
    for (const std::string& word : words) {
        // Options of Windows' tools are declared with two dashes.
        follow(at,
               is_windows && word.starts_with('-') && !word.starts_with("--") ? "-" + word : word);
    }
    std::vector<std::string> to;
    const std::size_t equals = last.find('=');
    if (at.is_command) {
        to.push_back(any_files);
    } else if (needs_value(at)) {
        add_values(to, *at.option, "", last);
    } else if (last.starts_with("--") && equals != last.npos) {
        const Option* option = option_named(*at.verb, last.substr(0, equals));
        if (option != nullptr) {
            add_values(to, *option, last.substr(0, equals + 1), last.substr(equals + 1));
        }
    } else if (last.starts_with('-')) {
        add_options(to, *at.verb, last);
    } else {
        if (at.option != nullptr) {
            add_values(to, *at.option, "", last);
        }
        add_arguments(to, at, last);
    }
    std::ranges::sort(to);
    to.erase(std::unique(to.begin(), to.end()), to.end());
    return to;
}

namespace {

/// Writes the man page of a verb and those of its verbs: DIR/etl-schema-list.1.
ExitCode write_man_pages(const Verb& verb, const std::string& directory) {
    ExitCode exit = write_file(directory + "/" + man_page_name(verb) + ".1", man_page(verb));
    for (const Verb* inner : shown_verbs(verb)) {
        if (exit == ExitCode::well) {
            exit = write_man_pages(*inner, directory);
        }
    }
    return exit;
}

std::string_view adding_name(etl::analysis::Adding adding) noexcept {
    using enum etl::analysis::Adding;
    switch (adding) {
    case key:
        return "key";
    case sum:
        return "sum";
    case maximum:
        return "maximum";
    case minimum:
        return "minimum";
    case ratio:
        return "ratio";
    case none:
        break;
    }
    return "none";
}

/// A line for each form of a table, with its columns. docs/analysis.md#list
ExitCode print_tables() {
    std::string text;
    for (const etl::analysis::TableForm* const form : etl::analysis::table_forms()) {
        const etl::analysis::Table table = empty_table(*form);
        etl::JsonList columns, further_counts;
        for (const etl::analysis::Remainder& count : table.coverage.remainders) {
            further_counts.text(count.name);
        }
        for (const etl::analysis::Column& column : table.columns) {
            columns.raw(etl::JsonObject()
                            .text("name", column.name)
                            .text("unit", unit_name(column.unit))
                            .text("adding", adding_name(column.adding))
                            .take());
        }
        const etl::analysis::TableKind& kind = *form->kind;
        text += etl::JsonObject()
                    .text("table", kind.name)
                    .text("by", form->by)
                    .boolean("is_verb", !kind.summary.empty())
                    .text("question", kind.question)
                    .boolean("has_parts", form->parts != etl::analysis::PartsOf::none)
                    .boolean("is_compared", kind.is_compared)
                    .raw("columns", columns.take())
                    .raw("further_counts", further_counts.take())
                    .take() +
                '\n';
    }
    return print(text);
}

/// `etl complete WORD...`: what can stand for the last word.
void add_complete(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand("complete", "Print what can stand for the last word");
    verb.group("")->prefix_command();
    verb.set_help_flag();
    verb.callback([&etl, &verb, &exit] {
        std::string text;
        for (const std::string& line : completions_of(etl, verb.remaining())) {
            text += line + '\n';
        }
        exit = print(text);
    });
}

void add_help_verb(Verb& etl, ExitCode& exit) {
    struct HelpOptions {
        std::vector<std::string> words;
        std::string man_pages;
        bool tables = false;
    };

    Verb& verb = *etl.add_subcommand("help", "Print the help of a verb, or this help");
    const auto options = std::make_shared<HelpOptions>();
    verb.add_option("VERB", options->words, "verb, such as `relog` or `schema list`");
    verb.add_option("--man-pages", options->man_pages,
                    "write the man pages of all verbs to a directory instead")
        ->type_name("DIR");
    verb.add_flag("--tables", options->tables,
                  "list the tables with their columns instead, as JSON lines");
    verb.callback([&etl, &exit, options] {
        exit = options->tables              ? print_tables()
               : options->man_pages.empty() ? static_cast<ExitCode>(print_help(etl, options->words))
                                            : write_man_pages(etl, options->man_pages);
    });
}

} // namespace

int print_help(const Verb& etl, const std::vector<std::string>& words) {
    const Verb* verb = &etl;
    for (const std::string& word : words) {
        const Verb* const found = verb_named(*verb, word);
        if (found == nullptr) {
            return refuse_verb(word, *verb);
        }
        verb = found;
    }
    return static_cast<int>(print(help_of(*verb)));
}

void add_help(Verb& etl, ExitCode& exit) {
    add_help_verb(etl, exit);
    add_complete(etl, exit);
}

} // namespace cli

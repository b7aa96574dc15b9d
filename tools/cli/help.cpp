#include "cli/help.hpp"

#include "base/text.hpp"
#include "io/output_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace cli {

namespace {

constexpr std::size_t name_columns = 30;
constexpr std::size_t min_text_columns = 30;

/// The lines of a text without line ends, broken at blanks.
std::vector<std::string_view> wrap(std::string_view text, std::size_t width) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        std::size_t end = text.size();
        if (end > width) {
            end = text.rfind(' ', width);
            end = end == text.npos ? std::min(text.find(' '), text.size()) : end;
        }
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

/// The width of the terminal at standard output, at most 120; 100 without a terminal.
std::size_t help_width() {
    constexpr std::size_t max_width = 120;
    constexpr std::size_t without_terminal = 100;
    static const etl::io::Terminal terminal = etl::io::standard_output_terminal();
    return terminal.interactive
               ? std::min(static_cast<std::size_t>(std::max(terminal.columns, 0)), max_width)
               : without_terminal;
}

/// One row: a name, and a description that is wrapped beside it.
std::string row_of(const std::string& name, const std::string& description) {
    const std::size_t width = std::max(help_width(), name_columns + min_text_columns);
    const bool is_long = name.size() + 2 > name_columns;
    std::string text = is_long || description.empty()
                           ? name + '\n'
                           : name + std::string(name_columns - name.size(), ' ');
    bool is_first = !is_long;
    for (const std::string_view line : wrap(description, width - name_columns)) {
        text.append(std::exchange(is_first, false) ? 0 : name_columns, ' ').append(line) += '\n';
    }
    return text;
}

/// `Usage: etl dump [OPTIONS] FILE...`
std::string usage_of(const Verb& verb) {
    std::string text = "Usage: " + path_of(verb);
    const std::vector<Option*> options = verb.get_options();
    if (!std::ranges::all_of(options, &Option::is_positional)) {
        text += " [OPTIONS]";
    }
    for (const Option* const option : options) {
        if (option->is_positional()) {
            const std::string word = name_of(verb, *option);
            text += option->is_required() ? ' ' + word : fmt::format(" [{}]", word);
        }
    }
    if (!verb.verbs().empty()) {
        const bool is_optional = verb.min_subcommands() == 0;
        text += (is_optional ? " [" : " ") + verb.get_subcommand_label() + (is_optional ? "]" : "");
    }
    return text + '\n';
}

std::string options_of(const Verb& verb) {
    std::string text;
    for (const OptionGroup& group : option_groups(verb, "Positionals")) {
        text += fmt::format("\n{}:\n", group.heading);
        for (const Option* const option : group.options) {
            text += help_of(verb, *option);
        }
    }
    return text;
}

std::string verbs_of(const Verb& verb) {
    std::string text;
    for (const VerbGroup& group : verb_groups(verb)) {
        text += fmt::format("\n{}:\n", group.heading);
        for (const Verb* const one : group.verbs) {
            text += row_of("  " + one->get_name(), one->get_description());
        }
    }
    return text;
}

// The parser's own headings have other cases in newer versions: `OPTIONS`.
std::string heading_of(const std::string& group) {
    const std::string lower = etl::to_lower_ascii(group);
    return lower == "options" ? "Options" : lower == "subcommands" ? "Subcommands" : group;
}

// Examples are indented and stay as they are; the lines of a sentence are joined and wrapped.
std::string footer_text(const Verb& verb) {
    const std::string footer = footer_of(verb);
    std::string text, paragraph;
    const auto end_paragraph = [&] {
        for (const std::string_view line :
             wrap(paragraph, std::max(help_width(), min_text_columns))) {
            text.append(line) += '\n';
        }
        paragraph.clear();
    };
    for (std::string_view rest = footer; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        if (line.empty() || line.starts_with("  ")) {
            end_paragraph();
            text.append(line) += '\n';
            continue;
        }
        paragraph.append(paragraph.empty() ? "" : " ").append(line);
        if (line.ends_with('.') || line.ends_with(':')) {
            end_paragraph();
        }
    }
    end_paragraph();
    return text;
}

} // namespace

std::vector<OptionGroup> option_groups(const Verb& verb, const std::string& positionals) {
    std::vector<OptionGroup> groups;
    const auto add = [&](const std::string& heading, const auto& is_of_group) {
        OptionGroup group{heading, {}};
        for (const Option* const option : verb.get_options()) {
            if (!option->get_group().empty() && is_of_group(*option)) {
                group.options.push_back(option);
            }
        }
        if (!group.options.empty()) {
            groups.push_back(std::move(group));
        }
    };
    add(positionals, [](const Option& option) { return option.is_positional(); });
    for (const std::string& name : verb.option_groups()) {
        add(heading_of(name), [&](const Option& option) {
            return !option.is_positional() && option.get_group() == name;
        });
    }
    return groups;
}

std::vector<VerbGroup> verb_groups(const Verb& parent) {
    std::vector<VerbGroup> groups;
    for (const Verb* const verb : shown_verbs(parent)) {
        const std::string heading = heading_of(verb->get_group());
        auto group = std::ranges::find(groups, heading, &VerbGroup::heading);
        if (group == groups.end()) {
            group = groups.insert(group, {heading, {}});
        }
        group->verbs.push_back(verb);
    }
    return groups;
}

// One dash before long options: `-o,-output`.
std::string spelling_of(const Verb& verb, const Option& option) {
    std::string name = option.get_name(option.is_positional(), !option.is_positional());
    if (verb.has_one_dash() && name.starts_with("--")) {
        for (std::size_t at = 0; at < name.size(); at = name.find("--", at)) {
            name.erase(at, 1); // of each name: --ge,--getevents
        }
    }
    return name;
}

std::string name_of(const Verb& verb, const Option& option) {
    std::string name = spelling_of(verb, option);
    if (option.is_positional()) {
        return name + (option.max_values() > 1 ? "..." : "");
    }
    const std::string type = option.get_type_name();
    if (!option.is_flag() && !type.empty()) {
        name += " " + type.substr(0, type.find(':'));
    }
    return name;
}

std::string help_of(const Verb& verb, const Option& option) {
    const bool is_noted = option.is_required() && !option.is_positional();
    return row_of("  " + name_of(verb, option),
                  option.get_description() + (is_noted ? " (required)" : ""));
}

std::string help_of(const Verb& verb) {
    const std::string description = verb.get_description();
    return description + (description.empty() ? "" : "\n") + usage_of(verb) + options_of(verb) +
           verbs_of(verb) + '\n' + footer_text(verb);
}

std::string path_of(const Verb& verb) {
    return verb.get_parent() == nullptr ? verb.get_name()
                                        : path_of(*verb.get_parent()) + " " + verb.get_name();
}

std::vector<const Verb*> shown_verbs(const Verb& parent) {
    std::vector<const Verb*> shown;
    for (const Verb* verb : parent.verbs()) {
        if (!verb->get_group().empty()) {
            shown.push_back(verb);
        }
    }
    return shown;
}

const Verb* verb_named(const Verb& parent, const std::string& word) {
    const std::vector<Verb*> verbs = parent.verbs();
    const auto found =
        std::ranges::find_if(verbs, [&](const Verb* verb) { return verb->check_name(word); });
    return found == verbs.end() ? nullptr : *found;
}

std::string footer_of(const Verb& verb) {
    const Verb* program = &verb;
    while (program->get_parent() != nullptr) {
        program = program->get_parent();
    }
    const bool is_inherited = program != &verb && verb.get_footer() == program->get_footer();
    return is_inherited ? std::string() : verb.get_footer();
}

} // namespace cli

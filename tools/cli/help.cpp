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

namespace {

/// The parts of a footer: what --help prints after the options.
struct Footer {
    std::string examples; ///< lines as they are
    std::string exit;     ///< `0 success, 1 damage, 2 failure`
    std::string notes;    ///< sentences
};

constexpr std::string_view exit_heading = "Exit codes: ";

/// Moves the sentence about exit codes out of the notes.
void extract_exit_codes(Footer& footer) {
    const std::size_t begin = footer.notes.find(exit_heading);
    if (begin == std::string::npos) {
        return;
    }
    const std::size_t end = std::min(footer.notes.find(". ", begin), footer.notes.size() - 1);
    const std::size_t text = begin + exit_heading.size();
    footer.exit = footer.notes.substr(text, end - text);
    footer.notes.erase(begin, std::min(end + 2, footer.notes.size()) - begin);
}

Footer parts_of(std::string_view text) {
    Footer footer;
    bool are_examples = false;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (line == "Examples:") {
            are_examples = true;
        } else if (are_examples && line.starts_with("  ")) {
            footer.examples.append(line) += '\n';
        } else if (are_examples) { // what is before them is on pages of its own
            footer.notes.append(footer.notes.empty() || line.empty() ? "" : " ").append(line);
        }
    }
    extract_exit_codes(footer);
    return footer;
}

/// Text for roff: without requests, and with characters that stay what they are.
std::string roff_escaped(std::string_view text) {
    std::string out;
    bool begins_line = true;
    for (const char c : text) {
        if (begins_line && (c == '.' || c == '\'')) {
            out += "\\&";
        }
        begins_line = c == '\n';
        switch (c) {
        case '\\':
            out += "\\e";
            break;
        case '-':
            out += "\\-";
            break;
        case '\'':
            out += "\\(aq";
            break;
        case '`':
            out += "\\(ga";
            break;
        case '^':
            out += "\\(ha";
            break;
        case '~':
            out += "\\(ti";
            break;
        default:
            out += c;
        }
    }
    return out;
}

/// Prose: code in backquotes is bold.
std::string prose(std::string_view text) {
    std::string out;
    bool is_code = false;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('`'), text.size());
        out += roff_escaped(text.substr(0, end));
        if (end < text.size()) {
            is_code = !is_code;
            out += is_code ? "\\fB" : "\\fR";
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out + (is_code ? "\\fR\n" : "\n");
}

/// `-o,--output FILE` as `-o, --output FILE`: names are bold, values italic.
std::string term_of(std::string_view text) {
    const std::size_t end = std::min(text.find(' '), text.size());
    std::string names(text.substr(0, end));
    for (std::size_t at = 0; (at = names.find(",-", at)) != std::string::npos; ++at) {
        names.insert(at + 1, " ");
    }
    const std::string_view value = text.substr(end);
    return fmt::format("\\fB{}\\fR{}", roff_escaped(names),
                       value.empty() ? ""
                                     : fmt::format(" \\fI{}\\fR", roff_escaped(value.substr(1))));
}

std::string entry(std::string_view term, std::string_view description,
                  std::string_view indentation = "") {
    return fmt::format(".TP{}\n{}\n{}", indentation, term_of(term),
                       description.empty() ? "\n" : prose(description));
}

std::string as_it_is(std::string_view lines) {
    return fmt::format(".nf\n{}.fi\n", roff_escaped(lines));
}

std::string upper(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return text;
}

/// `Print events` within a line: `print events`; `CPU use` stays.
std::string lower_first(std::string text) {
    if (text.size() > 1 && text[1] >= 'a' && text[1] <= 'z' && text[0] >= 'A' && text[0] <= 'Z') {
        text[0] = static_cast<char>(text[0] - 'A' + 'a');
    }
    return text;
}

std::string synopsis(const Verb& verb) {
    std::string line = fmt::format("\\fB{}\\fR [\\fIOPTIONS\\fR]", roff_escaped(path_of(verb)));
    for (const Option* option : verb.get_options()) {
        if (option->is_positional()) {
            const std::string name = name_of(verb, *option);
            line += option->is_required() ? fmt::format(" \\fI{}\\fR", roff_escaped(name))
                                          : fmt::format(" [\\fI{}\\fR]", roff_escaped(name));
        }
    }
    if (!shown_verbs(verb).empty()) {
        line += fmt::format(" \\fI{}\\fR ...", roff_escaped(verb.get_subcommand_label()));
    }
    return ".SH SYNOPSIS\n" + line + '\n';
}

/// A section for each group of options, as --help has them.
std::string option_sections(const Verb& verb) {
    std::string text;
    for (const OptionGroup& group : option_groups(verb, "Arguments")) {
        text += fmt::format(".SH {}\n", roff_escaped(upper(group.heading)));
        for (const Option* const option : group.options) {
            const bool is_noted = option->is_required() && !option->is_positional();
            text += entry(name_of(verb, *option),
                          option->get_description() + (is_noted ? " (required)" : ""));
        }
    }
    return text;
}

/// A section for each group of verbs.
std::string verb_sections(const Verb& parent) {
    std::string text;
    for (const VerbGroup& group : verb_groups(parent)) {
        text += fmt::format(".SH {}\n.PD 0\n", roff_escaped(upper(group.heading)));
        for (const Verb* const verb : group.verbs) {
            text += entry(verb->get_name(), verb->get_description(), " 14");
        }
        text += ".PD\n";
    }
    return text;
}

/// `0 success, 1 damage, losses, or skipped data` as a list.
std::string exit_section(std::string_view codes) {
    std::string text = ".SH EXIT STATUS\n";
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    while (!codes.empty()) {
        std::size_t end = 0;
        do {
            end = std::min(codes.find(", ", end + 1), codes.size());
        } while (end + 2 < codes.size() && !is_digit(codes[end + 2]));
        const std::string_view one = codes.substr(0, end);
        const std::size_t blank = std::min(one.find(' '), one.size());
        text += entry(one.substr(0, blank), one.substr(std::min(blank + 1, one.size())));
        codes.remove_prefix(std::min(end + 2, codes.size()));
    }
    return text;
}

/// The pages of the verb that this one belongs to, and of those that belong to it.
std::string see_also(const Verb& verb) {
    std::vector<const Verb*> others = shown_verbs(verb);
    if (verb.get_parent() != nullptr) {
        others.insert(others.begin(), verb.get_parent());
    }
    std::string text;
    for (const Verb* other : others) {
        text += fmt::format("{}\\fB{}\\fR(1)", text.empty() ? "" : ",\n",
                            roff_escaped(man_page_name(*other)));
    }
    return ".SH SEE ALSO\n" + text + (text.empty() ? "" : "\n.PP\n") +
           prose("The directory docs is in the package libetl-doc.");
}

} // namespace

std::string man_page_name(const Verb& verb) {
    std::string name = path_of(verb);
    std::ranges::replace(name, ' ', '-');
    return name;
}

std::string man_page(const Verb& verb) {
    const Footer footer = parts_of(footer_of(verb));
    std::string text =
        fmt::format(".TH {} 1 \"\" \"etl {}\" \"libetl\"\n.nh\n.ad l\n.SH NAME\n{} \\- {}",
                    roff_escaped(upper(man_page_name(verb))), ETL_VERSION,
                    roff_escaped(man_page_name(verb)), prose(lower_first(verb.get_description())));
    text += synopsis(verb) + verb_sections(verb) + option_sections(verb);
    if (!footer.examples.empty()) {
        text += ".SH EXAMPLES\n" + as_it_is(footer.examples);
    }
    if (!footer.notes.empty()) {
        text += ".SH NOTES\n" + prose(footer.notes);
    }
    if (!footer.exit.empty()) {
        text += exit_section(footer.exit);
    }
    return text + see_also(verb);
}

} // namespace cli

#include "cli/man_page.hpp"

#include "cli/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace cli {

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

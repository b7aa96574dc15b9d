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
constexpr std::size_t least_text_columns = 30;

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

} // namespace

// The parser's own headings have other cases in newer versions: `OPTIONS`.
std::string heading_of(const std::string& group) {
    const std::string lower = etl::to_lower_ascii(group);
    return lower == "options" ? "Options" : lower == "subcommands" ? "Subcommands" : group;
}

std::string HelpFormatter::spelling(const CLI::Option& option, bool is_positional) const {
    return option.get_name(is_positional, !is_positional);
}

std::string HelpFormatter::name_of(const CLI::Option& option, bool is_positional) const {
    std::string name = spelling(option, is_positional);
    if (is_positional) {
        return name + (option.get_expected_max() > 1 ? "..." : "");
    }
    const std::string type = option.get_type_name();
    if (option.get_type_size() != 0 && !type.empty()) {
        name += " " + type.substr(0, type.find(':'));
    }
    return name;
}

// The layout of CLI11 differs between its versions.
std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode /*mode*/) const {
    std::string text = app->get_description();
    text += text.empty() ? "" : "\n";
    text += usage_of(*app, name);
    const auto add_options = [&](const std::string& heading, bool are_positional,
                                 const std::vector<const CLI::Option*>& options) {
        text += options.empty() ? "" : fmt::format("\n{}:\n", heading);
        for (const CLI::Option* option : options) {
            text += make_option(option, are_positional);
        }
    };
    add_options("Positionals", true, app->get_options([](const CLI::Option* option) {
        return option->get_positional() && !option->get_group().empty();
    }));
    for (const std::string& group : app->get_groups()) {
        if (!group.empty()) { // hidden
            add_options(heading_of(group), false, app->get_options([&](const CLI::Option* option) {
                return option->nonpositional() && option->get_group() == group;
            }));
        }
    }
    const std::vector<const CLI::App*> verbs = shown_verbs(*app);
    std::vector<std::string> groups; // in the order of their first verbs
    for (const CLI::App* verb : verbs) {
        if (std::ranges::find(groups, verb->get_group()) == groups.end()) {
            groups.push_back(verb->get_group());
        }
    }
    for (const std::string& group : groups) {
        text += fmt::format("\n{}:\n", heading_of(group));
        for (const CLI::App* verb : verbs) {
            text += verb->get_group() == group ? make_subcommand(verb) : "";
        }
    }
    return text + '\n' + make_footer(app);
}

// `Usage: etl dump [OPTIONS] FILE...`
std::string HelpFormatter::usage_of(const CLI::App& verb, const std::string& name) const {
    std::string text = "Usage: " + name;
    if (!verb.get_options([](const CLI::Option* option) { return option->nonpositional(); })
             .empty()) {
        text += " [OPTIONS]";
    }
    for (const CLI::Option* option :
         verb.get_options([](const CLI::Option* one) { return one->get_positional(); })) {
        const std::string word = name_of(*option, true);
        text += option->get_required() ? ' ' + word : fmt::format(" [{}]", word);
    }
    if (!verb.get_subcommands({}).empty()) {
        const bool is_optional = verb.get_require_subcommand_min() == 0;
        text += (is_optional ? " [" : " ") + get_label("SUBCOMMAND") + (is_optional ? "]" : "");
    }
    return text + '\n';
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
    const bool is_noted = option->get_required() && !is_positional;
    return make_row("  " + name_of(*option, is_positional),
                    option->get_description() + (is_noted ? " (required)" : ""));
}

std::string HelpFormatter::make_subcommand(const CLI::App* verb) const {
    return make_row("  " + verb->get_name(), verb->get_description());
}

std::string HelpFormatter::make_row(const std::string& name, const std::string& description) const {
    const std::size_t width = std::max(width_, name_columns + least_text_columns);
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

// Examples are indented and stay as they are; the lines of a sentence are joined and wrapped.
std::string HelpFormatter::make_footer(const CLI::App* app) const {
    const std::string footer = footer_of(*app);
    std::string text, paragraph;
    const auto end_paragraph = [&] {
        for (const std::string_view line : wrap(paragraph, std::max(width_, least_text_columns))) {
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

const HelpFormatter& formatter_of(const CLI::App& verb) {
    return static_cast<const HelpFormatter&>(*verb.get_formatter());
}

std::string path_of(const CLI::App& verb) {
    return verb.get_parent() == nullptr ? verb.get_name()
                                        : path_of(*verb.get_parent()) + " " + verb.get_name();
}

std::vector<const CLI::App*> shown_verbs(const CLI::App& parent) {
    std::vector<const CLI::App*> verbs = parent.get_subcommands({});
    std::erase_if(verbs, [](const CLI::App* verb) { return verb->get_group().empty(); });
    return verbs;
}

const CLI::App* verb_named(const CLI::App& parent, const std::string& word) {
    const auto found =
        parent.get_subcommands([&](const CLI::App* verb) { return verb->check_name(word); });
    return found.empty() ? nullptr : found.front();
}

std::string footer_of(const CLI::App& verb) {
    const CLI::App* program = &verb;
    while (program->get_parent() != nullptr) {
        program = program->get_parent();
    }
    const bool is_inherited = program != &verb && verb.get_footer() == program->get_footer();
    return is_inherited ? std::string() : verb.get_footer();
}

std::size_t help_width() {
    const etl::io::Terminal terminal = etl::io::standard_output_terminal();
    constexpr std::size_t most = 120;
    constexpr std::size_t without_terminal = 100;
    return terminal.interactive
               ? std::min(static_cast<std::size_t>(std::max(terminal.columns, 0)), most)
               : without_terminal;
}

} // namespace cli

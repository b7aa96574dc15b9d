#include "cli/refusal.hpp"

#include "base/similar.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/help.hpp"
#include "cli/windows_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace cli {

namespace {

std::vector<std::string> names_of_verbs(const Verb& etl) {
    std::vector<std::string> names;
    for (const Verb* verb : etl.verbs()) {
        names.push_back(verb->get_name());
    }
    return names;
}

std::vector<std::string> names_of_options(const Verb& verb) {
    std::vector<std::string> names;
    for (const Option* option : verb.get_options()) {
        for (const std::string& name : option->long_names()) {
            names.push_back("--" + name);
        }
    }
    return names;
}

std::string similar_to(const std::string& word, const std::vector<std::string>& names) {
    const auto similar = etl::similar_words(word, names);
    return similar.empty() ? "" : fmt::format("; similar: {}", fmt::join(similar, ", "));
}

/// Returns the requested verb, which may be nested: `etl schema list`.
const Verb& verb_asked_for(const Verb& etl) {
    const Verb* verb = &etl;
    while (!verb->get_subcommands().empty()) {
        verb = verb->get_subcommands().front();
    }
    return *verb;
}

int refuse(const std::string& text) {
    say(printable(text));
    return static_cast<int>(ExitCode::usage);
}

std::string with_one_dash(std::string text) {
    for (std::size_t at = 0; (at = text.find("--", at)) != std::string::npos; ++at) {
        text.erase(at, 1);
    }
    return text;
}

int refuse_extras(const std::vector<std::string>& extras, const Verb& verb) {
    const auto unknown = std::ranges::find_if(
        extras, [](const std::string& word) { return word.size() > 1 && word.starts_with('-'); });
    if (unknown == extras.end()) {
        return refuse(fmt::format("unexpected argument '{}'; `{} --help` shows the usage",
                                  extras.empty() ? "" : extras.front(), path_of(verb)));
    }
    const std::string name = unknown->substr(0, unknown->find('='));
    const std::string similar = similar_to(name, names_of_options(verb));
    // In a Windows tool options have one dash.
    const auto shown = [&](const std::string& text) {
        return is_windows_tool(verb) ? with_one_dash(text) : text;
    };
    return refuse(fmt::format("unknown option {}{}; `{} --help` lists the options", shown(name),
                              shown(similar), path_of(verb)));
}

/// Rewords errors of the parser, such as `Could not convert: --pid = x` and `FILE: At Most 1
/// required but received 2`.
std::string reworded(std::string_view what) {
    constexpr std::string_view unread = "Could not convert: ";
    constexpr std::string_view equals = " = ";
    if (const auto at = what.find(equals); what.starts_with(unread) && at != what.npos) {
        return fmt::format("{}: '{}' is not a valid number",
                           what.substr(unread.size(), at - unread.size()),
                           what.substr(at + equals.size()));
    }
    constexpr std::string_view received = " required but received ";
    for (const auto& [bound, shown] :
         {std::pair<std::string_view, std::string_view>{": At Most ", "at most"},
          {": At most ", "at most"},
          {": At least ", "at least"}}) {
        const auto from = what.find(bound), to = what.find(received);
        if (from != what.npos && to != what.npos && from + bound.size() <= to) {
            return fmt::format("{}: expected {} {}, found {}", what.substr(0, from), shown,
                               what.substr(from + bound.size(), to - from - bound.size()),
                               what.substr(to + received.size()));
        }
    }
    std::string text(what); // `--format: 1 required FORMAT:{csv,json} missing`
    if (const auto choices = text.find(":{"); choices != text.npos) {
        text.erase(choices, text.find('}', choices) + 1 - choices);
    }
    return text;
}

} // namespace

int refuse_verb(const std::string& word, const Verb& parent) {
    return refuse(fmt::format("unknown verb '{}'{}; `{} --help` lists the verbs", word,
                              similar_to(word, names_of_verbs(parent)), path_of(parent)));
}

std::optional<int> refuse_unknown_verb(const Verb& etl) {
    const Verb& verb = verb_asked_for(etl);
    const std::vector<std::string> extras = etl.remaining(true);
    // xperf -help processing: the verbs of xperf are actions, which only follow -a.
    const bool has_verbs = verb.get_parent() == nullptr || verb.min_subcommands() > 0;
    const bool is_verb = has_verbs && !extras.empty() && !extras.front().starts_with('-');
    return is_verb ? std::optional(refuse_verb(extras.front(), verb)) : std::nullopt;
}

int refuse(const Verb& etl, const ParseEnd& end, const std::string& first) {
    const Verb& verb = verb_asked_for(etl);
    const std::vector<std::string> extras = etl.remaining(true);
    if (end.why == ParseEnd::Why::unknown) {
        const bool is_verb = &verb == &etl && !first.empty() && !first.starts_with('-');
        return is_verb ? refuse_verb(first, etl) : refuse_extras(extras, verb);
    }
    if (end.why == ParseEnd::Why::required && !names_of_verbs(verb).empty()) {
        return extras.empty() || extras.front().starts_with('-')
                   ? refuse(fmt::format("`{0}` requires a verb; `{0} --help` lists the verbs",
                                        path_of(verb)))
                   : refuse_verb(extras.front(), verb);
    }
    std::string what = reworded(end.text); // for --where, several lines that show the position
    if (is_windows_tool(verb) && what.starts_with("--")) {
        what.erase(0, 1);
    }
    say(what);
    say_plainly(fmt::format("Run `{} --help` for the options.", path_of(verb)));
    return static_cast<int>(ExitCode::usage);
}

} // namespace cli

#include "analysis/stack_patterns.hpp"

#include "analysis/limits.hpp"
#include "analysis/patterns/compiled_patterns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace etl::analysis {

namespace {

constexpr std::string_view blanks = " \t\r\n";

constexpr NamedGrouping all_named_groupings[] = {
    {"module-entries", "{%}!=>module $1", "modules, a row for each function that enters one"},
    {"modules", "{%}!->module $1", "modules"},
    {"class-entries", "{%!*}.%(=>class $1;{%!*}::=>class $1",
     "classes, a row for each function that enters one"},
    {"classes", "{%!*}.%(->class $1;{%!*}::->class $1", "classes"},
    {"os-clr",
     "\\Temporary ASP.NET Files\\->;v4.0.30319\\%!=>CLR;v2.0.50727\\%!=>CLR;mscoree=>CLR;"
     "coreclr!=>CLR;clrjit!=>CLR;\\Microsoft.NETCore.App\\%\\%!=>LIB;\\mscorlib.*!=>LIB;"
     "\\System.*!=>LIB;Presentation%=>WPF;WindowsBase%=>WPF;system32\\*!=>OS;syswow64\\*!=>OS;"
     "{%}!=> module $1",
     "Windows, .NET, its libraries, and other modules by their entries"},
    {"ignore-ids", "^Process% {%}->$1;^Thread->Thread", "processes and threads without IDs"},
};

/// Patterns of a text, and where each is.
struct PatternItem {
    std::string_view text;
    std::size_t at = 0;
};

std::string_view trimmed(std::string_view text) noexcept {
    const std::size_t first = text.find_first_not_of(blanks);
    return first == text.npos ? std::string_view()
                              : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<PatternItem> items_of(std::string_view text, std::size_t from) {
    std::vector<PatternItem> items;
    while (from <= text.size()) {
        const std::size_t end = std::min(text.find(';', from), text.size());
        const std::string_view item = trimmed(text.substr(from, end - from));
        if (!item.empty()) {
            items.push_back({item, static_cast<std::size_t>(item.data() - text.data())});
        }
        from = end + 1;
    }
    return items;
}

/// Where the patterns begin after a comment in brackets.
std::size_t after_comment(std::string_view text) noexcept {
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == text.npos || text[first] != '[') {
        return 0;
    }
    const std::size_t end = text.find(']', first);
    return end == text.npos ? 0 : end + 1;
}

/// Compiles the patterns of all texts, within their limits.
class PatternParser {
public:
    using Failed = std::unexpected<StackPatternError>;

    std::expected<std::vector<GroupPattern>, StackPatternError> groups(std::string_view text) {
        if (auto checked = check(text, "grouping"); !checked) {
            return Failed(std::move(checked.error()));
        }
        std::vector<GroupPattern> groups;
        for (const PatternItem& item : items_of(text, after_comment(text))) {
            const std::size_t entry = item.text.find("=>");
            const std::size_t arrow = entry != item.text.npos ? entry : item.text.find("->");
            auto pattern = compile({item.text.substr(0, arrow), item.at}, "grouping");
            if (!pattern) {
                return Failed(std::move(pattern.error()));
            }
            const std::string_view name =
                arrow == item.text.npos ? "$&" : trimmed(item.text.substr(arrow + 2));
            groups.push_back({*std::move(pattern), std::string(name), entry != item.text.npos});
        }
        return groups;
    }

    std::expected<std::vector<NamePattern>, StackPatternError> list(std::string_view text,
                                                                    std::string_view about) {
        if (auto checked = check(text, about); !checked) {
            return Failed(std::move(checked.error()));
        }
        std::vector<NamePattern> patterns;
        for (const PatternItem& item : items_of(text, 0)) {
            auto pattern = compile(item, about);
            if (!pattern) {
                return Failed(std::move(pattern.error()));
            }
            patterns.push_back(*std::move(pattern));
        }
        return patterns;
    }

    static Failed failed(std::string_view about, std::size_t column, std::string what) {
        return Failed(StackPatternError{{column, std::move(what)}, about});
    }

private:
    static std::expected<void, StackPatternError> check(std::string_view text,
                                                        std::string_view about) {
        if (text.size() > limits::stack_pattern_bytes) {
            return failed(about, limits::stack_pattern_bytes + 1,
                          fmt::format("more than {} bytes", limits::stack_pattern_bytes));
        }
        return {};
    }

    std::expected<NamePattern, StackPatternError> compile(const PatternItem& item,
                                                          std::string_view about) {
        auto pattern = NamePattern::parse(item.text, steps_left_);
        if (!pattern) {
            return failed(about, item.at + pattern.error().column, std::move(pattern.error().what));
        }
        steps_left_ -= pattern->size();
        return *std::move(pattern);
    }

    std::size_t steps_left_ = limits::stack_pattern_steps;
};

/// Returns the name of a group, which is cut like the name of a frame.
std::string filled_in(std::string_view name, const NameMatch& match, const PreparedName& of) {
    std::string filled;
    for (std::size_t i = 0; i < name.size() && filled.size() < limits::analysis_frame_bytes; ++i) {
        const char next = i + 1 < name.size() ? name[i + 1] : '\0';
        if (name[i] != '$' || (next != '&' && (next < '0' || next > '9'))) {
            filled += name[i];
            continue;
        }
        filled += match.text(next == '&' ? 0 : static_cast<std::size_t>(next - '0'), of);
        ++i;
    }
    filled.resize(std::min(filled.size(), limits::analysis_frame_bytes));
    return filled;
}

} // namespace

std::optional<StackPatterns::Group> CompiledPatterns::group_of(const PreparedName& full_name,
                                                               PatternMemory& memory) const {
    std::optional<StackPatterns::Group> group;
    PreparedName renamed;
    std::string text;
    const PreparedName* name = &full_name;
    for (const GroupPattern& one : groups) {
        const auto match = one.pattern.find(*name, memory);
        if (!match) {
            continue;
        }
        std::string filled = filled_in(one.name, *match, *name);
        if (filled.empty()) {
            return std::nullopt;
        }
        group = {std::move(filled), one.is_entry};
        if (one.is_entry) {
            break;
        }
        text = group->name; // which the following patterns see
        renamed.assign(text);
        name = &renamed;
    }
    return group;
}

StackPatterns::StackPatterns(std::shared_ptr<const CompiledPatterns> compiled) noexcept
    : compiled_(std::move(compiled)) {}

std::expected<StackPatterns, StackPatternError>
StackPatterns::parse(const StackPatternTexts& texts) {
    if (!(texts.fold_percent >= 0.0 && texts.fold_percent <= 100.0)) {
        return PatternParser::failed("fold_percent", 1, "expected 0 to 100");
    }
    const auto* const named =
        std::ranges::find(all_named_groupings, texts.grouping, &NamedGrouping::name);
    const bool is_named = named != std::end(all_named_groupings);
    CompiledPatterns compiled{.fold_percent = texts.fold_percent};
    PatternParser parser;
    auto groups = parser.groups(is_named ? named->patterns : std::string_view(texts.grouping));
    if (!groups) {
        return std::unexpected(std::move(groups.error()));
    }
    compiled.groups = *std::move(groups);
    const auto add = [&](std::vector<NamePattern>& to, std::string_view text,
                         std::string_view about) -> std::expected<void, StackPatternError> {
        auto list = parser.list(text, about);
        if (!list) {
            return std::unexpected(std::move(list.error()));
        }
        to = *std::move(list);
        return {};
    };
    auto added = add(compiled.folded, texts.folding, "folding");
    added = added ? add(compiled.included, texts.include, "include") : added;
    added = added ? add(compiled.excluded, texts.exclude, "exclude") : added;
    if (added && compiled.included.size() > limits::stack_included_patterns) {
        added = PatternParser::failed(
            "include", 1, fmt::format("more than {} patterns", limits::stack_included_patterns));
    }
    if (!added) {
        return std::unexpected(std::move(added.error()));
    }
    return StackPatterns(std::make_shared<const CompiledPatterns>(std::move(compiled)));
}

std::size_t StackPatterns::steps() const noexcept {
    std::size_t steps = 0;
    for (const GroupPattern& one : compiled_->groups) {
        steps += one.pattern.size();
    }
    for (const auto* const list :
         {&compiled_->folded, &compiled_->included, &compiled_->excluded}) {
        for (const NamePattern& one : *list) {
            steps += one.size();
        }
    }
    return steps;
}

std::optional<StackPatterns::Group> StackPatterns::group_of(std::string_view full_name) const {
    PreparedName name;
    name.assign(full_name);
    PatternMemory memory;
    return compiled_->group_of(name, memory);
}

std::span<const NamedGrouping> named_groupings() noexcept {
    return all_named_groupings;
}

} // namespace etl::analysis

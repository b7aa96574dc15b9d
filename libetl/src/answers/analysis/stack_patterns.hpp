// Patterns that group, fold, and select the frames of stacks, as PerfView has them.
// docs/flame.md#patterns
//
//     auto patterns = analysis::StackPatterns::parse({.grouping = "{%}!=>module $1"});
//     analysis::StackTree by_module = patterns->apply(tree);
#pragma once

#include <etl/error.hpp>

#include "analysis/stacks.hpp"
#include "match/expression.hpp"

#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace etl::analysis {

/// Patterns as a person writes them; empty: none.
struct StackPatternTexts {
    std::string grouping{}; // `PATTERN->NAME;PATTERN=>NAME`, or the name of a NamedGrouping
    std::string folding{};  // frames that become part of their callers
    std::string include{};  // stacks have a frame that matches, for each pattern
    std::string exclude{};  // stacks have no frame that matches
    /// Frames with less than this part of the whole weight, 0 to 100, become part of their callers.
    double fold_percent = 0.0;

    bool are_empty() const noexcept {
        return grouping.empty() && folding.empty() && include.empty() && exclude.empty() &&
               fold_percent == 0.0;
    }
};

/// What is wrong with a text; its column is that of the text.
struct StackPatternError : match::SyntaxError {
    std::string_view about; // name of a member of StackPatternTexts
};

/// Patterns for `grouping` that have a name.
struct NamedGrouping {
    std::string_view name, patterns, meaning;
};

/// Returns those that StackPatternTexts::grouping knows by name.
std::span<const NamedGrouping> named_groupings() noexcept;

/// The name of one that depends on the stacks.
inline constexpr std::string_view own_code = "my-code";

struct OwnCode {
    std::string grouping;
    std::size_t folders = 0, omitted = 0; // in all, and beyond the limits of patterns
};

/// Returns it: functions in the folders of the executables of processes have no group, all others
/// are OTHER. Nothing: the folders are unknown, or are those of programs that run others' code,
/// such as dotnet. Needs StackFrame::path. `steps_used`: StackPatterns::steps() of the patterns
/// that it is used with.
std::optional<OwnCode> own_code_grouping(const StackTree& tree, std::size_t steps_used = 0);

struct CompiledPatterns;

/// Compiled patterns. Immutable, cheap to copy, thread-safe.
class StackPatterns {
public:
    /// Errors: what is wrong, where, and in which text. Patterns have limits (limits.hpp).
    static std::expected<StackPatterns, StackPatternError> parse(const StackPatternTexts& texts);

    /// Returns a tree of the stacks that are included, with grouped and folded frames. Direct
    /// recursion is folded. A function that is not known by name is `?` of its module. Names of
    /// groups beyond limits::analysis_stack_text_bytes in all are `(other)`. If `stop` is
    /// requested, some stacks are missing.
    StackTree apply(const StackTree& tree, const Stop* stop = nullptr) const;

    /// Returns the number of steps, of which there are at most limits::stack_pattern_steps.
    std::size_t steps() const noexcept;

    struct Group {
        std::string name;
        bool is_entry = false; // a row for each function that enters the group

        bool operator==(const Group&) const = default;
    };

    /// Returns the group of a frame, by its full name. Nothing: it has none.
    std::optional<Group> group_of(std::string_view full_name) const;

private:
    explicit StackPatterns(std::shared_ptr<const CompiledPatterns> compiled) noexcept;

    std::shared_ptr<const CompiledPatterns> compiled_;
};

/// Returns the name of a frame that patterns match: `PATH\module!function` with the path of its
/// image, if that is known, without .exe or .dll; `Process NAME (ID)` of a process; else the text
/// of the frame. docs/flame.md#pattern-names
std::string full_name_of(const StackFrame& frame);

/// Returns a pattern that matches a frame of a tree, and others only if they have the same name: to
/// fold, include, or exclude it.
std::string pattern_of(const StackFrame& frame);

/// Returns the name of a frame as views show it: `module!function`.
std::string display_name_of(const StackFrame& frame);

// Other views of a tree. Their weights and counts add up to those of the stacks that they show.

/// Functions first, by their own weight, and above them who called them.
StackTree inverted(const StackTree& tree);

/// What a frame called, below it: from its innermost occurrence in each stack. `name`:
/// display_name_of() it.
StackTree callees_of(const StackTree& tree, std::string_view name);

/// Who called a frame, below it: from its outermost occurrence in each stack.
StackTree callers_of(const StackTree& tree, std::string_view name);

} // namespace etl::analysis

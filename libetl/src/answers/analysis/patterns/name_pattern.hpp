// Patterns of names in PerfView's language, matched in a time that is linear in the length of the
// name. Private to analysis. docs/flame.md#patterns
#pragma once

#include "match/expression.hpp"

#include <array>
#include <cstdint>
#include <expected>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace etl::analysis {

/// Returns a code point as patterns compare it.
std::uint32_t without_case(std::uint32_t point) noexcept;

/// A name, prepared for many patterns. The text outlives it.
struct PreparedName {
    std::string_view text{};
    std::vector<std::uint32_t> points{};  // code points
    std::vector<std::uint32_t> folded{};  // without case
    std::vector<std::uint32_t> offsets{}; // of each code point in the text, and of its end

    void assign(std::string_view name);
};

/// What a pattern and the groups in it matched; group 0 is the whole match.
struct NameMatch {
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::size_t groups = 10;

    std::array<std::uint32_t, 2 * groups> places = filled(); // begin, end: code points

    /// Empty if the group did not match.
    std::string_view text(std::size_t group, const PreparedName& name) const noexcept {
        const std::uint32_t begin = places[2 * group], end = places[(2 * group) + 1];
        return begin == none || end == none || end < begin
                   ? std::string_view()
                   : name.text.substr(name.offsets[begin], name.offsets[end] - name.offsets[begin]);
    }

private:
    static constexpr std::array<std::uint32_t, 2 * groups> filled() {
        std::array<std::uint32_t, 2 * groups> all{};
        all.fill(none);
        return all;
    }
};

/// A step of a compiled pattern. Targets are relative, so that steps can be moved.
struct PatternStep {
    enum class Kind : std::uint8_t {
        one,     // the code point `value`, without case
        any,     // any code point but a line feed
        set,     // one of the set number `value`
        split,   // goes on at `first`, or else at `second`
        jump,    // goes on at `first`
        save,    // notes the place number `value`
        begin,   // only at the begin of the name
        end,     // only at its end
        edge,    // only between a word and what is none
        no_edge, // only elsewhere
        match,
    };

    Kind kind = Kind::match;
    std::uint32_t value = 0;
    std::int32_t first = 1, second = 0;
};

/// A set of code points, without regard to case.
struct PointSet {
    enum Class : std::uint8_t { word = 1, digit = 2, space = 4 };

    std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges{};
    std::uint8_t classes = 0; // in the set,
    std::uint8_t outside = 0; // and all but these
    bool is_negated = false;

    bool contains(std::uint32_t point) const noexcept;
};

/// Memory of matches, reused. Each thread needs its own.
struct PatternMemory {
    struct Thread {
        std::int32_t step = 0;
        NameMatch match{};
    };

    std::vector<Thread> now{}, next{}, open{};
    std::vector<std::uint32_t> seen{}; // by step: the round in which it was reached
    std::uint32_t round = 0;
};

/// A compiled pattern: searched in names, without regard to case. Immutable.
class NamePattern {
public:
    /// Compiles a pattern of at most `max_steps` steps: `*`, `%`, `^`, `|`, `{`, `}`, all else
    /// literally; after `@`, a regular expression without backreferences and lookaround. Errors:
    /// the column in the text.
    static std::expected<NamePattern, match::SyntaxError> parse(std::string_view text,
                                                                std::size_t max_steps);

    std::size_t size() const noexcept { return steps_.size(); }

    /// Whether a part of the name matches.
    bool finds(const PreparedName& name, PatternMemory& memory) const;

    /// Returns the match that a backtracking search finds.
    std::optional<NameMatch> find(const PreparedName& name, PatternMemory& memory) const;

private:
    std::optional<NameMatch> run(const PreparedName& name, PatternMemory& memory,
                                 bool is_any_enough) const;
    void reach(std::vector<PatternMemory::Thread>& threads, PatternMemory::Thread from,
               std::uint32_t at, const PreparedName& name, PatternMemory& memory) const;
    bool passes(const PatternStep& step, std::uint32_t at, const PreparedName& name) const noexcept;

    std::vector<PatternStep> steps_;
    std::vector<PointSet> sets_;
    std::vector<std::uint32_t> required_; // every match contains these code points, folded
};

} // namespace etl::analysis

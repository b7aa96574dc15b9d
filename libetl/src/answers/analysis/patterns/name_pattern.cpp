#include "analysis/patterns/name_pattern.hpp"

#include "base/code_points.hpp"

#include <unicode/uchar.h>

#include <algorithm>
#include <span>

namespace etl::analysis {

std::uint32_t without_case(std::uint32_t point) noexcept {
    if (point < 0x80) {
        return point >= 'A' && point <= 'Z' ? point + ('a' - 'A') : point;
    }
    return static_cast<std::uint32_t>(u_foldCase(static_cast<UChar32>(point), U_FOLD_CASE_DEFAULT));
}

namespace {

bool is_ascii_digit(std::uint32_t point) noexcept {
    return point >= '0' && point <= '9';
}

/// As `\w` of .NET.
bool is_word(std::uint32_t point) noexcept {
    if (point < 0x80) {
        const std::uint32_t lower = without_case(point);
        return (lower >= 'a' && lower <= 'z') || is_ascii_digit(point) || point == '_';
    }
    const auto category = U_GET_GC_MASK(static_cast<UChar32>(point));
    return (category & (U_GC_L_MASK | U_GC_MN_MASK | U_GC_ND_MASK | U_GC_PC_MASK)) != 0;
}

bool is_of_class(std::uint32_t point, PointSet::Class one) noexcept {
    switch (one) {
    case PointSet::word:
        return is_word(point);
    case PointSet::digit:
        return point < 0x80 ? is_ascii_digit(point)
                            : u_charType(static_cast<UChar32>(point)) == U_DECIMAL_DIGIT_NUMBER;
    case PointSet::space:
        break;
    }
    return u_isUWhiteSpace(static_cast<UChar32>(point)) != 0;
}

} // namespace

void PreparedName::assign(std::string_view name) {
    text = name;
    points.clear();
    offsets.clear();
    const auto bytes = std::as_bytes(std::span(name));
    for (std::size_t at = 0; at < bytes.size();) {
        const CodePoint one = front_of_utf8(bytes.data() + at, bytes.size() - at);
        points.push_back(one.value);
        offsets.push_back(static_cast<std::uint32_t>(at));
        at += one.size;
    }
    offsets.push_back(static_cast<std::uint32_t>(name.size()));
    folded.resize(points.size());
    std::ranges::transform(points, folded.begin(), without_case);
}

bool PointSet::contains(std::uint32_t point) const noexcept {
    const auto is_in_range = [this](std::uint32_t one) {
        return std::ranges::any_of(
            ranges, [one](const auto& range) { return range.first <= one && one <= range.second; });
    };
    const auto other_case = [point](auto&& function) {
        return static_cast<std::uint32_t>(function(static_cast<UChar32>(point)));
    };
    bool found = is_in_range(point) || is_in_range(other_case(u_tolower)) ||
                 is_in_range(other_case(u_toupper));
    for (const Class one : {word, digit, space}) {
        found = found || ((classes & one) != 0 && is_of_class(point, one)) ||
                ((outside & one) != 0 && !is_of_class(point, one));
    }
    return found != is_negated;
}

bool NamePattern::finds(const PreparedName& name, PatternMemory& memory) const {
    return run(name, memory, true).has_value();
}

std::optional<NameMatch> NamePattern::find(const PreparedName& name, PatternMemory& memory) const {
    return run(name, memory, false);
}

bool NamePattern::passes(const PatternStep& step, std::uint32_t at,
                         const PreparedName& name) const noexcept {
    using enum PatternStep::Kind;
    const auto is_word_at = [&](std::size_t place) {
        return place < name.points.size() && is_word(name.points[place]);
    };
    switch (step.kind) {
    case begin:
        return at == 0;
    case end:
        return at == name.points.size();
    case edge:
        return (at > 0 && is_word_at(at - 1)) != is_word_at(at);
    case no_edge:
        return (at > 0 && is_word_at(at - 1)) == is_word_at(at);
    case one:
        return at < name.folded.size() && name.folded[at] == step.value;
    case any:
        return at < name.points.size() && name.points[at] != '\n';
    case set:
        return at < name.points.size() && sets_[step.value].contains(name.points[at]);
    case split:
    case jump:
    case save:
    case match:
        break;
    }
    return true;
}

/// Adds the threads that a thread becomes before the next code point, the preferred first.
void NamePattern::reach(std::vector<PatternMemory::Thread>& threads, PatternMemory::Thread from,
                        std::uint32_t at, const PreparedName& name, PatternMemory& memory) const {
    using enum PatternStep::Kind;
    memory.open.assign(1, from);
    while (!memory.open.empty()) {
        PatternMemory::Thread thread = memory.open.back();
        memory.open.pop_back();
        std::uint32_t& seen = memory.seen[static_cast<std::size_t>(thread.step)];
        if (std::exchange(seen, memory.round) == memory.round) {
            continue;
        }
        const PatternStep& step = steps_[static_cast<std::size_t>(thread.step)];
        const bool consumes = step.kind == one || step.kind == any || step.kind == set;
        if (consumes || step.kind == match) {
            threads.push_back(thread);
            continue;
        }
        if (!passes(step, at, name)) {
            continue;
        }
        if (step.kind == split) {
            memory.open.push_back({thread.step + step.second, thread.match});
        } else if (step.kind == save) {
            thread.match.places[step.value] = at;
        }
        thread.step += step.first;
        memory.open.push_back(thread);
    }
}

/// All threads go through the name together, in the order in which backtracking would try them, so
/// that no place is visited twice by the same step (Thompson, Pike).
std::optional<NameMatch> NamePattern::run(const PreparedName& name, PatternMemory& memory,
                                          bool is_any_enough) const {
    if (std::ranges::search(name.folded, required_).empty() && !required_.empty()) {
        return std::nullopt;
    }
    std::optional<NameMatch> found;
    memory.now.clear();
    memory.seen.assign(steps_.size(), 0);
    memory.round = 1;
    for (std::uint32_t at = 0; at <= name.points.size(); ++at) {
        if (!found) {
            reach(memory.now, {}, at, name, memory);
        }
        if (found && memory.now.empty()) {
            break;
        }
        ++memory.round;
        memory.next.clear();
        for (const PatternMemory::Thread& thread : memory.now) {
            const PatternStep& step = steps_[static_cast<std::size_t>(thread.step)];
            if (step.kind == PatternStep::Kind::match) {
                found = thread.match;
                break; // the others are less preferred
            }
            if (passes(step, at, name)) {
                reach(memory.next, {thread.step + 1, thread.match}, at + 1, name, memory);
            }
        }
        if (found && is_any_enough) {
            break;
        }
        std::swap(memory.now, memory.next);
    }
    return found;
}

} // namespace etl::analysis

// Compiles patterns of names and regular expressions into steps.
#include "analysis/patterns/name_pattern.hpp"
#include "base/code_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace etl::analysis {

namespace {

using Steps = std::vector<PatternStep>;
using StepKind = PatternStep::Kind;

constexpr std::size_t max_group_depth = 100;
constexpr std::uint32_t max_repeats = 1000;

void append(Steps& to, const Steps& more) {
    to.insert(to.end(), more.begin(), more.end());
}

std::int32_t distance(const Steps& over) noexcept {
    return static_cast<std::int32_t>(over.size());
}

Steps either(const Steps& first, const Steps& second) {
    Steps all{{.kind = StepKind::split, .first = 1, .second = distance(first) + 2}};
    append(all, first);
    all.push_back({.kind = StepKind::jump, .first = distance(second) + 1});
    append(all, second);
    return all;
}

PatternStep choice(std::int32_t more, std::int32_t less, bool is_lazy) {
    return {
        .kind = StepKind::split, .first = is_lazy ? less : more, .second = is_lazy ? more : less};
}

Steps any_number_of(const Steps& one, bool is_lazy) {
    Steps all{choice(1, distance(one) + 2, is_lazy)};
    append(all, one);
    all.push_back({.kind = StepKind::jump, .first = -(distance(one) + 1)});
    return all;
}

Steps at_most_one(const Steps& one, bool is_lazy) {
    Steps all{choice(1, distance(one) + 1, is_lazy)};
    append(all, one);
    return all;
}

/// How often a part of a regular expression is repeated.
struct Repeats {
    std::uint32_t least = 0;
    std::optional<std::uint32_t> most{};
    bool is_lazy = false;
};

class PatternCompiler {
public:
    PatternCompiler(std::string_view text, std::size_t max_steps)
        : text_(text), max_steps_(max_steps), is_regex_(text.starts_with('@')),
          at_(is_regex_ ? 1 : 0) {}

    struct Compiled {
        Steps steps;
        std::vector<PointSet> sets;
        std::vector<std::uint32_t> required;
    };

    std::expected<Compiled, match::SyntaxError> compile() {
        const Steps body = alternatives(0);
        if (!error_ && at_ < text_.size()) {
            fail(at_, fmt::format("'{}' without '{}'", text_[at_], is_regex_ ? '(' : '{'));
        }
        Compiled compiled{.steps = {save(0)}, .sets = {}, .required = {}};
        append(compiled.steps, body);
        compiled.steps.push_back(save(1));
        compiled.steps.push_back({});
        check_size(compiled.steps.size());
        if (error_) {
            return std::unexpected(*std::move(error_));
        }
        compiled.sets = std::move(sets_);
        compiled.required = std::move(required_);
        return compiled;
    }

private:
    static PatternStep save(std::uint32_t place) {
        return {.kind = StepKind::save, .value = place};
    }

    void fail(std::size_t at, std::string what) {
        if (!error_) {
            error_ = match::SyntaxError{at + 1, std::move(what)};
        }
    }

    void check_size(std::size_t steps) {
        if (steps > max_steps_) {
            fail(at_, "patterns are too long");
        }
    }

    bool is_at(char one) const noexcept { return at_ < text_.size() && text_[at_] == one; }

    bool take(char one) noexcept {
        const bool is_there = is_at(one);
        at_ += is_there ? 1 : 0;
        return is_there;
    }

    std::uint32_t next_point() noexcept {
        const auto bytes = std::as_bytes(std::span(text_)).subspan(at_);
        const CodePoint one = front_of_utf8(bytes.data(), bytes.size());
        at_ += one.size;
        return one.value;
    }

    Steps set_step(PointSet set) {
        sets_.push_back(std::move(set));
        return {{.kind = StepKind::set, .value = static_cast<std::uint32_t>(sets_.size() - 1)}};
    }

    Steps alternatives(std::size_t depth) {
        Steps all = sequence(depth);
        bool is_one = true;
        while (!error_ && take('|')) {
            all = either(all, sequence(depth));
            check_size(all.size());
            is_one = false;
        }
        if (depth == 0 && !is_one) {
            required_.clear();
        }
        return all;
    }

    Steps sequence(std::size_t depth) {
        Steps all;
        std::vector<std::uint32_t> literal; // that ends here
        while (!error_ && at_ < text_.size() && !is_at('|') && !is_at(is_regex_ ? ')' : '}')) {
            const Steps one = is_regex_ ? repeated(depth) : simple(depth);
            append(all, one);
            check_size(all.size());
            if (one.size() != 1 || one.front().kind != StepKind::one) {
                literal.clear();
            } else if (depth == 0) {
                literal.push_back(one.front().value);
            }
            if (literal.size() > required_.size()) {
                required_ = literal;
            }
        }
        return all;
    }

    static Steps literal_of(std::uint32_t point) {
        return {{.kind = StepKind::one, .value = without_case(point)}};
    }

    /// A part of a pattern.
    Steps simple(std::size_t depth) {
        if (take('*')) {
            return any_number_of({{.kind = StepKind::any}}, false);
        }
        if (take('%')) {
            return any_number_of(
                set_step({.ranges = {{'.', '.'}, {'?', '?'}}, .classes = PointSet::word}), false);
        }
        if (take('^')) {
            return {{.kind = StepKind::begin}};
        }
        if (is_at('{')) {
            return group(depth);
        }
        return literal_of(next_point());
    }

    /// Captures have numbers in the order of their begins.
    Steps group(std::size_t depth) {
        const std::size_t start = at_++;
        bool captures = true;
        if (is_regex_ && take('?')) {
            captures = false;
            if (!take(':')) {
                fail(at_, "of the groups that begin with '(?', only '(?:' is supported");
            }
        }
        if (depth >= max_group_depth) {
            fail(start, "groups are nested too deeply");
        }
        const std::uint32_t number = captures ? ++groups_ : 0;
        Steps all;
        if (!error_) {
            all = alternatives(depth + 1);
        }
        if (!error_ && !take(is_regex_ ? ')' : '}')) {
            fail(start, fmt::format("'{}' without '{}'", text_[start], is_regex_ ? ')' : '}'));
        }
        if (captures && number < NameMatch::groups) {
            all.insert(all.begin(), save(2 * number));
            all.push_back(save((2 * number) + 1));
        }
        return all;
    }

    // Regular expressions.

    Steps repeated(std::size_t depth) {
        const std::size_t start = at_;
        if (is_at('*') || is_at('+') || is_at('?')) {
            fail(start, fmt::format("'{}' repeats nothing", text_[start]));
            return {};
        }
        Steps one = atom(depth);
        const auto repeats = error_ ? std::nullopt : take_repeats();
        if (!repeats) {
            return one;
        }
        if (is_at('*') || is_at('+') || is_at('?') || at_of_braces()) {
            fail(at_, "what is repeated already is repeated");
        }
        return repeat(one, *repeats);
    }

    Steps atom(std::size_t depth) {
        if (is_at('(')) {
            return group(depth);
        }
        if (is_at('[')) {
            return bracketed();
        }
        if (is_at('\\')) {
            return escaped();
        }
        if (take('.')) {
            return {{.kind = StepKind::any}};
        }
        if (take('^')) {
            return {{.kind = StepKind::begin}};
        }
        if (take('$')) {
            return {{.kind = StepKind::end}};
        }
        return literal_of(next_point());
    }

    std::optional<Repeats> take_repeats() {
        Repeats repeats;
        if (take('+')) {
            repeats.least = 1;
        } else if (take('?')) {
            repeats.most = 1;
        } else if (!take('*')) {
            const auto braces = at_of_braces();
            if (!braces) {
                return std::nullopt;
            }
            repeats = *braces;
            at_ = text_.find('}', at_) + 1;
        }
        repeats.is_lazy = take('?');
        return repeats;
    }

    /// `{2}`, `{2,}`, `{2,4}`; anything else is literal.
    std::optional<Repeats> at_of_braces() {
        const std::size_t end = text_.find('}', at_);
        if (!is_at('{') || end == std::string_view::npos) {
            return std::nullopt;
        }
        const std::string_view inner = text_.substr(at_ + 1, end - at_ - 1);
        const std::size_t comma = inner.find(',');
        const auto number_in = [](std::string_view digits) -> std::optional<std::uint32_t> {
            if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos) {
                return std::nullopt;
            }
            return digits.size() > 4 ? max_repeats + 1 : number_of(digits);
        };
        const auto least = number_in(inner.substr(0, comma));
        const std::string_view rest =
            comma == inner.npos ? std::string_view() : inner.substr(comma + 1);
        const auto most = comma == inner.npos ? least : number_in(rest);
        if (!least || (!most && !rest.empty())) {
            return std::nullopt;
        }
        if (*least > max_repeats || most.value_or(0) > max_repeats) {
            fail(at_, fmt::format("more than {} repeats", max_repeats));
        } else if (most && *most < *least) {
            fail(at_, "fewer repeats at most than at least");
        }
        return Repeats{.least = *least, .most = most};
    }

    static std::uint32_t number_of(std::string_view digits) noexcept {
        std::uint32_t number = 0;
        for (const char digit : digits) {
            number = (number * 10) + static_cast<std::uint32_t>(digit - '0');
        }
        return number;
    }

    Steps repeat(const Steps& one, const Repeats& repeats) {
        const std::size_t copies = std::max(repeats.least, repeats.most.value_or(repeats.least));
        check_size((copies + 1) * (one.size() + 1));
        Steps all;
        if (error_) {
            return all;
        }
        for (std::uint32_t i = 0; i < repeats.least; ++i) {
            append(all, one);
        }
        if (!repeats.most) {
            append(all, any_number_of(one, repeats.is_lazy));
            return all;
        }
        Steps more; // inside out: each only after the one before
        for (std::uint32_t i = repeats.least; i < *repeats.most; ++i) {
            Steps longer = one;
            append(longer, more);
            more = at_most_one(longer, repeats.is_lazy);
        }
        append(all, more);
        return all;
    }

    /// The set that a letter after a backslash stands for.
    static std::optional<PointSet> class_of(char letter) {
        switch (letter) {
        case 'w':
            return PointSet{.classes = PointSet::word};
        case 'd':
            return PointSet{.classes = PointSet::digit};
        case 's':
            return PointSet{.classes = PointSet::space};
        case 'W':
            return PointSet{.outside = PointSet::word};
        case 'D':
            return PointSet{.outside = PointSet::digit};
        case 'S':
            return PointSet{.outside = PointSet::space};
        default:
            return std::nullopt;
        }
    }

    static std::optional<StepKind> place_of(char letter) {
        switch (letter) {
        case 'A':
            return StepKind::begin;
        case 'Z':
        case 'z':
            return StepKind::end;
        case 'b':
            return StepKind::edge;
        case 'B':
            return StepKind::no_edge;
        default:
            return std::nullopt;
        }
    }

    Steps escaped() {
        const char letter = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
        if (const auto place = place_of(letter)) {
            at_ += 2;
            return {{.kind = *place}};
        }
        if (auto set = class_of(letter)) {
            at_ += 2;
            return set_step(*std::move(set));
        }
        return literal_of(escaped_point());
    }

    /// A code point that is written with a backslash.
    std::uint32_t escaped_point() {
        const std::size_t start = at_++;
        if (at_ == text_.size()) {
            fail(start, "'\\' at the end");
            return 0;
        }
        const std::uint32_t point = next_point();
        switch (point) {
        case 't':
            return '\t';
        case 'n':
            return '\n';
        case 'r':
            return '\r';
        case 'x':
            return hex_point(start, 2);
        case 'u':
            return hex_point(start, 4);
        default:
            break;
        }
        if (point < 0x80 && is_alphanumeric(static_cast<char>(point))) {
            fail(start, fmt::format("'\\{}' is not supported", static_cast<char>(point)));
        }
        return point;
    }

    static bool is_alphanumeric(char one) noexcept {
        return (one >= '0' && one <= '9') || (one >= 'a' && one <= 'z') ||
               (one >= 'A' && one <= 'Z');
    }

    std::uint32_t hex_point(std::size_t start, std::size_t digits) {
        const std::string_view text = text_.substr(at_, digits);
        std::uint32_t point = 0;
        const auto [end, error] =
            std::from_chars(text.data(), text.data() + text.size(), point, 16);
        if (error != std::errc() || text.size() != digits || end != text.data() + digits) {
            fail(start, fmt::format("expected {} hexadecimal digits", digits));
        }
        at_ += text.size();
        return point;
    }

    Steps bracketed() {
        const std::size_t start = at_++;
        PointSet set{.is_negated = take('^')};
        for (bool is_first = true; !error_ && (is_first || !is_at(']')); is_first = false) {
            if (at_ >= text_.size()) {
                fail(start, "'[' without ']'");
                break;
            }
            add_range(set);
        }
        ++at_;
        return set_step(std::move(set));
    }

    void add_range(PointSet& set) {
        const std::size_t start = at_;
        const char letter = is_at('\\') && at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
        if (const auto one = class_of(letter)) {
            at_ += 2;
            set.classes |= one->classes;
            set.outside |= one->outside;
            return;
        }
        const std::uint32_t first = is_at('\\') ? escaped_point() : next_point();
        std::uint32_t last = first;
        const bool is_range = is_at('-') && at_ + 1 < text_.size() && text_[at_ + 1] != ']';
        if (is_range) {
            ++at_;
            last = is_at('\\') ? escaped_point() : next_point();
        }
        if (last < first) {
            fail(start, "a range that ends before it begins");
        }
        set.ranges.emplace_back(first, last);
    }

    std::string_view text_;
    std::size_t max_steps_;
    bool is_regex_;
    std::size_t at_;
    std::uint32_t groups_ = 0;
    std::vector<PointSet> sets_;
    std::vector<std::uint32_t> required_; // the longest literal part outside of groups
    std::optional<match::SyntaxError> error_;
};

} // namespace

std::expected<NamePattern, match::SyntaxError> NamePattern::parse(std::string_view text,
                                                                  std::size_t max_steps) {
    auto compiled = PatternCompiler(text, max_steps).compile();
    if (!compiled) {
        return std::unexpected(std::move(compiled.error()));
    }
    NamePattern pattern;
    pattern.steps_ = std::move(compiled->steps);
    pattern.sets_ = std::move(compiled->sets);
    pattern.required_ = std::move(compiled->required);
    return pattern;
}

} // namespace etl::analysis

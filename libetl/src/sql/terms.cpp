#include "sql/terms.hpp"

#include <etl/base/text.hpp>

#include <algorithm>
#include <array>

namespace etl::sql {

namespace {

using TokenKind = Token::Kind;

/// Words that an operand follows.
constexpr std::array<std::string_view, 44> leading_words{
    "select", "distinct", "all",    "where",     "and",     "or",        "not",    "in",     "like",
    "glob",   "match",    "regexp", "between",   "is",      "when",      "then",   "else",   "case",
    "having", "on",       "by",     "limit",     "offset",  "from",      "join",   "values", "as",
    "escape", "using",    "filter", "over",      "union",   "intersect", "except", "exists", "with",
    "order",  "group",    "set",    "recursive", "collate", "explain",   "cross",  "natural"};

constexpr std::array<std::string_view, 10> calculations{"+", "-", "*",  "/",  "%",
                                                        "&", "|", "<<", ">>", "~"};
constexpr std::array<std::string_view, 8> comparisons{"=", "==", "<>", "!=", "<", "<=", ">", ">="};
constexpr std::array<std::string_view, 3> links{"||", "->", "->>"};

template <std::size_t size>
bool is_mark_of(const Token& token, const std::array<std::string_view, size>& marks) noexcept {
    return token.kind == TokenKind::mark && std::ranges::find(marks, token.text) != marks.end();
}

bool is_mark(const Token& token, std::string_view mark) noexcept {
    return token.kind == TokenKind::mark && token.text == mark;
}

bool is_leading_word(const Token& token) noexcept {
    return token.kind == TokenKind::word &&
           std::ranges::any_of(leading_words, [&](std::string_view word) {
               return equals_ignoring_case(token.text, word);
           });
}

bool is_bytes(const Token& token) noexcept {
    return token.kind == TokenKind::mark && token.text.ends_with('\'');
}

} // namespace

Terms::Terms(std::string_view query) : tokens_(tokens_of(query)) {
    match_brackets();
    find_terms();
}

const Token& Terms::token(std::size_t i) const noexcept {
    static constexpr Token no_token{};
    return i < tokens_.size() ? tokens_[i] : no_token;
}

bool Terms::is_word(std::size_t i, std::string_view word) const noexcept {
    return token(i).kind == TokenKind::word && equals_ignoring_case(token(i).text, word);
}

void Terms::match_brackets() {
    partners_.assign(tokens_.size(), none);
    openers_.assign(tokens_.size(), none);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        const bool closes_bracket = is_mark(tokens_[i], ")");
        if (closes_bracket || is_word(i, "end")) {
            while (closes_bracket && !open.empty() && !is_mark(tokens_[open.back()], "(")) {
                open.pop_back(); // a CASE without an end
            }
            if (!open.empty() && is_mark(tokens_[open.back()], "(") == closes_bracket) {
                partners_[i] = open.back();
                partners_[open.back()] = i;
                open.pop_back();
            }
        }
        openers_[i] = open.empty() ? none : open.back();
        if (is_mark(tokens_[i], "(") || is_word(i, "case")) {
            open.push_back(i);
        }
    }
}

void Terms::find_terms() {
    ends_.assign(tokens_.size(), none);
    begins_.assign(tokens_.size(), none);
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        std::size_t sign = i;
        while (sign > 0 && is_sign(sign - 1)) {
            --sign;
        }
        const bool continues =
            sign > 0 && (is_mark_of(tokens_[sign - 1], links) || is_mark(tokens_[sign - 1], ".") ||
                         is_word(sign - 1, "collate") || is_operand_end(sign - 1));
        if (continues) {
            continue;
        }
        if (const std::size_t end = end_of_term(i); end != none) {
            ends_[i] = end;
            begins_[end] = i;
        }
    }
}

std::optional<std::size_t> Terms::partner_of(std::size_t i) const noexcept {
    return i < partners_.size() && partners_[i] != none ? std::optional(partners_[i])
                                                        : std::nullopt;
}

std::optional<std::size_t> Terms::opener_of(std::size_t i) const noexcept {
    return i < openers_.size() && openers_[i] != none ? std::optional(openers_[i]) : std::nullopt;
}

std::optional<Term> Terms::beginning_at(std::size_t i) const noexcept {
    return i < ends_.size() && ends_[i] != none ? std::optional(Term{i, ends_[i]}) : std::nullopt;
}

bool Terms::is_operand_end(std::size_t i) const noexcept {
    const Token& at = token(i);
    return at.kind == TokenKind::mark ? at.text == ")" || is_bytes(at) : !is_leading_word(at);
}

/// `+`, `-`, and `~` of one operand.
bool Terms::is_sign(std::size_t i) const noexcept {
    constexpr std::array<std::string_view, 3> signs{"+", "-", "~"};
    return is_mark_of(token(i), signs) && (i == 0 || !is_operand_end(i - 1));
}

bool Terms::is_calculation(std::size_t i) const noexcept {
    return i > 0 && is_mark_of(token(i), calculations) && is_operand_end(i - 1);
}

std::size_t Terms::end_of_call(std::size_t i) const noexcept {
    for (;;) {
        std::size_t next = none;
        if (is_word(i + 1, "filter") && is_mark(token(i + 2), "(")) {
            next = partners_[i + 2];
        } else if (is_word(i + 1, "over")) {
            next = is_mark(token(i + 2), "(") ? partners_[i + 2] : i + 2;
        }
        if (next == none) {
            return std::min(i, tokens_.size() - 1);
        }
        i = next;
    }
}

std::size_t Terms::end_of_primary(std::size_t i) const noexcept {
    const Token& at = token(i);
    if (i >= tokens_.size()) {
        return none;
    }
    if (is_mark(at, "(") || is_word(i, "case")) {
        return partners_[i];
    }
    if (at.kind == TokenKind::number || at.kind == TokenKind::text || is_bytes(at)) {
        return i;
    }
    if (at.kind == TokenKind::mark || is_leading_word(at)) {
        return none;
    }
    while (is_mark(token(i + 1), ".") &&
           (token(i + 2).kind == TokenKind::word || token(i + 2).kind == TokenKind::name)) {
        i += 2;
    }
    if (!is_mark(token(i + 1), "(")) {
        return i;
    }
    return partners_[i + 1] == none ? none : end_of_call(partners_[i + 1]);
}

std::size_t Terms::end_of_term(std::size_t i) const noexcept {
    std::size_t end = end_of_primary(i);
    while (end != none) {
        if (is_word(end + 1, "collate") && end + 2 < tokens_.size()) {
            end += 2;
            continue;
        }
        if (!is_mark_of(token(end + 1), links)) {
            break;
        }
        std::size_t next = end + 2;
        while (is_sign(next)) {
            ++next;
        }
        next = end_of_primary(next);
        if (next == none) {
            break;
        }
        end = next;
    }
    return end;
}

bool Terms::is_calculated(const Term& term) const noexcept {
    std::size_t i = term.first;
    while (i > 0 && is_mark(token(i - 1), "+") && is_sign(i - 1)) {
        --i;
    }
    const bool is_after = i > 0 && is_mark_of(token(i - 1), calculations) &&
                          (is_sign(i - 1) || is_operand_end(i - 2));
    return is_after || is_calculation(term.last + 1);
}

/// With the calculations that it is part of.
std::optional<Term> Terms::operand_ending_at(std::size_t i) const noexcept {
    if (i >= begins_.size() || begins_[i] == none) {
        return std::nullopt;
    }
    Term operand{begins_[i], i};
    for (;;) {
        while (operand.first > 0 && is_sign(operand.first - 1)) {
            --operand.first;
        }
        const std::size_t before = operand.first;
        if (before < 2 || !is_calculation(before - 1) || begins_[before - 2] == none) {
            return operand;
        }
        operand.first = begins_[before - 2];
    }
}

std::optional<Term> Terms::operand_beginning_at(std::size_t i) const noexcept {
    Term operand{i, i};
    for (;;) {
        while (is_sign(i)) {
            ++i;
        }
        const auto term = beginning_at(i);
        if (!term) {
            return std::nullopt;
        }
        operand.last = term->last;
        if (!is_calculation(operand.last + 1)) {
            return operand;
        }
        i = operand.last + 2;
    }
}

/// The operand before words such as IS NOT and NOT BETWEEN, which end at `i`.
std::optional<Term> Terms::operand_before_words(std::size_t i) const noexcept {
    const auto is_part = [&](std::size_t at) {
        constexpr std::array<std::string_view, 6> words{"is",   "not",     "distinct",
                                                        "from", "between", "in"};
        return std::ranges::any_of(words, [&](std::string_view word) { return is_word(at, word); });
    };
    while (i > 0 && is_part(i)) {
        --i;
    }
    return operand_ending_at(i);
}

std::optional<Term> Terms::compared_with(const Term& term) const noexcept {
    if (is_mark_of(token(term.last + 1), comparisons)) {
        return operand_beginning_at(term.last + 2);
    }
    if (term.first == 0) {
        return std::nullopt;
    }
    const std::size_t before = term.first - 1;
    if (is_mark_of(token(before), comparisons)) {
        return before == 0 ? std::nullopt : operand_ending_at(before - 1);
    }
    const bool is_negated = is_word(before, "not") && before > 0 && is_word(before - 1, "is");
    if (is_word(before, "is") || is_word(before, "between") || is_negated ||
        (is_word(before, "from") && before > 0 && is_word(before - 1, "distinct"))) {
        return operand_before_words(before);
    }
    if (is_word(before, "and") && before > 0) { // the end of BETWEEN
        const auto low = operand_ending_at(before - 1);
        return low && low->first > 0 && is_word(low->first - 1, "between")
                   ? operand_before_words(low->first - 1)
                   : std::nullopt;
    }
    const auto opener = opener_of(term.first);
    const bool is_in_list = is_mark(token(before), "(") || is_mark(token(before), ",");
    if (opener && is_in_list && *opener > 0 && is_word(*opener - 1, "in")) {
        return operand_before_words(*opener - 1);
    }
    if (opener && is_word(before, "when") && is_word(*opener, "case")) {
        return operand_beginning_at(*opener + 1);
    }
    return std::nullopt;
}

std::optional<std::size_t> Terms::column_of(const Term& term) const noexcept {
    std::size_t first = term.first;
    while (first < term.last && is_mark(token(first), "+")) {
        ++first; // of one operand, it changes nothing
    }
    for (std::size_t i = first; i <= term.last; ++i) {
        const bool is_name = token(i).kind == TokenKind::word || token(i).kind == TokenKind::name;
        const bool is_fitting = (i - first) % 2 == 0 ? is_name : is_mark(token(i), ".");
        if (!is_fitting) {
            return std::nullopt;
        }
    }
    return term.last;
}

} // namespace etl::sql

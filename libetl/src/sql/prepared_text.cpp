#include "sql/prepared_text.hpp"

#include <etl/base/text.hpp>

#include "sql/collations.hpp"
#include "sql/names.hpp"
#include "sql/tokens.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace etl::sql {

namespace {

using Kind = Token::Kind;

constexpr std::string_view collate = " COLLATE etl_value";

/// Words that end the list of a SELECT.
constexpr std::array<std::string_view, 9> list_ends{
    "from", "where", "group", "having", "order", "limit", "union", "intersect", "except"};

/// Functions that return one of their arguments.
constexpr std::array<std::string_view, 11> passing_functions{
    "max", "min",  "coalesce",    "ifnull",     "nullif",   "iif",
    "lag", "lead", "first_value", "last_value", "nth_value"};

bool is_word(const Token& token, std::string_view word) noexcept {
    return token.kind == Kind::word && equals_ignoring_case(token.text, word);
}

template <std::size_t size>
bool is_one_of(const Token& token, const std::array<std::string_view, size>& words) noexcept {
    return std::ranges::any_of(words, [&](std::string_view word) { return is_word(token, word); });
}

bool is_bit_operator(const Token& token) noexcept {
    constexpr std::array<std::string_view, 5> marks{"&", "|", "<<", ">>", "~"};
    return token.kind == Kind::mark && std::ranges::find(marks, token.text) != marks.end();
}

/// Whether SQLite makes of a number another one, or a REAL.
bool is_beyond_integer(std::string_view number) noexcept {
    const char* const end = number.data() + number.size();
    if (number.starts_with("0x") || number.starts_with("0X")) {
        std::uint64_t bits = 0;
        const auto [at, code] = std::from_chars(number.data() + 2, end, bits, 16);
        return code != std::errc{} || bits >> 63U != 0;
    }
    std::int64_t integer = 0;
    if (const auto [at, code] = std::from_chars(number.data(), end, integer);
        code == std::errc{} && at == end) {
        return false;
    }
    constexpr double beyond = 9223372036854775808.0;
    double value = 0;
    const auto [at, code] = std::from_chars(number.data(), end, value);
    return code == std::errc::result_out_of_range || value >= beyond;
}

/// The value of a text in quotes.
std::string unquoted(std::string_view token) {
    std::string value;
    for (std::size_t i = 1; i + 1 < token.size(); ++i) {
        value += token[i];
        i += token[i] == '\'' ? 1U : 0U;
    }
    return value;
}

/// Finds where the collation belongs.
class Marker {
public:
    explicit Marker(std::string_view query) : query_(query), tokens_(tokens_of(query)) {}

    struct Place {
        std::size_t at = 0; // in the query
        std::string text{};
    };

    std::vector<Place> places() {
        const bool is_pragma = is_word(token(0), "pragma"); // its arguments are no expressions
        for (std::size_t i = 0; i < tokens_.size() && !is_pragma; ++i) {
            visit(i);
        }
        std::ranges::stable_sort(places_, {}, &Place::at);
        return std::move(places_);
    }

    /// The end of the statement, behind its semicolon.
    std::size_t end() const noexcept {
        return !tokens_.empty() && tokens_.back().text == ";" ? tokens_.back().end : query_.size();
    }

    /// The place in the query of the first operand that large numbers cannot be combined with.
    std::size_t narrow_operand() const noexcept { return narrow_operand_; }

private:
    /// What an opened bracket, or a CASE, is.
    struct Level {
        std::size_t opened_by = 0; // token
        bool passes_argument = false;
        bool is_in_list = false; // of SELECT
    };

    const Token& token(std::size_t i) const noexcept {
        static constexpr Token none{};
        return i < tokens_.size() ? tokens_[i] : none;
    }

    const Token& before(std::size_t i) const noexcept { return token(i == 0 ? SIZE_MAX : i - 1); }

    void visit(std::size_t i) {
        const Token& at = tokens_[i];
        if (at.kind == Kind::text) {
            visit_text(i);
        } else if (at.kind == Kind::mark && at.text == "(") {
            levels_.push_back(
                {.opened_by = i,
                 .passes_argument = i > 0 && is_one_of(before(i), passing_functions)});
        } else if (is_word(at, "case")) {
            levels_.push_back({.opened_by = i, .passes_argument = true});
        } else if ((at.kind == Kind::mark && at.text == ")") || is_word(at, "end")) {
            close(i);
        } else {
            note_list(at);
        }
        const bool is_large = at.kind == Kind::number && before(i).text != "-" &&
                              !is_bit_operator(before(i)) && is_beyond_integer(at.text);
        if (is_large || is_bit_operator(at)) {
            narrow_operand_ = std::min(narrow_operand_, at.begin);
        }
    }

    void note_list(const Token& at) {
        bool& is_in_list = levels_.empty() ? is_in_list_ : levels_.back().is_in_list;
        if (is_word(at, "select")) {
            is_in_list = true;
        } else if (is_one_of(at, list_ends) || at.text == ";") {
            is_in_list = false;
        }
    }

    void visit_text(std::size_t i) {
        const Token& before = this->before(i);
        const bool is_name = is_word(before, "as") || is_word(before, "collate");
        const bool is_member = before.text == "->>" || tokens_[i].text.starts_with("'$");
        if (is_name || is_word(token(i + 1), "collate")) {
            return;
        }
        const std::string value = unquoted(tokens_[i].text);
        if (is_member || is_large_number(value) || time_of_text(value)) {
            places_.push_back({tokens_[i].end, std::string(collate)});
        }
    }

    void close(std::size_t i) {
        if (levels_.empty()) {
            return;
        }
        const Level level = levels_.back();
        levels_.pop_back();
        if (!level.passes_argument) {
            return;
        }
        const bool is_call = tokens_[i].text == ")";
        const std::size_t last = is_call ? end_of_call(i) : i;
        if (is_word(token(last + 1), "collate")) {
            return;
        }
        std::string text(collate);
        const std::size_t first = level.opened_by - (is_call ? 1 : 0);
        if (is_result_column(first, last)) { // keeps its name, by which others can use it
            text += " AS " + quoted_name(query_.substr(tokens_[first].begin,
                                                       tokens_[last].end - tokens_[first].begin));
        }
        places_.push_back({tokens_[last].end, std::move(text)});
    }

    /// Returns the last token of a call, with FILTER and OVER.
    std::size_t end_of_call(std::size_t i) const noexcept {
        for (;;) {
            if (is_word(token(i + 1), "filter") && token(i + 2).text == "(") {
                i = end_of_brackets(i + 2);
            } else if (is_word(token(i + 1), "over")) {
                i = token(i + 2).text == "(" ? end_of_brackets(i + 2) : i + 2;
            } else {
                return std::min(i, tokens_.size() - 1);
            }
        }
    }

    std::size_t end_of_brackets(std::size_t i) const noexcept {
        std::size_t depth = 0;
        for (; i < tokens_.size(); ++i) {
            const bool is_mark = tokens_[i].kind == Kind::mark;
            depth += is_mark && tokens_[i].text == "(" ? 1U : 0U;
            depth -= is_mark && tokens_[i].text == ")" ? 1U : 0U;
            if (depth == 0) {
                break;
            }
        }
        return i;
    }

    /// Whether these tokens are a column of a SELECT, without a name.
    bool is_result_column(std::size_t first, std::size_t last) const {
        const Token& before = this->before(first);
        const Token& after = token(last + 1);
        const bool is_in_list = levels_.empty() ? is_in_list_ : levels_.back().is_in_list;
        const bool begins = is_word(before, "select") || is_word(before, "distinct") ||
                            is_word(before, "all") || before.text == ",";
        const bool ends = last + 1 >= tokens_.size() || after.text == "," || after.text == ")" ||
                          after.text == ";" || is_one_of(after, list_ends);
        return is_in_list && begins && ends;
    }

    std::string_view query_;
    std::vector<Token> tokens_;
    std::vector<Level> levels_;
    std::vector<Place> places_;
    bool is_in_list_ = false;
    std::size_t narrow_operand_ = std::string::npos;
};

} // namespace

PreparedText::PreparedText(std::string_view query) {
    Marker marker(query);
    const auto places = marker.places();
    std::size_t from = 0;
    const auto copy_to = [&](std::size_t to) {
        const std::size_t operand = marker.narrow_operand();
        if (operand >= from && operand < to) {
            narrow_operand_ = text_.size() + operand - from;
        }
        text_.append(query, from, to - from);
        from = to;
    };
    for (const auto& place : places) {
        copy_to(place.at);
        insertions_.push_back({text_.size(), place.text.size()});
        text_ += place.text;
    }
    copy_to(marker.end());
}

std::size_t PreparedText::place_of(std::size_t place) const noexcept {
    std::size_t before = 0; // what was put in
    for (const Insertion& insertion : insertions_) {
        if (insertion.at >= place) {
            break;
        }
        before += std::min(insertion.size, place - insertion.at);
    }
    return place - before;
}

std::string PreparedText::without_insertions(std::string name) {
    for (std::size_t at = name.find(collate); at != name.npos; at = name.find(collate, at)) {
        name.erase(at, collate.size());
    }
    return name;
}

} // namespace etl::sql

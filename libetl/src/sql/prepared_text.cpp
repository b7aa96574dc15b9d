#include "sql/prepared_text.hpp"

#include <etl/base/text.hpp>
#include <etl/sql/limits.hpp>

#include "sql/collations.hpp"
#include "sql/names.hpp"
#include "sql/operands.hpp"
#include "sql/terms.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <tuple>

namespace etl::sql {

namespace {

using TokenKind = Token::Kind;

const std::string as_value = " COLLATE etl_value";
const std::string as_large = " COLLATE etl_large";
const std::string as_time = " COLLATE etl_time";

/// Words that end the list of a SELECT.
constexpr std::array<std::string_view, 9> list_ends{
    "from", "where", "group", "having", "order", "limit", "union", "intersect", "except"};

/// Functions that return one of their arguments, or a sum, which can be as large a number.
constexpr std::array<std::string_view, 12> passing_functions{
    "max", "min", "coalesce", "ifnull",      "nullif",     "iif",
    "sum", "lag", "lead",     "first_value", "last_value", "nth_value"};

/// Functions that make numbers of their arguments.
constexpr std::array<std::string_view, 21> number_functions{
    "abs",  "round", "sign",  "ceil",     "ceiling", "floor", "trunc",
    "mod",  "pow",   "power", "sqrt",     "exp",     "ln",    "log",
    "log2", "log10", "char",  "zeroblob", "date",    "time",  "datetime"};

constexpr std::array<std::string_view, 2> formatting_functions{"printf", "format"};

template <std::size_t size>
bool is_one_of(const Token& token, const std::array<std::string_view, size>& words) noexcept {
    return token.kind == TokenKind::word && std::ranges::any_of(words, [&](std::string_view word) {
               return equals_ignoring_case(token.text, word);
           });
}

/// Whether SQLite makes of a number another one, or a REAL that large numbers cannot be compared
/// with.
bool is_beyond_integer(std::string_view number) noexcept {
    const char* const end = number.data() + number.size();
    if (number.starts_with("0x") || number.starts_with("0X")) {
        std::uint64_t bits = 0;
        const auto [at, code] = std::from_chars(number.data() + 2, end, bits, 16);
        return code == std::errc{} && at == end && bits >> 63U != 0;
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

/// What is in quotes.
std::string unquoted(std::string_view token, char quote) {
    std::string value;
    for (std::size_t i = 1; i + 1 < token.size(); ++i) {
        value += token[i];
        i += token[i] == quote ? 1U : 0U;
    }
    return value;
}

std::string name_of(const Token& token) {
    return token.kind == TokenKind::name ? unquoted(token.text, token.text.front())
                                         : std::string(token.text);
}

/// Whether a type of CAST is a number, by the rules of SQLite.
bool is_number_type(std::string_view type) {
    const std::string lower = to_lower_ascii(type);
    const auto has = [&](std::string_view part) { return lower.find(part) != lower.npos; };
    return has("int") || !(has("char") || has("clob") || has("text") || has("blob"));
}

/// The conversions of a format, in the order of the arguments they take.
std::string conversions_of(std::string_view format) {
    std::string conversions;
    for (std::size_t i = 0; i < format.size(); ++i) {
        if (format[i] != '%') {
            continue;
        }
        for (++i; i < format.size() && std::string_view("-+ !#,.*l0123456789").contains(format[i]);
             ++i) {
            conversions += format[i] == '*' ? "d" : "";
        }
        if (i < format.size() && format[i] != '%') {
            conversions += format[i];
        }
    }
    return conversions;
}

/// Finds what belongs where.
class Marker {
public:
    Marker(std::string_view query, const FindColumn& find_column)
        : query_(query), find_column_(&find_column), terms_(query) {}

    struct Place {
        std::size_t at = 0; // in the query
        int rank = 0;       // of those at one place
        std::string text{};
    };

    std::vector<Place> places() {
        const bool is_pragma = terms_.is_word(0, "pragma"); // its arguments are no expressions
        for (std::size_t i = 0; i < terms_.size() && !is_pragma; ++i) {
            visit(i);
        }
        std::ranges::stable_sort(
            places_, {}, [](const Place& place) { return std::tuple(place.at, place.rank); });
        return std::move(places_);
    }

    /// The end of the statement, behind its semicolon.
    std::size_t end() const noexcept {
        const Token& last = terms_.before(terms_.size());
        return last.text == ";" ? last.end : query_.size();
    }

private:
    /// What an opened bracket, or a CASE, is.
    struct Level {
        std::size_t opened_by = 0; // token
        bool passes_argument = false;
        bool is_in_list = false;   // of SELECT
        std::size_t arguments = 0; // that ended
    };

    const Token& token(std::size_t i) const noexcept { return terms_.token(i); }

    void collate_after(std::size_t i, const std::string& text) {
        places_.push_back({token(i).end, 0, text});
    }

    void wrap(const Term& term, const std::string& before, const std::string& after) {
        places_.push_back({token(term.last).end, 1, after});
        places_.push_back({token(term.first).begin, 2, before});
    }

    void wrap(const Term& term, std::string_view function) {
        wrap(term, std::string(function) + "(", ")");
    }

    void visit(std::size_t i) {
        const Token& at = token(i);
        if (const auto term = terms_.beginning_at(i)) {
            visit(*term);
        }
        if (at.kind == TokenKind::text) {
            collate_text(i);
        } else if (terms_.is_word(i, "collate")) {
            visit_collate(i);
        } else if (at.kind == TokenKind::mark && at.text == "(") {
            levels_.push_back(
                {.opened_by = i,
                 .passes_argument = i > 0 && is_one_of(terms_.before(i), passing_functions)});
        } else if (terms_.is_word(i, "case")) {
            levels_.push_back({.opened_by = i, .passes_argument = true});
        } else if ((at.kind == TokenKind::mark && at.text == ")") || terms_.is_word(i, "end")) {
            close(i);
        } else {
            note_list(at);
        }
    }

    void note_list(const Token& at) {
        bool& is_in_list = levels_.empty() ? is_in_list_ : levels_.back().is_in_list;
        if (is_one_of(at, std::array<std::string_view, 1>{"select"})) {
            is_in_list = true;
        } else if (is_one_of(at, list_ends) || at.text == ";") {
            is_in_list = false;
        } else if (at.text == "," && !levels_.empty()) {
            ++levels_.back().arguments;
        }
    }

    void visit(const Term& term) {
        const Token& at = token(term.first);
        const bool is_single = term.first == term.last;
        const bool is_number = is_single && at.kind == TokenKind::number;
        if (terms_.is_calculated(term) || is_number_argument(term)) {
            if (is_number && is_large_number(at.text) && !is_least_integer(term)) {
                wrap(term, std::string(number_function) + "('", "')");
            } else if (!is_number) {
                wrap(term, has_bits(term) ? bits_function : number_function);
            }
        } else if (is_number) {
            visit_number(term);
        } else if (is_single && at.kind == TokenKind::text) {
            visit_text(term);
        }
    }

    /// Whether a number is that of the least INTEGER, which its sign belongs to.
    bool is_least_integer(const Term& term) const noexcept {
        return token(term.first).text == "9223372036854775808" &&
               terms_.before(term.first).text == "-" && !terms_.is_calculation(term.first - 1);
    }

    /// Whether all 64 bits of an operand of `&` may be taken: the other one is not negative.
    bool has_bits(const Term& term) const noexcept {
        const auto is_mask = [&](std::size_t i) {
            return token(i).kind == TokenKind::number && !is_beyond_integer(token(i).text);
        };
        const Token& before = terms_.before(term.first);
        const Token& after = token(term.last + 1);
        const bool is_left = after.text == "&" && is_mask(term.last + 2) &&
                             !terms_.is_calculation(term.last + 3) &&
                             !(term.first > 0 && terms_.is_calculated({term.first, term.first}) &&
                               terms_.is_calculation(term.first - 1)) &&
                             before.text != "-" && before.text != "~";
        const bool is_right = before.text == "&" && term.first > 1 && is_mask(term.first - 2) &&
                              !terms_.is_calculation(term.last + 1) &&
                              !(term.first > 2 && terms_.is_calculation(term.first - 3)) &&
                              !(term.first > 2 && token(term.first - 3).text == "-");
        return is_left || is_right;
    }

    /// Whether a term is an argument of a function that expects a number.
    bool is_number_argument(const Term& term) const {
        const Token& before = terms_.before(term.first);
        const bool begins = before.text == "(" || before.text == "," ||
                            is_one_of(before, std::array<std::string_view, 2>{"distinct", "all"});
        if (!begins || levels_.empty() || levels_.back().opened_by == 0) {
            return false;
        }
        const Level& level = levels_.back();
        const Token& function = token(level.opened_by - 1);
        if (terms_.is_word(level.opened_by - 1, "cast")) {
            return terms_.is_word(term.last + 1, "as") && is_number_type(token(term.last + 2).text);
        }
        const bool ends = token(term.last + 1).text == ")" || token(term.last + 1).text == ",";
        return ends && (is_one_of(function, number_functions) ||
                        (is_one_of(function, formatting_functions) && is_formatted_number(level)));
    }

    /// Whether the argument after those that ended is formatted as a number.
    bool is_formatted_number(const Level& level) const {
        const Token& format = token(level.opened_by + 1);
        if (level.arguments == 0) {
            return false;
        }
        if (format.kind != TokenKind::text || token(level.opened_by + 2).text != ",") {
            return true; // not known
        }
        const std::string conversions = conversions_of(unquoted(format.text, '\''));
        constexpr std::string_view of_texts = "sqQwzc";
        return level.arguments <= conversions.size() &&
               !of_texts.contains(conversions[level.arguments - 1]);
    }

    /// The types of the column that a term is compared with; none: it is no column.
    std::optional<ColumnTypes> column_types(const std::optional<Term>& other) const {
        const auto column = other ? terms_.column_of(*other) : std::nullopt;
        return column ? std::optional((*find_column_)(name_of(token(*column)))) : std::nullopt;
    }

    /// Compares a literal as the number that the other operand is.
    bool compare_as_number(const Term& literal, const Term& other, std::string_view quote) {
        const std::size_t begin = token(other.first).begin;
        const std::size_t size = token(other.last).end - begin;
        if (size > limits::repeated_operand_bytes) {
            return false;
        }
        wrap(literal,
             std::string(operand_function) + "(" + std::string(query_.substr(begin, size)) + ", " +
                 std::string(quote),
             std::string(quote) + ")" + as_large);
        return true;
    }

    void visit_number(const Term& term) {
        const std::string_view number = token(term.first).text;
        const auto other = terms_.compared_with(term);
        const auto types = column_types(other);
        if (terms_.before(term.first).text == "-") {
            return;
        }
        if (!is_beyond_integer(number)) {
            if (types == ColumnTypes{.text = true}) { // may be hexadecimal
                compare_as_number(term, *other, "");
            }
            return;
        }
        const bool is_narrow = types && types->is_known() && !types->any;
        if (other && !is_narrow && compare_as_number(term, *other, "'")) {
            return;
        }
        if (!is_narrow && is_large_number(number)) {
            wrap(term, "'", "'" + as_large);
        }
    }

    void visit_text(const Term& term) {
        const std::string value = unquoted(token(term.first).text, '\'');
        const auto other = terms_.compared_with(term);
        const auto types = column_types(other);
        if (other && time_of_text(value)) {
            if (const auto column = terms_.column_of(*other);
                column && equals_ignoring_case(name_of(token(*column)), "time_ns")) {
                wrap(term, time_number_function);
            }
        } else if (other && is_number_text(value) && (!types || types->any || !types->is_known())) {
            compare_as_number(term, *other, "");
        }
    }

    void collate_text(std::size_t i) {
        const bool is_name = terms_.is_word(i - 1, "as") || terms_.is_word(i - 1, "collate");
        const bool is_member = terms_.before(i).text == "->>" || token(i).text.starts_with("'$");
        if (is_name || terms_.is_word(i + 1, "collate")) {
            return;
        }
        const std::string value = unquoted(token(i).text, '\'');
        if (is_member) {
            collate_after(i, as_value);
        } else if (is_large_number(value)) {
            collate_after(i, as_large);
        } else if (time_of_text(value) && !column_types(terms_.compared_with({i, i}))) {
            collate_after(i, as_value);
        }
    }

    /// Columns of times have one collation only.
    void visit_collate(std::size_t i) {
        if (i == 0 || i + 1 >= terms_.size()) {
            return;
        }
        const bool is_text = token(i - 1).kind == TokenKind::text;
        std::size_t first = i - 1;
        while (!is_text && first > 1 && token(first - 1).text == ".") {
            first -= 2;
        }
        const auto types = is_text ? column_types(terms_.compared_with({i - 1, i + 1}))
                                   : column_types(Term{first, i - 1});
        if (types == ColumnTypes{.time = true}) {
            collate_after(i + 1, as_time);
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
        const bool is_call = token(i).text == ")";
        const std::size_t last = is_call ? terms_.end_of_call(i) : i;
        if (terms_.is_word(last + 1, "collate")) {
            return;
        }
        const std::size_t first = level.opened_by - (is_call ? 1 : 0);
        std::string text = may_be_time(first, last) ? as_value : as_large;
        if (is_result_column(first, last)) { // keeps its name, by which others can use it
            text += " AS " + quoted_name(query_.substr(token(first).begin,
                                                       token(last).end - token(first).begin));
        }
        collate_after(last, text);
    }

    /// Whether one of the columns in these tokens may be a time.
    bool may_be_time(std::size_t first, std::size_t last) const {
        bool has_column = false;
        for (std::size_t i = first; i <= last; ++i) {
            if (token(i).text == "->>" || token(i).text.starts_with("'$")) {
                return true;
            }
            if (const auto term = terms_.beginning_at(i); term && terms_.column_of({i, i})) {
                const auto types = (*find_column_)(name_of(token(*terms_.column_of({i, i}))));
                if (types.time ||
                    (!types.is_known() && token(i + 1).text != "." && token(i + 1).text != "(")) {
                    return true;
                }
                has_column = has_column || types.is_known();
            }
            if (token(i).text == "." && token(i + 1).text != "*") {
                const auto types = (*find_column_)(name_of(token(i + 1)));
                if (types.time || !types.is_known()) {
                    return true;
                }
                has_column = true;
            }
        }
        return !has_column;
    }

    /// Whether these tokens are a column of a SELECT, without a name.
    bool is_result_column(std::size_t first, std::size_t last) const {
        constexpr std::array<std::string_view, 3> leaders{"select", "distinct", "all"};
        const Token& before = terms_.before(first);
        const Token& after = token(last + 1);
        const bool is_in_list = levels_.empty() ? is_in_list_ : levels_.back().is_in_list;
        const bool begins = is_one_of(before, leaders) || before.text == ",";
        const bool ends = last + 1 >= terms_.size() || after.text == "," || after.text == ")" ||
                          after.text == ";" || is_one_of(after, list_ends);
        return is_in_list && begins && ends;
    }

    std::string_view query_;
    const FindColumn* find_column_;
    Terms terms_;
    std::vector<Level> levels_;
    std::vector<Place> places_;
    bool is_in_list_ = false;
};

} // namespace

std::vector<std::string> names_in(std::string_view query) {
    std::vector<std::string> names;
    for (const Token& token : tokens_of(query)) {
        if (token.kind == TokenKind::word || token.kind == TokenKind::name) {
            names.push_back(name_of(token));
        }
    }
    return names;
}

PreparedText::PreparedText(std::string_view query, const FindColumn& find_column) {
    Marker marker(query, find_column);
    std::size_t from = 0;
    for (const auto& place : marker.places()) {
        text_.append(query, from, place.at - from);
        from = place.at;
        insertions_.push_back({text_.size(), place.text.size()});
        text_ += place.text;
    }
    text_.append(query, from, marker.end() - from);
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

std::string PreparedText::without_insertions(std::string name) const {
    const std::size_t begin = name.find("etl_") == name.npos ? text_.npos : text_.find(name);
    if (begin == text_.npos) {
        return name;
    }
    std::string shorter;
    std::size_t from = begin;
    const std::size_t end = begin + name.size();
    for (const Insertion& insertion : insertions_) {
        if (insertion.at >= begin && insertion.at < end) {
            shorter.append(text_, from, insertion.at - from);
            from = std::min(end, insertion.at + insertion.size);
        }
    }
    return shorter.append(text_, from, end - from);
}

} // namespace etl::sql

// A statement as tokens, and the names that it gives. Private to sql.
#pragma once

#include "base/text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace etl::sql {

// The words of a query.

struct Token {
    enum class Kind : std::uint8_t {
        word,   // a keyword, or a name without quotes
        name,   // in double quotes, backticks, or brackets
        text,   // in single quotes
        number, // also hexadecimal
        mark,   // an operator or a bracket
    };

    Kind kind = Kind::mark;
    std::size_t begin = 0, end = 0;
    std::string_view text{}; // as written
};

/// Divides the first statement of a query, up to its semicolon, without blanks and comments. Any
/// text: what is wrong is left to SQLite.
std::vector<Token> tokens_of(std::string_view query);

// Words of SQL, and of SQLite.

inline bool is_word(const Token& token, std::string_view word) noexcept {
    return token.kind == Token::Kind::word && equals_ignoring_case(token.text, word);
}

inline bool is_mark(const Token& token, std::string_view mark) noexcept {
    return token.kind == Token::Kind::mark && token.text == mark;
}

inline bool is_word_of(const Token& token, std::span<const std::string_view> words) noexcept {
    return token.kind == Token::Kind::word &&
           std::ranges::any_of(words, [&](auto word) { return is_word(token, word); });
}

inline bool is_mark_of(const Token& token, std::span<const std::string_view> marks) noexcept {
    return token.kind == Token::Kind::mark && std::ranges::find(marks, token.text) != marks.end();
}

/// Whether SQLite never takes a word for the name of a column.
bool is_reserved(const Token& token) noexcept;

/// Whether a word or a name in quotes can be the name of a column.
bool is_name(const Token& token) noexcept;

/// Returns what is in quotes.
std::string unquoted(std::string_view token);

/// Returns a name without quotes, which may be single ones.
std::string name_of(const Token& token);

/// Whether the arguments of a function are numbers, or become numbers.
bool takes_numbers(const Token& function) noexcept;

/// Whether a function, or a sum, returns one of its arguments, or as large a number.
bool passes_argument(const Token& function) noexcept;

/// Whether a type of CAST is a number, by the rules of SQLite.
bool is_number_type(std::string_view type);

/// Whether `printf` formats one of its arguments, counted from 1, as a number. `format` is a token.
bool is_formatted_as_number(const Token& format, std::size_t argument);

/// What a name that a query gives (AS) stands for.
enum class Alias : std::uint8_t {
    none,
    column,     // or unknown
    expression, // without an affinity
};

/// The first statement of a query. Any text: what is wrong is left to SQLite.
class Statement {
public:
    static constexpr std::size_t none = SIZE_MAX;

    explicit Statement(std::string_view query);

    std::size_t size() const noexcept { return tokens_.size(); }

    /// Returns an empty token outside the statement.
    const Token& token(std::size_t i) const noexcept;

    const Token& before(std::size_t i) const noexcept { return token(i == 0 ? none : i - 1); }

    /// Returns the other bracket, or none.
    std::size_t partner_of(std::size_t i) const noexcept;

    /// Whether the bracket that opens at `i` is a list of columns, as in `WITH a(x, y) AS (...)`.
    bool is_column_list(std::size_t i) const noexcept;

    /// `name` is without quotes.
    Alias alias_of(std::string_view name) const;

private:
    void match_brackets();
    void find_aliases();
    void add_alias(const Token& name, Alias alias);

    std::vector<Token> tokens_;
    std::vector<std::size_t> partners_;              // by token
    std::unordered_map<std::string, Alias> aliases_; // lowercase
};

} // namespace etl::sql

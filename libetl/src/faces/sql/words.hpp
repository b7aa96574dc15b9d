// Words of SQL, and of SQLite. Private to sql.
#pragma once

#include "base/text.hpp"
#include "sql/tokens.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace etl::sql {

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

} // namespace etl::sql

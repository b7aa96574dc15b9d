// The words of a query. Private to sql.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace etl::sql {

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

} // namespace etl::sql

// The words of an expression. Private to match. docs/filters.md#grammar
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace etl::match {

enum class TokenKind : std::uint8_t {
    end,
    word,   // a name, a number, a glob, an address: up to a blank or a bracket
    quoted, // text in quotes, which are left out
    symbol, // an operator, a bracket, or a comma
    broken, // quotes that do not end
};

struct Token {
    TokenKind kind = TokenKind::end;
    std::string text;
    std::size_t begin = 0; // offset in the expression
};

/// What a word may hold: in front of an operator a name ends where the operator begins; behind one
/// a value may hold most characters of operators.
enum class WordKind : std::uint8_t { name, value };

class Lexer {
public:
    explicit Lexer(std::string_view text) : text_(text) {}

    /// The next token.
    Token next(WordKind words);

    /// As next(), but it comes again.
    Token peek(WordKind words);

private:
    Token quoted(char quote);

    std::string_view text_;
    std::size_t at_ = 0;
};

} // namespace etl::match

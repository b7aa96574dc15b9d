#include "match/expression.hpp"

#include "base/text.hpp"
#include "decode/event_keys.hpp"
#include "match/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace etl::match {

// The words of an expression. docs/filters.md#grammar

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

namespace {

constexpr std::array<std::string_view, 16> symbols{"==", "!=", "<=", ">=", "!~", "&&", "||", "=",
                                                   "<",  ">",  "~",  "&",  "!",  "(",  ")",  ","};

std::string_view symbol_at(std::string_view text) noexcept {
    const auto found = std::ranges::find_if(
        symbols, [&](std::string_view symbol) { return text.starts_with(symbol); });
    return found == symbols.end() ? std::string_view{} : text.substr(0, found->size());
}

/// Whether a word ends in front of `text`.
bool ends_word(std::string_view text, WordKind kind) noexcept {
    if (blanks.contains(text.front()) || text.front() == ')' || text.front() == ',') {
        return true;
    }
    return kind == WordKind::value ? text.starts_with("&&") || text.starts_with("||")
                                   : !symbol_at(text).empty();
}

} // namespace

Token Lexer::quoted(char quote) {
    Token token{TokenKind::quoted, {}, at_++};
    while (at_ < text_.size()) {
        const char c = text_[at_++];
        if (c != quote) {
            token.text.push_back(c);
        } else if (at_ < text_.size() && text_[at_] == quote) {
            token.text.push_back(text_[at_++]); // twice: the quote itself
        } else {
            return token;
        }
    }
    token.kind = TokenKind::broken;
    return token;
}

Token Lexer::next(WordKind words) {
    at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size());
    if (at_ == text_.size()) {
        return {TokenKind::end, {}, at_};
    }
    if (text_[at_] == '"' || text_[at_] == '\'') {
        return quoted(text_[at_]);
    }
    const std::size_t begin = at_;
    const std::string_view symbol = symbol_at(text_.substr(at_));
    if (!symbol.empty() && (words == WordKind::name || symbol == "(" || symbol == ")" ||
                            symbol == "," || symbol == "&&" || symbol == "||")) {
        at_ += symbol.size();
        return {TokenKind::symbol, std::string(symbol), begin};
    }
    while (at_ < text_.size() && !ends_word(text_.substr(at_), words)) {
        ++at_;
        // `data."Bytes Sent"`: a quoted part belongs to the name.
        if (words == WordKind::name && text_[at_ - 1] == '.' && at_ < text_.size() &&
            (text_[at_] == '"' || text_[at_] == '\'')) {
            Token part = quoted(text_[at_]);
            part.text.insert(0, text_.substr(begin, part.begin - begin));
            part.begin = begin;
            part.kind = part.kind == TokenKind::broken ? part.kind : TokenKind::word;
            return part;
        }
    }
    return {TokenKind::word, std::string(text_.substr(begin, at_ - begin)), begin};
}

Token Lexer::peek(WordKind words) {
    const std::size_t before = at_;
    Token token = next(words);
    at_ = before;
    return token;
}

namespace {

using Parsed = std::expected<Expression, SyntaxError>;

constexpr std::array<std::pair<std::string_view, Operator>, 10> operators{
    {{"==", Operator::equal},
     {"=", Operator::equal},
     {"!=", Operator::not_equal},
     {"<", Operator::less},
     {"<=", Operator::less_equal},
     {">", Operator::greater},
     {">=", Operator::greater_equal},
     {"&", Operator::any_bits},
     {"~", Operator::regex},
     {"!~", Operator::regex}}};

using decode::field_prefix;

std::unexpected<SyntaxError> wrong(const Token& at, std::string what) {
    return std::unexpected(SyntaxError{at.begin + 1, std::move(what)});
}

std::string shown(const Token& token) {
    return token.kind == TokenKind::end      ? "the end"
           : token.kind == TokenKind::quoted ? fmt::format("\"{}\"", token.text)
                                             : fmt::format("'{}'", token.text);
}

bool is_word(const Token& token, std::string_view word) noexcept {
    return token.kind == TokenKind::word && token.text == word;
}

bool is_symbol(const Token& token, std::string_view symbol) noexcept {
    return token.kind == TokenKind::symbol && token.text == symbol;
}

Expression negation_of(Expression part) {
    Expression none;
    none.kind = Expression::Kind::none;
    none.parts.push_back(std::move(part));
    return none;
}

/// By recursive descent; limits::expression_depth bounds it.
class Parser {
public:
    explicit Parser(std::string_view text) : lexer_(text) {}

    Parsed parse() {
        auto whole = any();
        if (!whole) {
            return whole;
        }
        if (const Token rest = lexer_.next(WordKind::name); rest.kind != TokenKind::end) {
            return wrong(rest, fmt::format("expected &&, ||, or the end, found {}", shown(rest)));
        }
        return whole;
    }

private:
    Parsed any() { return sequence("||", "or", Expression::Kind::any, &Parser::all); }

    Parsed all() { return sequence("&&", "and", Expression::Kind::all, &Parser::negation); }

    /// Parts with `symbol`, or `word`, between them.
    Parsed sequence(std::string_view symbol, std::string_view word, Expression::Kind kind,
                    Parsed (Parser::*part)()) {
        auto first = (this->*part)();
        if (!first) {
            return first;
        }
        Expression joined;
        joined.kind = kind;
        joined.parts.push_back(*std::move(first));
        while (true) {
            const Token token = lexer_.peek(WordKind::name);
            if (!is_symbol(token, symbol) && !is_word(token, word)) {
                break;
            }
            lexer_.next(WordKind::name);
            auto next = (this->*part)();
            if (!next) {
                return next;
            }
            joined.parts.push_back(*std::move(next));
        }
        return joined.parts.size() == 1 ? std::move(joined.parts.front()) : std::move(joined);
    }

    Parsed negation() {
        const Token token = lexer_.peek(WordKind::name);
        if (++depth_ > limits::expression_depth) {
            return wrong(token, "parentheses nested too deep");
        }
        Parsed result = is_symbol(token, "!") || is_word(token, "not") ? negated()
                        : is_symbol(token, "(")                        ? enclosed()
                                                                       : test();
        --depth_;
        return result;
    }

    Parsed negated() {
        lexer_.next(WordKind::name);
        auto part = negation();
        return part ? Parsed(negation_of(*std::move(part))) : part;
    }

    Parsed enclosed() {
        const Token open = lexer_.next(WordKind::name);
        auto part = any();
        if (!part) {
            return part;
        }
        const Token close = lexer_.next(WordKind::name);
        if (!is_symbol(close, ")")) {
            return wrong(close, fmt::format("expected ) for the ( at column {}, found {}",
                                            open.begin + 1, shown(close)));
        }
        return part;
    }

    Parsed test() {
        const Token name = lexer_.next(WordKind::name);
        if (++tests_ > limits::expression_tests) {
            return wrong(name, "too many comparisons");
        }
        if (name.kind == TokenKind::broken) {
            return wrong(name, "unterminated quotes");
        }
        if (name.kind != TokenKind::word && name.kind != TokenKind::quoted) {
            return wrong(name, fmt::format("expected a name, found {}", shown(name)));
        }
        if (is_word(name, "has") && is_symbol(lexer_.peek(WordKind::name), "(")) {
            return presence();
        }
        Expression made;
        made.kind = Expression::Kind::test;
        take_name(name, made.test);
        return comparison(std::move(made));
    }

    static void take_name(const Token& token, Test& test) {
        test.column = token.begin + 1;
        test.is_field = token.kind == TokenKind::quoted || token.text.starts_with(field_prefix);
        test.name = test.is_field && token.kind == TokenKind::word
                        ? token.text.substr(field_prefix.size())
                        : token.text;
    }

    Parsed presence() {
        lexer_.next(WordKind::name); // (
        const Token name = lexer_.next(WordKind::name);
        if (name.kind != TokenKind::word && name.kind != TokenKind::quoted) {
            return wrong(name, fmt::format("expected a name, found {}", shown(name)));
        }
        const Token close = lexer_.next(WordKind::name);
        if (!is_symbol(close, ")")) {
            return wrong(close,
                         fmt::format("expected ) after has({}, found {}", name.text, shown(close)));
        }
        Expression made;
        made.kind = Expression::Kind::test;
        take_name(name, made.test);
        return made;
    }

    Parsed comparison(Expression made) {
        const Token token = lexer_.next(WordKind::name);
        if (is_word(token, "in")) {
            made.test.op = Operator::equal;
            return list(std::move(made));
        }
        const auto found =
            std::ranges::find(operators, token.text, &std::pair<std::string_view, Operator>::first);
        if (token.kind != TokenKind::symbol || found == operators.end()) {
            return wrong(token, fmt::format("expected ==, !=, <, <=, >, >=, &, ~, or in after "
                                            "'{}', found {}",
                                            made.test.name, shown(token)));
        }
        made.test.op = found->second;
        if (auto added = value(made.test, lexer_.next(WordKind::value)); !added) {
            return std::unexpected(added.error());
        }
        return token.text == "!~" ? negation_of(std::move(made)) : std::move(made);
    }

    static std::expected<void, SyntaxError> value(Test& test, const Token& token) {
        if (token.kind == TokenKind::broken) {
            return wrong(token, "unterminated quotes");
        }
        if (token.kind != TokenKind::word && token.kind != TokenKind::quoted) {
            return wrong(token, fmt::format("expected a value, found {}", shown(token)));
        }
        test.values.push_back({token.text, token.kind == TokenKind::quoted, token.begin + 1});
        return {};
    }

    /// `(A, B, C)`, or one value.
    Parsed list(Expression made) {
        Token token = lexer_.next(WordKind::value);
        if (!is_symbol(token, "(")) {
            const auto added = value(made.test, token);
            return added ? Parsed(std::move(made)) : std::unexpected(added.error());
        }
        while (true) {
            if (auto added = value(made.test, lexer_.next(WordKind::value)); !added) {
                return std::unexpected(added.error());
            }
            token = lexer_.next(WordKind::name);
            if (is_symbol(token, ")")) {
                return made;
            }
            if (!is_symbol(token, ",")) {
                return wrong(token,
                             fmt::format("expected , or ) in the list, found {}", shown(token)));
            }
        }
    }

    Lexer lexer_;
    std::size_t depth_ = 0;
    std::size_t tests_ = 0;
};

} // namespace

std::expected<Expression, SyntaxError> Expression::parse(std::string_view text) {
    if (text.size() > limits::expression_bytes) {
        return std::unexpected(
            SyntaxError{limits::expression_bytes + 1, "the expression is too long"});
    }
    return Parser(text).parse();
}

Expression Expression::all_of(std::vector<Expression> parts) {
    Expression whole;
    whole.parts = std::move(parts);
    return whole;
}

Expression Expression::any_of(std::vector<Expression> parts) {
    Expression whole;
    whole.kind = Kind::any;
    whole.parts = std::move(parts);
    return whole;
}

Expression Expression::make_test(std::string name, Operator op, std::vector<std::string> values) {
    Expression whole;
    whole.kind = Kind::test;
    whole.test.name = std::move(name);
    whole.test.op = op;
    for (std::string& value : values) {
        whole.test.values.push_back({std::move(value), false, 0});
    }
    return whole;
}

std::string describe(std::string_view text, const SyntaxError& error) {
    constexpr std::size_t shown_before = 60;
    constexpr std::size_t shown_at_most = 100;
    const std::size_t at = std::min(error.column == 0 ? 0 : error.column - 1, text.size());
    const std::size_t begin = at > shown_before ? at - shown_before : 0;
    std::string part(text.substr(begin, shown_at_most));
    std::ranges::replace_if(part, [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
    return fmt::format("column {}: {}\n  {}\n  {:>{}}", at + 1, error.what, part, '^',
                       at - begin + 1);
}

} // namespace etl::match

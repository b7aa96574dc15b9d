#include "sql/tokens.hpp"

#include <algorithm>

namespace etl::sql {

namespace {

using Kind = Token::Kind;

bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

bool is_of_word(char c) noexcept {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

class Reader {
public:
    explicit Reader(std::string_view query) : query_(query) {}

    std::vector<Token> statement() {
        std::vector<Token> tokens;
        bool has_begun = false; // semicolons before it belong to it, as SQLite sees it
        for (skip_blanks(); at_ < query_.size(); skip_blanks()) {
            Token token{.kind = Kind::mark, .begin = at_};
            token.kind = read();
            token.end = at_;
            token.text = query_.substr(token.begin, token.end - token.begin);
            tokens.push_back(token);
            const bool is_end = token.text == ";";
            if (is_end && has_begun) {
                break;
            }
            has_begun = has_begun || !is_end;
        }
        return tokens;
    }

private:
    char peek(std::size_t ahead = 0) const noexcept {
        return at_ + ahead < query_.size() ? query_[at_ + ahead] : '\0';
    }

    void skip_to(std::string_view end) noexcept {
        const std::size_t found = query_.find(end, at_);
        at_ = found == query_.npos ? query_.size() : found + end.size();
    }

    void skip_blanks() noexcept {
        for (;;) {
            if (query_.substr(at_).starts_with("--")) {
                skip_to("\n");
            } else if (query_.substr(at_).starts_with("/*")) {
                at_ += 2;
                skip_to("*/");
            } else if (peek() == ' ' || (peek() >= '\t' && peek() <= '\r')) {
                ++at_;
            } else {
                return;
            }
        }
    }

    Kind read() noexcept {
        const char c = peek();
        if (c == '\'' || ((c == 'x' || c == 'X') && peek(1) == '\'')) {
            at_ += c == '\'' ? 0U : 1U;
            quoted('\'');
            return c == '\'' ? Kind::text : Kind::mark; // bytes compare as they are
        }
        if (c == '"' || c == '`') {
            quoted(c);
            return Kind::name;
        }
        if (c == '[') {
            skip_to("]");
            return Kind::name;
        }
        if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
            number();
            return Kind::number;
        }
        if (is_of_word(c)) {
            while (at_ < query_.size() && is_of_word(query_[at_])) {
                ++at_;
            }
            return Kind::word;
        }
        mark();
        return Kind::mark;
    }

    /// A quote inside is doubled.
    void quoted(char quote) noexcept {
        do {
            ++at_;
            skip_to({&quote, 1});
        } while (peek() == quote);
    }

    void number() noexcept {
        const bool is_hex = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
        while (at_ < query_.size() && (is_of_word(query_[at_]) || query_[at_] == '.')) {
            const bool has_exponent = !is_hex && (query_[at_] == 'e' || query_[at_] == 'E');
            ++at_;
            at_ += has_exponent && (peek() == '-' || peek() == '+') && is_digit(peek(1)) ? 1U : 0U;
        }
    }

    void mark() noexcept {
        constexpr std::string_view long_marks[] = {"->>", "->", "<=", ">=", "<>",
                                                   "!=",  "==", "<<", ">>", "||"};
        const auto* const known = std::ranges::find_if(long_marks, [&](std::string_view mark) {
            return query_.substr(at_).starts_with(mark);
        });
        at_ += known == std::end(long_marks) ? 1 : known->size();
    }

    std::string_view query_;
    std::size_t at_ = 0;
};

} // namespace

std::vector<Token> tokens_of(std::string_view query) {
    return Reader(query).statement();
}

} // namespace etl::sql

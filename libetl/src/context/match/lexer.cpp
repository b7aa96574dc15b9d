#include "match/lexer.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>

namespace etl::match {

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

} // namespace etl::match

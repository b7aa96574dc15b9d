#include "match/xpath/xpath_lexer.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <utility>

namespace etl::match {

namespace {

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
constexpr std::string_view digits = "0123456789";
constexpr std::string_view hexadecimal = "0123456789abcdefABCDEFxX";

} // namespace

std::optional<Operator> operator_of(const XPathToken& token) noexcept {
    constexpr std::pair<std::string_view, Operator> operators[] = {
        {"=", Operator::equal},       {"!=", Operator::not_equal}, {"<", Operator::less},
        {"<=", Operator::less_equal}, {">", Operator::greater},    {">=", Operator::greater_equal},
    };
    for (const auto& [text, op] : operators) {
        if (token.is(text)) {
            return op;
        }
    }
    return std::nullopt;
}

bool is_xpath_number(std::string_view text) noexcept {
    const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
    const std::string_view rest = text.substr(is_hex ? 2 : 0);
    return !rest.empty() &&
           rest.find_first_not_of(is_hex ? "0123456789abcdefABCDEF" : "0123456789") == rest.npos;
}

void XPathLexer::set(XPathToken::Kind kind, std::size_t size) noexcept {
    now_ = {kind, query_.substr(at_, size), at_ + 1};
    at_ += size;
}

void XPathLexer::advance() noexcept {
    at_ = std::min(query_.find_first_not_of(blanks, at_), query_.size());
    const std::string_view rest = query_.substr(at_);
    using Kind = XPathToken::Kind;
    const auto size_of = [&](std::string_view first, std::string_view more) {
        const std::size_t end = rest.find_first_not_of(more, 1);
        return first.contains(rest.front()) ? std::min(end, rest.size()) : 0;
    };
    if (rest.empty()) {
        return set(Kind::end, 0);
    }
    if (rest.front() == '\'' || rest.front() == '"') {
        const std::size_t end = rest.find(rest.front(), 1);
        set(end == rest.npos ? Kind::invalid : Kind::text, std::min(end, rest.size() - 1) + 1);
        now_.text = now_.kind == Kind::text ? rest.substr(1, end - 1) : now_.text;
        return;
    }
    if (rest.starts_with("<=") || rest.starts_with(">=") || rest.starts_with("!=") ||
        rest.starts_with("//")) {
        return set(Kind::symbol, 2);
    }
    if (const std::size_t size = size_of(digits, hexadecimal); size > 0) {
        return set(Kind::number, size);
    }
    static constexpr std::string_view in_names =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.-:";
    if (const std::size_t size = size_of(letters, in_names); size > 0) {
        return set(Kind::name, size);
    }
    constexpr std::string_view symbols = "*[]()@/=<>,|";
    set(symbols.contains(rest.front()) ? Kind::symbol : Kind::invalid, 1);
}

} // namespace etl::match

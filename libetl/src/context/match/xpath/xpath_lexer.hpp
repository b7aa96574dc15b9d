// The words of an XPath query.
#pragma once

#include "match/expression.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace etl::match {

struct XPathToken {
    enum class Kind : std::uint8_t { end, name, number, text, symbol, invalid };

    Kind kind = Kind::end;
    std::string_view text;  // of a text: without its quotes
    std::size_t column = 1; // 1-based, in bytes

    bool is(std::string_view symbol) const noexcept {
        return kind == Kind::symbol && text == symbol;
    }

    bool is_name(std::string_view name) const noexcept {
        return kind == Kind::name && text == name;
    }
};

/// Nothing: not an operator.
std::optional<Operator> operator_of(const XPathToken& token) noexcept;

/// Whether a text is a number, decimal or `0x...`.
bool is_xpath_number(std::string_view text) noexcept;

class XPathLexer {
public:
    explicit XPathLexer(std::string_view query) : query_(query) { advance(); }

    const XPathToken& now() const noexcept { return now_; }

    void advance() noexcept;

private:
    void set(XPathToken::Kind kind, std::size_t size) noexcept;

    std::string_view query_;
    std::size_t at_ = 0;
    XPathToken now_;
};

} // namespace etl::match

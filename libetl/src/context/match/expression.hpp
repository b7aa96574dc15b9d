// The filter language: `provider == Contoso-* && data.Size > 4096`. This header defines the syntax;
// matcher.hpp applies it to events. docs/filters.md
#pragma once

#include <etl/guid.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace etl::match {

enum class Operator : std::uint8_t {
    equal,
    not_equal,
    less,
    less_equal,
    greater,
    greater_equal,
    any_bits, // `&`: any of these bits is set
    regex,    // `~`: part of the text matches a regular expression
    has,      // has(NAME): the event has NAME
};

/// A value as written. Its meaning depends on what it is compared with.
struct Literal {
    std::string text;
    bool is_quoted = false; // always text
    std::size_t column = 0; // 1-based, in bytes; 0: not from source text
};

/// One comparison. True if any of the values makes it true.
struct Test {
    std::string name;      // a key of docs/output.md, or a field name or path
    bool is_field = false; // written `data.NAME`, or quoted
    std::size_t column = 0;
    Operator op = Operator::has;
    std::vector<Literal> values; // empty for `has`
};

/// A syntax error in an expression.
struct SyntaxError {
    std::size_t column = 0; // 1-based, in bytes
    std::string what;
};

/// A tree of tests. A value; cheap to move.
struct Expression {
    enum class Kind : std::uint8_t {
        all,  // all parts are true; true without parts
        any,  // any part is true; false without parts
        none, // no part is true
        test,
    };

    Kind kind = Kind::all;
    std::vector<Expression> parts;
    Test test; // for Kind::test

    /// Parses an expression. Errors contain the position and what was expected. Bounded by
    /// match/limits.hpp.
    static std::expected<Expression, SyntaxError> parse(std::string_view text);

    static Expression all_of(std::vector<Expression> parts);
    static Expression any_of(std::vector<Expression> parts);
    static Expression make_test(std::string name, Operator op, std::vector<std::string> values);

    /// Returns whether the expression is true for every event.
    bool is_empty() const noexcept { return kind == Kind::all && parts.empty(); }
};

/// Returns the expression and a line with `^` under the column: two lines without a final newline.
std::string describe(std::string_view text, const SyntaxError& error);

} // namespace etl::match

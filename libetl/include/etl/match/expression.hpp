// The language that says which events are meant: `provider == Contoso-* && data.Size > 4096`. Here
// its syntax; matcher.hpp asks events. docs/filters.md
#pragma once

#include <etl/base/guid.hpp>

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
    any_bits, // `&`: a bit of the number is set
    regex,    // `~`: a part of the text matches a regular expression
    has,      // has(NAME): the event has it
};

/// A value as it is written. What it means depends on what it is compared with.
struct Literal {
    std::string text;
    bool is_quoted = false; // text, whatever it looks like
    std::size_t column = 0; // 1-based, in bytes; 0: it was not written
};

/// One comparison. True if any of the values makes it true.
struct Test {
    std::string name;      // a key of docs/output.md, or the name or path of a field
    bool is_field = false; // written `data.NAME`, or quoted
    std::size_t column = 0;
    Operator op = Operator::has;
    std::vector<Literal> values; // none for `has`
};

/// What is wrong with an expression.
struct SyntaxError {
    std::size_t column = 0; // 1-based, in bytes
    std::string what;
};

/// A tree of tests. A value; cheap to move.
struct Expression {
    enum class Kind : std::uint8_t {
        all,  // of the parts; without any it is true
        any,  // of the parts; without any it is false
        none, // of the parts
        test,
    };

    Kind kind = Kind::all;
    std::vector<Expression> parts;
    Test test; // of Kind::test

    /// Errors say where and what was expected. Bounded by etl/match/limits.hpp.
    static std::expected<Expression, SyntaxError> parse(std::string_view text);

    static Expression all_of(std::vector<Expression> parts);
    static Expression any_of(std::vector<Expression> parts);
    static Expression make_test(std::string name, Operator op, std::vector<std::string> values);

    /// True for every event.
    bool is_empty() const noexcept { return kind == Kind::all && parts.empty(); }
};

/// `WHERE`, a line with `^` under the column, for people: two lines without a line end behind them.
std::string describe(std::string_view text, const SyntaxError& error);

} // namespace etl::match

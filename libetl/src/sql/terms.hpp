// The operands in a query. Private to sql.
#pragma once

#include "sql/tokens.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace etl::sql {

/// An operand of calculations and comparisons: a name, a literal, a call, brackets, or CASE, or
/// several of them with the operators that bind more than `*`: `||`, `->`, `->>`, and COLLATE.
struct Term {
    std::size_t first = 0, last = 0; // tokens
};

/// Finds the terms of a query. Any text: what is wrong is left to SQLite.
class Terms {
public:
    explicit Terms(std::string_view query);

    /// Returns an empty token outside the query.
    const Token& token(std::size_t i) const noexcept;

    std::size_t size() const noexcept { return tokens_.size(); }

    const Token& before(std::size_t i) const noexcept { return token(i == 0 ? SIZE_MAX : i - 1); }

    bool is_word(std::size_t i, std::string_view word) const noexcept;

    /// Returns the other bracket, or the other end of a CASE; none: there is none.
    std::optional<std::size_t> partner_of(std::size_t i) const noexcept;

    /// Returns the last token of a call that ends at `i`, with FILTER and OVER.
    std::size_t end_of_call(std::size_t i) const noexcept;

    /// Returns the term whose first token is `i`; none: no term begins there.
    std::optional<Term> beginning_at(std::size_t i) const noexcept;

    /// Whether an operator of two operands calculates, at this token.
    bool is_calculation(std::size_t i) const noexcept;

    /// Whether SQLite makes a number of a term, for an operator beside it.
    bool is_calculated(const Term& term) const noexcept;

    /// What a term, which is not part of a calculation, is compared with; none: nothing.
    std::optional<Term> compared_with(const Term& term) const noexcept;

    /// Returns the bracket or CASE around a token; none: there is none.
    std::optional<std::size_t> opener_of(std::size_t i) const noexcept;

    /// Returns the token of the name of a column, of a term that is nothing else.
    std::optional<std::size_t> column_of(const Term& term) const noexcept;

private:
    static constexpr std::size_t none = SIZE_MAX;

    void match_brackets();
    void find_terms();
    bool is_operand_end(std::size_t i) const noexcept;
    bool is_sign(std::size_t i) const noexcept;
    std::size_t end_of_primary(std::size_t i) const noexcept;
    std::size_t end_of_term(std::size_t i) const noexcept;
    std::optional<Term> operand_ending_at(std::size_t i) const noexcept;
    std::optional<Term> operand_beginning_at(std::size_t i) const noexcept;
    std::optional<Term> operand_before_words(std::size_t i) const noexcept;

    std::vector<Token> tokens_;
    std::vector<std::size_t> partners_, openers_; // by token
    std::vector<std::size_t> ends_, begins_;      // of terms, by their first and last token
};

} // namespace etl::sql

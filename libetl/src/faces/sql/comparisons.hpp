// What comparisons in a query need. Private to sql.
#pragma once

#include "sql/prepared_text.hpp"
#include "sql/statement.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace etl::sql {

// Operands in a query.

/// What was seen of columns, up to a place.
struct Counts {
    std::size_t times = 0;  // and what may be one
    std::size_t others = 0; // than times, also texts
    std::size_t nanoseconds = 0, hexes = 0, known = 0;
    std::size_t collations = 0; // COLLATE of the query

    friend Counts operator-(const Counts& a, const Counts& b) noexcept {
        return {a.times - b.times, a.others - b.others, a.nanoseconds - b.nanoseconds,
                a.hexes - b.hexes, a.known - b.known,   a.collations - b.collations};
    }
};

/// A part of a calculation, or all of it.
struct Operand {
    enum class Kind : std::uint8_t { column, literal, other };

    std::size_t first = 0, last = 0; // tokens
    Kind kind = Kind::other;
    std::size_t main = 0;       // the token of the literal, or of the name of the column
    std::size_t literal = 0;    // its number
    bool has_plus = false;      // has no affinity
    bool has_affinity = false;  // may have one: CAST, subqueries; also NULL, bytes
    bool is_calculated = false; // a number
    bool is_row = false;
    bool has_collation = false; // COLLATE of the query
    Counts seen{};              // inside

    bool is(Kind of) const noexcept { return kind == of; }
};

struct Literal {
    enum class Context : std::uint8_t { plain, row, argument };

    std::size_t token = 0;
    Context context = Context::plain;
    bool is_settled = false;
};

/// What literals are compared with, and what that makes of it.
struct Subject {
    Operand operand{};
    bool exact = false, real = false, text = false, instant = false;
};

/// Decides what is put around literals, and around what they are compared with. What is passed
/// must outlive this.
class Comparisons {
public:
    Comparisons(const Statement& statement, const FindColumn& find_column, Places& places);

    /// Returns the types of a column; unknown if the query gives its name to something else, too.
    ColumnTypes types_of(const std::string& name) const;
    ColumnTypes types_of(const Operand& column) const;

    static bool is_nanoseconds(const std::string& name);

    /// Returns its number, for Operand::literal.
    std::size_t add_literal(std::size_t token);

    Literal& literal(const Operand& operand) noexcept { return literals_[operand.literal]; }

    Literal& literal(std::size_t number) noexcept { return literals_[number]; }

    /// Of those added, the ones that something may be put around.
    std::size_t changing_literals() const noexcept { return changing_literals_; }

    /// Compares a subject with one of several operands.
    void compare(Subject& subject, const Operand& other);

    void compare_both(const Operand& one, const Operand& other);

    /// After all its comparisons: puts what compares as wanted in the place of a subject.
    void apply(const Subject& subject);

    /// At the end: literals that were not compared.
    void settle_literals();

    /// The first one counts.
    void refuse(std::string what, std::size_t token);

    const std::optional<Refusal>& refusal() const noexcept { return refusal_; }

private:
    void note_mention(std::size_t i);
    void compare_number(Subject& subject, const Operand& literal);
    void compare_text(Subject& subject, const Operand& literal);
    void compare_number_text(Subject& subject, const Operand& literal, const std::string& value);
    void compare_time(Subject& subject, const Operand& literal);
    void compare_operands(Subject& subject, const Operand& other);
    void make_exact(Subject& subject, const Operand& literal);
    void make_exact(const Operand& literal);
    bool has_no_affinity(const Operand& operand) const;
    void settle(const Literal& literal);
    void settle_number(const Literal& literal);

    const Token& token(std::size_t i) const noexcept { return statement_->token(i); }

    const Statement* statement_;
    const FindColumn* find_column_;
    Places* places_;
    std::vector<Literal> literals_;
    std::size_t changing_literals_ = 0;
    // Of columns that the query names.
    bool has_hex_ = false, has_unsigned_ = false, has_nanoseconds_ = false;
    std::optional<Refusal> refusal_;
};

} // namespace etl::sql

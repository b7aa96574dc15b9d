// Operands in a query. Private to sql.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::sql {

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

} // namespace etl::sql

// The text of a query as SQLite compiles it. Private to sql.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace etl::sql {

/// A column of a table has a collation, an expression has none: SQLite would compare it byte for
/// byte. So that times and large numbers compare as such everywhere, the collation is put behind
/// texts that are a time or a large number, behind the names of JSON members, and behind what
/// returns one of its arguments: max(), coalesce(), CASE, and others.
class PreparedText {
public:
    explicit PreparedText(std::string_view query);

    const std::string& text() const noexcept { return text_; }

    /// Returns the place in the query of a place in text().
    std::size_t place_of(std::size_t place) const noexcept;

    /// Whether there is a bit operator, or a number that INTEGER cannot hold: operands that SQLite
    /// converts to other numbers, before `end` of text().
    bool has_narrow_operand(std::size_t end) const noexcept { return narrow_operand_ < end; }

    /// Removes what was put in, from the name of a column.
    static std::string without_insertions(std::string name);

private:
    struct Insertion {
        std::size_t at = 0; // in text()
        std::size_t size = 0;
    };

    std::string text_;
    std::vector<Insertion> insertions_;
    std::size_t narrow_operand_ = std::string::npos; // in text()
};

} // namespace etl::sql

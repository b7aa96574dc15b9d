// The text of a query as SQLite compiles it. Private to sql.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::sql {

/// The types that the columns with a name have in the tables of a query; a set.
struct ColumnTypes {
    bool number = false; // INTEGER, REAL
    bool text = false;   // also JSON
    bool time = false;
    bool hex = false;             // text of a hexadecimal number
    bool unsigned_number = false; // INTEGER, or text of a number above it
    bool any = false;

    bool is_known() const noexcept {
        return number || text || time || hex || unsigned_number || any;
    }

    auto operator<=>(const ColumnTypes&) const = default;
};

/// Returns the types of a column, ignoring case; none: no table has it.
using FindColumn = std::function<ColumnTypes(const std::string& name)>;

/// Returns the names in a query, without quotes: those of tables are among them.
std::vector<std::string> names_in(std::string_view query);

/// What is put into a query, at one place.
struct Insertion {
    std::size_t at = 0; // in the query; in PreparedText, in its text
    std::string text{};
};

/// Why a query is not compiled.
struct Refusal {
    std::string what;
    std::size_t at = 0; // in the query
};

/// A query with functions and collations around what SQLite would take for something else (see
/// insertions_into()).
class PreparedText {
public:
    PreparedText(std::string_view query, const FindColumn& find_column);

    const std::string& text() const noexcept { return text_; }

    const std::optional<Refusal>& refusal() const noexcept { return refusal_; }

    /// Returns the place in the query of a place in text().
    std::size_t place_of(std::size_t place) const noexcept;

private:
    std::string text_;
    std::optional<Refusal> refusal_;
    std::vector<Insertion> insertions_; // ascending
};

} // namespace etl::sql

// The text of a query as SQLite compiles it. Private to sql.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::sql {

/// The types that the columns with a name have in the tables of a query; a set.
struct ColumnTypes {
    bool number = false; // INTEGER, REAL
    bool text = false;
    bool time = false;
    bool any = false; // INTEGER, or a text of a larger number

    bool is_known() const noexcept { return number || text || time || any; }

    auto operator<=>(const ColumnTypes&) const = default;
};

/// Returns the types of a column, ignoring case; none: no table has it.
using FindColumn = std::function<ColumnTypes(const std::string& name)>;

/// Returns the names in a query, without quotes: those of tables are among them.
std::vector<std::string> names_in(std::string_view query);

/// What SQLite would take for something else is put into brackets of functions, or gets a
/// collation:
/// - An expression has no collation: what returns one of its arguments (max(), coalesce(), CASE,
///   members of JSON) gets one, and so do texts that are a time or a number above INTEGER, unless
///   they are compared with a column, which has its own.
/// - Operands of calculations, and of functions that expect numbers: numbers above INTEGER are an
///   error there (etl_number).
/// - A number that INTEGER cannot hold, or a text that is a number, is compared as a number with
///   what may be one (etl_operand); a text that is a time, with nanoseconds (etl_time_ns).
class PreparedText {
public:
    PreparedText(std::string_view query, const FindColumn& find_column);

    const std::string& text() const noexcept { return text_; }

    /// Returns the place in the query of a place in text().
    std::size_t place_of(std::size_t place) const noexcept;

    /// Removes what was put in, from the name of a column.
    std::string without_insertions(std::string name) const;

private:
    struct Insertion {
        std::size_t at = 0; // in text()
        std::size_t size = 0;
    };

    std::string text_;
    std::vector<Insertion> insertions_; // ascending
};

} // namespace etl::sql

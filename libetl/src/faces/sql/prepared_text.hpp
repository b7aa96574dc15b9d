// The text of a query as SQLite compiles it. Private to sql.
#pragma once

#include "sql/counted_query.hpp"
#include "sql/statement.hpp"

#include <cstddef>
#include <cstdint>
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
    PreparedText(std::string_view query, const FindColumn& find_column,
                 const IsEventTable& is_event_table);

    const std::string& text() const noexcept { return text_; }

    const std::optional<Refusal>& refusal() const noexcept { return refusal_; }

    const CountedQuery& counted() const noexcept { return counted_; }

    /// Returns the place in the query of a place in text().
    std::size_t place_of(std::size_t place) const noexcept;

private:
    std::string text_;
    std::optional<Refusal> refusal_;
    CountedQuery counted_;
    std::vector<Insertion> insertions_; // ascending
};

// The places in a query where something is put in.

std::string collate(std::string_view collation);

/// Collects them. Tokens are those of the statement, which must outlive this.
class Places {
public:
    Places(std::string_view query, const Statement& statement) noexcept
        : query_(query), statement_(&statement) {}

    std::size_t size() const noexcept { return places_.size(); }

    void put_before(std::size_t first, std::string text);
    void put_after(std::size_t last, std::string text);

    /// Inside of everything else.
    void put_inside(std::size_t last, std::string text);

    /// Around what was put in there before. `end`: what closes the call.
    void wrap(std::size_t first, std::size_t last, std::string_view function,
              std::string end = ")");

    /// Around a literal, inside of everything else. The function gets numbers as texts.
    void wrap_literal(std::size_t i, std::string_view function, std::string after = {});

    /// With a second argument, the text in the query, unless it is long.
    void wrap_number(std::size_t first, std::size_t last, std::string_view function);

    /// Returns all of them, ascending, and forgets them.
    std::vector<Insertion> take();

private:
    /// What is put in at one place is put in from the inside out.
    struct Place {
        std::size_t at = 0;
        bool is_before = false; // a token that begins there
        std::int64_t depth = 0;
        std::string text{};
    };

    const Token& token(std::size_t i) const noexcept { return statement_->token(i); }

    std::string_view query_;
    const Statement* statement_;
    std::vector<Place> places_;
    std::int64_t depth_ = 0;
};

} // namespace etl::sql

// Statements that read one table, once. Private to sql.
#pragma once

#include "sql/statement.hpp"

#include <cstddef>
#include <optional>

namespace etl::sql {

/// One SELECT over one table, without DISTINCT, joins, subqueries, and windows. Tokens of it.
struct SingleSelect {
    bool is_explained = false;
    std::size_t list = 0;    // after SELECT
    std::size_t from = 0;    // FROM, which the name of the table follows
    std::size_t clauses = 0; // after the table and its alias
};

/// Looks at the words of a statement. None: it is not such a SELECT, or that is not sure.
std::optional<SingleSelect> single_select_of(const Statement& statement);

/// Whether a clause that can follow the table begins at a token, or the statement ends.
bool is_at_clause(const Statement& statement, std::size_t i) noexcept;

} // namespace etl::sql

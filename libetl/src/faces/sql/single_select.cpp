#include "sql/single_select.hpp"

#include <array>

namespace etl::sql {

namespace {

/// What makes rows of one table more than their values: the number of the rows, their order, other
/// rows.
constexpr std::array<std::string_view, 14> more_than_a_table{
    "with",   "union",  "intersect", "except",  "join",  "distinct", "over",
    "window", "values", "exists",    "natural", "cross", "indexed",  "recursive"};

constexpr std::array<std::string_view, 5> table_clauses{"where", "group", "having", "order",
                                                        "limit"};

} // namespace

bool is_at_clause(const Statement& statement, std::size_t i) noexcept {
    const Token& token = statement.token(i);
    return i >= statement.size() || is_mark(token, ";") || is_word_of(token, table_clauses);
}

std::optional<SingleSelect> single_select_of(const Statement& statement) {
    const auto token = [&](std::size_t i) -> const Token& { return statement.token(i); };
    SingleSelect select;
    while (is_mark(token(select.list), ";")) {
        ++select.list;
    }
    select.is_explained = is_word(token(select.list), "explain");
    if (select.is_explained) {
        select.list += is_word(token(select.list + 1), "query") ? 3U : 1U;
    }
    if (!is_word(token(select.list++), "select")) {
        return std::nullopt;
    }
    std::size_t selects = 0, froms = 0;
    for (std::size_t i = 0; i < statement.size(); ++i) {
        if (is_word_of(token(i), more_than_a_table)) {
            return std::nullopt;
        }
        selects += is_word(token(i), "select") ? 1U : 0U;
        if (is_word(token(i), "from")) {
            ++froms;
            select.from = i;
        }
    }
    if (selects != 1 || froms != 1 || !is_name(token(select.from + 1))) {
        return std::nullopt;
    }
    select.clauses = select.from + 2;
    select.clauses += is_word(token(select.clauses), "as") ? 1U : 0U;
    if (is_name(token(select.clauses)) && !is_at_clause(statement, select.clauses)) {
        ++select.clauses;
    }
    return is_at_clause(statement, select.clauses) ? std::optional(select) : std::nullopt;
}

} // namespace etl::sql

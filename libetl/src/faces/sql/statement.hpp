// A statement as tokens, and the names that it gives. Private to sql.
#pragma once

#include "sql/tokens.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace etl::sql {

/// What a name that a query gives (AS) stands for.
enum class Alias : std::uint8_t {
    none,
    column,     // or unknown
    expression, // without an affinity
};

/// The first statement of a query. Any text: what is wrong is left to SQLite.
class Statement {
public:
    static constexpr std::size_t none = SIZE_MAX;

    explicit Statement(std::string_view query);

    std::size_t size() const noexcept { return tokens_.size(); }

    /// Returns an empty token outside the statement.
    const Token& token(std::size_t i) const noexcept;

    const Token& before(std::size_t i) const noexcept { return token(i == 0 ? none : i - 1); }

    /// Returns the other bracket, or none.
    std::size_t partner_of(std::size_t i) const noexcept;

    /// Whether the bracket that opens at `i` is a list of columns, as in `WITH a(x, y) AS (...)`.
    bool is_column_list(std::size_t i) const noexcept;

    /// `name` is without quotes.
    Alias alias_of(std::string_view name) const;

private:
    void match_brackets();
    void find_aliases();
    void add_alias(const Token& name, Alias alias);

    std::vector<Token> tokens_;
    std::vector<std::size_t> partners_;              // by token
    std::unordered_map<std::string, Alias> aliases_; // lowercase
};

} // namespace etl::sql

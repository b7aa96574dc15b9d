// The places in a query where something is put in. Private to sql.
#pragma once

#include "sql/prepared_text.hpp"
#include "sql/statement.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace etl::sql {

std::string collate(std::string_view collation);

/// Collects them. Tokens are those of the statement, which must outlive this.
class Places {
public:
    Places(std::string_view query, const Statement& statement) noexcept
        : query_(query), statement_(&statement) {}

    std::size_t size() const noexcept { return places_.size(); }

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

#include "sql/scanned_query.hpp"

#include "base/text.hpp"
#include "sql/single_select.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace etl::sql {

namespace {

using Words = std::string_view;

/// Words that SQLite may take for something else than a column.
constexpr std::array<Words, 8> no_columns{"current_date", "current_time", "current_timestamp",
                                          "true",         "false",        "rowid",
                                          "oid",          "_rowid_"};

constexpr std::array<Words, 6> signs_of_numbers{"=", "==", "<", "<=", ">", ">="};
constexpr std::array<Words, 2> signs_of_texts{"=", "=="};

/// Parses a statement from the front, as long as it understands the words.
class Scan {
public:
    Scan(const Statement& statement, const SingleSelect& select,
         const std::vector<ColumnInfo>& columns)
        : statement_(&statement), columns_(&columns), i_(select.list) {}

    std::optional<ScannedQuery> parse() {
        const bool is_known = parse_list() && skip_table() && parse_where() && parse_limit();
        return is_known && (is_mark(here(), ";") || i_ >= statement_->size())
                   ? std::optional(std::move(query_))
                   : std::nullopt;
    }

private:
    const Token& here(std::size_t after = 0) const noexcept {
        return statement_->token(i_ + after);
    }

    bool take_word(std::string_view word) noexcept {
        const bool is_here = is_word(here(), word);
        i_ += is_here ? 1U : 0U;
        return is_here;
    }

    bool take_mark(std::string_view mark) noexcept {
        const bool is_here = is_mark(here(), mark);
        i_ += is_here ? 1U : 0U;
        return is_here;
    }

    /// Of a column of the table.
    std::optional<std::size_t> take_column() {
        if (!is_name(here()) || is_word_of(here(), no_columns)) {
            return std::nullopt;
        }
        const std::string name = name_of(here());
        const auto found = std::ranges::find_if(*columns_, [&](const ColumnInfo& column) {
            return equals_ignoring_case(column.name, name);
        });
        if (found == columns_->end()) {
            return std::nullopt;
        }
        ++i_;
        return static_cast<std::size_t>(found - columns_->begin());
    }

    bool parse_list() {
        do {
            if (take_mark("*")) {
                for (std::size_t column = 0; column < columns_->size(); ++column) {
                    query_.columns.push_back(column);
                }
                continue;
            }
            const auto column = take_column();
            const bool is_named = column && take_word("as");
            if (!column || (is_named && !is_name(here()))) {
                return false;
            }
            i_ += is_named ? 1U : 0U;
            query_.columns.push_back(*column);
        } while (take_mark(","));
        return true;
    }

    /// Its name, and an alias.
    bool skip_table() {
        if (!take_word("from")) {
            return false;
        }
        while (!is_at_clause(*statement_, i_)) {
            ++i_;
        }
        return true;
    }

    bool parse_where() {
        if (!take_word("where")) {
            return true;
        }
        do {
            const auto column = take_column();
            if (!column || !parse_comparison((*columns_)[*column].type)) {
                return false;
            }
        } while (take_word("and"));
        return true;
    }

    /// What follows a column of a type.
    bool parse_comparison(std::string_view type) {
        if (type != "time" && type != "integer" && type != "text") {
            return false;
        }
        if (type != "text" && take_word("between")) {
            query_.comparisons += 2;
            return take_literal(type) && take_word("and") && take_literal(type);
        }
        const bool is_sign = type == "text" ? is_mark_of(here(), signs_of_texts)
                                            : is_mark_of(here(), signs_of_numbers);
        ++i_;
        ++query_.comparisons;
        return is_sign && take_literal(type);
    }

    bool take_literal(std::string_view type) {
        return type == "integer" ? take_number().has_value()
                                 : here().kind == Token::Kind::text && ++i_ != 0;
    }

    /// In decimal digits; INTEGER holds it.
    std::optional<std::uint64_t> take_number() {
        constexpr std::size_t max_digits = 18;
        const std::string_view text = here().text;
        std::uint64_t number = 0;
        const char* const end = text.data() + text.size();
        if (here().kind != Token::Kind::number || text.size() > max_digits ||
            std::from_chars(text.data(), end, number).ptr != end) {
            return std::nullopt;
        }
        ++i_;
        return number;
    }

    bool parse_limit() {
        if (!take_word("limit")) {
            return true;
        }
        query_.limit = take_number();
        std::optional<std::uint64_t> offset = 0;
        if (take_mark(",")) {
            offset = std::exchange(query_.limit, take_number());
        } else if (take_word("offset")) {
            offset = take_number();
        }
        query_.offset = offset.value_or(0);
        return query_.limit && offset;
    }

    const Statement* statement_;
    const std::vector<ColumnInfo>* columns_;
    std::size_t i_; // token
    ScannedQuery query_{.is_scanned = true};
};

} // namespace

ScannedQuery scanned_query_of(const Statement& statement, const FindEventTable& find_table) {
    const auto select = single_select_of(statement);
    const auto* const columns =
        select ? find_table(name_of(statement.token(select->from + 1))) : nullptr;
    return columns == nullptr ? ScannedQuery()
                              : Scan(statement, *select, *columns).parse().value_or(ScannedQuery());
}

} // namespace etl::sql

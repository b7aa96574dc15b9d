#include "sql/counted_query.hpp"

#include "sql/single_select.hpp"

#include <array>
#include <vector>

namespace etl::sql {

namespace {

using Words = std::string_view;

constexpr std::array<Words, 4> sums{"count", "sum", "total", "avg"};

/// Names of the number of a row.
constexpr std::array<Words, 3> row_numbers{"rowid", "oid", "_rowid_"};

/// What brackets can follow, besides functions.
constexpr std::array<Words, 6> clauses{"where", "group", "having", "order", "limit", "by"};

/// Functions whose value depends on their arguments alone, and extremes.
constexpr std::array<Words, 47> plain_functions{
    "abs",          "cast",      "ceil",      "ceiling", "char",   "coalesce", "date",   "datetime",
    "filter",       "floor",     "format",    "glob",    "hex",    "ifnull",   "iif",    "instr",
    "json_extract", "json_type", "julianday", "length",  "like",   "ln",       "log",    "log10",
    "log2",         "lower",     "ltrim",     "max",     "min",    "mod",      "nullif", "pow",
    "power",        "printf",    "quote",     "replace", "round",  "rtrim",    "sign",   "sqrt",
    "strftime",     "substr",    "substring", "trim",    "typeof", "unicode",  "upper"};

constexpr std::array<Words, 6> signs_of_times{"=", "==", "<", "<=", ">", ">="};

class Looker {
public:
    Looker(const Statement& statement, const IsEventTable& is_event_table)
        : statement_(&statement), is_event_table_(&is_event_table) {
        std::size_t depth = 0;
        for (std::size_t i = 0; i < statement.size(); ++i) {
            depth -= is_mark(token(i), ")") && depth > 0 ? 1U : 0U;
            depths_.push_back(depth);
            depth += is_mark(token(i), "(") ? 1U : 0U;
        }
    }

    CountedQuery look() {
        CountedQuery query;
        const auto select = single_select_of(*statement_);
        if (!select || !(*is_event_table_)(name_of(token(select->from + 1)))) {
            return query;
        }
        after_table_ = select->clauses;
        query.is_counted = has_known_functions() && has_plain_columns();
        query.time_comparisons = query.is_counted ? time_comparisons() : 0;
        return query;
    }

private:
    const Token& token(std::size_t i) const noexcept { return statement_->token(i); }

    /// And at least one that adds up.
    bool has_known_functions() const {
        bool adds = false;
        for (std::size_t i = 0; i + 1 < statement_->size(); ++i) {
            const Token& function = token(i);
            if (!is_mark(token(i + 1), "(") || !is_name(function)) {
                continue;
            }
            adds = adds || adds_up(function);
            if (!adds_up(function) && !is_word_of(function, plain_functions) &&
                !is_word_of(function, clauses)) {
                return false;
            }
        }
        return adds;
    }

    /// Whether all columns are named by words, and none is the number of the row. ORDER BY within a
    /// call would take what is put behind its arguments for a term.
    bool has_plain_columns() const {
        constexpr std::array<Words, 2> items{"select", "all"};
        for (std::size_t i = 1; i < statement_->size(); ++i) {
            const Token& before = token(i - 1);
            const bool is_all_columns =
                is_mark(token(i), "*") &&
                (is_word_of(before, items) || is_mark(before, ",") || is_mark(before, "."));
            const bool is_quoted_column =
                token(i).kind == Token::Kind::text && is_mark(before, ".");
            const std::string name = is_name(token(i)) ? name_of(token(i)) : std::string();
            const bool is_row_number = std::ranges::any_of(
                row_numbers, [&](Words word) { return equals_ignoring_case(name, word); });
            const bool orders_arguments = is_word(token(i), "order") && depths_[i] > 0;
            if (is_all_columns || is_quoted_column || is_row_number || orders_arguments) {
                return false;
            }
        }
        return true;
    }

    /// Of WHERE, which must be a list of conditions that are all to be met.
    std::size_t time_comparisons() const {
        const std::size_t end = end_of_where();
        std::size_t number = 0;
        for (std::size_t i = 0; i < statement_->size(); ++i) {
            if (!is_time(token(i))) {
                continue;
            }
            const std::size_t comparisons =
                i > after_table_ && i < end ? comparisons_at(i, end) : 0;
            if (comparisons == 0) {
                return 0;
            }
            number += comparisons;
        }
        return number;
    }

    /// Where WHERE ends; 0: there is none, or it is not a plain list of conditions.
    std::size_t end_of_where() const {
        if (!is_word(token(after_table_), "where")) {
            return 0;
        }
        std::size_t i = after_table_ + 1;
        while (!is_at_clause(*statement_, i)) {
            constexpr std::array<Words, 3> others{"or", "case", "end"};
            if (is_word_of(token(i), others) ||
                (is_word(token(i), "between") && !is_time(token(i - 1)))) {
                return 0;
            }
            const std::size_t partner =
                is_mark(token(i), "(") ? statement_->partner_of(i) : Statement::none;
            i = partner == Statement::none ? i + 1 : partner + 1;
        }
        return i;
    }

    static bool is_time(const Token& token) {
        return is_name(token) && equals_ignoring_case(name_of(token), "time");
    }

    /// The condition with the name at `i`, if that is one: `time >= '...'`, BETWEEN.
    std::size_t comparisons_at(std::size_t i, std::size_t end) const {
        constexpr std::array<Words, 2> starts{"where", "and"};
        const auto is_text = [&](std::size_t at) { return token(at).kind == Token::Kind::text; };
        const auto is_end = [&](std::size_t at) {
            return at == end || (at < end && is_word(token(at), "and"));
        };
        if (depths_[i] != 0 || !is_word_of(statement_->before(i), starts)) {
            return 0;
        }
        const bool is_range = is_word(token(i + 1), "between") && is_text(i + 2) &&
                              is_word(token(i + 3), "and") && is_text(i + 4) && is_end(i + 5);
        if (is_range) {
            return 2;
        }
        return is_mark_of(token(i + 1), signs_of_times) && is_text(i + 2) && is_end(i + 3) ? 1 : 0;
    }

    const Statement* statement_;
    const IsEventTable* is_event_table_;
    std::vector<std::size_t> depths_; // of brackets, by token
    std::size_t after_table_ = 0;
};

} // namespace

bool adds_up(const Token& function) noexcept {
    return is_word_of(function, sums);
}

CountedQuery counted_query_of(const Statement& statement, const IsEventTable& is_event_table) {
    return Looker(statement, is_event_table).look();
}

} // namespace etl::sql

#include "sql/insertions.hpp"

#include "sql/collations.hpp"
#include "sql/comparisons.hpp"
#include "sql/functions.hpp"
#include "sql/limits.hpp"
#include "sql/names.hpp"
#include "sql/numbers.hpp"
#include "sql/prepared_text.hpp"
#include "sql/statement.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>

namespace etl::sql {

namespace {

using TokenKind = Token::Kind;
using Words = std::string_view;

constexpr std::array<Words, 9> calculations{"+", "-", "*", "/", "%", "&", "|", "<<", ">>"};
constexpr std::array<Words, 3> signs{"+", "-", "~"};
constexpr std::array<Words, 8> comparisons{"=", "==", "<>", "!=", "<", "<=", ">", ">="};
constexpr std::array<Words, 3> links{"||", "->", "->>"};

/// Words that end the list of a SELECT.
constexpr std::array<Words, 10> list_ends{"from",  "where", "group",     "having", "order",
                                          "limit", "union", "intersect", "except", "window"};

/// A statement, or a pair of brackets, or CASE.
struct Level {
    enum class Kind : std::uint8_t { plain, call, in_list, choice, window };
    enum class Pending : std::uint8_t { none, comparison, low, high, when };

    Kind kind = Kind::plain;
    std::size_t opener = 0;
    bool has_select = false, is_list = false; // a SELECT; its list
    bool has_values = false;
    bool has_when = false;
    Subject subject{};                   // of IN, CASE
    Subject between{};                   // of BETWEEN
    Pending pending = Pending::none;     // what the next operand is compared with
    bool awaits_high = false;            // the AND of BETWEEN
    Operand left{};                      // of a comparison
    std::optional<Operand> last{};       // the operand before
    std::size_t items = 0;               // that ended, between commas
    Counts seen_in_list{};               // before its end
    std::size_t results = 0;             // those in lists of SELECT
    std::size_t item = 0;                // token where this one begins
    std::size_t item_changes = 0;        // before it
    std::size_t operands = 0;            // of this item
    bool is_named = false;               // this item, by AS
    std::vector<std::size_t> literals{}; // that are all of an item
};

class Finder {
public:
    Finder(std::string_view query, const FindColumn& find_column,
           const IsEventTable& is_event_table)
        : query_(query), statement_(query), counted_(counted_query_of(statement_, is_event_table)),
          places_(query, statement_), comparisons_(statement_, find_column, places_) {}

    Insertions find() {
        const bool is_pragma = is_word(token(0), "pragma"); // its arguments are no expressions
        while (i_ < statement_.size() && !is_pragma && !is_refused()) {
            Level top;
            scan(top);
            ++i_;
        }
        comparisons_.settle_literals();
        const Token& last = statement_.before(statement_.size());
        return {places_.take(), last.text == ";" ? last.end : query_.size(), comparisons_.refusal(),
                counted_};
    }

private:
    using Kind = Operand::Kind;
    using Pending = Level::Pending;

    const Token& token(std::size_t i) const noexcept { return statement_.token(i); }

    const Token& here() const noexcept { return token(i_); }

    bool at_word(std::string_view word) const noexcept { return is_word(here(), word); }

    bool at_mark(std::string_view mark) const noexcept { return is_mark(here(), mark); }

    bool is_refused() const noexcept { return comparisons_.refusal().has_value(); }

    // --- Operands

    /// With the calculations that it is part of.
    std::optional<Operand> operand() {
        const Counts before = counts_;
        std::vector<Operand> terms;
        std::size_t calculation = 0;
        for (auto one = term(); one; one = term()) {
            terms.push_back(*one);
            if (!is_mark_of(here(), calculations)) {
                break;
            }
            calculation = i_++;
        }
        if (terms.empty()) {
            return std::nullopt;
        }
        Operand all = terms.front();
        if (calculation != 0) {
            for (std::size_t n = 0; n < terms.size(); ++n) {
                const bool is_masked =
                    terms.size() == 2 && token(calculation).text == "&" && is_mask(terms[1 - n]);
                calculate(terms[n], is_masked);
            }
            all = {.first = terms.front().first, .last = terms.back().last, .is_calculated = true};
        }
        all.seen = counts_ - before;
        return all;
    }

    /// A number that is not negative: all 64 bits of the other operand of `&` may be taken.
    bool is_mask(const Operand& operand) const noexcept {
        return operand.is(Kind::literal) && token(operand.main).kind == TokenKind::number &&
               number_size(token(operand.main).text) == NumberSize::integer;
    }

    /// An operand of a calculation.
    void calculate(const Operand& operand, bool is_masked = false) {
        if (operand.is(Kind::literal) && token(operand.main).kind == TokenKind::number) {
            comparisons_.literal(operand).is_settled = true;
            if (number_size(token(operand.main).text) == NumberSize::beyond_integer) {
                places_.wrap_literal(operand.main, number_function, "");
            }
            return;
        }
        places_.wrap_number(operand.first, operand.last,
                            is_masked ? bits_function : number_function);
    }

    /// Operands of the operators that bind more than calculations.
    std::optional<Operand> term() {
        auto found = primary();
        if (!found) {
            return found;
        }
        Operand& all = *found;
        bool is_member = false;
        for (;;) {
            if (at_word("collate") && i_ + 1 < statement_.size()) {
                i_ += 2;
                all.last = i_ - 1;
                all.has_collation = true;
                ++counts_.collations;
                keep_collation(all);
            } else if (is_mark_of(here(), links)) {
                is_member = here().text != "||";
                counts_.times += is_member ? 1U : 0U;
                ++counts_.others;
                ++i_;
                const auto next = primary();
                if (!next) {
                    break;
                }
                all = {.first = all.first, .last = next->last};
            } else {
                break;
            }
        }
        if (is_member && !all.has_collation) {
            places_.put_after(all.last, collate(value_collation));
        }
        return found;
    }

    /// Columns of times and numbers have one collation only.
    void keep_collation(const Operand& column) {
        const ColumnTypes types = comparisons_.types_of(column);
        if (types == ColumnTypes{.time = true}) {
            places_.put_after(column.last, collate(time_collation));
        } else if (types == ColumnTypes{.hex = true}) {
            places_.put_after(column.last, collate(hex_collation));
        } else if (types == ColumnTypes{.unsigned_number = true}) {
            places_.put_after(column.last, collate(number_collation));
        }
    }

    std::optional<Operand> primary() {
        const std::size_t first = i_;
        bool has_plus = false, is_calculated = false;
        for (; is_mark_of(here(), signs); ++i_) {
            has_plus = true;
            is_calculated = is_calculated || here().text != "+";
        }
        auto found = unsigned_primary();
        if (!found) {
            return found;
        }
        if (is_calculated) {
            const bool is_least = token(found->main).text == "9223372036854775808" &&
                                  found->is(Kind::literal) &&
                                  is_mark(statement_.before(found->first), "-");
            if (is_least) {
                comparisons_.literal(*found).is_settled = true;
            } else {
                calculate(*found);
            }
            return Operand{.first = first, .last = found->last};
        }
        found->first = first;
        found->has_plus = found->has_plus || has_plus;
        return found;
    }

    std::optional<Operand> unsigned_primary() {
        const Token& at = here();
        const std::size_t first = i_;
        const bool is_call = is_mark(token(i_ + 1), "(");
        switch (at.kind) {
        case TokenKind::number:
        case TokenKind::text:
            return literal();
        case TokenKind::mark:
            if (at.text == "(") {
                return brackets();
            }
            if (at.text.ends_with('\'') || at.text == "?") { // bytes
                ++i_;
                return Operand{.first = first, .last = first, .has_affinity = true};
            }
            return std::nullopt;
        case TokenKind::word:
            if (is_word(at, "null")) {
                ++i_;
                return Operand{.first = first, .last = first, .has_affinity = true};
            }
            if (is_word(at, "case")) {
                return choice();
            }
            if (is_word(at, "exists") && is_call) {
                ++i_;
                const auto all = brackets();
                return all ? std::optional(Operand{.first = first, .last = all->last})
                           : std::nullopt;
            }
            if (is_word(at, "cast") && is_call) {
                return call(first);
            }
            if (is_reserved(at)) {
                return std::nullopt;
            }
            break;
        case TokenKind::name:
            break;
        }
        while (is_mark(token(i_ + 1), ".") &&
               (token(i_ + 2).kind == TokenKind::word || token(i_ + 2).kind == TokenKind::name)) {
            i_ += 2;
        }
        return is_mark(token(i_ + 1), "(") ? call(first) : column(first);
    }

    Operand literal() {
        const Operand found{.first = i_,
                            .last = i_,
                            .kind = Kind::literal,
                            .main = i_,
                            .literal = comparisons_.add_literal(i_)};
        if (here().text.starts_with("'$")) { // a path in JSON
            ++counts_.times;
            places_.put_after(i_, collate(value_collation));
            comparisons_.literal(found).is_settled = true;
        }
        const bool is_text = here().kind == TokenKind::text;
        counts_.others += is_text && !time_of_text(unquoted(here().text)) ? 1U : 0U;
        ++i_;
        return found;
    }

    std::size_t changes() const noexcept {
        return places_.size() + comparisons_.changing_literals();
    }

    Operand column(std::size_t first) {
        const std::string name = name_of(here());
        const ColumnTypes types = comparisons_.types_of(name);
        counts_.times += types.time || !types.is_known() ? 1U : 0U;
        counts_.others += types == ColumnTypes{.time = true} ? 0U : 1U;
        counts_.hexes += types.hex ? 1U : 0U;
        counts_.known += types.is_known() ? 1U : 0U;
        counts_.nanoseconds += comparisons_.is_nanoseconds(name) ? 1U : 0U;
        return {.first = first, .last = i_, .kind = Kind::column, .main = i_++};
    }

    /// Scans to the end of a level that begins at a bracket, or behind CASE. Recursion is bounded.
    bool enter(Level& level) {
        constexpr std::size_t most = limits::query_depth;
        if (depth_ >= most) {
            comparisons_.refuse("the query is nested more than 200 deep", i_);
            return false;
        }
        level.opener = i_++;
        ++depth_;
        scan(level);
        --depth_;
        return !is_refused() && i_ < statement_.size();
    }

    std::optional<Operand> choice() {
        const Counts before = counts_;
        Level level{.kind = Level::Kind::choice};
        const std::size_t first = i_;
        if (!enter(level) || !at_word("end")) {
            return std::nullopt;
        }
        const Operand all{.first = first, .last = i_++};
        comparisons_.apply(level.subject);
        pass_collation(all, before);
        return all;
    }

    std::optional<Operand> call(std::size_t first) {
        const Counts before = counts_;
        const Token& function = here();
        const bool is_cast = is_word(function, "cast");
        ++i_;
        const bool is_list = statement_.is_column_list(i_);
        Level level{.kind = is_list ? Level::Kind::plain : Level::Kind::call};
        if (!enter(level)) {
            return std::nullopt;
        }
        if (counted_.is_counted && adds_up(function)) {
            count_events(first, level.opener);
        }
        Operand all{.first = first, .last = i_++, .has_affinity = is_cast};
        for (;;) {
            Level next;
            const bool is_filter = at_word("filter") && is_mark(token(i_ + 1), "(");
            if (!is_filter && !at_word("over")) {
                break;
            }
            next.kind = is_filter ? Level::Kind::plain : Level::Kind::window;
            ++i_;
            if (at_mark("(") && !enter(next)) {
                return std::nullopt;
            }
            all.last = i_++;
        }
        if (passes_argument(function) && !is_list) {
            pass_collation(all, before);
        }
        return all;
    }

    /// Makes a call from the function to the bracket here one that gets the number of events as its
    /// second argument. SQLite permits none after `*`, so that one becomes a comment.
    void count_events(std::size_t function, std::size_t opener) {
        const std::string events = quoted_name(events_column);
        places_.put_before(function, std::string(counted_prefix));
        if (opener + 1 == i_) {
            places_.put_after(opener, "1, " + events);
        } else if (is_mark(token(opener + 1), "*")) {
            places_.put_before(opener + 1, "1, " + events + " /*");
            places_.put_after(i_ - 1, "*/");
        } else {
            places_.put_after(i_ - 1, ", " + events);
        }
    }

    /// What returns one of its arguments compares as they do.
    void pass_collation(const Operand& all, const Counts& before) {
        const Counts seen = counts_ - before;
        if (at_word("collate") || seen.collations > 0) { // SQLite takes it from inside
            return;
        }
        const bool is_time = seen.times > 0 && seen.others == 0;
        places_.put_after(all.last, collate(is_time                             ? time_collation
                                            : seen.times > 0 || seen.known == 0 ? value_collation
                                            : seen.hexes > 0                    ? hex_collation
                                                             : number_collation));
    }

    std::optional<Operand> brackets() {
        const std::size_t first = i_;
        const Counts before = counts_;
        const bool is_operand = is_operand_place(first);
        const bool is_value = is_word(statement_.before(first), "values") ||
                              (is_mark(statement_.before(first), ",") && level_->has_values);
        Level level;
        const bool has_statement =
            is_word_of(token(i_ + 1), std::array<Words, 3>{"select", "values", "with"});
        if (is_word(statement_.before(i_), "as") && !has_statement) {
            level.kind = Level::Kind::window;
        }
        if (!enter(level)) {
            return std::nullopt;
        }
        Operand all{.first = first, .last = i_++};
        if (level.has_select) {
            counts_ = level.is_list ? counts_ : level.seen_in_list; // the rest is not returned
            const Token& item = token(first + 2);
            const bool is_call = is_name(item) && is_mark(token(first + 3), "(");
            all.has_affinity = !is_call || level.results != 1;
            if (is_operand && level.results == 1) {
                pass_collation(all, before);
            }
            return all;
        }
        if (level.items == 1 && level.last && level.last->first == first + 1 &&
            level.last->last + 2 == i_) {
            all = *level.last; // brackets around it change nothing
            all.first = first;
            all.last = i_ - 1;
            return all;
        }
        all.is_row = level.items != 1;
        for (const std::size_t literal : level.literals) {
            comparisons_.literal(literal).context =
                all.is_row && !is_value ? Literal::Context::row : Literal::Context::plain;
        }
        return all;
    }

    /// Whether a subquery that begins at a token is an operand, not a table.
    bool is_operand_place(std::size_t i) const noexcept {
        constexpr std::array<Words, 12> words{"select", "distinct", "where", "and",    "or", "not",
                                              "when",   "then",     "else",  "having", "by", "is"};
        const Token& before = statement_.before(i);
        const bool is_item = level_->is_list || level_->kind == Level::Kind::call;
        return is_word_of(before, words) || is_mark_of(before, comparisons) ||
               is_mark_of(before, calculations) ||
               (is_item && (before.text == "," || before.text == "("));
    }

    // --- Levels

    void scan(Level& level) {
        const Level* const outer = std::exchange(level_, &level);
        scan_items(level);
        level_ = outer;
    }

    void scan_items(Level& level) {
        begin_item(level);
        while (i_ < statement_.size() && !is_refused()) {
            const bool is_end_of_choice =
                level.kind == Level::Kind::choice && level.last && at_word("end");
            if (at_mark(")") || is_end_of_choice) {
                end_item(level);
                return;
            }
            constexpr std::array<Words, 3> frames{"rows", "range", "groups"};
            if (level.kind == Level::Kind::window && is_word_of(here(), frames)) {
                i_ = std::min(statement_.partner_of(level.opener), statement_.size());
            } else if (!level.last || !continue_after(level)) {
                begin_operand(level);
            }
        }
        end_item(level);
    }

    void begin_item(Level& level) {
        level.item = i_;
        level.item_changes = changes();
        level.operands = 0;
        level.is_named = false;
        level.last.reset();
        level.pending = Pending::none;
        level.awaits_high = false;
    }

    /// At the token behind it.
    void end_item(Level& level) {
        if (i_ == level.item) {
            return;
        }
        ++level.items;
        const bool is_literal = level.operands == 1 && level.last && level.last->is(Kind::literal);
        if (is_literal) {
            level.literals.push_back(level.last->literal);
        }
        if (level.kind == Level::Kind::call) {
            end_argument(level, is_literal);
        }
        if (level.is_list) {
            ++level.results;
            if (!level.is_named && changes() > level.item_changes) {
                const std::size_t begin = token(level.item).begin; // keeps the name it would have
                places_.put_after(i_ - 1, " AS " + name_of_result(query_.substr(
                                                       begin, token(i_ - 1).end - begin)));
            }
        }
    }

    static std::string name_of_result(std::string_view text) {
        constexpr std::size_t longest = 1000;
        std::size_t size = std::min(text.size(), longest);
        while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80) {
            --size; // not in a character
        }
        return quoted_name(text.substr(0, size));
    }

    void end_argument(const Level& level, bool is_literal) {
        const Token& function = token(level.opener - 1);
        constexpr std::array<Words, 3> comparing{"max", "min", "nullif"};
        constexpr std::array<Words, 2> formatting{"printf", "format"};
        if (is_literal && is_word_of(function, comparing)) {
            comparisons_.literal(*level.last).context = Literal::Context::argument;
        }
        const bool is_number = takes_numbers(function) ||
                               (is_word_of(function, formatting) && level.items > 1 &&
                                (!is_mark(token(level.opener + 2), ",") ||
                                 is_formatted_as_number(token(level.opener + 1), level.items - 1)));
        std::size_t first = level.item;
        while (is_word_of(token(first), std::array<Words, 2>{"distinct", "all"})) {
            ++first;
        }
        if (!is_number || first >= i_ || token(first).text == "*") {
            return;
        }
        if (is_literal) {
            calculate_literal(*level.last);
        } else {
            places_.wrap_number(first, i_ - 1, number_function);
        }
    }

    /// Texts are formats, and modifiers of times.
    void calculate_literal(const Operand& literal) {
        if (token(literal.main).kind == TokenKind::number) {
            calculate(literal);
        }
    }

    /// The operator after an operand. Returns whether there is one.
    bool continue_after(Level& level) {
        const Operand last = *level.last;
        const auto expect = [&](Pending pending) {
            level.pending = pending;
            level.last.reset();
            ++i_;
        };
        if (is_mark_of(here(), comparisons)) {
            level.left = last;
            expect(Pending::comparison);
        } else if (at_word("is")) {
            level.left = last;
            expect(Pending::comparison);
            i_ += at_word("not") ? 1U : 0U;
            i_ += at_word("distinct") && is_word(token(i_ + 1), "from") ? 2U : 0U;
        } else if (at_word("between")) {
            level.between = {.operand = last};
            expect(Pending::low);
        } else if (at_word("and") && level.awaits_high) {
            level.awaits_high = false;
            expect(Pending::high);
        } else if (at_word("in")) {
            ++i_;
            compare_with_list(level, last);
        } else if (is_word_of(here(), std::array<Words, 3>{"isnull", "notnull", "null"}) ||
                   (at_word("not") && !is_mark(token(i_ + 1), "("))) {
            ++i_; // NOT NULL, NOT IN
        } else if (is_word_of(here(), std::array<Words, 7>{"and", "or", "like", "glob", "match",
                                                           "regexp", "escape"})) {
            expect(Pending::none);
        } else {
            visit_other(level, true);
            level.last.reset();
        }
        return true;
    }

    void compare_with_list(Level& level, const Operand& left) {
        level.last.reset();
        if (!at_mark("(")) {
            return;
        }
        Level list{.kind = Level::Kind::in_list, .subject = {.operand = left}};
        if (enter(list)) {
            comparisons_.apply(list.subject);
            level.last = Operand{.first = left.first, .last = i_++};
        }
    }

    void begin_operand(Level& level) {
        constexpr std::array<Words, 2> before_by{"order", "group"};
        const bool is_by = at_word("by") && is_word_of(statement_.before(i_), before_by);
        const std::size_t begin = i_;
        const auto found = is_by ? std::nullopt : operand();
        if (!found) {
            if (i_ == begin) {
                visit_other(level, false);
            }
            return;
        }
        ++level.operands;
        switch (std::exchange(level.pending, Pending::none)) {
        case Pending::comparison:
            comparisons_.compare_both(level.left, *found);
            break;
        case Pending::low:
            comparisons_.compare(level.between, *found);
            level.awaits_high = true;
            break;
        case Pending::high:
            comparisons_.compare(level.between, *found);
            comparisons_.apply(level.between);
            break;
        case Pending::when:
            comparisons_.compare(level.subject, *found);
            break;
        case Pending::none:
            if (level.kind == Level::Kind::in_list) {
                comparisons_.compare(level.subject, *found);
            } else if (level.kind == Level::Kind::choice && !level.has_when) {
                level.subject.operand = *found;
            }
            break;
        }
        level.last = *found;
    }

    /// What is not part of an expression.
    void visit_other(Level& level, bool is_after_operand) {
        const Token& at = here();
        if (is_mark(at, ",")) {
            end_item(level);
            ++i_;
            begin_item(level);
        } else if (is_word(at, "select")) {
            level.has_select = level.is_list = true;
            level.has_values = false;
            level.kind = Level::Kind::plain;
            ++i_;
            i_ += is_word_of(here(), std::array<Words, 2>{"distinct", "all"}) ? 1U : 0U;
            begin_item(level);
        } else if (is_word_of(at, list_ends) || is_mark(at, ";")) {
            end_list(level);
        } else if (is_word(at, "values")) {
            level.has_select = level.has_values = true;
            ++i_;
        } else if (is_word(at, "as")) {
            visit_as(level);
        } else if (is_word(at, "when") && level.kind == Level::Kind::choice) {
            const bool has_subject =
                level.has_when ? level.subject.operand.last != 0 : level.operands == 1;
            level.has_when = true;
            ++i_;
            level.pending = has_subject ? Pending::when : Pending::none;
        } else {
            level.is_named =
                level.is_named || (is_after_operand && (is_name(at) || at.kind == TokenKind::text));
            ++i_;
        }
    }

    /// A list of results ends; what follows is not part of an item.
    void end_list(Level& level) {
        end_item(level);
        level.seen_in_list = level.is_list ? counts_ : level.seen_in_list;
        level.is_list = level.has_values = false;
        ++i_;
        begin_item(level);
    }

    void visit_as(Level& level) {
        const bool is_type =
            level.kind == Level::Kind::call && is_word(token(level.opener - 1), "cast");
        if (is_type) {
            const std::size_t end = statement_.partner_of(level.opener);
            if (end == Statement::none) {
                ++i_;
                return;
            }
            const bool is_number = is_number_type(token(i_ + 1).text);
            if (is_number && i_ > level.item) {
                places_.wrap_number(level.item, i_ - 1, number_function);
            }
            i_ = end;
            return;
        }
        ++i_;
        if (at_mark("(") || at_word("not") || at_word("materialized")) {
            if (++subqueries_ > limits::query_subqueries) { // SQLite compares their names in pairs
                comparisons_.refuse("the query has more than 1,000 subqueries with names", i_);
            }
        }
        if (is_name(here()) || here().kind == TokenKind::text) {
            level.is_named = true;
            ++i_;
        }
    }

    std::string_view query_;
    Statement statement_;
    CountedQuery counted_;
    Places places_;
    Comparisons comparisons_;
    std::size_t i_ = 0; // token
    std::size_t depth_ = 0;
    const Level* level_ = nullptr;
    std::size_t subqueries_ = 0; // with names
    Counts counts_;
};

} // namespace

Insertions insertions_into(std::string_view query, const FindColumn& find_column,
                           const IsEventTable& is_event_table) {
    return Finder(query, find_column, is_event_table).find();
}

} // namespace etl::sql

#include "sql/comparisons.hpp"

#include "sql/collations.hpp"
#include "sql/functions.hpp"
#include "sql/names.hpp"
#include "sql/numbers.hpp"
#include "sql/statement.hpp"

#include <array>
#include <utility>

namespace etl::sql {

namespace {

using TokenKind = Token::Kind;
using Words = std::string_view;

/// Whether something may be put around a literal.
bool may_change(const Token& literal) noexcept {
    constexpr std::size_t min = std::string_view("'2024-05-17'").size();
    return literal.kind == TokenKind::number ? number_size(literal.text) != NumberSize::integer
                                             : literal.text.size() >= min;
}

} // namespace

Comparisons::Comparisons(const Statement& statement, const FindColumn& find_column, Places& places)
    : statement_(&statement), find_column_(&find_column), places_(&places) {
    for (std::size_t i = 0; i < statement.size(); ++i) {
        note_mention(i);
    }
}

void Comparisons::note_mention(std::size_t i) {
    const Token& at = token(i);
    constexpr std::array<Words, 3> leaders{"select", "distinct", "all"};
    if (at.text == "*" && (is_word_of(statement_->before(i), leaders) ||
                           is_mark_of(statement_->before(i), std::array<Words, 2>{",", "."}))) {
        has_hex_ = has_nanoseconds_ = has_unsigned_ = true;
    }
    has_hex_ = has_hex_ || at.text == "->>" || at.text == "->" ||
               to_lower_ascii(at.text.substr(0, 4)) == "json";
    if (is_name(at)) {
        const std::string name = name_of(at);
        const ColumnTypes types = (*find_column_)(name);
        has_hex_ = has_hex_ || types.hex || types.any;
        has_unsigned_ = has_unsigned_ || types.unsigned_number || types.any;
        has_nanoseconds_ = has_nanoseconds_ || is_nanoseconds(name);
    }
}

bool Comparisons::is_nanoseconds(const std::string& name) {
    return equals_ignoring_case(name, time_as_number);
}

ColumnTypes Comparisons::types_of(const std::string& name) const {
    return statement_->alias_of(name) == Alias::none ? (*find_column_)(name) : ColumnTypes{};
}

ColumnTypes Comparisons::types_of(const Operand& column) const {
    return column.is(Operand::Kind::column) ? types_of(name_of(token(column.main))) : ColumnTypes{};
}

std::size_t Comparisons::add_literal(std::size_t i) {
    changing_literals_ += may_change(token(i)) ? 1U : 0U;
    literals_.push_back({.token = i});
    return literals_.size() - 1;
}

void Comparisons::refuse(std::string what, std::size_t i) {
    if (!refusal_) {
        refusal_ = Refusal{std::move(what), token(i).begin};
    }
}

void Comparisons::compare(Subject& subject, const Operand& other) {
    const Operand& one = subject.operand;
    if (!other.is(Operand::Kind::literal)) {
        compare_operands(subject, other);
    } else if (literal(other).is_settled) {
        return;
    } else if (one.is_row) {
        literal(other).context = Literal::Context::row;
    } else if (one.is(Operand::Kind::literal)) {
        make_exact(one);
        make_exact(other);
    } else if (token(other.main).kind == TokenKind::number) {
        compare_number(subject, other);
    } else {
        compare_text(subject, other);
    }
}

/// A REAL that is computed compares with a large number as well.
void Comparisons::compare_operands(Subject& subject, const Operand& other) {
    const Operand& one = subject.operand;
    const auto may_be = [&](const Operand& operand) {
        return operand.is(Operand::Kind::column)
                   ? types_of(operand).unsigned_number || types_of(operand).any || operand.has_plus
                   : !operand.has_affinity;
    };
    const bool is_computed = one.is(Operand::Kind::other) || other.is(Operand::Kind::other);
    const bool is_single = !one.is_row && !other.is_row && !one.is(Operand::Kind::literal);
    if (has_unsigned_ && is_computed && is_single && may_be(one) && may_be(other)) {
        subject.real = true;
        places_->wrap(other.first, other.last, real_function);
    }
}

/// Of two literals.
void Comparisons::make_exact(const Operand& one) {
    const Token& at = token(one.main);
    if (at.kind == TokenKind::number && number_size(at.text) != NumberSize::integer &&
        !std::exchange(literal(one).is_settled, true)) {
        places_->wrap_literal(one.main, decimal_function, collate(hex_collation));
    }
}

void Comparisons::compare_number(Subject& subject, const Operand& number) {
    const Operand& other = subject.operand;
    if (number_size(token(number.main).text) != NumberSize::integer) {
        make_exact(subject, number);
    } else if (has_hex_ && !other.is_calculated && has_no_affinity(other)) {
        subject.exact = true;
    }
}

void Comparisons::make_exact(Subject& subject, const Operand& number) {
    subject.exact = true;
    literal(number).is_settled = true;
    places_->wrap_literal(number.main, decimal_function, collate(hex_collation));
    if (number.has_collation) {
        places_->put_after(number.last, collate(hex_collation));
    }
}

/// Whether SQLite compares an operand as it is.
bool Comparisons::has_no_affinity(const Operand& operand) const {
    if (!operand.is(Operand::Kind::column) || operand.has_plus) {
        return !operand.has_affinity;
    }
    const std::string name = name_of(token(operand.main));
    const Alias alias = statement_->alias_of(name);
    const ColumnTypes types = types_of(name); // unknown: of functions such as json_each
    return alias == Alias::expression || types.any || (alias == Alias::none && !types.is_known());
}

void Comparisons::compare_text(Subject& subject, const Operand& text) {
    const std::string value = unquoted(token(text.main).text);
    if (text.has_collation && types_of(subject.operand) == ColumnTypes{.time = true}) {
        literal(text).is_settled = true;
        places_->put_after(text.last, collate(time_collation));
    } else if (time_of_text(value)) {
        compare_time(subject, text);
    } else if (number_of_text(value)) {
        compare_number_text(subject, text, value);
    }
}

void Comparisons::compare_number_text(Subject& subject, const Operand& text,
                                      const std::string& value) {
    const Operand& other = subject.operand;
    const ColumnTypes types = types_of(other);
    const bool is_unsigned = types == ColumnTypes{.unsigned_number = true};
    if (types == ColumnTypes{.text = true} || types == ColumnTypes{.time = true}) {
        literal(text).is_settled = true; // a text, as the column
    } else if (is_unsigned && number_size(value) == NumberSize::integer) {
        literal(text).is_settled = true;
        places_->wrap_literal(text.main, decimal_function);
    } else if (is_unsigned || is_large_number(value)) {
        make_exact(subject, text);
    } else if (other.has_plus ||
               (types != ColumnTypes{.number = true} && types != ColumnTypes{.hex = true})) {
        subject.text = true; // the others have an affinity
    }
}

void Comparisons::compare_time(Subject& subject, const Operand& time) {
    const Operand& other = subject.operand;
    const ColumnTypes types = types_of(other);
    const bool is_column = other.is(Operand::Kind::column);
    const bool is_number = types.any || types.number || types.unsigned_number;
    if (types == ColumnTypes{.number = true} && is_nanoseconds(name_of(token(other.main)))) {
        literal(time).is_settled = true;
        places_->wrap_literal(time.main, time_number_function);
    } else if (types.is_known() ? !is_number
                                : is_column && !has_no_affinity(other) && !has_nanoseconds_) {
        literal(time).is_settled = true; // the column has a collation
    } else {
        subject.instant = true;
    }
}

void Comparisons::apply(const Subject& subject) {
    const Operand& operand = subject.operand;
    if (operand.is_row || operand.is(Operand::Kind::literal)) {
        return;
    }
    if (subject.exact) {
        places_->wrap(operand.first, operand.last, exact_function);
    }
    if (subject.real && !subject.exact) {
        places_->wrap(operand.first, operand.last, real_function);
    }
    if (subject.text) {
        places_->wrap(operand.first, operand.last, text_function);
    }
    if (subject.instant) {
        const bool is_number = operand.seen.nanoseconds > 0;
        places_->wrap(operand.first, operand.last,
                      is_number ? instant_of_number_function : instant_function);
        if (is_number) {
            places_->put_after(operand.last, collate(value_collation));
        }
    }
}

void Comparisons::compare_both(const Operand& one, const Operand& other) {
    Subject left{.operand = one}, right{.operand = other};
    compare(left, other);
    if (one.is(Operand::Kind::literal)) {
        compare(right, one);
    }
    apply(left);
    apply(right);
}

void Comparisons::settle_literals() {
    for (const Literal& one : literals_) {
        if (one.is_settled || refusal_) {
            continue;
        }
        if (token(one.token).kind == TokenKind::number) {
            settle_number(one);
        } else {
            settle(one);
        }
    }
}

void Comparisons::settle_number(const Literal& number) {
    const std::string_view text = token(number.token).text;
    const NumberSize size = number_size(text);
    const bool is_compared =
        number.context == Literal::Context::row ||
        (number.context == Literal::Context::argument && size == NumberSize::beyond_unsigned);
    if (size != NumberSize::integer && is_compared) {
        refuse(std::string(text) + " exceeds INTEGER (9223372036854775807): compare it with a "
                                   "single column or expression",
               number.token);
    } else if (size == NumberSize::beyond_integer) {
        places_->wrap_literal(number.token, decimal_function, collate(hex_collation));
    }
}

void Comparisons::settle(const Literal& text) {
    const std::string_view written = token(text.token).text;
    const std::string value = unquoted(written);
    const bool is_row = text.context == Literal::Context::row;
    if (is_large_number(value)) {
        places_->put_inside(text.token, collate(number_collation));
    } else if (time_of_text(value)) {
        places_->put_inside(text.token, collate(value_collation));
        if (is_row && has_nanoseconds_) {
            refuse("a row of values cannot compare time_ns with a time; compare the column time",
                   text.token);
        }
    } else if (is_row && has_unsigned_ && number_of_text(value)) {
        refuse("a row of values compares " + std::string(written) +
                   " only as a text; write numbers without quotes, or compare a single column",
               text.token);
    }
}

} // namespace etl::sql

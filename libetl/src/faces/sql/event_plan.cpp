#include "sql/event_plan.hpp"

#include <etl/guid.hpp>
#include <etl/time.hpp>

#include "base/text.hpp"
#include "sql/collations.hpp"
#include "sql/functions.hpp"
#include "sql/names.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

namespace etl::sql {

using match::Expression;
using match::Operator;

namespace {

constexpr std::int64_t ns_per_tick = 100;
constexpr double all_rows = 1e6; // of a trace: the costs only have to be in proportion

struct Comparable {
    std::string_view column;
    Comparison comparison;
    double share;             // of the events, about, that one value selects
    bool is_of_kinds = false; // all events of a kind have the same value
};

// Not `channel`: events of event logs compare it by name.
constexpr std::array comparable{
    Comparable{"time", Comparison::time, 0.2},
    Comparable{time_as_number, Comparison::nanoseconds, 0.2},
    Comparable{"cpu", Comparison::number, 0.1},
    Comparable{"pid", Comparison::number, 0.05},
    Comparable{"tid", Comparison::number, 0.02},
    Comparable{"provider", Comparison::text, 0.1, true},
    Comparable{"provider_guid", Comparison::guid, 0.1, true},
    Comparable{"id", Comparison::number, 0.05, true},
    Comparable{"version", Comparison::number, 0.5, true},
    Comparable{"level", Comparison::number, 0.3, true},
    Comparable{"opcode", Comparison::number, 0.2, true},
    Comparable{"task", Comparison::number, 0.1, true},
    Comparable{"event", Comparison::text, 0.05, true},
    Comparable{"activity_id", Comparison::guid, 0.01},
};

bool is_range(unsigned char op) noexcept {
    return op == SQLITE_INDEX_CONSTRAINT_LT || op == SQLITE_INDEX_CONSTRAINT_LE ||
           op == SQLITE_INDEX_CONSTRAINT_GT || op == SQLITE_INDEX_CONSTRAINT_GE;
}

bool is_pattern(unsigned char op) noexcept {
    return op == SQLITE_INDEX_CONSTRAINT_LIKE || op == SQLITE_INDEX_CONSTRAINT_GLOB;
}

bool can_take(Comparison comparison, unsigned char op) noexcept {
    if (op == SQLITE_INDEX_CONSTRAINT_EQ) {
        return comparison != Comparison::none;
    }
    if (comparison == Comparison::text) {
        return is_pattern(op);
    }
    return comparison != Comparison::guid && comparison != Comparison::none && is_range(op);
}

/// RTRIM makes more texts equal than a filter does.
bool has_known_collation(sqlite3_index_info& index, int number, Comparison comparison) noexcept {
    const char* const collation = sqlite3_vtab_collation(&index, number);
    const std::string_view name = collation == nullptr ? "" : collation;
    if (comparison == Comparison::time) { // as texts, times compare otherwise
        return equals_ignoring_case(name, time_collation) ||
               equals_ignoring_case(name, value_collation);
    }
    return equals_ignoring_case(name, "BINARY") || equals_ignoring_case(name, "NOCASE") ||
           equals_ignoring_case(name, number_collation);
}

Operator operator_of(int op) noexcept {
    switch (op) {
    case SQLITE_INDEX_CONSTRAINT_LT:
        return Operator::less;
    case SQLITE_INDEX_CONSTRAINT_LE:
        return Operator::less_equal;
    case SQLITE_INDEX_CONSTRAINT_GT:
        return Operator::greater;
    case SQLITE_INDEX_CONSTRAINT_GE:
        return Operator::greater_equal;
    default:
        return Operator::equal;
    }
}

std::optional<std::string> number_of(sqlite3_value* value) {
    // Negative numbers equal nothing; texts and fractions are left to SQLite.
    if (sqlite3_value_type(value) != SQLITE_INTEGER || sqlite3_value_int64(value) < 0) {
        return std::nullopt;
    }
    return std::to_string(sqlite3_value_int64(value));
}

/// A filter compares a text up to its first NUL character.
bool has_nul(std::string_view text) noexcept {
    return text.find('\0') != text.npos;
}

/// A glob that matches at least what a LIKE or GLOB pattern does; none: not expressible.
std::optional<std::string> glob_of(std::string_view pattern, bool is_like) {
    std::string glob;
    for (const char c : pattern) {
        if (c == '[' && !is_like) {
            return std::nullopt;
        }
        const bool is_wild = is_like ? c == '%' || c == '_' : c == '*' || c == '?';
        glob.push_back(is_wild ? '*' : c);
    }
    return glob;
}

std::optional<std::string> word_of(Comparison comparison, int op, sqlite3_value* value) {
    if (comparison == Comparison::number) {
        return number_of(value);
    }
    if (sqlite3_value_type(value) != SQLITE_TEXT) {
        return std::nullopt;
    }
    const std::string_view text = text_of(value);
    if (has_nul(text)) {
        return std::nullopt;
    }
    if (comparison == Comparison::guid) {
        return parse_guid(text) ? std::optional<std::string>(text) : std::nullopt;
    }
    return is_pattern(static_cast<unsigned char>(op))
               ? glob_of(text, op == SQLITE_INDEX_CONSTRAINT_LIKE)
               : std::optional<std::string>(text);
}

/// The test of a column; `values` of IN, else one. None: left to SQLite.
std::optional<Expression> test_of(const ColumnSource& column, int op,
                                  std::span<sqlite3_value* const> values) {
    Expression test{.kind = Expression::Kind::test, .parts = {}, .test = {}};
    test.test.name = column.name;
    test.test.is_field = column.is_field;
    test.test.op = operator_of(op);
    for (sqlite3_value* const value : values) {
        const auto word = word_of(column.comparison, op, value);
        if (!word) {
            return std::nullopt;
        }
        test.test.values.push_back({*word, column.comparison == Comparison::text});
    }
    return test;
}

/// A time in FILETIME that a value stands for.
struct ComparedTime {
    std::int64_t ticks = 0;
    bool has_more = false; // it is between this tick and the next
};

std::optional<ComparedTime> time_of(Comparison comparison, sqlite3_value* value) {
    if (comparison == Comparison::nanoseconds) {
        if (sqlite3_value_type(value) != SQLITE_INTEGER) {
            return std::nullopt;
        }
        const std::int64_t ns = sqlite3_value_int64(value);
        const std::int64_t floor = ns / ns_per_tick - (ns % ns_per_tick < 0 ? 1 : 0);
        return ComparedTime{floor + Filetime::unix_epoch, ns % ns_per_tick != 0};
    }
    const auto time =
        sqlite3_value_type(value) == SQLITE_TEXT ? time_of_text(text_of(value)) : std::nullopt;
    if (!time) {
        return std::nullopt;
    }
    return ComparedTime{time->ticks.ticks, !time->finer.empty()};
}

/// Leaves the times in the window that the comparison is true for.
void narrow(flow::TimeFilter::Window& window, int op, const ComparedTime& time) {
    const bool has_from = op != SQLITE_INDEX_CONSTRAINT_LT && op != SQLITE_INDEX_CONSTRAINT_LE;
    const bool has_to = op != SQLITE_INDEX_CONSTRAINT_GT && op != SQLITE_INDEX_CONSTRAINT_GE;
    const std::int64_t next = time.ticks + 1;
    const std::int64_t from = op == SQLITE_INDEX_CONSTRAINT_GT || time.has_more ? next : time.ticks;
    if (has_from && (!window.from || window.from->ticks < from)) {
        window.from = Filetime{from};
    }
    const bool is_before = op == SQLITE_INDEX_CONSTRAINT_LT && !time.has_more;
    const std::int64_t to = is_before ? time.ticks : next; // exclusive
    if (has_to && (!window.to || window.to->ticks > to)) {
        window.to = Filetime{to};
    }
}

/// The numbers of a plan, one after the other.
class Numbers {
public:
    explicit Numbers(std::string_view text) noexcept : text_(text) {}

    template <typename T>
    bool next(T& to) noexcept {
        const char* const begin = text_.data();
        const auto [end, code] = std::from_chars(begin, begin + text_.size(), to);
        if (code != std::errc{}) {
            return false;
        }
        text_.remove_prefix(static_cast<std::size_t>(end - begin));
        text_.remove_prefix(text_.empty() ? 0 : 1);
        return true;
    }

private:
    std::string_view text_;
};

/// The values of a comparison: those of IN, which belong to the caller, or the value itself.
std::vector<sqlite3_value*> values_of(sqlite3_value* value, bool is_list) {
    std::vector<sqlite3_value*> values;
    if (!is_list) {
        values.push_back(value);
        return values;
    }
    sqlite3_value* one = nullptr;
    for (int code = sqlite3_vtab_in_first(value, &one); code == SQLITE_OK;
         code = sqlite3_vtab_in_next(value, &one)) {
        values.push_back(sqlite3_value_dup(one)); // the next one takes its place
    }
    return values;
}

/// ScannedQuery permits integers and texts.
RowTest exact_test(int op, sqlite3_value* value) {
    RowTest test{.op = op};
    if (sqlite3_value_type(value) == SQLITE_INTEGER) {
        test.literal = sqlite3_value_int64(value);
    } else {
        test.literal = std::string(text_of(value));
    }
    return test;
}

} // namespace

ColumnSource source_of(std::string_view column) {
    const auto* const known = std::ranges::find(comparable, column, &Comparable::column);
    ColumnSource source{.name = std::string(column), .is_time_number = column == time_as_number};
    if (known != comparable.end()) {
        source.comparison = known->comparison;
        source.share = known->share;
        source.is_of_kinds = known->is_of_kinds;
    }
    return source;
}

ColumnSource source_of_field(std::string_view name, Comparison comparison) {
    constexpr double share = 0.1;
    const bool is_path =
        name.find_first_of(".#") != name.npos; // in a filter: a member, a repetition
    return {.name = std::string(name),
            .is_field = true,
            .comparison = is_path ? Comparison::none : comparison,
            .share = share};
}

namespace {

std::string_view sign_of(unsigned char op) noexcept {
    switch (op) {
    case SQLITE_INDEX_CONSTRAINT_LT:
        return "<";
    case SQLITE_INDEX_CONSTRAINT_LE:
        return "<=";
    case SQLITE_INDEX_CONSTRAINT_GT:
        return ">";
    case SQLITE_INDEX_CONSTRAINT_GE:
        return ">=";
    case SQLITE_INDEX_CONSTRAINT_LIKE:
        return "LIKE";
    case SQLITE_INDEX_CONSTRAINT_GLOB:
        return "GLOB";
    default:
        return "=";
    }
}

bool is_used(std::uint64_t used, std::size_t column) noexcept {
    return EventPlan{.used = used}.uses(column);
}

/// Whether the plan may take over a constraint, and if so, as what.
bool can_take(sqlite3_index_info& index, int number, std::span<const ColumnSource> columns) {
    const auto& constraint = index.aConstraint[number];
    const auto column = static_cast<std::size_t>(constraint.iColumn);
    if (constraint.usable == 0 || constraint.iColumn < 0 || column >= columns.size()) {
        return false;
    }
    const Comparison comparison = columns[column].comparison;
    const bool is_text = comparison != Comparison::number && comparison != Comparison::nanoseconds;
    return can_take(comparison, constraint.op) && (!is_text || is_pattern(constraint.op) ||
                                                   has_known_collation(index, number, comparison));
}

bool is_comparison_of_time(const sqlite3_index_info& index, int number,
                           std::span<const ColumnSource> columns) noexcept {
    const auto& constraint = index.aConstraint[number];
    return constraint.iColumn >= 0 &&
           static_cast<std::size_t>(constraint.iColumn) < columns.size() &&
           columns[static_cast<std::size_t>(constraint.iColumn)].comparison == Comparison::time;
}

/// Bit 63 stands for several columns.
constexpr std::size_t max_counted_columns = 62;

/// How the events are counted, if all comparisons with times are taken.
Counting counting_of(sqlite3_index_info& index, std::span<const ColumnSource> columns,
                     const CountedQuery& counted) {
    if (!counted.is_counted || columns.size() > max_counted_columns ||
        !is_used(index.colUsed, columns.size())) {
        return Counting::none;
    }
    std::size_t times = 0;
    for (int i = 0; i < index.nConstraint; ++i) {
        times += is_comparison_of_time(index, i, columns) && can_take(index, i, columns) ? 1U : 0U;
    }
    return times > 0 && times == counted.time_comparisons ? Counting::equal_but_time
                                                          : Counting::equal;
}

/// LIMIT and OFFSET are offered as constraints as well.
bool is_comparison(const sqlite3_index_info& index, int number) noexcept {
    const unsigned char op = index.aConstraint[number].op;
    return op != SQLITE_INDEX_CONSTRAINT_LIMIT && op != SQLITE_INDEX_CONSTRAINT_OFFSET;
}

/// Whether a comparison that the plan takes over is made exactly by a scan, given the literals that
/// ScannedQuery permits.
bool is_exact(const sqlite3_index_info& index, int number, std::span<const ColumnSource> columns) {
    const auto& constraint = index.aConstraint[number];
    switch (columns[static_cast<std::size_t>(constraint.iColumn)].comparison) {
    case Comparison::number:
    case Comparison::time:
        return true;
    case Comparison::text:
    case Comparison::guid:
        return constraint.op == SQLITE_INDEX_CONSTRAINT_EQ;
    case Comparison::nanoseconds:
    case Comparison::none:
        break;
    }
    return false;
}

/// For EXPLAIN QUERY PLAN: ` (columns provider, id; tests id = ; counts equal events)`.
std::string described(std::uint64_t used, std::span<const ColumnSource> columns,
                      const std::string& tests, Counting counting, bool is_scan,
                      std::string_view skipped) {
    std::string names;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (is_used(used, i)) {
            names += (names.empty() ? "columns " : ", ") + columns[i].name;
        }
    }
    std::string text = names.empty() ? "no columns" : names;
    text += tests.empty() ? "" : "; tests " + tests;
    text += counting == Counting::none             ? ""
            : counting == Counting::equal_but_time ? "; counts events that are equal but for times"
                                                   : "; counts equal events";
    text += is_scan ? "; scans rows" : "";
    text += skipped;
    return " (" + text + ")";
}

} // namespace

bool is_scan_of(sqlite3_index_info& index, std::span<const ColumnSource> columns,
                const ScannedQuery& scanned) {
    std::size_t comparisons = 0;
    for (int i = 0; i < index.nConstraint; ++i) {
        if (!is_comparison(index, i)) {
            continue;
        }
        if (!can_take(index, i, columns) || !is_exact(index, i, columns)) {
            return false;
        }
        ++comparisons;
    }
    return scanned.is_scanned && index.nOrderBy == 0 && comparisons == scanned.comparisons &&
           std::ranges::all_of(scanned.columns,
                               [&](std::size_t column) { return is_used(index.colUsed, column); });
}

std::string choose_plan(sqlite3_index_info& index, std::span<const ColumnSource> columns,
                        const CountedQuery& counted, bool is_scan, const Skipping& skipping) {
    const Counting counting = counting_of(index, columns, counted);
    std::string plan = std::to_string(index.colUsed) + " " +
                       std::to_string(static_cast<int>(counting)) + (is_scan ? " 1" : " 0");
    std::string tests;
    double rows = all_rows;
    int taken = 0;
    bool has_window = false, has_kinds = skipping.is_of_kind;
    for (int i = 0; i < index.nConstraint; ++i) {
        if (!can_take(index, i, columns)) {
            continue;
        }
        const auto& constraint = index.aConstraint[i];
        const auto number = static_cast<std::size_t>(constraint.iColumn);
        const bool is_list =
            constraint.op == SQLITE_INDEX_CONSTRAINT_EQ && sqlite3_vtab_in(&index, i, 1) != 0;
        index.aConstraintUsage[i].argvIndex = ++taken;
        const bool is_exact_time =
            counting == Counting::equal_but_time && is_comparison_of_time(index, i, columns);
        index.aConstraintUsage[i].omit = is_scan || is_exact_time ? 1 : 0;
        plan += " " + std::to_string(number) + " " + std::to_string(int{constraint.op}) +
                (is_list ? " 1" : " 0");
        tests += (tests.empty() ? "" : ", ") + columns[number].name + " " +
                 std::string(is_list ? "IN" : sign_of(constraint.op));
        rows *= columns[number].share;
        has_window = has_window || is_comparison_of_time(index, i, columns);
        has_kinds = has_kinds || columns[number].is_of_kinds;
    }
    const std::string_view skipped = !skipping.is_indexed ? ""
                                     : has_window         ? "; the index knows the window"
                                     : has_kinds          ? "; the index knows the kinds"
                                                          : "";
    // Each pass reads all buffers, however few rows it returns: few passes are best.
    index.estimatedCost = all_rows + rows;
    index.estimatedRows = std::max<sqlite3_int64>(1, static_cast<sqlite3_int64>(rows));
    return plan + described(index.colUsed, columns, tests, counting, is_scan, skipped);
}

EventPlan read_plan(std::string_view text, std::span<sqlite3_value*> values,
                    std::span<const ColumnSource> columns) {
    EventPlan plan;
    Numbers numbers(text);
    std::size_t column = 0;
    int counting = 0, is_scanned = 0, op = 0, is_list = 0;
    numbers.next(plan.used);
    numbers.next(counting);
    numbers.next(is_scanned);
    plan.counting = static_cast<Counting>(counting);
    plan.is_scan = is_scanned != 0;
    for (std::size_t i = 0; i < values.size() && numbers.next(column) && numbers.next(op) &&
                            numbers.next(is_list) && column < columns.size();
         ++i) {
        const Comparison comparison = columns[column].comparison;
        if (comparison == Comparison::time || comparison == Comparison::nanoseconds) {
            // Of a list, no single window: it is left to SQLite.
            const auto time = is_list != 0 ? std::nullopt : time_of(comparison, values[i]);
            const bool is_text = is_list == 0 && sqlite3_value_type(values[i]) == SQLITE_TEXT;
            if (time) {
                narrow(plan.window, op, *time);
            } else if (is_text && comparison == Comparison::time) {
                plan.problem = time_problem(text_of(values[i]));
            } else if (is_text && time_of_text(text_of(values[i]))) {
                plan.problem = "'" + std::string(text_of(values[i])) +
                               "' is compared with nanoseconds; compare it with the column time";
            }
            continue;
        }
        const auto compared = values_of(values[i], is_list != 0);
        auto test = test_of(columns[column], op, compared);
        if (is_list != 0) {
            std::ranges::for_each(compared, sqlite3_value_free);
        }
        if (test) {
            plan.tests.push_back(*std::move(test));
        }
        if (plan.is_scan) {
            plan.exact_tests.push_back({column, exact_test(op, values[i])});
        }
    }
    return plan;
}

Expression exact_test(std::string name, std::string_view text) {
    Expression test{.kind = Expression::Kind::test, .parts = {}, .test = {}};
    test.test.name = std::move(name);
    if (text.find_first_of("*?") == text.npos) {
        test.test.op = Operator::equal;
        test.test.values.push_back({std::string(text), true});
        return test;
    }
    std::string pattern = "^";
    for (const char c : text) {
        const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                              (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
        pattern += is_plain ? "" : "\\";
        pattern += c;
    }
    test.test.op = Operator::regex;
    test.test.values.push_back({pattern + "$", true});
    return test;
}

} // namespace etl::sql

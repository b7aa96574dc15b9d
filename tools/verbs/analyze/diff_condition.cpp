#include "base/text.hpp"
#include "verbs/analyze/diff.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

namespace cli {

namespace {

using etl::analysis::Unit;

struct ConditionUnit {
    std::string_view name;
    double factor;
    std::optional<Unit> unit;
};

constexpr ConditionUnit condition_units[] = {{"", 1, {}},
                                             {"ns", 1, Unit::nanoseconds},
                                             {"us", 1e3, Unit::nanoseconds},
                                             {"ms", 1e6, Unit::nanoseconds},
                                             {"s", 1e9, Unit::nanoseconds},
                                             {"B", 1, Unit::bytes},
                                             {"KB", 1024, Unit::bytes},
                                             {"MB", 1024.0 * 1024, Unit::bytes},
                                             {"GB", 1024.0 * 1024 * 1024, Unit::bytes}};

/// `+10%`, `-200ms`, `50MB`, `7`
bool parse_value(std::string_view text, DiffCondition& to) {
    const bool has_sign = text.starts_with('+') || text.starts_with('-');
    const double sign = text.starts_with('-') ? -1 : 1;
    text.remove_prefix(has_sign ? 1 : 0);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view unit =
        etl::trimmed({end, static_cast<std::size_t>(text.data() + text.size() - end)});
    if (error != std::errc() || !(number >= 0)) {
        return false;
    }
    if (unit == "%") {
        to.compared = DiffCondition::Compared::change_percent;
        to.value = sign * number;
        return true;
    }
    for (const ConditionUnit& known : condition_units) {
        if (known.name == unit) {
            to.compared =
                has_sign ? DiffCondition::Compared::change : DiffCondition::Compared::value;
            to.value = sign * number * known.factor;
            to.unit = known.unit;
            return true;
        }
    }
    return false;
}

} // namespace

std::expected<DiffCondition, std::string> parse_condition(std::string_view text) {
    DiffCondition condition{.text = std::string(text)};
    const auto wrong = [&](std::string_view what) {
        return std::unexpected(fmt::format("'{}': {}; use a condition such as 'cpu(kettle.exe) > "
                                           "+10%' or 'disk.read_bytes(*) > 50MB'",
                                           text, what));
    };
    const auto open = text.find('(');
    const auto op = text.find_first_of("<>", open == text.npos ? 0 : open);
    const auto close = text.find_last_of(')', op);
    if (open == text.npos || op == text.npos || close == text.npos || close < open) {
        return wrong("expected TABLE(ROW) and a comparison");
    }
    const std::string_view name = etl::trimmed(text.substr(0, open));
    const auto dot = name.find('.');
    condition.table = name.substr(0, dot);
    condition.column = dot == name.npos ? std::string_view() : name.substr(dot + 1);
    condition.row = etl::trimmed(text.substr(open + 1, close - open - 1));
    const bool or_equal = op + 1 < text.size() && text[op + 1] == '=';
    condition.op = text.substr(op, or_equal ? 2 : 1);
    if (!parse_value(etl::trimmed(text.substr(op + condition.op.size())), condition)) {
        return wrong("expected a value such as +10%, +200ms, or 50MB");
    }
    return condition;
}

bool holds(const DiffCondition& condition, const DiffValues& values) {
    if (!values.before && !values.after) {
        return false;
    }
    const double before = values.before.value_or(0);
    const double after = values.after.value_or(0);
    constexpr double percent = 100;
    double compared = after;
    if (condition.compared == DiffCondition::Compared::change) {
        compared = after - before;
    } else if (condition.compared == DiffCondition::Compared::change_percent) {
        // From nothing, any increase is beyond every percentage.
        compared = before > 0  ? percent * (after - before) / before
                   : after > 0 ? std::numeric_limits<double>::infinity()
                               : 0;
    }
    const bool is_equal = condition.op.ends_with('=') && compared == condition.value;
    return is_equal || (condition.op.starts_with('>') ? compared > condition.value
                                                      : compared < condition.value);
}

} // namespace cli

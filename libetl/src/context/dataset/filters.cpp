// Filters as text, compiled for traces.
#include "dataset/dataset.hpp"
#include "match/expression.hpp"
#include "match/time_point.hpp"

#include <fmt/format.h>

#include <utility>

namespace etl::dataset {

namespace {

std::unexpected<TraceError> invalid(const char* what, const char* option, std::string detail) {
    return std::unexpected(
        TraceError{{.code = ErrorCode::invalid_option, .what = what}, option, std::move(detail)});
}

std::expected<std::optional<Filetime>, TraceError>
resolve(const std::string& text, const match::TimeBounds& bounds, const char* option) {
    if (text.empty()) {
        return std::nullopt;
    }
    const auto point = match::parse_time_point(text);
    if (!point) {
        return invalid("time", option,
                       fmt::format("'{}' is not a time; use {}", text, match::time_forms));
    }
    const std::optional<Filetime> time = point->resolve(bounds);
    if (!time) {
        return invalid("relative to an unknown end", option,
                       fmt::format("'{}' is relative to the end, which is unknown", text));
    }
    return time;
}

} // namespace

std::expected<match::Condition, TraceError> compile_where(const std::string& where,
                                                          const match::TimeBounds& bounds) {
    if (where.empty()) {
        return match::Condition();
    }
    const auto expression = match::Expression::parse(where);
    auto condition = expression
                         ? match::Condition::compile(*expression, {.bounds = bounds, .notes = {}})
                         : std::unexpected(expression.error());
    if (!condition) {
        return invalid("where", "where", match::describe(where, condition.error()));
    }
    return *std::move(condition);
}

std::expected<Filters, TraceError> Dataset::filters() const {
    auto condition = compile_where(options_.where, bounds_);
    if (!condition) {
        return std::unexpected(std::move(condition.error()));
    }
    auto from = resolve(options_.from, bounds_, "from");
    auto to = resolve(options_.to, bounds_, "to");
    if (!from || !to) {
        return std::unexpected(std::move(from ? to : from).error());
    }
    return Filters{*std::move(condition), {*from, *to}};
}

} // namespace etl::dataset

#include "base/task_pool.hpp"
#include "match/expression.hpp"
#include "match/time_point.hpp"
#include "view/limits.hpp"
#include "view/opening.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace etl::inline view {

namespace {

std::expected<std::optional<Filetime>, TraceError>
resolve(const std::string& text, const match::TimeBounds& bounds, const char* option) {
    if (text.empty()) {
        return std::nullopt;
    }
    const auto point = match::parse_time_point(text);
    if (!point) {
        return reject({.code = ErrorCode::invalid_option, .what = "time"}, option,
                      fmt::format("'{}' is not a time; use {}", text, match::time_forms));
    }
    const std::optional<Filetime> time = point->resolve(bounds);
    if (!time) {
        return reject({.code = ErrorCode::invalid_option, .what = "relative to an unknown end"},
                      option, fmt::format("'{}' is relative to the end, which is unknown", text));
    }
    return time;
}

std::unexpected<TraceError> reject_where(const std::string& text, const match::SyntaxError& error) {
    return reject({.code = ErrorCode::invalid_option, .what = "where"}, "where",
                  match::describe(text, error));
}

} // namespace

std::unexpected<TraceError> reject(const Error& error, std::string about, std::string detail) {
    return std::unexpected(TraceError{error, std::move(about), std::move(detail)});
}

std::string describe(const TraceError& error) {
    return fmt::format("{}: {}", error.about,
                       error.detail.empty() ? describe(static_cast<const Error&>(error))
                                            : error.detail);
}

unsigned threads_of(const TraceOptions& options) noexcept {
    return options.threads > 0 ? options.threads : hardware_threads();
}

std::shared_ptr<const facts::FactsByTrace> no_facts(std::size_t traces) {
    return std::make_shared<facts::FactsByTrace>(traces);
}

gather::SchemaOptions schema_options(const TraceOptions& options) {
    return {.paths = options.schemas, .culture = options.culture, .threads = threads_of(options)};
}

void Remarks::add(std::string line) {
    if (lines_.size() < limits::kept_remarks) {
        lines_.push_back(std::move(line));
    } else if (lines_.size() == limits::kept_remarks) {
        lines_.emplace_back("more remarks are left out");
    }
}

std::expected<match::Condition, TraceError> compile_where(const TraceOptions& options,
                                                          const match::TimeBounds& bounds) {
    if (options.where.empty()) {
        return match::Condition();
    }
    const auto expression = match::Expression::parse(options.where);
    if (!expression) {
        return reject_where(options.where, expression.error());
    }
    auto condition = match::Condition::compile(*expression, {.bounds = bounds, .notes = {}});
    if (!condition) {
        return reject_where(options.where, condition.error());
    }
    return *std::move(condition);
}

std::expected<flow::TimeFilter::Window, TraceError> window_of(const TraceOptions& options,
                                                              const match::TimeBounds& bounds) {
    auto from = resolve(options.from, bounds, "from");
    auto to = resolve(options.to, bounds, "to");
    if (!from || !to) {
        return std::unexpected(std::move(from ? to : from).error());
    }
    return flow::TimeFilter::Window{*from, *to};
}

void add_unmatched(const match::Condition& condition, std::vector<std::string>& to) {
    for (const match::UnmatchedName& one : condition.unmatched()) {
        const std::string names =
            one.is_field ? one.name : fmt::format("{}", fmt::join(one.values, ", "));
        const std::string similar =
            one.similar.empty() ? "" : fmt::format("; similar: {}", fmt::join(one.similar, ", "));
        to.push_back(fmt::format("no event {} '{}'{}",
                                 one.is_field             ? "has a field"
                                 : one.name == "provider" ? "is from provider"
                                                          : "is named",
                                 names, similar));
    }
}

} // namespace etl::inline view

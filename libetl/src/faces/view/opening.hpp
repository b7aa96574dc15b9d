// Steps of opening a trace beyond opening files: options and conditions. Private to view.
#pragma once

#include "flow/filters.hpp"
#include "gather/facts.hpp"
#include "match/matcher.hpp"
#include "trace/inputs.hpp"
#include "view/trace.hpp"

#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace etl::inline view {

using Readers = std::vector<std::unique_ptr<trace::Reader>>;

/// Lines for a user. Only the first ones are kept.
class Remarks {
public:
    void add(std::string line);

    void operator()(const gather::Remark& remark) { add(describe(remark)); }

    const std::vector<std::string>& lines() const noexcept { return lines_; }

private:
    std::vector<std::string> lines_;
};

std::unexpected<TraceError> reject(const Error& error, std::string about, std::string detail = {});

unsigned threads_of(const TraceOptions& options) noexcept;

gather::SchemaOptions schema_options(const TraceOptions& options);

/// Empty facts for as many traces.
std::shared_ptr<const facts::FactsByTrace> no_facts(std::size_t traces);

/// `where` of the options.
std::expected<match::Condition, TraceError> compile_where(const TraceOptions& options,
                                                          const match::TimeBounds& bounds);

/// `from` and `to` of the options.
std::expected<flow::TimeFilter::Window, TraceError> window_of(const TraceOptions& options,
                                                              const match::TimeBounds& bounds);

/// Names in the condition that no event has.
void add_unmatched(const match::Condition& condition, std::vector<std::string>& to);

} // namespace etl::inline view

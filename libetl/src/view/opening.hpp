// What opening a trace takes beyond opening files: schemas, facts, conditions. Private to view.
#pragma once

#include <etl/facts/collector.hpp>
#include <etl/facts/origins.hpp>
#include <etl/flow/filters.hpp>
#include <etl/match/matcher.hpp>
#include <etl/schema/schemas_by_trace.hpp>
#include <etl/trace/inputs.hpp>
#include <etl/view/trace.hpp>

#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace etl::inline view {

using Readers = std::vector<std::unique_ptr<trace::Reader>>;

/// Lines for people, of which only the first are kept.
class Remarks {
public:
    void add(std::string line);

    const std::vector<std::string>& lines() const noexcept { return lines_; }

private:
    std::vector<std::string> lines_;
};

std::unexpected<TraceError> refuse(const Error& error, std::string about, std::string detail = {});

unsigned threads_of(const TraceOptions& options) noexcept;

/// What the traces carry, each for itself or its series, over the files that options name.
std::expected<schema::SchemasByTrace, TraceError>
gather_schemas(const Readers& readers, const TraceOptions& options, Remarks& remarks);

/// The files that options name alone, for events that come once.
std::expected<schema::SchemasByTrace, TraceError> load_schemas(const TraceOptions& options,
                                                               Remarks& remarks);

std::shared_ptr<const facts::FactsByTrace> gather_facts(const Readers& readers,
                                                        const schema::SchemasByTrace& schemas,
                                                        facts::Scope scope, unsigned threads);

/// Files, machines, and boots, for expressions that name them.
std::shared_ptr<const facts::Origins> gather_origins(const Readers& readers, unsigned threads);

/// Facts of nothing, for as many traces.
std::shared_ptr<const facts::FactsByTrace> no_facts(std::size_t traces);

match::TimeBounds bounds_of(const Readers& readers);

/// `where` of the options.
std::expected<match::Condition, TraceError> compile_where(const TraceOptions& options,
                                                          const match::TimeBounds& bounds);

/// `from` and `to` of the options.
std::expected<flow::TimeFilter::Window, TraceError> window_of(const TraceOptions& options,
                                                              const match::TimeBounds& bounds);

/// Names in the condition that no event has.
void add_unmatched(const match::Condition& condition, std::vector<std::string>& to);

} // namespace etl::inline view

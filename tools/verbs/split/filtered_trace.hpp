// The events of a trace that match the filters of `etl split`.
#pragma once

#include "cli/event_filter.hpp"
#include "relog/context_filter.hpp"
#include "trace/reader.hpp"

#include <memory>
#include <optional>

namespace cli {

/// Owns the reader. One thread.
class FilteredTrace final : public etl::flow::Source {
public:
    enum class Context : bool { dropped, kept };

    FilteredTrace(std::unique_ptr<etl::trace::Reader> reader, CompiledFilters filters,
                  Context context);

    etl::flow::Run next_run() override { return end_->next_run(); }

    etl::flow::Pin pin() const override { return end_->pin(); }

    const etl::Error* error() const noexcept override { return end_->error(); }

private:
    std::unique_ptr<etl::trace::Reader> reader_;
    std::optional<etl::relog::ContextFilter> context_;
    std::optional<FilterChain> chain_;
    etl::flow::Source* end_;
};

/// Compiled filters for several passes over one trace.
class SplitFilters {
public:
    /// On failure prints the reason and returns nothing.
    static std::optional<SplitFilters> prepare(const FilterOptions& options,
                                               const etl::match::TimeBounds& bounds,
                                               etl::match::MatcherInputs inputs);

    /// Filters `reader` for another pass. Only the first pass counts undecided events.
    std::unique_ptr<etl::flow::Source> over(std::unique_ptr<etl::trace::Reader> reader,
                                            FilteredTrace::Context context);

    /// Prints undecided events and unmatched names. Call after the last pass.
    void report() const;

private:
    SplitFilters(const FilterOptions& options, const etl::match::TimeBounds& bounds,
                 CompiledFilters first)
        : options_(options), bounds_(bounds), first_(std::move(first)) {}

    FilterOptions options_;
    etl::match::TimeBounds bounds_;
    CompiledFilters first_;
    bool is_used_ = false;
};

} // namespace cli

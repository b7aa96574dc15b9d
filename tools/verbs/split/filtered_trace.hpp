// The events of a trace that the filters of `etl split` mean, and what these need.
#pragma once

#include <etl/relog/context_filter.hpp>
#include <etl/trace/reader.hpp>

#include "cli/event_filter.hpp"

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

/// Filters ready to be asked in several passes over one trace.
class SplitFilters {
public:
    /// Nothing, and said why, if the filters or what they need cannot be.
    static std::optional<SplitFilters> prepare(const FilterOptions& options,
                                               const etl::match::TimeBounds& bounds,
                                               etl::match::MatcherInputs inputs);

    /// For one more pass: what events leave open is counted in the first alone.
    std::unique_ptr<etl::flow::Source> over(std::unique_ptr<etl::trace::Reader> reader,
                                            FilteredTrace::Context context);

    /// Says what the filters left open, after the last pass.
    void report() const;

private:
    SplitFilters(const FilterOptions& options, const etl::match::TimeBounds& bounds,
                 CompiledFilters first)
        : options_(options), bounds_(bounds), first_(std::move(first)) {}

    FilterOptions options_;
    etl::match::TimeBounds bounds_;
    CompiledFilters first_;
    bool is_asked_ = false;
};

} // namespace cli

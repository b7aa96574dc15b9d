#include "verbs/split/filtered_trace.hpp"

#include <utility>

namespace cli {

FilteredTrace::FilteredTrace(std::unique_ptr<etl::trace::Reader> reader, CompiledFilters filters,
                             Context context)
    : reader_(std::move(reader)), end_(reader_.get()) {
    if (context == Context::kept) {
        context_.emplace(*end_, EventFilter(std::move(filters)));
        end_ = &*context_;
    } else {
        chain_.emplace(*end_, filters, etl::flow::TimeFilter::Upstream::unordered);
        end_ = &chain_->end();
    }
}

std::optional<SplitFilters> SplitFilters::prepare(const FilterOptions& options,
                                                  const etl::match::TimeBounds& bounds,
                                                  etl::match::MatcherInputs inputs) {
    auto compiled = compile(options, bounds);
    if (!compiled) {
        return std::nullopt;
    }
    compiled->inputs = std::move(inputs);
    return SplitFilters(options, bounds, *std::move(compiled));
}

std::unique_ptr<etl::flow::Source> SplitFilters::over(std::unique_ptr<etl::trace::Reader> reader,
                                                      FilteredTrace::Context context) {
    CompiledFilters filters = first_;
    if (std::exchange(is_used_, true)) {
        FilterOptions uncounted = options_;
        uncounted.notes = std::make_shared<etl::match::Notes>();
        // It compiled before.
        filters.condition = uncounted.compile(bounds_).value_or(filters.condition);
    }
    return std::make_unique<FilteredTrace>(std::move(reader), std::move(filters), context);
}

void SplitFilters::report() const {
    if (!options_.limit) {
        report_unmatched(first_.condition);
    }
    cli::report(*options_.notes);
}

} // namespace cli

// The sources between the traces and the writer of `etl relog`: filters, edits, and added events.
#pragma once

#include "flow/mux.hpp"
#include "relog/context_filter.hpp"
#include "relog/edit.hpp"
#include "rewrite/joined.hpp"
#include "verbs/relog/injection.hpp"
#include "verbs/relog/relogging.hpp"

namespace cli {

/// Members refer to each other: not moved. One thread.
class Steps {
public:
    /// Data collected from the traces.
    struct Known {
        etl::schema::SchemasByTrace schemas;                   // empty: not needed
        std::shared_ptr<const etl::facts::FactsByTrace> facts; // null: not needed
        CompiledFilters filters;                               // inputs: only the origins
    };

    /// The options and traces must outlive it. `order` is that of the merged traces.
    Steps(RelogOptions& options, etl::rewrite::Joined& joined, Known known,
          etl::flow::TimeFilter::Upstream order);
    Steps(const Steps&) = delete;
    Steps& operator=(const Steps&) = delete;
    ~Steps() = default;

    /// Opens the injected files. On failure prints the reason and returns false.
    bool open();

    etl::flow::Source& end() noexcept { return *end_; }

    /// The recording of the output.
    const etl::trace::Recording& recording() const noexcept { return recording_; }

    /// Number of matching events so far, without their context; 0 without filters that keep
    /// context.
    std::uint64_t matching() const noexcept { return matching_; }

    std::uint64_t injected() const noexcept { return injection_ ? injection_->events() : 0; }

    /// The exit code of the injected lines. Prints their unknown keys.
    ExitCode finish() const;

private:
    void add_filters(const etl::decode::DecoderOptions& decoder,
                     etl::flow::TimeFilter::Upstream order);
    FurtherCondition further_condition(const etl::decode::DecoderOptions& decoder);
    void add_time_offset();

    RelogOptions* options_;
    etl::rewrite::Joined* joined_;
    etl::schema::SchemasByTrace schemas_;
    std::shared_ptr<const etl::facts::FactsByTrace> facts_;
    CompiledFilters filters_;
    etl::trace::Recording recording_;
    std::uint64_t matching_ = 0;
    std::optional<FilterChain> chain_;
    std::optional<etl::relog::Downsampler> downsample_;
    std::optional<etl::relog::ContextFilter> context_;
    std::optional<etl::relog::TimeShift> shift_;
    std::optional<etl::relog::EditedSource> shifted_;
    std::optional<Injection> injection_;
    std::optional<etl::flow::Mux> joined_lines_;
    etl::flow::Source* end_;
};

} // namespace cli

// The sources between the traces and the writer of `etl relog`: filters, edits, and added events.
#pragma once

#include "cli/exit_code.hpp"
#include "cli/line_problems.hpp"
#include "flow/mux.hpp"
#include "flow/source.hpp"
#include "fromjson/line_source.hpp"
#include "fromjson/line_trace.hpp"
#include "relog/context_filter.hpp"
#include "relog/edit.hpp"
#include "rewrite/merging.hpp"
#include "trace/recording.hpp"
#include "verbs/relog/relogging.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cli {

// --inject: events from JSON lines. docs/relog.md#inject

/// Reads lines in batches; the events of each batch are in time order. One thread.
class Injection final : public etl::flow::Source {
public:
    /// The events belong to `trace`, which must outlive this; `recording` has its clock. `store`,
    /// frozen, encodes lines without a payload.
    Injection(const etl::trace::Recording& recording, const etl::flow::TraceInfo& trace,
              std::shared_ptr<const etl::schema::SchemaStore> store);
    Injection(const Injection&) = delete;
    Injection& operator=(const Injection&) = delete;
    ~Injection() override = default;

    /// If an input cannot be opened, prints why and returns false.
    bool open(const std::vector<std::string>& paths);

    etl::flow::Run next_run() override;

    etl::flow::Pin pin() const override { return batch_; }

    const etl::Error* error() const noexcept override { return nullptr; }

    std::uint64_t events() const noexcept { return events_; }

    /// Damaged if a line was invalid or a file could not be read to its end, which has been
    /// printed.
    ExitCode exit_code() const noexcept;

    /// Prints unknown keys to standard error.
    void report_unknown_keys() const;

private:
    /// Records and the events that refer to them.
    struct Batch {
        std::vector<std::byte> bytes;
        std::vector<etl::flow::Event> events;
        std::map<std::uint16_t, etl::flow::BufferContext> buffers; // by processor
    };

    struct Line {
        etl::fromjson::LineSource::Line line;
        std::size_t file = 0;
    };

    std::optional<Line> next_line();
    void look_at_first(const Line& line);
    void add(const Line& line, Batch& batch);
    void finish(Batch& batch);
    std::shared_ptr<Batch> read_batch();

    const etl::flow::TraceInfo* info_;
    etl::trace::Recording recording_;
    etl::fromjson::LineTrace trace_;
    LineProblems problems_{LineProblems::Shown::first_at_most};
    std::vector<std::unique_ptr<etl::fromjson::LineSource>> sources_;
    std::size_t current_ = 0; // of sources_
    bool begun_ = false;
    bool failed_ = false;        // an input could not be read to its end
    std::int64_t last_time_ = 0; // raw
    std::uint64_t events_ = 0;
    std::shared_ptr<Batch> batch_;
    etl::flow::Run rest_; // of batch_
};

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

// Traces merged by time, with their schemas: what verbs read that write all events in another form.
#pragma once

#include "cli/event_filter.hpp"
#include "cli/exit_code.hpp"
#include "flow/pipeline.hpp"
#include "flow/sink.hpp"
#include "flow/source.hpp"
#include "inputs/schemas.hpp"
#include "inputs/traces.hpp"
#include "sink/options.hpp"

#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace cli {

/// Members refer to each other: not moved.
class MergedEvents {
public:
    /// Opens the traces and gathers their schemas, and what the filters need. Prints what could not
    /// be opened or compiled; an exit code if nothing can be read. `sink`: what the encoders are to
    /// show.
    static std::expected<std::unique_ptr<MergedEvents>, ExitCode>
    open(const TraceOptions& traces, const SchemaOptions& schemas,
         const FilterOptions& filters = {}, etl::sink::Options sink = {});

    /// The events in the time window of the filters, once. One thread.
    etl::flow::Source& source() noexcept { return events_->source(); }

    const Traces& traces() const noexcept { return traces_; }

    /// The options of open() with schemas, the condition of the filters, and a tally.
    const etl::sink::Options& sink() const noexcept { return sink_; }

    unsigned threads() const noexcept { return traces_.dataset().options().worker_threads(); }

    /// How many events to skip and to write at most, by the filters.
    const FilterOptions& filters() const noexcept { return filters_; }

    /// Minutes to add to UTC for the local time of this machine when the first trace began.
    int local_offset_minutes() const;

    /// Prints what encoders with sink() did not decode, and which filters and schema files matched
    /// nothing. Call after they are destroyed. `written`: number of events.
    void report(std::uint64_t written);

private:
    MergedEvents(const TraceOptions& options, const OpenedFiles& opened,
                 const FilterOptions& filters, etl::sink::Options sink);

    ExitCode prepare(const SchemaOptions& schemas);

    FilterOptions filters_;
    etl::sink::Options sink_;
    Traces traces_; // selects by filters_
    std::shared_ptr<const etl::catalog::Catalog>
        schema_files_; // set by open(), as are the following
    std::optional<CompiledFilters> compiled_;
    std::optional<etl::dataset::Events> events_;
};

/// Where encoded events go.
struct EncodedOutput {
    std::string path = "-"; // a file, which appears when complete; `-`: standard output
    unsigned threads = 1;
    ProgressBar::Mode progress = ProgressBar::Mode::automatic;
    /// Makes what changes the text of all events on its way to the output, which outlives it. May
    /// be empty, or return null.
    std::function<std::unique_ptr<etl::Output>(etl::Output& to)> wrap{};
};

/// Writes all events that the filters select. Prints errors. Returns the worst of this and of the
/// findings in the traces. `result` may be null.
ExitCode write_encoded(MergedEvents& events, const etl::flow::Encoder& encoder,
                       const EncodedOutput& to, etl::flow::PipelineResult* result = nullptr);

/// The same to an output that is open, which EncodedOutput::path only names.
ExitCode write_encoded_to(MergedEvents& events, const etl::flow::Encoder& encoder,
                          etl::Output& output, const EncodedOutput& to,
                          etl::flow::PipelineResult* result = nullptr);

} // namespace cli

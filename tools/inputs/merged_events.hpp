// Traces merged by time, with their schemas: what verbs read that write all events in another form.
#pragma once

#include <etl/flow/sink.hpp>
#include <etl/flow/source.hpp>
#include <etl/gather/schemas.hpp>

#include "cli/exit_code.hpp"
#include "inputs/schemas.hpp"
#include "inputs/traces.hpp"

#include <expected>
#include <memory>
#include <optional>
#include <string>

namespace cli {

/// Members refer to each other: not moved.
class MergedEvents {
public:
    /// Opens the traces and gathers their schemas. Prints what could not be opened; an exit code if
    /// nothing can be read.
    static std::expected<std::unique_ptr<MergedEvents>, ExitCode>
    open(const TraceOptions& traces, const SchemaOptions& schemas);

    /// All events, once. One thread.
    etl::flow::Source& source() noexcept { return *source_; }

    const Traces& traces() const noexcept { return traces_; }

    const etl::gather::Schemas& schemas() const noexcept { return *schemas_; }

    unsigned threads() const noexcept { return options_.worker_threads(); }

    /// Minutes to add to UTC for the local time of this machine when the first trace began.
    int local_offset_minutes() const;

private:
    explicit MergedEvents(const TraceOptions& options) : options_(options), traces_(options_) {}

    void merge();

    TraceOptions options_;
    Traces traces_;
    std::optional<etl::gather::Schemas> schemas_; // set by open()
    std::unique_ptr<etl::flow::Source> source_;
};

/// Where encoded events go.
struct EncodedOutput {
    std::string path = "-"; // a file, which appears when complete; `-`: standard output
    unsigned threads = 1;
    ProgressBar::Mode progress = ProgressBar::Mode::automatic;
};

/// Writes all events. Prints errors. Returns the worst of this and of the findings in the traces.
ExitCode write_encoded(MergedEvents& events, const etl::flow::Encoder& encoder,
                       const EncodedOutput& to);

} // namespace cli

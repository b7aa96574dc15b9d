// Opened traces as one source, and the header of the merged trace. For all verbs that write one
// trace from their inputs. docs/merge.md
#pragma once

#include "cli/exit_code.hpp"
#include "inputs/traces.hpp"
#include "merge/merge.hpp"

#include <expected>
#include <memory>

namespace cli {

class JoinedTraces {
public:
    /// Takes the readers out of `traces`, which were opened in time order and must stay alive; scan
    /// them for schemas and facts first. If the traces cannot be merged, prints the file, the
    /// field, and both values to standard error.
    static std::expected<JoinedTraces, ExitCode> join(Traces& traces,
                                                      const etl::merge::Options& options = {});

    /// One thread. For a single trace that keeps its timestamps, the reader itself.
    etl::flow::Source& source() noexcept { return *source_; }

    /// As written by the relogger of Windows: merge::Merged::recording() or trace::relogged().
    const etl::trace::Recording& recording() const noexcept { return *writer_options_.recording; }

    /// As merge::Merged::writer_options(); always has a recording.
    const etl::trace::WriterOptions& writer_options() const noexcept { return writer_options_; }

    /// The trace to which added events belong.
    const etl::flow::TraceInfo& info() const noexcept { return *info_; }

    /// Start and end, for relative times and progress; the end is 0 if unknown.
    etl::Filetime start() const noexcept { return start_; }

    etl::Filetime end() const noexcept { return {recording().header.end_time}; }

    /// Position of an event between start and end, 0 to 1.
    double fraction_done(const etl::flow::Event& newest) const noexcept;

    /// BufferSize that is large enough for every record (trace::buffer_size_for).
    std::uint32_t buffer_size() const noexcept { return buffer_size_; }

    /// merge::MergedSource::repeated_context(), so far.
    std::uint64_t repeated_context() const noexcept;

    /// As trace::Reader::report_truncation, of a single trace.
    void report_truncation();

private:
    JoinedTraces() = default;

    std::unique_ptr<etl::flow::Source> source_;
    etl::merge::MergedSource* merged_ = nullptr; // source_, if it is one
    etl::trace::Reader* reader_ = nullptr;       // source_, if it is one
    std::shared_ptr<const etl::flow::TraceInfo> info_;
    etl::trace::WriterOptions writer_options_; // with a recording
    etl::Filetime start_;
    std::uint32_t buffer_size_ = 0;
};

} // namespace cli

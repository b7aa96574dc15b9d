// Opened traces as one source, and what the header of a trace made of them says. For all verbs that
// write one trace of those that they are given. docs/merge.md
#pragma once

#include <etl/merge/merge.hpp>

#include "cli/exit_code.hpp"
#include "cli/traces.hpp"

#include <expected>
#include <memory>

namespace cli {

class JoinedTraces {
public:
    /// Takes the readers out of `traces`, which were opened in the order of time and stay alive;
    /// whoever wants to look through them (schemas, facts) does so before. Says on standard error
    /// why the traces cannot be one: which file, which field, what both say.
    static std::expected<JoinedTraces, ExitCode> join(Traces& traces,
                                                      const etl::merge::Options& options = {});

    /// One thread. A single trace that keeps its stamps is its reader itself.
    etl::flow::Source& source() noexcept { return *source_; }

    /// As Windows' relogger tells of it: merge::MergedSource::recording(), or trace::relogged().
    const etl::trace::Recording& recording() const noexcept { return *writer_options_.recording; }

    /// As merge::MergedSource::writer_options(): has a recording, always.
    const etl::trace::WriterOptions& writer_options() const noexcept { return writer_options_; }

    /// The trace that events which are added may say they are of.
    const etl::flow::TraceInfo& info() const noexcept { return *info_; }

    /// When it begins and ends, for relative times and progress; the end is 0 when nobody knows.
    etl::Filetime start() const noexcept { return start_; }

    etl::Filetime end() const noexcept { return {recording().header.end_time}; }

    /// How far an event lies on the way from start to end, 0..1.
    double fraction_done(const etl::flow::Event& newest) const noexcept;

    /// BufferSize of a file that has room for every record (trace::buffer_size_for).
    std::uint32_t buffer_size() const noexcept { return buffer_size_; }

    /// merge::MergedSource::repeated_context(), so far.
    std::uint64_t repeated_context() const noexcept;

private:
    JoinedTraces() = default;

    std::unique_ptr<etl::flow::Source> source_;
    etl::merge::MergedSource* merged_ = nullptr; // source_, if it is one
    std::shared_ptr<const etl::flow::TraceInfo> info_;
    etl::trace::WriterOptions writer_options_; // with a recording
    etl::Filetime start_;
    std::uint32_t buffer_size_ = 0;
};

} // namespace cli

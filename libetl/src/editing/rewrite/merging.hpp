// Traces merged into a file. docs/merge.md
#pragma once

#include <etl/rewrite.hpp>

#include "dataset/dataset.hpp"
#include "decode/embedding.hpp"
#include "merge/merge.hpp"
#include "rewrite/output.hpp"
#include "trace/writer.hpp"

#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace etl::rewrite {

// Open traces as one source, and the header of the trace that they become. docs/merge.md

/// Why traces cannot be merged.
struct MergeError : TraceError {
    /// How they differ (merge::correlate), by number of the trace; empty: another reason.
    std::vector<merge::Mismatch> mismatches{};
};

/// Called now and then with the part of the work that is done, 0 to 1, and the number of events
/// read.
using Progress = std::function<void(double done, std::uint64_t events)>;

class Joined {
public:
    /// Takes the readers out of `traces`, which were opened in time order and must stay alive; find
    /// schemas and facts first. Errors: unsupported, with the mismatches, in which case no reader
    /// is taken; those of merge::MergedSource.
    static std::expected<Joined, MergeError> join(dataset::Dataset& traces,
                                                  const merge::Options& options = {});

    /// One thread. For a single trace that keeps its timestamps, the reader itself.
    flow::Source& source() noexcept { return *source_; }

    /// As written by the relogger of Windows: merge::Merged::recording() or trace::relogged().
    const trace::Recording& recording() const noexcept { return *writer_options_.recording; }

    /// As merge::Merged::writer_options(); always has a recording.
    const trace::WriterOptions& writer_options() const noexcept { return writer_options_; }

    /// The trace to which added events belong.
    const flow::TraceInfo& info() const noexcept { return *info_; }

    /// Start and end, for relative times and progress; the end is 0 if unknown.
    Filetime start() const noexcept { return start_; }

    Filetime end() const noexcept { return {recording().header.end_time}; }

    /// Position of an event between start and end, 0 to 1.
    double fraction_done(const flow::Event& newest) const noexcept;

    /// BufferSize that is large enough for every record (trace::buffer_size_for).
    std::uint32_t buffer_size() const noexcept { return buffer_size_; }

    /// Copies what `source` makes of the events to the output. `progress` may be empty. Errors:
    /// those of the source.
    Result<trace::CopyResult> copy(flow::Source& source, Output& output,
                                   const Progress& progress) const;

    /// merge::MergedSource::repeated_context(), so far.
    std::uint64_t repeated_context() const noexcept;

    /// As trace::Reader::report_truncation, of a single trace.
    void report_truncation();

private:
    Joined() = default;

    std::unique_ptr<flow::Source> source_;
    merge::MergedSource* merged_ = nullptr; // source_, if it is one
    trace::Reader* reader_ = nullptr;       // source_, if it is one
    std::shared_ptr<const flow::TraceInfo> info_;
    trace::WriterOptions writer_options_; // with a recording
    Filetime start_;
    std::uint32_t buffer_size_ = 0;
};

/// Schemas can be larger than all records of a trace; a record has at most 64 KB.
inline constexpr std::uint32_t embedding_buffer_size = 128U << 10U;

struct Merging {
    merge::Options how{};
    OutputOptions output{};
    std::optional<gather::SchemaScope> embedded{}; // none: schemas are not embedded
    Progress progress{};                           // may be empty
};

struct Merged {
    Written written{};
    bool replaces = false;                             // a file that existed
    std::optional<decode::EmbeddingReport> embedded{}; // none: not requested
    std::uint64_t repeated_context = 0;                // merge::MergedSource::repeated_context()
};

/// Sets Options::offsets. Errors: not_found, about the name.
std::expected<void, TraceError> place_offsets(const std::vector<Offset>& offsets,
                                              const dataset::Dataset& traces, merge::Options& how);

/// Merges the traces and writes the output, whose failures are in Merged::written. Uses up the
/// readers. Errors: those of Joined, of schema files, and of Output; reading.
std::expected<Merged, MergeError> merge(dataset::Dataset& traces, const Merging& what);

} // namespace etl::rewrite

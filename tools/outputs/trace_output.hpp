// The trace that a verb writes: the options shared by all such verbs, and the outcome.
#pragma once

#include "cli/exit_code.hpp"
#include "cli/verb.hpp"
#include "outputs/output_guard.hpp"
#include "rewrite/output.hpp"

#include <expected>
#include <optional>
#include <string>

namespace cli {

/// Without add_atomic_to(), new files are visible at once.
struct TraceOutputOptions : etl::rewrite::OutputOptions {
    TraceOutputOptions() { is_atomic = false; }

    /// Adds the options of a verb that fills a file as a session does, with its modes. The verb
    /// adds
    /// `--threads` itself, which readers share.
    void add_to(Verb& verb);

    /// Adds the options of a verb that derives a trace from others: one file, sequential,
    /// is_atomic.
    void add_atomic_to(Verb& verb);
};

/// Returns whether the verb may write to the output, with --mode newfile to the files of all
/// numbers: see OutputGuard::permits. If not, prints why. A file to append to may exist.
bool is_clear(const TraceOutputOptions& options, const OutputGuard& guard);

/// Returns why a trace cannot be written to `path`; empty if it can.
std::string why_no_output(const std::string& path);

/// Whether the reader closed the pipe, which is not a failure.
bool is_closed_pipe(const std::string& path, const etl::Error& error) noexcept;

/// Prints what was lost and why: damaged if anything was, failed if nothing was written. On a
/// terminal it also prints what was written.
ExitCode report(const etl::rewrite::Written& written, const TraceOutputOptions& options,
                bool replaces);

/// Prints why a trace could not be made. Returns usage for contradicting options, else failed; well
/// if the reader closed the pipe, which prints nothing.
ExitCode report(const etl::TraceError& error, const TraceOutputOptions& options);

/// A trace being written. One thread.
class TraceOutput {
public:
    /// Opens the file, once is_clear() permits it. A replacement appears on completion; until then
    /// the existing file stays unchanged and readable. On failure prints the reason and returns
    /// usage for contradicting options, else failed. If the reader closed the pipe, returns well
    /// and prints nothing.
    static std::expected<TraceOutput, ExitCode> open(const TraceOutputOptions& options,
                                                     unsigned threads,
                                                     std::optional<etl::trace::Recording> recording,
                                                     etl::io::FileFactory* files = nullptr);
    /// `writer` has all options except those of the file.
    static std::expected<TraceOutput, ExitCode>
    open(const TraceOutputOptions& options, unsigned threads, etl::trace::WriterOptions writer);

    etl::trace::Writer& writer() noexcept { return output_.writer(); }

    /// Finishes the file and reports it. A file that appears on completion does so now, unless the
    /// disk failed.
    ExitCode finish();

private:
    TraceOutput(etl::rewrite::Output output, TraceOutputOptions options)
        : output_(std::move(output)), options_(std::move(options)) {}

    etl::rewrite::Output output_;
    TraceOutputOptions options_;
};

} // namespace cli

// The trace that a verb writes: the options shared by all such verbs, and the outcome.
#pragma once

#include "cli/exit_code.hpp"
#include "cli/verb.hpp"
#include "outputs/output_guard.hpp"
#include "trace/writer.hpp"

#include <expected>
#include <memory>
#include <optional>
#include <string>

namespace cli {

struct TraceOutputOptions {
    std::string path;                // `-`: a pipe at standard output
    etl::trace::LogFileOptions file; // without container and threads: see log_file_options()
    std::optional<std::uint32_t> buffer_size; // none: that of `file`
    bool force = false;                       // replaces existing files, never an input
    bool is_atomic = false;                   // new files also appear on completion

    /// Adds the options of a verb that fills a file as a session does, with its modes. The verb
    /// adds
    /// `--threads` itself, which readers share.
    void add_to(Verb& verb);

    /// Adds the options of a verb that derives a trace from others: one file, sequential,
    /// is_atomic.
    void add_atomic_to(Verb& verb);

    /// The options of LogFile and Writer, with the container by the extension of the path.
    etl::trace::LogFileOptions log_file_options(unsigned threads) const;
};

/// Returns whether the verb may write to the output, with --mode newfile to the files of all
/// numbers: see OutputGuard::permits. If not, prints why. A file to append to may exist.
bool is_clear(const TraceOutputOptions& options, const OutputGuard& guard);

/// Returns why a trace cannot be written to `path`; empty if it can.
std::string why_no_output(const std::string& path);

/// The file that -o names: `-` is standard output.
std::string output_file(const std::string& path);

/// Whether the reader closed the pipe, which is not a failure.
bool is_closed_pipe(const std::string& path, const etl::Error& error) noexcept;

/// Files whose names are those of this pattern, `x_%d.etl`, with a number.
std::vector<std::string> numbered_files(const std::string& pattern);

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

    etl::trace::Writer& writer() noexcept { return *writer_; }

    /// Finishes the file and prints what was lost and why: damaged if anything was, failed if
    /// nothing was written. On a terminal it also prints what was written. A file that appears on
    /// completion does so now, unless the disk failed.
    ExitCode finish();

private:
    TraceOutput(std::string path, std::unique_ptr<etl::io::AtomicFiles> files, bool replaces,
                std::unique_ptr<etl::trace::Writer> writer)
        : path_(std::move(path)), files_(std::move(files)), replaces_(replaces),
          writer_(std::move(writer)) {}

    bool is_closed_pipe(const etl::Result<void>& closed) const noexcept;
    ExitCode report_losses(const etl::Result<void>& closed) const;
    ExitCode publish(ExitCode so_far, const etl::Result<void>& closed);

    std::string path_;
    std::unique_ptr<etl::io::AtomicFiles> files_; // none: the file is visible at once
    bool replaces_;                               // an existing file
    std::unique_ptr<etl::trace::Writer> writer_;
};

} // namespace cli

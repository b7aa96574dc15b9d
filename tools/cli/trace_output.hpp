// The trace that a verb writes: the options that all such verbs share, and how it went.
#pragma once

#include <etl/trace/writer.hpp>

#include "cli/exit_code.hpp"
#include "cli/traces.hpp"

#include <CLI/CLI.hpp>

#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace cli {

struct TraceOutputOptions {
    std::string path;                // `-`: a pipe at standard output
    etl::trace::LogFileOptions file; // without container and threads: see log_file_options()
    std::optional<std::uint32_t> buffer_size; // none: that of `file`
    bool force = false;                       // replaces files that are there
    bool is_whole = false; // the file appears when it is whole, and may be an input

    /// Adds the options of a verb that fills a file as a session does, with its modes; `--threads`
    /// is the verb's own, for readers share it.
    void add_to(CLI::App& verb);

    /// Adds those of a verb that makes a trace of others: one file, sequential, is_whole.
    void add_whole_to(CLI::App& verb);

    /// What LogFile and Writer want: the container by the ending of the path.
    etl::trace::LogFileOptions log_file_options(unsigned threads) const;
};

/// Says on standard error which file is in the way: one that would be replaced without --force.
/// A file to append to is not in the way; with --mode newfile each number is. What is read is
/// always in the way, unless the file is to appear when it is whole.
bool is_clear(const TraceOutputOptions& options, std::span<const std::string> inputs = {});

/// Empty for a name that a trace can be written to.
std::string why_no_output(const std::string& path);

/// The file behind what -o says: `-` is standard output.
std::string output_file(const std::string& path);

/// Who read the pipe has enough: no failure, and nothing to tell of.
bool is_closed_pipe(const std::string& path, const etl::Error& error) noexcept;

/// Files whose names are those of this pattern, `x_%d.etl`, with a number.
std::vector<std::string> numbered_files(const std::string& pattern);

/// What is_clear says of a file that only --force replaces.
void say_in_the_way(const std::string& path);

/// A trace under way. One thread.
class TraceOutput {
public:
    /// Opens the file. Says on standard error why it cannot: usage for options that contradict each
    /// other, else failed; says nothing of a pipe that nobody reads any more: well.
    static std::expected<TraceOutput, ExitCode> open(const TraceOutputOptions& options,
                                                     unsigned threads,
                                                     std::optional<etl::trace::Recording> recording,
                                                     etl::io::FileMaker* files = nullptr);
    /// `writer` says all but the file.
    static std::expected<TraceOutput, ExitCode>
    open(const TraceOutputOptions& options, unsigned threads, etl::trace::WriterOptions writer);

    etl::trace::Writer& writer() noexcept { return *writer_; }

    /// Finishes the file and says on standard error what was lost and why: damaged when something
    /// was, failed when nothing was written. On a terminal it also says what was written. A file
    /// that appears when it is whole does so now: unless the disk failed, or it would replace
    /// another and events were lost that no buffer could hold. Nor does it replace one of `inputs`
    /// when these are damaged: `etl repair` can make more of it than a copy holds.
    ExitCode finish(const Traces* inputs = nullptr);

private:
    TraceOutput(std::string path, std::unique_ptr<etl::io::AtomicFiles> files, bool replaces,
                std::unique_ptr<etl::trace::Writer> writer)
        : path_(std::move(path)), files_(std::move(files)), replaces_(replaces),
          writer_(std::move(writer)) {}

    bool is_closed_pipe(const etl::Result<void>& closed) const noexcept;
    bool is_one_of(const Traces& inputs) const;
    ExitCode tell_losses(const etl::Result<void>& closed) const;
    ExitCode appear(ExitCode so_far, bool disk_failed);

    std::string path_;
    std::unique_ptr<etl::io::AtomicFiles> files_; // none: the file is there from the beginning
    bool replaces_;                               // a file that was there
    std::unique_ptr<etl::trace::Writer> writer_;
};

} // namespace cli

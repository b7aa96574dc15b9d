// The trace that a verb writes: the options that all such verbs share, and how it went.
#pragma once

#include <etl/trace/writer.hpp>

#include "cli/exit_code.hpp"

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

    /// Adds the options; `--threads` is the verb's own, for readers share it.
    void add_to(CLI::App& verb);

    /// What LogFile and Writer want: the container by the ending of the path.
    etl::trace::LogFileOptions log_file_options(unsigned threads) const;
};

/// Says on standard error which file is in the way: one that would be replaced without --force.
/// A file to append to is not in the way; with --mode newfile each number is. What is read is
/// always in the way.
bool is_clear(const TraceOutputOptions& options, std::span<const std::string> inputs = {});

/// What is_clear says of a file that only --force replaces.
void say_in_the_way(const std::string& path);

/// A trace under way. One thread.
class TraceOutput {
public:
    /// Opens the file. Says on standard error why it cannot: usage for options that contradict each
    /// other, else failed.
    static std::expected<TraceOutput, ExitCode> open(const TraceOutputOptions& options,
                                                     unsigned threads,
                                                     std::optional<etl::trace::Recording> recording,
                                                     etl::io::FileMaker* files = nullptr);

    etl::trace::Writer& writer() noexcept { return *writer_; }

    /// Finishes the file and says on standard error what was lost and why: damaged when something
    /// was, failed when nothing was written. On a terminal it also says what was written.
    ExitCode finish();

private:
    TraceOutput(std::string path, std::unique_ptr<etl::trace::Writer> writer)
        : path_(std::move(path)), writer_(std::move(writer)) {}

    std::string path_;
    std::unique_ptr<etl::trace::Writer> writer_;
};

} // namespace cli

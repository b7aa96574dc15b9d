// The trace file that a rewrite makes: where it may be written, and what became of it.
#pragma once

#include <etl/error.hpp>
#include <etl/log_file.hpp>

#include "io/writable_file.hpp"
#include "trace/writer.hpp"

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::rewrite {

// Files whose names differ in a number: parts of a trace, files of a session.

/// Returns the digits that the name of `file` has between `before` and `after`, empty if it is not
/// of that form. Directories are not compared: a listing may spell them in another way. A view of
/// `file`.
std::string_view number_between(std::string_view file, std::string_view before,
                                std::string_view after) noexcept;

/// Files whose names are those of this pattern, `x_%d.etl`, with a number.
std::vector<std::string> numbered_files(const std::string& pattern);

/// The format of compressed buffers.
codec::Format codec_of(Compression compression) noexcept;

/// Where a trace is written, and how.
struct OutputOptions {
    std::string path{};           // `-`: a pipe at standard output
    trace::LogFileOptions file{}; // without container and threads: see log_file_options()
    std::optional<std::uint32_t> buffer_size{}; // none: that of `file`, or of the input
    bool replaces = false;                      // files that exist, but never an input
    bool is_atomic = true;                      // new files also appear on completion
    io::FileFactory* files = nullptr; // of the output, and not atomic; null: those on disk

    /// The options of LogFile and Writer, with the container by the extension of the path.
    trace::LogFileOptions log_file_options(unsigned threads) const;
};

/// The file that a path names: `-` is standard output.
std::string file_of(const std::string& path);

/// The files that inputs (paths, patterns, directories) refer to; those that cannot be listed are
/// left out.
std::vector<std::string> files_of(const std::vector<std::string>& inputs, bool recursive);

/// Errors: invalid_option (`path` is one of the files that `inputs` refer to, or exists and must
/// not be replaced).
std::expected<void, TraceError> check_output(const std::string& path,
                                             const std::vector<std::string>& inputs, bool recursive,
                                             Existing existing);

/// What became of an output.
struct Written {
    std::uint64_t events = 0, buffers = 0, bytes = 0;
    std::uint64_t buffers_lost = 0;     // the disk failed, or the file was full
    std::uint64_t events_lost = 0;      // larger than a buffer
    std::uint64_t events_corrected = 0; // extended data items or counters are now payload
    bool is_full = false;
    /// Why the file is not complete. An output that appears on completion does not appear then.
    std::optional<TraceError> failure{};
    std::optional<Error> commit_failure{}; // it is complete, but cannot appear
};

/// A trace being written. One thread.
class Output {
public:
    /// Opens the file. A file that exists stays unchanged and readable until finish(). The options
    /// of the writer lack those of the file. Errors: those of trace::Writer; io_failure (the file
    /// exists and must not be replaced).
    static std::expected<Output, TraceError> open(const OutputOptions& options, unsigned threads,
                                                  trace::WriterOptions writer);

    trace::Writer& writer() noexcept { return *writer_; }

    /// Whether a file that existed is replaced, or would be.
    bool replaces() const noexcept { return replaces_; }

    /// Whether the file appears on completion.
    bool is_atomic() const noexcept { return files_ != nullptr; }

    /// Finishes the file, which appears now.
    Written finish();

private:
    Output(std::string path, std::unique_ptr<io::AtomicFiles> files, bool replaces,
           std::unique_ptr<trace::Writer> writer)
        : path_(std::move(path)), files_(std::move(files)), replaces_(replaces),
          writer_(std::move(writer)) {}

    std::string path_;
    std::unique_ptr<io::AtomicFiles> files_; // null: the file is visible at once
    bool replaces_;
    std::unique_ptr<trace::Writer> writer_;
};

} // namespace etl::rewrite

#include "outputs/trace_output.hpp"

#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/plural.hpp"
#include "inputs/series.hpp"
#include "io/find_files.hpp"
#include "io/output_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

namespace cli {

namespace {

using etl::trace::FileMode;

constexpr const char* to_standard_output = "-";
constexpr const char* standard_output = "/dev/stdout"; // does not exist on Windows

/// The files that the output may replace; with --mode newfile, those of every number.
std::vector<std::string> files_at(const TraceOutputOptions& options) {
    return options.file.mode == FileMode::new_file ? numbered_files(options.path)
                                                   : std::vector{options.path};
}

bool replaces_files(const TraceOutputOptions& options) {
    return options.path != to_standard_output && options.file.mode != FileMode::append &&
           std::ranges::any_of(files_at(options), etl::io::is_regular_file);
}

} // namespace

std::vector<std::string> numbered_files(const std::string& path) {
    const std::size_t at = path.rfind("%d");
    const std::size_t name = path.find_last_of('/') + 1; // 0 if there is no directory
    if (at == std::string::npos || at < name) {
        return {};
    }
    const std::string_view before = std::string_view(path).substr(0, at);
    const std::string_view after = std::string_view(path).substr(at + 2);
    auto files = etl::io::find_files(fmt::format("{}*{}", before, after), etl::io::Recursion::no,
                                     [](std::string_view) { return true; });
    if (!files) { // none, or an unreadable directory
        return {};
    }
    std::erase_if(*files, [&](const std::string& file) {
        return number_between(file, before, after).empty();
    });
    return *std::move(files);
}

std::string why_no_output(const std::string& path) {
    if (path == to_standard_output) {
        std::error_code ignored;
        return etl::io::standard_output_is_terminal()
                   ? "cannot write a trace to a terminal; use a file or a pipe"
               : std::filesystem::exists(standard_output, ignored)
                   ? ""
                   : "cannot write a trace to standard output on this system; name a file";
    }
    if (path.empty()) {
        return "expected a file name, found ''";
    }
    constexpr std::string_view foreign[] = {".gz",  ".xz",  ".bz2", ".zip", ".7z",   ".cab",
                                            ".rar", ".tgz", ".br",  ".lz",  ".lzma", ".zstd"};
    const std::string name = etl::to_lower_ascii(path);
    const auto* const ending =
        std::ranges::find_if(foreign, [&](std::string_view one) { return name.ends_with(one); });
    return ending == std::end(foreign)
               ? ""
               : fmt::format("{}: cannot write {} files; use .etl, .etl.zst, or .etl.lz4",
                             printable(path), *ending);
}

std::string output_file(const std::string& path) {
    return path == to_standard_output ? standard_output : path;
}

bool is_closed_pipe(const std::string& path, const etl::Error& error) noexcept {
    return path == to_standard_output && error.code == etl::ErrorCode::io_failure &&
           error.os_code == EPIPE;
}

bool is_clear(const TraceOutputOptions& options, const OutputGuard& guard) {
    if (options.path == to_standard_output) {
        // A redirection with >> would lose the existing contents.
        const bool is_file = etl::io::is_regular_file(standard_output);
        const bool is_sequential = options.file.mode == FileMode::sequential;
        if (is_file || !is_sequential) {
            say(is_file ? "standard output is a regular file; name it with -o"
                        : "standard output requires --mode sequential");
        }
        return !is_file && is_sequential && guard.permits_standard_streams();
    }
    const bool continues = options.file.mode == FileMode::append;
    return guard.permits(files_at(options), existing_files(options.force || continues));
}

std::expected<TraceOutput, ExitCode>
TraceOutput::open(const TraceOutputOptions& options, unsigned threads,
                  std::optional<etl::trace::Recording> recording, etl::io::FileFactory* files) {
    return open(options, threads,
                etl::trace::WriterOptions{.recording = std::move(recording), .files = files});
}

std::expected<TraceOutput, ExitCode> TraceOutput::open(const TraceOutputOptions& options,
                                                       unsigned threads,
                                                       etl::trace::WriterOptions writer_options) {
    const std::string path = output_file(options.path);
    const bool replaces = replaces_files(options);
    if (replaces && !options.force) { // created after is_clear()
        say(path, {.code = etl::ErrorCode::io_failure, .what = "already exists"});
        return std::unexpected(ExitCode::failed);
    }
    std::unique_ptr<etl::io::AtomicFiles> files;
    if ((options.is_atomic || replaces) && writer_options.files == nullptr) {
        files = std::make_unique<etl::io::AtomicFiles>();
        writer_options.files = files.get();
    }
    writer_options.file = options.log_file_options(threads);
    auto writer = etl::trace::Writer::create(path, std::move(writer_options));
    if (!writer && cli::is_closed_pipe(options.path, writer.error())) {
        return std::unexpected(ExitCode::well);
    }
    if (!writer) {
        say(options.path, writer.error());
        return std::unexpected(writer.error().code == etl::ErrorCode::invalid_option
                                   ? ExitCode::usage
                                   : ExitCode::failed);
    }
    return TraceOutput(options.path, std::move(files), replaces, std::move(*writer));
}

bool TraceOutput::is_closed_pipe(const etl::Result<void>& closed) const noexcept {
    const auto& failure = writer_->status().failure;
    return failure ? cli::is_closed_pipe(path_, failure->error)
                   : !closed && cli::is_closed_pipe(path_, closed.error());
}

ExitCode TraceOutput::report_losses(const etl::Result<void>& closed) const {
    const etl::trace::LogFileStatus& status = writer_->status();
    ExitCode exit = ExitCode::well;
    if (status.failure) {
        say(path_ == to_standard_output ? path_ : status.failure->path, status.failure->error);
        exit = ExitCode::damaged;
    } else if (!closed) {
        say(path_, closed.error());
        exit = ExitCode::damaged;
    }
    if (status.buffers_lost > 0) {
        say(fmt::format("warning: {}: lost {}{}", printable(path_),
                        plural(status.buffers_lost, "buffer"),
                        status.is_full ? "; the file reached --max-size" : ""));
        exit = ExitCode::damaged;
    }
    return exit;
}

ExitCode TraceOutput::publish(ExitCode so_far, const etl::Result<void>& closed) {
    if (writer_->status().failure || !closed) {
        say(fmt::format("{}: {}", printable(path_),
                        replaces_ ? "not replaced; the existing file is unchanged"
                                  : "not written"));
        return ExitCode::failed;
    }
    if (const auto committed = files_->commit(); !committed) {
        say(path_, committed.error());
        return ExitCode::failed;
    }
    return so_far;
}

ExitCode TraceOutput::finish() {
    const auto closed = writer_->close();
    if (is_closed_pipe(closed)) {
        return ExitCode::well;
    }
    const etl::trace::LogFileStatus& status = writer_->status();
    ExitCode exit = report_losses(closed);
    if (writer_->events_lost() > 0) {
        say(fmt::format("warning: {}: lost {} too large for a buffer", printable(path_),
                        plural(writer_->events_lost(), "event")));
        exit = ExitCode::damaged;
    }
    if (writer_->events_corrected() > 0) {
        say(fmt::format(
            "warning: {} had invalid extended data items or counters; those bytes are now payload",
            plural(writer_->events_corrected(), "event")));
        exit = worst(exit, ExitCode::damaged);
    }
    if (files_) {
        exit = publish(exit, closed);
    }
    if (exit != ExitCode::well && status.bytes_written == 0) {
        return ExitCode::failed;
    }
    if (etl::io::standard_error_terminal().interactive && exit != ExitCode::failed) {
        say(fmt::format("{}: wrote {} in {} ({} bytes)", printable(path_),
                        plural(writer_->events_written(), "event"),
                        plural(status.buffers_written, "buffer"), status.bytes_written));
    }
    return exit;
}

} // namespace cli

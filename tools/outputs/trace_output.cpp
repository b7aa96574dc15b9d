#include "outputs/trace_output.hpp"

#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/plural.hpp"
#include "io/find_files.hpp"
#include "io/output_file.hpp"
#include "rewrite/numbered_files.hpp"

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
    return options.file.mode == FileMode::new_file ? etl::rewrite::numbered_files(options.path)
                                                   : std::vector{options.path};
}

} // namespace

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
    return guard.permits(files_at(options), existing_files(options.replaces || continues));
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
    auto output = etl::rewrite::Output::open(options, threads, std::move(writer_options));
    if (!output) {
        return std::unexpected(report(output.error(), options));
    }
    return TraceOutput(*std::move(output), options);
}

ExitCode report(const etl::TraceError& error, const TraceOutputOptions& options) {
    if (error.about == options.path && is_closed_pipe(options.path, error)) {
        return ExitCode::well;
    }
    if (error.about.empty()) {
        say(etl::describe(error));
    } else {
        say(error.about, error);
    }
    return error.code == etl::ErrorCode::invalid_option ? ExitCode::usage : ExitCode::failed;
}

namespace {

ExitCode report_losses(const etl::rewrite::Written& written, const std::string& path) {
    ExitCode exit = ExitCode::well;
    if (written.failure) {
        say(written.failure->about, *written.failure);
        exit = ExitCode::damaged;
    }
    if (written.buffers_lost > 0) {
        say(fmt::format("warning: {}: lost {}{}", printable(path),
                        plural(written.buffers_lost, "buffer"),
                        written.is_full ? "; the file reached --max-size" : ""));
        exit = ExitCode::damaged;
    }
    if (written.events_lost > 0) {
        say(fmt::format("warning: {}: lost {} too large for a buffer", printable(path),
                        plural(written.events_lost, "event")));
        exit = ExitCode::damaged;
    }
    if (written.events_corrected > 0) {
        say(fmt::format(
            "warning: {} had invalid extended data items or counters; those bytes are now payload",
            plural(written.events_corrected, "event")));
        exit = ExitCode::damaged;
    }
    return exit;
}

} // namespace

ExitCode report(const etl::rewrite::Written& written, const TraceOutputOptions& options,
                bool replaces) {
    const std::string& path = options.path;
    if (written.failure && is_closed_pipe(path, *written.failure)) {
        return ExitCode::well;
    }
    ExitCode exit = report_losses(written, path);
    if ((options.is_atomic || replaces) && written.failure) {
        say(fmt::format("{}: {}", printable(path),
                        replaces ? "not replaced; the existing file is unchanged" : "not written"));
        exit = ExitCode::failed;
    } else if (written.commit_failure) {
        say(path, *written.commit_failure);
        exit = ExitCode::failed;
    }
    if (exit != ExitCode::well && written.bytes == 0) {
        return ExitCode::failed;
    }
    if (etl::io::standard_error_terminal().interactive && exit != ExitCode::failed) {
        say(fmt::format("{}: wrote {} in {} ({} bytes)", printable(path),
                        plural(written.events, "event"), plural(written.buffers, "buffer"),
                        written.bytes));
    }
    return exit;
}

ExitCode TraceOutput::finish() {
    const etl::rewrite::Written written = output_.finish();
    return report(written, options_, output_.replaces());
}

} // namespace cli

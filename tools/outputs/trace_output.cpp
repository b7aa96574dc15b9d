#include "outputs/trace_output.hpp"

#include "base/limits.hpp"
#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/option_values.hpp"
#include "io/find_files.hpp"
#include "io/output_file.hpp"
#include "outputs/output_options.hpp"
#include "rewrite/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
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

namespace {

using etl::trace::SizeLimit;

/// A number and a letter: `64K`, `1M`, `2G`, or without a letter.
struct Size {
    std::uint32_t count = 0;
    char unit = 0; // K, M, G; 0: none
};

std::optional<Size> parse_size(std::string_view text) {
    Size size;
    const char* const end = text.data() + text.size();
    const auto [rest, code] = std::from_chars(text.data(), end, size.count);
    if (code != std::errc{} || end - rest > 1) {
        return std::nullopt;
    }
    if (rest != end) {
        constexpr std::string_view letters = "KMGkmg";
        const std::size_t unit = letters.find(*rest);
        if (unit == std::string_view::npos) {
            return std::nullopt;
        }
        size.unit = letters[unit % 3];
    }
    return size;
}

[[noreturn]] void refuse(const char* option, const std::string& word, const char* what) {
    throw UsageError(option, "'" + printable(word) + "' " + what);
}

SizeLimit read_limit(const std::string& word) {
    const auto size = parse_size(word);
    const bool is_large = size && size->unit == 'G';
    if (!size || size->count == 0 || (is_large && size->count > (UINT32_MAX >> 10U))) {
        refuse("--max-size", word, "is not a valid size; use a number with K, M (default), or G");
    }
    if (size->unit == 'K') {
        return {size->count, SizeLimit::Unit::kilobytes};
    }
    return {is_large ? size->count << 10U : size->count, SizeLimit::Unit::megabytes};
}

std::optional<std::uint32_t> read_buffer_size(const std::string& word) {
    constexpr std::uint32_t min = 4U << 10U;
    const auto size = parse_size(word);
    const std::uint64_t bytes = size ? std::uint64_t{size->count} << (size->unit == 'G'   ? 30U
                                                                      : size->unit == 'M' ? 20U
                                                                                          : 10U)
                                     : 0U;
    if (bytes < min || bytes > etl::limits::buffer_bytes) {
        refuse("--buffer-size", word,
               "is not a size from 4K to 16M; use a number with K (default) or M");
    }
    return static_cast<std::uint32_t>(bytes);
}

template <typename T>
void add_size(Verb& verb, const std::string& name, T& to, T (*read)(const std::string&),
              const std::string& help) {
    verb.add_option_function<std::string>(
            name, [&to, read](const std::string& word) { to = read(word); }, help)
        ->type_name("SIZE");
}

void add_compression(Verb& verb, etl::trace::LogFileOptions& file) {
    using etl::codec::Format;
    using etl::codec::Level;
    add_choice<Format>(
        verb, "--compress", file.compression,
        {{"none", Format::none},
         {"xpress", Format::xpress},
         {"xpress-huffman", Format::xpress_huffman},
         {"lznt1", Format::lznt1}},
        "none, xpress (readable on Windows), xpress-huffman, or lznt1 (default: none)", "CODEC");
    add_choice<Level>(verb, "--compress-level", file.level,
                      {{"fast", Level::fast}, {"normal", Level::normal}, {"small", Level::small}},
                      "fast, normal, or small; applies to containers as well (default: normal)",
                      "LEVEL");
}

void add_output(Verb& verb, TraceOutputOptions& options) {
    verb.add_option("-o,--output", options.path, "write .etl, .etl.zst, or .etl.lz4; - for a pipe")
        ->required()
        ->check(why_no_output)
        ->type_name("FILE");
}

void add_buffer_size(Verb& verb, TraceOutputOptions& options, const char* by_default) {
    add_size<std::optional<std::uint32_t>>(
        verb, "--buffer-size", options.buffer_size, read_buffer_size,
        fmt::format("buffer size in KB, or with K or M (default: {})", by_default));
}

} // namespace

void TraceOutputOptions::add_to(Verb& verb) {
    add_output(verb, *this);
    verb.add_flag("--force", replaces,
                  "replace existing files, never an input, atomically on completion");
    add_choice<FileMode>(verb, "--mode", file.mode,
                         {{"sequential", FileMode::sequential},
                          {"circular", FileMode::circular},
                          {"append", FileMode::append},
                          {"newfile", FileMode::new_file}},
                         "sequential, circular, append, or newfile; newfile requires %d in the "
                         "name (default: sequential)",
                         "MODE");
    add_size<SizeLimit>(verb, "--max-size", file.limit, read_limit,
                        "maximum file size in MB, or with K, M, or G; further events are lost, "
                        "replace the oldest (circular), or go into a new file (newfile)");
    verb.add_flag("--preallocate", file.preallocate,
                  "allocate --max-size on disk at once, and release the unused part at the end");
    verb.add_flag("--delay-open", file.delay_open, "create the file when the first buffer is full");
    add_buffer_size(verb, *this, "64K");
    add_compression(verb, file);
    using etl::trace::Durability;
    add_choice<Durability>(
        verb, "--sync", file.durability,
        {{"none", Durability::none},
         {"close", Durability::at_close},
         {"every", Durability::every_buffer}},
        "when to flush to disk: none, close, or every (after every buffer) (default: none)",
        "WHEN");
}

void TraceOutputOptions::add_atomic_to(Verb& verb) {
    is_atomic = true;
    add_output(verb, *this);
    add_force(verb, replaces);
    add_buffer_size(verb, *this, "that of the input");
    add_compression(verb, file);
}

} // namespace cli

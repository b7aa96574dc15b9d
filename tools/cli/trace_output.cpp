#include "cli/trace_output.hpp"

#include <etl/base/limits.hpp>
#include <etl/io/find_files.hpp>
#include <etl/io/output_file.hpp>

#include "cli/choice.hpp"
#include "cli/console.hpp"
#include "cli/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>

namespace cli {

namespace {

using etl::trace::FileMode;
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
    throw CLI::ValidationError(option, "'" + printable(word) + "' " + what);
}

SizeLimit read_limit(const std::string& word) {
    const auto size = parse_size(word);
    const bool is_large = size && size->unit == 'G';
    if (!size || size->count == 0 || (is_large && size->count > (UINT32_MAX >> 10U))) {
        refuse("--max-size", word, "is no size: a number with K, M (default) or G");
    }
    if (size->unit == 'K') {
        return {size->count, SizeLimit::Unit::kilobytes};
    }
    return {is_large ? size->count << 10U : size->count, SizeLimit::Unit::megabytes};
}

std::optional<std::uint32_t> read_buffer_size(const std::string& word) {
    constexpr std::uint32_t least = 4U << 10U;
    const auto size = parse_size(word);
    const std::uint64_t bytes = size ? std::uint64_t{size->count} << (size->unit == 'G'   ? 30U
                                                                      : size->unit == 'M' ? 20U
                                                                                          : 10U)
                                     : 0U;
    if (bytes < least || bytes > etl::limits::buffer_bytes) {
        refuse("--buffer-size", word, "is no size from 4K to 16M: a number with K (default) or M");
    }
    return static_cast<std::uint32_t>(bytes);
}

template <typename T>
void add_size(CLI::App& verb, const std::string& name, T& to, T (*read)(const std::string&),
              const std::string& help) {
    verb.add_option_function<std::string>(
            name, [&to, read](const std::string& word) { to = read(word); }, help)
        ->type_name("SIZE");
}

void add_compression(CLI::App& verb, etl::trace::LogFileOptions& file) {
    using etl::codec::Format;
    using etl::codec::Level;
    add_choice<Format>(
        verb, "--compress", file.compression,
        {{"none", Format::none},
         {"xpress", Format::xpress},
         {"xpress-huffman", Format::xpress_huffman},
         {"lznt1", Format::lznt1}},
        "none, xpress, xpress-huffman or lznt1: inside the .etl, which Windows reads "
        "as it is if it is xpress (default: none)",
        "CODEC");
    add_choice<Level>(verb, "--compress-level", file.level,
                      {{"fast", Level::fast}, {"normal", Level::normal}, {"small", Level::small}},
                      "fast, normal or small; of .etl.zst and .etl.lz4, too (default: normal)",
                      "LEVEL");
}

etl::io::ContainerLevel container_level(etl::codec::Level level) noexcept {
    switch (level) {
    case etl::codec::Level::fast:
        return etl::io::ContainerLevel::fast;
    case etl::codec::Level::small:
        return etl::io::ContainerLevel::small;
    case etl::codec::Level::normal:
        break;
    }
    return etl::io::ContainerLevel::normal;
}

constexpr const char* to_standard_output = "-";
constexpr const char* standard_output = "/dev/stdout"; // not there on Windows

/// The files that the output may be or become: with --mode newfile those of every number.
std::vector<std::string> files_at(const TraceOutputOptions& options) {
    return options.file.mode == FileMode::new_file ? numbered_files(options.path)
                                                   : std::vector{options.path};
}

bool replaces_files(const TraceOutputOptions& options) {
    return options.path != to_standard_output && options.file.mode != FileMode::append &&
           std::ranges::any_of(files_at(options), etl::io::is_regular_file);
}

void add_output(CLI::App& verb, TraceOutputOptions& options) {
    verb.add_option("-o,--output", options.path,
                    "write to FILE: name.etl, or name.etl.zst or name.etl.lz4, packed; - for a "
                    "pipe")
        ->required()
        ->check(CLI::Validator(why_no_output, ""))
        ->type_name("FILE");
}

void add_buffer_size(CLI::App& verb, TraceOutputOptions& options, const char* by_default) {
    add_size<std::optional<std::uint32_t>>(
        verb, "--buffer-size", options.buffer_size, read_buffer_size,
        fmt::format("of every buffer, in KB, or with K or M (default: {})", by_default));
}

} // namespace

std::vector<std::string> numbered_files(const std::string& path) {
    const std::size_t at = path.rfind("%d");
    const std::size_t name = path.find_last_of('/') + 1; // 0 when there is no folder
    if (at == std::string::npos || at < name) {
        return {};
    }
    const std::string_view before = std::string_view(path).substr(0, at);
    const std::string_view behind = std::string_view(path).substr(at + 2);
    auto files = etl::io::find_files(fmt::format("{}*{}", before, behind), etl::io::Descend::no,
                                     [](std::string_view) { return true; });
    if (!files) { // none, or a folder that nothing can be written to either
        return {};
    }
    std::erase_if(*files, [&](const std::string& file) {
        return number_between(file, before, behind).empty();
    });
    return *std::move(files);
}

std::string why_no_output(const std::string& path) {
    if (path == to_standard_output) {
        std::error_code ignored;
        return etl::io::standard_output_is_terminal()
                   ? "a trace is no text for a terminal: it goes to a file or a pipe"
               : std::filesystem::exists(standard_output, ignored)
                   ? ""
                   : "a trace cannot go to standard output here: name a file";
    }
    if (path.empty()) {
        return "a file has a name";
    }
    constexpr std::string_view foreign[] = {".gz",  ".xz",  ".bz2", ".zip", ".7z",   ".cab",
                                            ".rar", ".tgz", ".br",  ".lz",  ".lzma", ".zstd"};
    const std::string name = etl::to_lower_ascii(path);
    const auto* const ending =
        std::ranges::find_if(foreign, [&](std::string_view one) { return name.ends_with(one); });
    return ending == std::end(foreign)
               ? ""
               : fmt::format("'{}' would be no {} file: there are .etl, .etl.zst and .etl.lz4",
                             printable(path), *ending);
}

std::string output_file(const std::string& path) {
    return path == to_standard_output ? standard_output : path;
}

bool is_closed_pipe(const std::string& path, const etl::Error& error) noexcept {
    return path == to_standard_output && error.code == etl::ErrorCode::io_failure &&
           error.os_code == EPIPE;
}

void TraceOutputOptions::add_to(CLI::App& verb) {
    add_output(verb, *this);
    verb.add_flag("--force", force,
                  "replace existing files, never an input, on completion (default: keep them)");
    add_choice<FileMode>(verb, "--mode", file.mode,
                         {{"sequential", FileMode::sequential},
                          {"circular", FileMode::circular},
                          {"append", FileMode::append},
                          {"newfile", FileMode::new_file}},
                         "sequential, circular, append or newfile; newfile wants %d in the name "
                         "(default: sequential)",
                         "MODE");
    add_size<SizeLimit>(
        verb, "--max-size", file.limit, read_limit,
        "how large the file may become, in MB, or with K, M or G: what comes then is "
        "lost, or replaces the oldest (circular), or goes into the next file "
        "(newfile)");
    verb.add_flag("--preallocate", file.preallocate,
                  "reserve --max-size on the disk at once, and cut it back at the end");
    verb.add_flag("--delay-open", file.delay_open, "no file before the first buffer is full");
    add_buffer_size(verb, *this, "64K");
    add_compression(verb, file);
    using etl::trace::Durability;
    add_choice<Durability>(verb, "--sync", file.durability,
                           {{"none", Durability::none},
                            {"close", Durability::at_close},
                            {"every", Durability::every_buffer}},
                           "none, close or every (buffer): when the disk must have it for good "
                           "(default: none)",
                           "WHEN");
}

void TraceOutputOptions::add_atomic_to(CLI::App& verb) {
    is_atomic = true;
    add_output(verb, *this);
    verb.add_flag("--force", force,
                  "replace an existing file, never an input, atomically on completion");
    add_buffer_size(verb, *this, "that of the trace");
    add_compression(verb, file);
}

etl::trace::LogFileOptions TraceOutputOptions::log_file_options(unsigned threads) const {
    etl::trace::LogFileOptions result = file;
    result.buffer_size = buffer_size.value_or(file.buffer_size);
    result.container = etl::io::container_by_name(path);
    result.container_level = container_level(file.level);
    result.threads = threads;
    return result;
}

bool is_clear(const TraceOutputOptions& options, const OutputGuard& guard) {
    if (options.path == to_standard_output) {
        // Whoever redirects with >> would lose what was there before.
        const bool is_file = etl::io::is_regular_file(standard_output);
        const bool is_sequential = options.file.mode == FileMode::sequential;
        if (is_file || !is_sequential) {
            say(is_file ? "standard output is a regular file; name it with -o"
                        : "standard output takes --mode sequential only");
        }
        return !is_file && is_sequential && guard.permits_standard_streams();
    }
    const bool continues = options.file.mode == FileMode::append;
    return guard.permits(files_at(options), existing_files(options.force || continues));
}

std::expected<TraceOutput, ExitCode>
TraceOutput::open(const TraceOutputOptions& options, unsigned threads,
                  std::optional<etl::trace::Recording> recording, etl::io::FileMaker* files) {
    return open(options, threads,
                etl::trace::WriterOptions{.recording = std::move(recording), .files = files});
}

std::expected<TraceOutput, ExitCode> TraceOutput::open(const TraceOutputOptions& options,
                                                       unsigned threads,
                                                       etl::trace::WriterOptions writer_options) {
    const std::string path = output_file(options.path);
    const bool replaces = replaces_files(options);
    if (replaces && !options.force) { // made since is_clear() looked
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

ExitCode TraceOutput::tell_losses(const etl::Result<void>& closed) const {
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
        say(fmt::format("{}: {} buffers lost{}", printable(path_), status.buffers_lost,
                        status.full ? ": the file has reached --max-size" : ""));
        exit = ExitCode::damaged;
    }
    return exit;
}

ExitCode TraceOutput::appear(ExitCode so_far, const etl::Result<void>& closed) {
    if (writer_->status().failure || !closed) {
        say(fmt::format("{}: {}", printable(path_),
                        replaces_ ? "not replaced; the file is as it was" : "not written"));
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
    ExitCode exit = tell_losses(closed);
    if (writer_->events_lost() > 0) {
        say(fmt::format("{}: {} events lost that no buffer can hold", printable(path_),
                        writer_->events_lost()));
        exit = ExitCode::damaged;
    }
    if (writer_->events_mended() > 0) {
        say(fmt::format("{} events claimed to have extended items or counters, but what they have "
                        "cannot be read as such: they do not claim it any more",
                        writer_->events_mended()));
        exit = worst(exit, ExitCode::damaged);
    }
    if (files_) {
        exit = appear(exit, closed);
    }
    if (exit != ExitCode::well && status.bytes_written == 0) {
        return ExitCode::failed;
    }
    if (etl::io::standard_error_terminal().interactive && exit != ExitCode::failed) {
        say(fmt::format("{}: {} events in {} buffers, {} bytes", printable(path_),
                        writer_->events_written(), status.buffers_written, status.bytes_written));
    }
    return exit;
}

} // namespace cli

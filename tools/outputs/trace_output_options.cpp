#include "base/limits.hpp"
#include "cli/choice.hpp"
#include "cli/console.hpp"
#include "outputs/output_options.hpp"
#include "outputs/trace_output.hpp"

#include <fmt/format.h>

#include <charconv>

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

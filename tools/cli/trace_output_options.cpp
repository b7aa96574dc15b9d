#include <etl/base/limits.hpp>

#include "cli/choice.hpp"
#include "cli/console.hpp"
#include "cli/trace_output.hpp"

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

} // namespace cli

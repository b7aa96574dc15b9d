#include "verbs/dump/formats.hpp"

#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/option_values.hpp"
#include "decode/wpp_text.hpp"
#include "io/find_files.hpp"
#include "io/output_file.hpp"
#include "outputs/output_options.hpp"
#include "sink/json.hpp"
#include "sink/text.hpp"
#include "sink/wpp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

namespace cli {

namespace {

using Encoder = std::unique_ptr<etl::flow::Encoder>;
using HasTruncated = std::shared_ptr<std::atomic<bool>>;

/// The form of text, which depends on the output.
etl::sink::TextOptions text_options(const DumpOptions& options) {
    const etl::io::Terminal terminal = etl::io::standard_output_terminal();
    const bool to_terminal = options.output == "-" && etl::io::standard_output_is_terminal();
    const bool may_colour = terminal.interactive && etl::io::environment("NO_COLOR").empty();
    // A third of a line, so that other values fit, but never too short to be useful.
    const auto columns = static_cast<std::size_t>(terminal.columns);
    return {.color = options.color == ColorWhen::always ||
                     (options.color == ColorWhen::automatic && to_terminal && may_colour),
            .head = to_terminal,
            .max_value_bytes =
                to_terminal && !options.full_values ? std::max<std::size_t>(columns / 3, 48) : 0};
}

std::string prefix_of(const DumpOptions& options) {
    if (options.wpp_prefix) {
        return *options.wpp_prefix;
    }
    const std::string prefix = etl::io::environment("TRACE_FORMAT_PREFIX");
    return prefix.empty() ? std::string(etl::decode::default_wpp_prefix) : prefix;
}

Encoder make_text(const DumpOptions& options, const HasTruncated& has_truncated) {
    etl::sink::TextOptions text = text_options(options);
    text.has_truncated = has_truncated;
    return std::make_unique<etl::sink::Text>(options.sink, std::move(text));
}

Encoder make_wpp(const DumpOptions& options, const HasTruncated& /*has_truncated*/) {
    return std::make_unique<etl::sink::WppLines>(options.sink, prefix_of(options));
}

Encoder make_table(const DumpOptions& options, const HasTruncated& /*has_truncated*/) {
    return std::make_unique<etl::sink::Csv>(options.sink, csv_options(options));
}

/// What needs no other options.
template <typename Lines>
Encoder make(const DumpOptions& options, const HasTruncated& /*has_truncated*/) {
    return std::make_unique<Lines>(options.sink);
}

using Style = etl::sink::CsvOptions::Style;

constexpr DumpFormat formats[] = {
    {.name = "text", .endings = ".txt .log", .make = make_text, .is_for_terminals = true},
    {.name = "csv", .endings = ".csv", .make = make_table, .table = Style::csv},
    {.name = "tsv", .endings = ".tsv", .make = make_table, .table = Style::tsv},
    {.name = "json", .endings = ".json", .make = make<etl::sink::JsonArray>, .is_array = true},
    {.name = "jsonl", .endings = ".jsonl .ndjson", .make = make<etl::sink::JsonLines>},
    {.name = "wpp", .endings = "", .make = make_wpp},
};

constexpr std::array<std::string_view, 8> packed_endings{".gz",  ".zst", ".lz4", ".xz",
                                                         ".bz2", ".zip", ".7z",  ".br"};

/// The extension of a regular file; empty for standard output, a device, or a pipe.
std::string ending_of(const std::string& output) {
    std::error_code ignored;
    const std::filesystem::path path(output);
    const auto status = std::filesystem::status(path, ignored);
    const bool is_other =
        std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
    return output == "-" || is_other ? "" : etl::to_lower_ascii(path.extension().string());
}

std::expected<const DumpFormat*, std::string> format_by_ending(const std::string& output) {
    const std::string ending = ending_of(output);
    if (ending.empty()) {
        return formats;
    }
    if (const DumpFormat* const known = find_by_ending(formats, ending)) {
        return known;
    }
    const char* const hint = std::ranges::find(packed_endings, ending) != packed_endings.end()
                                 ? "; pipe the output through a compressor"
                             : ending == ".etl" ? "; `etl relog` writes traces"
                                                : "";
    return std::unexpected(fmt::format("-o {}: unknown extension {}; use {}, or --format{}",
                                       printable(output), printable(ending),
                                       list_of(endings_of(formats), "or"), hint));
}

} // namespace

std::span<const DumpFormat> dump_formats() noexcept {
    return formats;
}

void add_dump_format(Verb& verb, DumpOptions& options) {
    std::map<std::string, const DumpFormat*> choices;
    for (const DumpFormat& format : formats) {
        choices.emplace(format.name, &format);
    }
    add_choice(verb, "--format", options.asked_format, choices,
               fmt::format("{} (default: by the extension of -o, else {})",
                           list_of(names_of(formats), "or"), formats[0].name),
               "FORMAT");
}

std::expected<const DumpFormat*, std::string> format_of(const DumpOptions& options) {
    if (options.split_by_event && options.output == "-") {
        return std::unexpected("--split-by writes files; name their directory with -o");
    }
    const auto format = options.asked_format != nullptr ? options.asked_format
                        : options.split_by_event        ? find_by_ending(formats, ".csv")
                                                        : format_by_ending(options.output);
    if (format && !(*format)->table) {
        const char* const option = options.split_by_event                      ? "--split-by"
                                   : options.columns == DumpColumns::automatic ? "--columns auto"
                                   : options.byte_order_mark                   ? "--bom"
                                                                               : nullptr;
        if (option != nullptr) {
            return std::unexpected(fmt::format("{} requires --format csv or --format tsv", option));
        }
    }
    return format;
}

etl::sink::CsvOptions csv_options(const DumpOptions& options) {
    return {.style = options.format->table.value_or(Style::csv),
            .byte_order_mark = options.byte_order_mark};
}

} // namespace cli

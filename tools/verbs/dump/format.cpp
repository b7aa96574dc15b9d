#include "verbs/dump/format.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace cli {

namespace {

struct Ending {
    std::string_view text;
    DumpFormat format;
};

constexpr std::array endings{
    Ending{".csv", DumpFormat::csv},   Ending{".tsv", DumpFormat::tsv},
    Ending{".json", DumpFormat::json}, Ending{".jsonl", DumpFormat::jsonl},
    Ending{".txt", DumpFormat::text},  Ending{".ndjson", DumpFormat::jsonl},
    Ending{".log", DumpFormat::text}};

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

std::expected<DumpFormat, std::string> format_by_ending(const std::string& output) {
    const std::string ending = ending_of(output);
    if (ending.empty()) {
        return DumpFormat::text;
    }
    const auto* const known = std::ranges::find(endings, ending, &Ending::text);
    if (known != endings.end()) {
        return known->format;
    }
    const char* const hint = std::ranges::find(packed_endings, ending) != packed_endings.end()
                                 ? "; pipe the output through a compressor"
                             : ending == ".etl" ? "; `etl relog` writes traces"
                                                : "";
    return std::unexpected(fmt::format(
        "-o {}: unknown extension {}; use .csv, .tsv, .json, .jsonl, or .txt, or --format{}",
        printable(output), printable(ending), hint));
}

} // namespace

std::expected<DumpFormat, std::string> format_of(const DumpOptions& options) {
    if (options.split_by_event && options.output == "-") {
        return std::unexpected("--split-by writes files; name their directory with -o");
    }
    const auto format = options.asked_format     ? *options.asked_format
                        : options.split_by_event ? DumpFormat::csv
                                                 : format_by_ending(options.output);
    const bool is_table = format && (*format == DumpFormat::csv || *format == DumpFormat::tsv);
    if (format && !is_table) {
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

} // namespace cli

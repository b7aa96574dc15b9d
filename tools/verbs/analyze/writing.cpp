#include <etl/base/text.hpp>
#include <etl/io/output_file.hpp>

#include "outputs/output_guard.hpp"
#include "verbs/analyze/analyze.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace cli {

namespace {

constexpr std::array<std::pair<std::string_view, TableFormat>, 7> table_endings{
    {{".csv", TableFormat::csv},
     {".tsv", TableFormat::tsv},
     {".json", TableFormat::json},
     {".jsonl", TableFormat::jsonl},
     {".ndjson", TableFormat::jsonl},
     {".txt", TableFormat::text},
     {".log", TableFormat::text}}};

ExitCode write_table_file(const std::string& path, const std::string& text) {
    const auto file = etl::io::AtomicFile::create(path);
    if (!file) {
        say(printable(path), file.error());
        return ExitCode::failed;
    }
    const auto written = (*file)->write(text);
    const auto done = written ? (*file)->commit() : written;
    if (!done) {
        say(printable(path), done.error());
    }
    return done ? ExitCode::well : ExitCode::failed;
}

} // namespace

std::expected<TableFormat, ExitCode> format_of(const AnalyzeOptions& options) {
    if (options.format || options.output == "-") {
        return options.format.value_or(TableFormat::text);
    }
    const auto dot = options.output.find_last_of("./");
    if (dot == options.output.npos || options.output[dot] == '/') {
        return TableFormat::text;
    }
    const std::string ending = etl::to_lower_ascii(options.output.substr(dot));
    for (const auto& [known, format] : table_endings) {
        if (known == ending) {
            return format;
        }
    }
    say(fmt::format("-o {}: unknown extension {}; use .csv, .tsv, .json, .jsonl, or .txt, or "
                    "--format",
                    printable(options.output), printable(ending)));
    return std::unexpected(ExitCode::usage);
}

ExitCode write_output(const AnalyzeOptions& options, const std::string& text) {
    if (options.output != "-") {
        return write_table_file(options.output, text);
    }
    etl::io::StandardOutput output;
    const auto written = output.write(text);
    if (!written) {
        say("standard output", written.error());
    }
    return written ? ExitCode::well : ExitCode::failed;
}

} // namespace cli

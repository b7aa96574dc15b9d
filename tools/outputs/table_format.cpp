#include "base/text.hpp"
#include "cli/choice.hpp"
#include "cli/console.hpp"
#include "io/output_file.hpp"
#include "outputs/table_output.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
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

} // namespace

void add_table_format(Verb& verb, std::optional<TableFormat>& to, BigNumbers& big_numbers) {
    const std::map<std::string, std::optional<TableFormat>> formats{{"text", TableFormat::text},
                                                                    {"csv", TableFormat::csv},
                                                                    {"tsv", TableFormat::tsv},
                                                                    {"json", TableFormat::json},
                                                                    {"jsonl", TableFormat::jsonl}};
    add_choice(verb, "--format", to, formats,
               "text, csv, tsv, json, or jsonl (default: by the extension of -o, else text)",
               "FORMAT");
    add_big_numbers(verb, big_numbers);
}

std::expected<TableFormat, ExitCode> table_format_of(const std::optional<TableFormat>& format,
                                                     const std::string& output) {
    if (format || output == "-") {
        return format.value_or(TableFormat::text);
    }
    const auto dot = output.find_last_of("./");
    if (dot == output.npos || output[dot] == '/') {
        return TableFormat::text;
    }
    const std::string ending = etl::to_lower_ascii(output.substr(dot));
    for (const auto& [known, by_ending] : table_endings) {
        if (known == ending) {
            return by_ending;
        }
    }
    say(fmt::format("-o {}: unknown extension {}; use .csv, .tsv, .json, .jsonl, or .txt, or "
                    "--format",
                    printable(output), printable(ending)));
    return std::unexpected(ExitCode::usage);
}

std::size_t text_width(const std::string& output) {
    const bool to_terminal = output == "-" && etl::io::standard_output_is_terminal();
    return to_terminal ? static_cast<std::size_t>(etl::io::standard_output_terminal().columns) : 0;
}

} // namespace cli

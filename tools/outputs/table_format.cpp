#include "base/text.hpp"
#include "cli/choice.hpp"
#include "cli/console.hpp"
#include "cli/plural.hpp"
#include "io/output_file.hpp"
#include "outputs/format_names.hpp"
#include "outputs/output_options.hpp"
#include "outputs/table_output.hpp"

#include <fmt/format.h>

#include <map>

namespace cli {

void add_table_format(Verb& verb, std::optional<TableFormat>& to, BigNumbers& big_numbers) {
    std::map<std::string, std::optional<TableFormat>> choices;
    for (const etl::rows::FormatTraits& one : etl::rows::formats()) {
        choices.emplace(one.name, one.format);
    }
    add_choice(verb, "--format", to, choices,
               fmt::format("{} (default: by the extension of -o, else {})",
                           list_of(names_of(etl::rows::formats()), "or"),
                           etl::rows::formats().front().name),
               "FORMAT");
    add_big_numbers(verb, big_numbers);
}

void add_table_output(Verb& verb, std::optional<TableFormat>& to, BigNumbers& big_numbers,
                      std::string& output, bool& force) {
    add_table_format(verb, to, big_numbers);
    add_text_output(verb, output, force, endings_of(etl::rows::formats()));
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
    if (const auto* const known = find_by_ending(etl::rows::formats(), ending)) {
        return known->format;
    }
    say(fmt::format("-o {}: unknown extension {}; use {}, or --format", printable(output),
                    printable(ending), list_of(endings_of(etl::rows::formats()), "or")));
    return std::unexpected(ExitCode::usage);
}

bool is_bare(TableFormat format) noexcept {
    return format != TableFormat::text && !etl::rows::traits_of(format).has_objects;
}

std::size_t text_width(const std::string& output) {
    const bool to_terminal = output == "-" && etl::io::standard_output_is_terminal();
    return to_terminal ? static_cast<std::size_t>(etl::io::standard_output_terminal().columns) : 0;
}

} // namespace cli

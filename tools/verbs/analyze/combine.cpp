// etl combine: the table that its parts add up to. docs/parts.md#tables
#include "io/input_file.hpp"
#include "outputs/output_guard.hpp"
#include "outputs/output_options.hpp"
#include "verbs/analyze/options.hpp"
#include "verbs/analyze/part_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

namespace cli {

namespace {

using etl::analysis::PartFile;

struct CombineOptions {
    std::vector<std::string> files;
    AnalyzeOptions table; // rows, format, and output
};

constexpr const char* combine_footer = R"(Examples:
  parallel etl cpu --part {}/8 --partial -o {}.part trace.etl ::: 1 2 3 4 5 6 7 8
  etl combine *.part
  etl combine --sort switches --limit 20 --format csv -o cpu.csv *.part
The output is that of the verb without --part. Exit codes: 0 success, 2 failure, 64 usage error. See docs/parts.md.)";

/// The parts in the order of the files. Prints what cannot be read.
std::optional<std::vector<PartFile>> read_parts(const std::vector<std::string>& files) {
    std::vector<PartFile> parts;
    for (const std::string& path : files) {
        const auto file = etl::io::InputFile::map(path);
        auto part =
            file ? etl::analysis::parse_part_file((*file)->bytes()) : std::unexpected(file.error());
        if (!part) {
            say(path, part.error());
            return std::nullopt;
        }
        parts.push_back(*std::move(part));
    }
    return parts;
}

using Words = std::vector<std::pair<std::string, std::string>>;

/// Everything that must be the same in all parts.
Words words_of(const PartFile& part) {
    Words words{
        {"the table", fmt::format("{}{}{}", part.table, part.by.empty() ? "" : " --by ", part.by)},
        {"the number of parts", std::to_string(part.count)}};
    words.insert(words.end(), part.made_from.begin(), part.made_from.end());
    return words;
}

/// The first difference: what differs, and how; empty: none.
std::string difference(const Words& mine, const Words& first) {
    const auto value_of = [](const Words& words, const std::string& name) {
        const auto found = std::ranges::find(words, name, &Words::value_type::first);
        return found == words.end() ? std::string("not given") : found->second;
    };
    for (const Words* const words : {&first, &mine}) {
        for (const auto& [name, value] : *words) {
            if (value_of(mine, name) != value_of(first, name)) {
                return fmt::format("{}: {} here, {} there", printable(name),
                                   printable(value_of(mine, name)),
                                   printable(value_of(first, name)));
            }
        }
    }
    return {};
}

/// Whether the files are the parts of one table, each once. Prints why not.
bool belong_together(const std::vector<std::string>& files, const std::vector<PartFile>& parts) {
    const Words first = words_of(parts.front());
    std::map<std::uint32_t, std::size_t> places;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (const std::string how = difference(words_of(parts[i]), first);
            !how.empty() || parts[i].traces.size() != parts.front().traces.size()) {
            say(fmt::format("{}: not of the same table as {}: {}", printable(files[i]),
                            printable(files.front()), how));
            return false;
        }
        const auto [known, is_new] = places.try_emplace(parts[i].number, i);
        if (!is_new) {
            say(fmt::format("part {} is given twice: {} and {}", parts[i].number,
                            printable(files[known->second]), printable(files[i])));
            return false;
        }
    }
    const std::uint32_t count = parts.front().count;
    for (std::uint32_t number = 1; number <= count; ++number) {
        if (!places.contains(number)) {
            say(fmt::format("part {0} of {1} is missing ({2} of {1} given)", number, count,
                            parts.size()));
            return false;
        }
    }
    return true;
}

ExitCode run_combine(CombineOptions options) {
    OutputGuard guard;
    guard.reads(options.files);
    if (!guard.permits(options.table.output, existing_files(options.table.force))) {
        return ExitCode::failed;
    }
    const auto format = table_format_of(options.table.format, options.table.output);
    if (!format) {
        return format.error();
    }
    auto parts = read_parts(options.files);
    if (!parts || !belong_together(options.files, *parts)) {
        return ExitCode::failed;
    }
    std::ranges::sort(*parts, {}, &PartFile::number);
    options.table.verb = parts->front().table;
    options.table.by = parts->front().by;
    const auto* const form = etl::analysis::find_table(options.table.verb, options.table.by);
    if (form == nullptr || form->parts == etl::analysis::PartsOf::none ||
        parts->front().traces.empty()) {
        say(fmt::format("{}: not the part of a table that has parts",
                        printable(options.files.front())));
        return ExitCode::failed;
    }
    auto table = combined(*form, *parts);
    if (!table) {
        return table.error();
    }
    const ExitCode exit = finish_table(*table, options.table.rows);
    return exit == ExitCode::well ? print_table(options.table, *table, *format) : exit;
}

} // namespace

void add_combine(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand("combine", "Print the table that its parts add up to");
    auto options = std::make_shared<CombineOptions>();
    verb.add_option("FILE", options->files, "files that --partial wrote, in any order")->required();
    add_table_rows(verb, options->table.rows, "the main column");
    add_table_output(verb, options->table.format, options->table.big_numbers, options->table.output,
                     options->table.force);
    verb.footer(combine_footer);
    verb.callback([options, &exit] { exit = run_combine(*options); });
}

} // namespace cli

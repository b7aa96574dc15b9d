// etl join: joins the files of one session into one trace.
#include "cli/console.hpp"
#include "cli/verbs.hpp"
#include "format/logfile_header.hpp"
#include "inputs/series.hpp"
#include "io/find_files.hpp"
#include "outputs/merging.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli {

namespace {

constexpr const char* join_footer = R"(Examples:
  etl join 'log_%d.etl' -o log.etl            join log_1.etl, log_2.etl, ...
  etl join log_3.etl -o log.etl               the same, from any file of the series
  etl join WiFi.etl.001 -o WiFi.etl           join AutoLogger files of several boots
The other files of the series are found by number; missing files are reported. Timestamps of files of several boots
are converted to system time.
Exit codes: 0 success, 1 missing files, damage, or losses, 2 failure, 64 usage error. See docs/merge.md.)";

/// The series of all names. If they are not of one series, prints why and returns nothing.
std::optional<NumberedName> series_of(const std::vector<std::string>& names) {
    std::optional<NumberedName> series;
    for (const std::string& name : names) {
        auto numbered = parse_numbered(name);
        if (!numbered) {
            say(fmt::format("{}: the file name contains no number, so it is not part of a series",
                            printable(name)));
            return std::nullopt;
        }
        if (series && !series->is_series_of(*numbered)) {
            say(fmt::format(
                "{} and {} are not in the same series; use `etl merge` for other traces",
                printable(names.front()), printable(name)));
            return std::nullopt;
        }
        series = std::move(numbered);
    }
    return series;
}

/// Prints which files are missing; damaged if there are any.
ExitCode report_gaps(const NumberedName& name, const Series& series) {
    const std::string gaps = describe_gaps(series.numbers);
    if (gaps.empty()) {
        return ExitCode::well;
    }
    say(fmt::format("warning: {}%d{}: missing files: {}", printable(name.before),
                    printable(name.after), gaps));
    return ExitCode::damaged;
}

bool is_relogged(const std::string& path) {
    const auto file = etl::io::InputFile::map(path);
    const auto reader =
        file ? etl::trace::Reader::open(*file)
             : etl::Result<std::unique_ptr<etl::trace::Reader>>(std::unexpected(file.error()));
    return reader && ((*reader)->info().header.log_file_mode & etl::format::log_mode::relog) != 0;
}

/// All files of the series except an earlier output with a name of the series. A file written by a
/// session is never an output. On failure prints the reason and returns nothing.
std::optional<Series> series_files(const NumberedName& name, const MergingOptions& options) {
    const std::string& output = options.output.path;
    const bool is_named =
        std::ranges::any_of(options.traces.arguments, [&](const std::string& input) {
            return etl::io::is_same_file(input, output);
        });
    const bool is_output = !is_named && etl::io::is_regular_file(output) && is_relogged(output);
    auto series = find_series(name, is_output ? output : std::string());
    if (series) {
        if (series->skipped_output) {
            say(fmt::format("note: {}: skipped; it is the output, not part of the series",
                            printable(output)));
        }
        return *std::move(series);
    }
    if (const auto* same = std::get_if<SameNumber>(&series.error())) {
        say(fmt::format("{} and {} have the same number", printable(same->first),
                        printable(same->other)));
    } else {
        say(options.traces.arguments.front(), std::get<etl::Error>(series.error()));
    }
    return std::nullopt;
}

/// How the files are joined. If they are of several machines, prints that and returns nothing.
std::optional<etl::merge::Options> relation_of(const Traces& traces) {
    std::vector<const etl::flow::TraceInfo*> infos;
    for (const auto& reader : traces.readers()) {
        infos.push_back(&reader->info());
    }
    const auto mismatches = etl::merge::correlate(infos);
    const auto foreign = std::ranges::find_if(mismatches, &etl::merge::Mismatch::is_other_machine);
    if (foreign != mismatches.end()) {
        say(fmt::format("{}: {} {} differs from {} of {}; the files are not of one session (use "
                        "`etl merge --restamp`)",
                        printable(infos[foreign->input]->name), foreign->field, foreign->other,
                        foreign->first, printable(infos.front()->name)));
        return std::nullopt;
    }
    etl::merge::Options how{.relation = etl::merge::Relation::series};
    if (!mismatches.empty()) {
        how.timestamps = etl::merge::Timestamps::system_time;
        say(fmt::format(
            "note: {}: {} {} differs from {} of {}; all timestamps are converted to system time",
            printable(infos[mismatches.front().input]->name), mismatches.front().field,
            mismatches.front().other, mismatches.front().first, printable(infos.front()->name)));
    }
    return how;
}

ExitCode run(MergingOptions& options) {
    const auto name = series_of(options.traces.arguments);
    if (!name) {
        return ExitCode::usage;
    }
    const auto series = series_files(*name, options);
    if (!series) {
        return ExitCode::failed;
    }
    options.traces.arguments = series->files;
    if (!is_clear(options)) {
        return ExitCode::failed;
    }
    const ExitCode missing = report_gaps(*name, *series);
    Traces traces(options.traces);
    if (!traces.all_opened()) {
        return ExitCode::failed;
    }
    const auto how = relation_of(traces);
    return how ? worst(missing, merge_into_file(options, traces, *how)) : ExitCode::failed;
}

} // namespace

void add_join(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand("join", "Join the files of one session into one trace");
    auto options = std::make_shared<MergingOptions>();
    options->add_to(verb);
    verb.footer(join_footer);
    verb.callback([options, &exit] { exit = run(*options); });
}

} // namespace cli

// etl join: the files of one session as one trace.
#include <etl/format/logfile_header.hpp>
#include <etl/io/find_files.hpp>

#include "cli/console.hpp"
#include "cli/merging.hpp"
#include "cli/series.hpp"
#include "cli/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli {

namespace {

constexpr const char* footer = R"(Examples:
  etl join 'log_%d.etl' -o log.etl            log_1.etl, log_2.etl, ... as one
  etl join log_3.etl -o log.etl               the same: one of them is enough
  etl join WiFi.etl.001 -o WiFi.etl           what an AutoLogger kept of several boots
The other files of the series are found by their numbers; missing ones are told (exit code 1). Files of several boots are
converted to system time. Exit codes: 0, 1 (missing files, damage, losses), 2 (failed), 64 (usage). See docs/merge.md.)";

/// The series that all names are of; none, and said why.
std::optional<NumberedName> series_of(const std::vector<std::string>& names) {
    std::optional<NumberedName> series;
    for (const std::string& name : names) {
        auto numbered = parse_numbered(name);
        if (!numbered) {
            say(fmt::format("{}: no number in the name of this file, so it is none of a series",
                            printable(name)));
            return std::nullopt;
        }
        if (series && !series->is_series_of(*numbered)) {
            say(fmt::format("{} and {} are not of one series; `etl merge` takes any traces",
                            printable(names.front()), printable(name)));
            return std::nullopt;
        }
        series = std::move(numbered);
    }
    return series;
}

/// Says which files are missing: damaged then.
ExitCode tell_gaps(const NumberedName& name, const Series& series) {
    const std::string gaps = describe_gaps(series.numbers);
    if (gaps.empty()) {
        return ExitCode::well;
    }
    say(fmt::format("{}%d{}: missing: {}", printable(name.before), printable(name.behind), gaps));
    return ExitCode::damaged;
}

bool is_relogged(const std::string& path) {
    const auto file = etl::io::InputFile::map(path);
    const auto reader =
        file ? etl::trace::Reader::open(*file)
             : etl::Result<std::unique_ptr<etl::trace::Reader>>(std::unexpected(file.error()));
    return reader && ((*reader)->info().header.log_file_mode & etl::format::log_mode::relog) != 0;
}

/// All files of the series, but for an earlier output that has a name like theirs. A file that a
/// session wrote is never taken for one: it is an input. Nothing, and the reason is printed.
std::optional<Series> series_files(const NumberedName& name, const MergingOptions& options) {
    const std::string& output = options.output.path;
    const bool is_named =
        std::ranges::any_of(options.traces.arguments, [&](const std::string& input) {
            return etl::io::is_same_file(input, output);
        });
    const bool is_made = !is_named && etl::io::is_regular_file(output) && is_relogged(output);
    auto series = find_series(name, is_made ? output : std::string());
    if (series) {
        if (series->left_one_out) {
            say(fmt::format("note: {}: is the output, and none of the series", printable(output)));
        }
        return *std::move(series);
    }
    if (const auto* same = std::get_if<SameNumber>(&series.error())) {
        say(fmt::format("{} and {} have the same number in the series", printable(same->first),
                        printable(same->other)));
    } else {
        say(options.traces.arguments.front(), std::get<etl::Error>(series.error()));
    }
    return std::nullopt;
}

/// How the files become one; nothing, and said why, when they are of several machines.
std::optional<etl::merge::Options> relation_of(const Traces& traces) {
    std::vector<const etl::flow::TraceInfo*> infos;
    for (const auto& reader : traces.readers()) {
        infos.push_back(&reader->info());
    }
    const auto mismatches = etl::merge::correlate(infos);
    const auto foreign = std::ranges::find_if(mismatches, &etl::merge::Mismatch::is_other_machine);
    if (foreign != mismatches.end()) {
        say(fmt::format("{}: {} {}, but {} of {}: no files of one session; `etl merge --restamp` "
                        "takes any traces",
                        printable(infos[foreign->input]->name), foreign->field, foreign->other,
                        foreign->first, printable(infos.front()->name)));
        return std::nullopt;
    }
    etl::merge::Options how{.relation = etl::merge::Relation::series};
    if (!mismatches.empty()) {
        how.timestamps = etl::merge::Timestamps::system_time;
        say(fmt::format("note: {}: {} {}, but {} of {}: all time stamps become system time",
                        printable(infos[mismatches.front().input]->name), mismatches.front().field,
                        mismatches.front().other, mismatches.front().first,
                        printable(infos.front()->name)));
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
    const ExitCode missing = tell_gaps(*name, *series);
    Traces traces(options.traces);
    if (!traces.all_opened()) {
        return ExitCode::failed;
    }
    const auto how = relation_of(traces);
    return how ? worst(missing, merge_into_file(options, traces, *how)) : ExitCode::failed;
}

} // namespace

void add_join(CLI::App& etl, ExitCode& exit) {
    CLI::App& verb = *etl.add_subcommand("join", "Make one trace of the files of one session");
    auto options = std::make_shared<MergingOptions>();
    options->add_to(verb);
    verb.footer(footer);
    verb.callback([options, &exit] { exit = run(*options); });
}

} // namespace cli

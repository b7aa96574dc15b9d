#include <etl/error.hpp>

#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/verbs.hpp"
#include "format/logfile_header.hpp"
#include "io/find_files.hpp"
#include "outputs/merging.hpp"
#include "rewrite/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cli {

// The numbered files of a session, found by the name of any of them.
// docs/merge.md#join

/// A path with a number in its name: `x_12.etl`, `x_12.etl.zst`, `x.etl.012` of an AutoLogger.
struct NumberedName {
    std::string before, after; // the parts around the number
    std::uint32_t number = 0;

    bool is_series_of(const NumberedName& other) const noexcept {
        return before == other.before && after == other.after;
    }
};

/// Nothing if there is no number. Before `.etl`, the last number counts. `%d` in its place stands
/// for any number and parses as 0.
std::optional<NumberedName> parse_numbered(std::string_view path);

struct Series {
    std::vector<std::string> files;     // by number
    std::vector<std::uint32_t> numbers; // of files, ascending
    bool skipped_output = false;        // `output` of find_series() was among the files
};

/// Two files with the same number, `x_1.etl` and `x_01.etl`: ambiguous.
struct SameNumber {
    std::string first, other;
};

/// All files of the series except `output`. Errors: those of the directory; not_found.
std::expected<Series, std::variant<etl::Error, SameNumber>>
find_series(const NumberedName& name, const std::string& output = {});

/// The numbers missing between the first and the last: `3, 7 to 9`. Empty: none.
std::string describe_gaps(const std::vector<std::uint32_t>& numbers);

namespace {

constexpr std::string_view digits = "0123456789";
constexpr std::string_view pattern = "%d";

std::optional<std::uint32_t> parse_file_number(std::string_view text) {
    std::uint32_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, code] = std::from_chars(text.data(), end, number);
    return code == std::errc{} && rest == end && !text.empty() ? std::optional(number)
                                                               : std::nullopt;
}

std::optional<NumberedName> split(std::string_view path, std::size_t at, std::size_t size) {
    const auto number = parse_file_number(path.substr(at, size));
    if (!number) {
        return std::nullopt;
    }
    return NumberedName{std::string(path.substr(0, at)), std::string(path.substr(at + size)),
                        *number};
}

} // namespace

std::optional<NumberedName> parse_numbered(std::string_view path) {
    const std::size_t name = path.find_last_of("/\\") + 1; // 0 if there is no directory
    if (const std::size_t at = path.rfind(pattern); at != std::string_view::npos && at >= name) {
        return NumberedName{std::string(path.substr(0, at)),
                            std::string(path.substr(at + pattern.size())), 0};
    }
    const std::size_t ending = etl::to_lower_ascii(path).rfind(".etl");
    if (ending == std::string::npos || ending < name) {
        return std::nullopt;
    }
    const std::string_view after = path.substr(ending + 4);
    if (after.size() > 1 && after.find_first_not_of(digits, 1) == std::string_view::npos) {
        return split(path, ending + 5, after.size() - 1);
    }
    const std::size_t last = path.substr(0, ending).find_last_of(digits);
    if (last == std::string_view::npos || last < name) {
        return std::nullopt;
    }
    const std::size_t before = path.substr(0, last).find_last_not_of(digits);
    const std::size_t first = before == std::string_view::npos ? 0 : std::max(before + 1, name);
    return split(path, first, last + 1 - first);
}

std::expected<Series, std::variant<etl::Error, SameNumber>> find_series(const NumberedName& name,
                                                                        const std::string& output) {
    const auto found =
        etl::io::find_files(fmt::format("{}*{}", name.before, name.after), etl::io::Recursion::no,
                            [](std::string_view) { return true; });
    if (!found) {
        return std::unexpected(found.error());
    }
    Series series;
    std::map<std::uint32_t, std::string> by_number;
    for (const std::string& file : *found) {
        const auto number =
            parse_file_number(etl::rewrite::number_between(file, name.before, name.after));
        if (!number) {
            continue;
        }
        if (!output.empty() && etl::io::is_same_file(file, output)) {
            series.skipped_output = true;
            continue;
        }
        const auto [first, is_new] = by_number.emplace(*number, file);
        if (!is_new) {
            return std::unexpected(SameNumber{first->second, file});
        }
    }
    if (by_number.empty()) {
        return std::unexpected(
            etl::Error{.code = etl::ErrorCode::not_found, .what = "no files of this series"});
    }
    for (auto& [number, file] : by_number) {
        series.numbers.push_back(number);
        series.files.push_back(std::move(file));
    }
    return series;
}

std::string describe_gaps(const std::vector<std::uint32_t>& numbers) {
    std::string text;
    for (std::size_t i = 1; i < numbers.size(); ++i) {
        const std::uint32_t first = numbers[i - 1] + 1;
        const std::uint32_t last = numbers[i] - 1;
        if (numbers[i] <= first) {
            continue;
        }
        text += text.empty() ? "" : ", ";
        text += first == last ? fmt::format("{}", first) : fmt::format("{} to {}", first, last);
    }
    return text;
}

// etl join: joins the files of one session into one trace.

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

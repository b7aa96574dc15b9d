#include "relog/split.hpp"

#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/option_values.hpp"
#include "cli/progress.hpp"
#include "cli/verb.hpp"
#include "cli/verbs.hpp"
#include "verbs/split/splitting.hpp"

#include <charconv>
#include <optional>
#include <string>

namespace cli {

// --every: the limit of a part of `etl split`. docs/split.md#keys

inline constexpr const char* every_name = "--every";

/// Parses the limit of parts (relog::SplitOptions::limit), which depends on --by. Throws
/// UsageError if it is not valid.
std::uint64_t read_every(etl::relog::SplitBy by, const std::string& word);

namespace {

using etl::relog::SplitBy;

std::optional<std::uint64_t> read_count(std::string_view text) {
    std::uint64_t count = 0;
    const auto [rest, code] = std::from_chars(text.data(), text.data() + text.size(), count);
    const bool is_valid = code == std::errc{} && rest == text.data() + text.size() && count > 0;
    return is_valid ? std::optional(count) : std::nullopt;
}

/// `100MB`, `64K`, `2G`; without a unit in MB.
std::optional<std::uint64_t> read_size(std::string word) {
    word = etl::to_lower_ascii(word);
    if (word.ends_with("b")) {
        word.pop_back();
    }
    unsigned shift = 20;
    constexpr std::string_view units = "kmg";
    if (const auto unit = word.empty() ? units.npos : units.find(word.back()); unit != units.npos) {
        shift = 10 * (static_cast<unsigned>(unit) + 1);
        word.pop_back();
    }
    const auto count = read_count(word);
    return count && *count <= (UINT64_MAX >> shift) ? std::optional(*count << shift) : std::nullopt;
}

std::optional<std::uint64_t> read_span(const std::string& word) {
    const auto ticks = parse_duration(word);
    return ticks && *ticks > 0 ? std::optional(static_cast<std::uint64_t>(*ticks)) : std::nullopt;
}

} // namespace

std::uint64_t read_every(SplitBy by, const std::string& word) {
    std::optional<std::uint64_t> limit;
    const char* wanted = "";
    switch (by) {
    case SplitBy::size:
        limit = read_size(word);
        wanted = "is not a size (examples: 100MB, 64K, 2G)";
        break;
    case SplitBy::time:
        limit = read_span(word);
        wanted = "is not a duration (examples: 10s, 200ms, 5m, 1h)";
        break;
    case SplitBy::count:
        limit = read_count(word);
        wanted = "is not a number of events";
        break;
    case SplitBy::provider:
    case SplitBy::process:
    case SplitBy::processor:
        limit = word.empty() ? std::optional<std::uint64_t>(0) : std::nullopt;
        wanted = "does not apply to --by provider, process, or cpu";
        break;
    }
    if (!limit) {
        throw UsageError(every_name, "'" + printable(word) + "' " + wanted);
    }
    return *limit;
}

// etl split: splits a trace into several.

namespace {

using etl::relog::SplitContext;

constexpr const char* split_footer = R"(Examples:
  etl split trace.etl --by size --every 100MB -o 'part_%d.etl'
  etl split trace.etl --by time --every 10s -o 'part_%d.etl'
  etl split trace.etl --by count --every 100000 -o 'part_%d.etl.zst'
  etl split trace.etl --by process -o 'process_%d.etl'
  etl split trace.etl --by time --every 1m --where 'provider == Tea-*' -o 'tea_%d.etl'
  etl split trace.etl --by time --every 1m --context shared -o 'part_%d.etl'
Each part can be read on its own: context events (processes, images, schemas, machine) are copied into every part.
With --context shared, only part 0 contains them; `etl merge part_0.etl part_7.etl -o seven.etl` adds them to a part.
`etl merge` of all parts recreates the trace.
Exit codes: 0 success, 1 damage, 2 failure (no parts are written), 64 usage error. See docs/split.md.)";

} // namespace

void add_split(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand("split", "Split a trace into several");
    auto options = std::make_shared<SplitVerbOptions>();
    options->traces.add_to(verb);
    describe_as_only(verb);
    options->schemas.add_to(verb);
    options->output.add_atomic_to(verb);
    options->filters.add_to(verb);
    verb.get_option("--output")
        ->description("write .etl, .etl.zst, or .etl.lz4 files, with %d in FILE replaced by the "
                      "part number: part_%d.etl");
    add_choice<SplitBy>(verb, "--by", options->split.by,
                        {{"size", SplitBy::size},
                         {"time", SplitBy::time},
                         {"count", SplitBy::count},
                         {"provider", SplitBy::provider},
                         {"process", SplitBy::process},
                         {"cpu", SplitBy::processor}},
                        "size, time, count, provider, process, or cpu", "WHAT");
    verb.get_option("--by")->required();
    verb.add_option(every_name, options->every,
                    "limit of each part: a size (100MB, 64K, 2G), a duration (10s, 200ms, 5m), or "
                    "a number of events")
        ->type_name("LIMIT");
    add_choice<SplitContext>(verb, "--context", options->split.context,
                             {{"copy", SplitContext::copied},
                              {"shared", SplitContext::shared},
                              {"none", SplitContext::none}},
                             "context events: copy (into every part), shared (only into part 0), "
                             "or none (only into the part they belong to) (default: copy)",
                             "WHERE");
    verb.add_flag_callback(
            "--no-context", [options] { options->split.context = SplitContext::none; },
            "do not copy context events into every part (same as --context none)")
        ->excludes("--context");
    verb.add_flag("--json", options->json, "print the list of parts as JSON, one object per line");
    add_progress(verb, options->progress);
    verb.footer(split_footer);
    verb.callback([options, &exit] {
        options->split.limit = read_every(options->split.by, options->every);
        exit = split(*options);
    });
}

} // namespace cli

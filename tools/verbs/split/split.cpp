// etl split: splits a trace into several.
#include "cli/choice.hpp"
#include "cli/progress.hpp"
#include "cli/verbs.hpp"
#include "verbs/split/every.hpp"
#include "verbs/split/splitting.hpp"

namespace cli {

namespace {

using etl::relog::SplitBy;
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

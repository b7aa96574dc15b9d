// etl relog: filters, edits, and rewrites traces.
#include "cli/option_values.hpp"
#include "cli/progress.hpp"
#include "cli/verbs.hpp"
#include "verbs/relog/relogging.hpp"

namespace cli {

namespace {

constexpr const char* relog_footer = R"(Examples:
  etl relog trace.etl -o copy.etl
  etl relog trace.etl --compress xpress -o small.etl
  etl relog small.etl --compress none -o large.etl
  etl relog trace.etl --provider 'Microsoft-Windows-*' --level warning -o warnings.etl
  etl relog trace.etl --from +10s --to +20s -o window.etl
  etl relog trace.etl --process kettle --no-context -o process.etl.zst
  etl relog trace.etl --downsample 100 -o sampled.etl
  etl relog trace.etl --set-time-offset=-2h --inject notes.jsonl -o annotated.etl
  etl relog trace.etl --drop-undecodable -o decodable.etl
  etl relog trace.etl --anonymize --anonymize-report changes.json -o shareable.etl
Records are copied byte for byte. Filters keep context events and stacks of kept events unless
--no-context is set. The output appears when complete.
Exit codes: 0 success, 1 damage or losses, 2 failure, 64 usage error. See docs/relog.md.)";

constexpr const char* offset_name = "--set-time-offset";

void add_edits(Verb& verb, RelogOptions& options) {
    verb.add_option("--downsample", options.downsample,
                    "keep the first of every N events of each kind")
        ->check(in_range(1U, UINT32_MAX))
        ->type_name("N")
        ->group("Edits");
    verb.add_option_function<std::string>(
            offset_name,
            [&options](const std::string& word) {
                const auto ticks = parse_duration(word);
                if (!ticks) {
                    throw UsageError(offset_name,
                                     "'" + printable(word) +
                                         "' is not an offset (examples: +1.5s, -200ms, -2h)");
                }
                options.time_offset = ticks;
            },
            "shift event times: +1.5s, -200ms, -2h")
        ->type_name("OFFSET")
        ->group("Edits");
    verb.add_option("--inject", options.inject,
                    "add events from `etl write` JSON lines, by time; repeatable")
        ->allow_extra_args(false)
        ->type_name("FILE")
        ->group("Edits");
}

} // namespace

void add_relog(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand("relog", "Filter, edit, and rewrite traces");
    auto options = std::make_shared<RelogOptions>();
    options->traces.add_to(verb);
    options->output.add_atomic_to(verb);
    verb.get_option("--compress")
        ->description("none, xpress (readable on Windows), xpress-huffman, or lznt1 (default: that "
                      "of the first compressed input; none for .etl.zst and .etl.lz4)");
    options->schemas.add_to(verb);
    add_pointer_size(verb, options->pointer_size);
    options->filters.add_to(verb);
    add_choice(verb, "--order", options->order,
               {{"time", etl::trace::Order::time}, {"recorded", etl::trace::Order::recorded}},
               "order in which filters and edits see events: time or recorded, as for `etl dump` "
               "(default: time)",
               "ORDER");
    verb.add_flag("--drop-undecodable", options->drop_undecodable, "drop events without a schema")
        ->group("Filters");
    verb.add_flag_callback(
            "--no-context", [options] { options->with_context = false; },
            "drop context events and stacks that do not match")
        ->group("Filters");
    add_edits(verb, *options);
    options->anonymizing.add_to(verb);
    options->embedding.add_to(verb);
    add_progress(verb, options->progress);
    verb.footer(relog_footer);
    for (const char* const name : {"--keep-undecodable", "--clear-undecodable"}) {
        verb.get_option(name)->excludes("--drop-undecodable");
    }
    verb.callback([options, &verb, &exit] {
        options->keeps_compression = verb.get_option("--compress")->empty();
        exit = relog(*options);
    });
}

} // namespace cli

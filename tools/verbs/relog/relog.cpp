// etl relog: traces into a trace: filtered, edited, packed anew.
#include "cli/choice.hpp"
#include "cli/duration.hpp"
#include "cli/pointer_size.hpp"
#include "cli/progress.hpp"
#include "cli/verbs.hpp"
#include "verbs/relog/relogging.hpp"

namespace cli {

namespace {

constexpr const char* footer = R"(Examples:
  etl relog trace.etl -o copy.etl
  etl relog trace.etl --compress xpress -o small.etl
  etl relog small.etl --compress none -o large.etl
  etl relog trace.etl --provider 'Microsoft-Windows-*' --level warning -o warnings.etl
  etl relog trace.etl --from +10s --to +20s -o window.etl
  etl relog trace.etl --process kettle --no-context -o process.etl.zst
  etl relog trace.etl --downsample 100 -o thin.etl
  etl relog trace.etl --set-time-offset=-2h --inject notes.jsonl -o noted.etl
  etl relog trace.etl --drop-undecodable -o decodable.etl
  etl relog trace.etl --anonymize --anonymize-report changes.json -o shareable.etl
Records are copied byte for byte. What a filter drops it drops without what decoding needs: processes, images, file
names, manifests and the stacks of what stays are kept (--no-context drops these, too). The output appears when
complete and is never an input. Exit codes: 0, 1 (damage, losses), 2 (failed), 64 (usage). See docs/relog.md.)";

constexpr const char* offset_name = "--set-time-offset";

void add_edits(CLI::App& verb, RelogOptions& options) {
    verb.add_option("--downsample", options.downsample,
                    "keep one of N events of each kind, the first of them always")
        ->check(CLI::Range(1U, UINT32_MAX).description(""))
        ->type_name("N")
        ->group("Edits");
    verb.add_option_function<std::string>(
            offset_name,
            [&options](const std::string& word) {
                const auto ticks = parse_duration(word);
                if (!ticks) {
                    throw CLI::ValidationError(offset_name, "'" + printable(word) +
                                                                "' is no offset: +1.5s, -200ms, "
                                                                "-2h");
                }
                options.time_offset = *ticks;
            },
            "move all events in time: +1.5s, -200ms, -2h")
        ->type_name("OFFSET")
        ->group("Edits");
    verb.add_option("--inject", options.inject,
                    "add events, by their times: lines of JSON as `etl write` reads them; may be "
                    "repeated")
        ->allow_extra_args(false)
        ->type_name("FILE")
        ->group("Edits");
}

} // namespace

void add_relog(CLI::App& etl, ExitCode& exit) {
    CLI::App& verb = *etl.add_subcommand("relog", "Filter, edit and repack traces");
    auto options = std::make_shared<RelogOptions>();
    options->traces.add_to(verb);
    options->output.add_atomic_to(verb);
    verb.get_option("--compress")
        ->description("none, xpress, xpress-huffman or lznt1: inside the .etl, which Windows reads "
                      "as it is if it is xpress (default: that of the first compressed input; none "
                      "in .etl.zst and .etl.lz4)");
    options->schemas.add_to(verb);
    add_pointer_size(verb, options->pointer_size);
    options->filters.add_to(verb);
    add_choice(verb, "--order", options->order,
               {{"time", etl::trace::Order::time}, {"recorded", etl::trace::Order::recorded}},
               "order of the events that filters and edits see: time or recorded (as `etl dump "
               "--order`) (default: time)",
               "ORDER");
    verb.add_flag("--drop-undecodable", options->drop_undecodable,
                  "drop events that no schema describes")
        ->group("Filters");
    verb.add_flag_callback(
            "--no-context", [options] { options->with_context = false; },
            "keep nothing but what fits: no rundowns, no manifests, no stacks of what stays")
        ->group("Filters");
    add_edits(verb, *options);
    options->anonymizing.add_to(verb);
    options->embedding.add_to(verb);
    add_progress(verb, options->progress);
    verb.footer(footer);
    verb.get_option("--keep-undecodable")->excludes("--drop-undecodable");
    verb.callback([options, &verb, &exit] {
        options->keeps_compression = verb.get_option("--compress")->empty();
        exit = relog(*options);
    });
}

} // namespace cli

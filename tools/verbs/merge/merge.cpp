// etl merge: merges several traces into one, in time order.
#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/option_values.hpp"
#include "cli/verbs.hpp"
#include "outputs/merging.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

struct MergeOptions : MergingOptions {
    etl::merge::Options how;
    std::vector<etl::rewrite::Offset> offsets; // --align FILE=OFFSET
};

constexpr const char* merge_footer = R"(Examples:
  etl merge kernel.etl user.etl -o all.etl
  etl merge kernel.etl user.etl --embed-schemas --schema provider.man --compress xpress -o all.etl
  etl merge monday.etl tuesday.etl --restamp -o days.etl
  etl merge client.etl server.etl --align server.etl=-1.5s --tag-source -o both.etl
  etl merge run1.etl run2.etl --align first-event --tag-source -o runs.etl
Traces of one boot and one clock keep their raw timestamps, as on Windows. Other traces are rejected with the reason,
unless --restamp converts all timestamps to system time.
Exit codes: 0 success, 1 damage or losses, 2 failure, 64 usage error. See docs/merge.md.)";

constexpr const char* align_name = "--align";

/// A duration with its sign, `+1.5s`; FILE=OFFSET.
etl::rewrite::Offset read_offset(const std::string& word) {
    const std::size_t at = word.rfind('=');
    const auto ticks = at == std::string::npos
                           ? std::nullopt
                           : parse_duration(std::string_view(word).substr(at + 1));
    if (!ticks || at == 0) {
        throw UsageError(
            align_name,
            "'" + printable(word) +
                "' is not start, first-event, or FILE=OFFSET (examples: a.etl=+1.5s, b.etl=-20ms)");
    }
    return {word.substr(0, at), *ticks};
}

void add_align(Verb& verb, MergeOptions& options) {
    Option* const align = verb.add_option_function<std::vector<std::string>>(
        align_name,
        [&options](const std::vector<std::string>& words) {
            using etl::merge::Align;
            options.how.timestamps = etl::merge::Timestamps::system_time;
            for (const std::string& word : words) {
                if (word == "start" || word == "first-event") {
                    options.how.align = word == "start" ? Align::start : Align::first_event;
                } else {
                    options.offsets.push_back(read_offset(word));
                }
            }
        },
        "align the traces by start or first-event, or shift one by FILE=OFFSET (+1.5s, -20ms); "
        "repeatable; implies --restamp");
    suggest_values(align->allow_extra_args(false)->type_name("HOW"), {"start", "first-event"});
}

ExitCode run(MergeOptions& options) {
    if (!is_clear(options)) {
        return ExitCode::failed;
    }
    Traces traces(options.traces);
    if (!traces.all_opened()) {
        return ExitCode::failed;
    }
    if (const auto placed =
            etl::rewrite::place_offsets(options.offsets, traces.dataset(), options.how);
        !placed) {
        say(fmt::format("--align: {} is {}", printable(placed.error().about),
                        placed.error().detail));
        return ExitCode::usage;
    }
    return merge_into_file(options, traces, options.how);
}

} // namespace

void add_merge(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand("merge", "Merge several traces into one, in time order");
    auto options = std::make_shared<MergeOptions>();
    options->add_to(verb);
    verb.add_flag_callback(
        "--restamp",
        [how = &options->how] { how->timestamps = etl::merge::Timestamps::system_time; },
        "convert all timestamps to system time, for traces of different boots, machines, or "
        "clocks; renumber the processors of different machines; implies --tag-source for several "
        "traces");
    add_align(verb, *options);
    verb.add_flag("--tag-source", options->how.tag_sources,
                  "record the origin: set the LoggerId of buffers to the number of their trace, "
                  "and list the traces in events at the start");
    verb.footer(merge_footer);
    verb.callback([options, &exit] { exit = run(*options); });
}

} // namespace cli

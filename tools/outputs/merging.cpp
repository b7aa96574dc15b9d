#include "outputs/merging.hpp"

#include "cli/console.hpp"
#include "cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

namespace cli {

namespace {

/// Prints how the traces differ, once per trace, up to a limit.
void report_mismatches(const std::vector<etl::merge::Mismatch>& mismatches, const Traces& traces) {
    constexpr std::size_t shown = 10;
    const auto name_of = [&](std::size_t trace) {
        return printable(traces.readers()[trace]->info().name);
    };
    for (const auto& found : std::span(mismatches).first(std::min(mismatches.size(), shown))) {
        say(fmt::format("{}: {} {} differs from {} of {}{}", name_of(found.input), found.field,
                        found.other, found.first, name_of(0),
                        found.is_other_machine ? " (different machine)" : ""));
    }
    if (mismatches.size() > shown) {
        say(plural(mismatches.size() - shown, "more difference"));
    }
    say("raw timestamps of different boots, machines, or clocks are not comparable; use "
        "`etl merge --restamp` to convert them to system time");
}

} // namespace

ExitCode report(const etl::rewrite::MergeError& error, const Traces& traces,
                const TraceOutputOptions& output) {
    if (!error.mismatches.empty()) {
        report_mismatches(error.mismatches, traces);
        return ExitCode::failed;
    }
    return report(static_cast<const etl::TraceError&>(error), output);
}

void MergingOptions::add_to(Verb& verb) {
    traces.add_to(verb);
    output.add_atomic_to(verb);
    schemas.add_to(verb);
    embedding.add_to(verb);
    add_progress(verb, progress);
}

bool is_clear(const MergingOptions& options) {
    OutputGuard guard;
    guard.reads(options.traces);
    guard.reads(options.schemas);
    return is_clear(options.output, guard);
}

ExitCode merge_into_file(const MergingOptions& options, Traces& traces,
                         const etl::merge::Options& how) {
    std::optional<ProgressBar> bar(options.progress);
    etl::rewrite::Merging merging{
        .how = how, .output = options.output, .progress = [&](double done, std::uint64_t events) {
            bar->show(done, events);
        }};
    if (options.embedding.is_wanted()) {
        prepare(traces, options.schemas);
        merging.embedded = options.schemas.scope();
    }
    const auto merged = etl::rewrite::merge(traces.dataset(), merging);
    bar.reset(); // before messages
    if (!merged) {
        return report(merged.error(), traces, options.output);
    }
    const ExitCode finished = report(merged->written, options.output, merged->replaces);
    if (merged->embedded) {
        report_embedding(*merged->embedded);
    }
    return worst(finished, traces.exit_code());
}

} // namespace cli

#include "outputs/coverage_notes.hpp"

#include "cli/plural.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace cli {

namespace {

using namespace etl::analysis;

constexpr std::array<std::string_view, 15> noted{
    "untimed_events", "guessed_pairs", "unpaired_starts", "unpaired_stops", "counter_samples",
    "samples_without_interval", "switches_with_counters", "samples_of_assumed_interval",
    // `etl flows` reports these with the packets.
    "packets_without_ip", "packets_beyond_limit", "incomplete_packets", "dropped_fragments",
    "events_without_link", "malformed_events", "unknown_layouts"};

std::uint64_t count_of(const Coverage& coverage, std::string_view name) noexcept {
    const auto found = std::ranges::find(coverage.remainders, name, &Remainder::name);
    return found != coverage.remainders.end() ? found->value : 0;
}

} // namespace

std::vector<std::string> coverage_notes(const Coverage& coverage) {
    std::vector<std::string> notes;
    if (const auto pairs = count_of(coverage, "guessed_pairs"); pairs != 0) {
        notes.push_back(fmt::format(
            "guessed: {} of start and stop, by thread alone or by values that others share",
            plural(pairs, "pair")));
    }
    const auto starts = count_of(coverage, "unpaired_starts");
    const auto stops = count_of(coverage, "unpaired_stops");
    if (starts + stops != 0) {
        notes.push_back(fmt::format(
            "unpaired: {}, {}; their counterparts are not in the trace, or nothing relates them "
            "(schemas of their providers can: --schema)",
            plural(starts, "start"), plural(stops, "stop")));
    }
    if (const auto samples = count_of(coverage, "samples_of_assumed_interval"); samples != 0) {
        notes.push_back(fmt::format(
            "sampling interval not recorded: 1 ms assumed for {} (to record: xperf -on PROFILE)",
            plural(samples, "sample")));
    }
    if (const auto samples = count_of(coverage, "counter_samples"); samples != 0) {
        notes.push_back(fmt::format("{} of hardware counters: not of time, and counted apart (etl "
                                    "cpu --source all, etl flame --kind counter)",
                                    plural(samples, "sample")));
    }
    if (const auto samples = count_of(coverage, "samples_without_interval"); samples != 0) {
        notes.push_back(fmt::format("interval of the counter not recorded: the events of {} are "
                                    "unknown",
                                    plural(samples, "sample")));
    }
    if (const auto switches = count_of(coverage, "switches_with_counters"); switches != 0) {
        notes.push_back(fmt::format("not used: values of hardware counters in {} (to print them: "
                                    "etl dump --event Thread/CSwitch)",
                                    plural(switches, "context switch", "context switches")));
    }
    if (const auto events = count_of(coverage, "untimed_events"); events != 0) {
        notes.push_back(fmt::format("no usable timestamp: {}, counted where they were recorded "
                                    "(their time is null in `etl dump --format jsonl`)",
                                    plural(events, "event")));
    }
    return notes;
}

bool is_noted(std::string_view remainder) noexcept {
    return std::ranges::find(noted, remainder) != noted.end();
}

std::string_view missing_source(const NotRecorded& missing, const Coverage& coverage) noexcept {
    return missing.source == "samples" && count_of(coverage, "counter_samples") != 0
               ? "samples of time"
               : missing.source;
}

} // namespace cli

#include "cli/process_filter.hpp"

#include "base/similar.hpp"
#include "cli/console.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <vector>

namespace cli {

namespace {

constexpr auto relaxed = std::memory_order_relaxed;

std::string events(std::uint64_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// `; similar: a.exe, b.exe`, or how to list them all.
std::string suggestion(const std::string& glob, const std::set<std::string>& names) {
    const std::vector<std::string> list(names.begin(), names.end());
    if (const auto similar = etl::similar_words(glob, list); !similar.empty()) {
        return printable(fmt::format("; similar: {}", fmt::join(similar, ", ")));
    }
    return names.empty() ? "; the trace contains no process names; use --process PID"
                         : "; `etl dump --event 'Process/*'` lists the processes";
}

} // namespace

void report_unknown_names(const std::vector<std::string>& words,
                          const etl::facts::FactsByTrace& facts) {
    const auto selection = etl::facts::parse_process_selection(words);
    if (selection.names.empty()) {
        return;
    }
    std::set<std::string> names;
    for (const etl::facts::Facts& of_trace : facts) {
        for (const etl::facts::Process& process : of_trace.processes()) {
            if (!process.name.empty()) {
                names.emplace(process.name);
            }
        }
    }
    for (const std::string& glob : selection.names) {
        const bool is_known = std::ranges::any_of(names, [&](const std::string& name) {
            return etl::facts::matches_process_name(glob, name);
        });
        if (!is_known) {
            say(fmt::format("warning: no process is named '{}'{}", printable(glob),
                            suggestion(glob, names)));
        }
    }
}

void report(const etl::match::Notes& notes) {
    if (const std::uint64_t count = notes.unattributed.load(relaxed); count > 0) {
        say(fmt::format("warning: {} not be attributed to a process and did not match --process; "
                        "`etl split --by process` writes them to a separate part",
                        events(count, "event could", "events could")));
    }
    if (const std::uint64_t count = notes.unnamed.load(relaxed); count > 0) {
        say(fmt::format("warning: {} without a recorded name and did not match --process NAME; use "
                        "--process PID",
                        events(count, "event is about a process", "events are about processes")));
    }
    if (const std::uint64_t count = notes.untimed.load(relaxed); count > 0) {
        say(fmt::format("note: {} no usable timestamp and cannot match a time window",
                        events(count, "event has", "events have")));
    }
    const auto report_header = [](std::uint64_t count, std::string_view option,
                                  std::string_view id) {
        if (count > 0) {
            say(fmt::format("note: {} no {} ID in the header and cannot match {}; "
                            "--process PID matches the process that an event is about",
                            events(count, "event stores", "events store"), id, option));
        }
    };
    report_header(notes.without_pid.load(relaxed), "--pid", "process");
    report_header(notes.without_tid.load(relaxed), "--tid", "thread");
}

} // namespace cli

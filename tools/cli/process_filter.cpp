#include "cli/process_filter.hpp"

#include <etl/base/text.hpp>

#include "cli/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <ranges>
#include <set>
#include <utility>

namespace cli {

namespace {

constexpr auto relaxed = std::memory_order_relaxed;

std::string events(std::uint64_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// The number of characters to insert, remove, or replace to turn one word into the other.
std::size_t distance(std::string_view from, std::string_view to) {
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < to.size(); ++j) {
            const std::size_t replaced = diagonal + (from[i] == to[j] ? 0U : 1U);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
        }
    }
    return row.back();
}

bool is_similar(const std::string& word, const std::string& name) {
    const std::string stem = name.substr(0, name.rfind('.'));
    return name.find(word) != std::string::npos || word.find(stem) != std::string::npos ||
           std::min(distance(word, name), distance(word, stem)) <= word.size() / 3;
}

/// `; similar: a.exe, b.exe`, or how to list them all.
std::string suggestion(const std::string& glob, const std::set<std::string>& names) {
    constexpr std::size_t longest = 64;   // of words that are compared
    constexpr std::ptrdiff_t most = 4096; // names that are compared
    constexpr std::size_t shown = 5;
    const std::string word = etl::to_lower_ascii(glob.substr(0, longest));
    std::string similar;
    std::size_t count = 0;
    for (const std::string& name : names | std::views::take(most)) {
        if (count < shown && is_similar(word, etl::to_lower_ascii(name.substr(0, longest)))) {
            similar += (count++ == 0 ? "; similar: " : ", ") + printable(name);
        }
    }
    if (!similar.empty()) {
        return similar;
    }
    return names.empty() ? "; the trace records no process names, use --process PID"
                         : "; `etl dump --event 'Process/*'` lists the processes";
}

} // namespace

void ProcessNotes::count(etl::facts::ProcessMatcher::Verdict verdict) noexcept {
    using Verdict = etl::facts::ProcessMatcher::Verdict;
    switch (verdict) {
    case Verdict::matches:
        matching.fetch_add(1, relaxed);
        break;
    case Verdict::unattributed:
        unattributed.fetch_add(1, relaxed);
        break;
    case Verdict::unnamed:
        unnamed.fetch_add(1, relaxed);
        break;
    case Verdict::differs:
        break;
    }
}

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

void report(const ProcessNotes& notes) {
    if (const std::uint64_t count = notes.unattributed.load(relaxed); count > 0) {
        say(fmt::format("warning: {} not be attributed to a process and did not match --process; "
                        "`etl split --by process` puts them into a part of their own",
                        events(count, "event could", "events could")));
    }
    if (const std::uint64_t count = notes.unnamed.load(relaxed); count > 0) {
        say(fmt::format("warning: {} about processes whose names the trace does not record and "
                        "did not match --process NAME; use --process PID",
                        events(count, "event is", "events are")));
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

// Matching of events by process. docs/processes.md
//
//     ProcessMatcher matches({.names = {"kettle*"}}, Attributor(facts, store));
//     if (matches(event) == ProcessMatcher::Verdict::matches) { ... }
#pragma once

#include "facts/attributor.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::facts {

/// Processes by ID or name.
struct ProcessSelection {
    std::vector<std::uint32_t> ids;
    /// Globs for image file names, ignoring ASCII case; a name matches with and without `.exe`.
    std::vector<std::string> names;

    bool operator==(const ProcessSelection&) const = default;
};

/// Parses words such as `4242`, `0x1092`, `kettle`, `Kettle.exe`, `svc*`: a number below 2^32 is a
/// process ID, anything else is a name.
ProcessSelection parse_process_selection(std::span<const std::string> words);

/// Returns whether a process name matches a glob, as in ProcessSelection::names.
bool matches_process_name(std::string_view glob, std::string_view name) noexcept;

/// A predicate on events. Not thread-safe.
class ProcessMatcher {
public:
    enum class Verdict : std::uint8_t {
        matches,
        differs,      // the event is about other processes, or none
        unattributed, // some processes of the event are unknown
        unnamed,      // processes are known, but not all their names
    };

    ProcessMatcher(ProcessSelection selection, Attributor attributor)
        : selection_(std::move(selection)), attributor_(std::move(attributor)) {}

    /// Pure, like Attributor::attribute. An ID matches every process with that ID; a name matches
    /// processes with that name at the time of the event.
    Verdict operator()(const flow::Event& event);

    /// The same for a decoded event, like Attributor::attribute.
    Verdict operator()(const decode::DecodedEvent& event, std::uint32_t generation);

private:
    Verdict verdict_of(const Attribution& about, const flow::Event& event) const;
    Verdict verdict_on(std::uint32_t process, const flow::Event& event) const;

    ProcessSelection selection_;
    Attributor attributor_;
};

} // namespace etl::facts

// Whether an event is about one of the processes asked for. docs/processes.md
//
//     ProcessMatcher matches({.names = {"kettle*"}}, Attributor(facts, store));
//     if (matches(event) == ProcessMatcher::Verdict::matches) { ... }
#pragma once

#include <etl/facts/attributor.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::facts {

/// Processes by number or by name.
struct ProcessSelection {
    std::vector<std::uint32_t> ids;
    /// Globs for the name of the image file, ASCII case ignored; a name matches with and without
    /// `.exe`.
    std::vector<std::string> names;

    bool operator==(const ProcessSelection&) const = default;
};

/// Words such as `4242`, `0x1092`, `kettle`, `Kettle.exe`, `svc*`: what is a number below 2^32 is a
/// process ID, everything else a name.
ProcessSelection parse_process_selection(std::span<const std::string> words);

/// Whether a process name matches a glob, as in ProcessSelection::names.
bool matches_process_name(std::string_view glob, std::string_view name) noexcept;

/// A predicate on events. One thread.
class ProcessMatcher {
public:
    enum class Verdict : std::uint8_t {
        matches,
        differs,      // the event is about other processes, or about none
        unattributed, // not all processes are known that the event is about
        unnamed,      // they are known, but the trace does not record all their names
    };

    ProcessMatcher(ProcessSelection selection, Attributor attributor)
        : selection_(std::move(selection)), attributor_(std::move(attributor)) {}

    /// Pure, as Attributor::attribute. An ID matches every process with that number; a name only
    /// those that have it at the time of the event.
    Verdict operator()(const flow::Event& event);

    /// The same of an event that is decoded, as Attributor::attribute.
    Verdict operator()(const decode::DecodedEvent& event, std::uint32_t generation);

private:
    Verdict verdict_of(const Attribution& about, const flow::Event& event) const;
    Verdict verdict_on(std::uint32_t process, const flow::Event& event) const;

    ProcessSelection selection_;
    Attributor attributor_;
};

} // namespace etl::facts

// Attribution of events to the processes they are about. The header of a kernel record only
// identifies the thread that was running, or nothing. docs/processes.md
#pragma once

#include "decode/decoder.hpp"
#include "facts/facts.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::facts {

/// The processes that an event is about. Process IDs as of the time of the event.
struct Attribution {
    /// The process; flow::no_id: none, or unknown. For a context switch, the process switched in.
    std::uint32_t process = flow::no_id;
    /// For a context switch, the process switched out; flow::no_id: none, or unknown.
    std::uint32_t switched_out = flow::no_id;
    /// Whether every process that the event is about is known. False if the record identifies no
    /// process, or only a thread whose process is not in the trace. Events about the machine are
    /// complete without a process.
    bool is_complete = false;

    bool operator==(const Attribution&) const = default;
};

/// Attributes events. Threads are looked up in the facts, never guessed from what ran on a
/// processor. Not thread-safe.
class Attributor {
public:
    /// `facts` is not null; facts of a Collector with Scope::processes are sufficient. An event
    /// without facts has no known threads. `schemas` contains the kernel
    /// classes; a record without a schema is attributed by its header.
    Attributor(std::shared_ptr<const FactsByTrace> facts, schema::SchemasByTrace schemas,
               decode::DecoderOptions options = {});
    ~Attributor();
    Attributor(Attributor&&) noexcept;
    Attributor& operator=(Attributor&&) noexcept;
    Attributor(const Attributor&) = delete;
    Attributor& operator=(const Attributor&) = delete;

    /// Returns the attribution of an event, which depends only on the event, the facts, and the
    /// schemas. Decodes kernel records; reads only the header of others. No allocation for kinds
    /// seen before.
    Attribution attribute(const flow::Event& event);

    /// The same for an event decoded with the same schemas. `generation` is that of its decoder.
    /// Always use the same decoder, and do not mix with the overload above.
    Attribution attribute(const decode::DecodedEvent& event, std::uint32_t generation);

    /// Returns the facts of the event's machine and boot.
    const Facts& facts_of(const flow::Event& event) const noexcept;

private:
    struct State;

    std::unique_ptr<State> state_;
};

// Matching of events by process. docs/processes.md
//     ProcessMatcher matches({.names = {"kettle*"}}, Attributor(facts, store));
//     if (matches(event) == ProcessMatcher::Verdict::matches) { ... }

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

// Attribution of events to the processes they are about. The header of a kernel record only
// identifies the thread that was running, or nothing. docs/processes.md
#pragma once

#include "decode/decoder.hpp"
#include "facts/facts.hpp"

#include <memory>

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

} // namespace etl::facts

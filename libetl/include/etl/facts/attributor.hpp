// Which processes an event is about, as opposed to the process that its header names: the header
// of a kernel record names the thread that happened to run, or nothing. docs/processes.md
#pragma once

#include <etl/decode/decoder.hpp>
#include <etl/facts/facts.hpp>

#include <memory>

namespace etl::facts {

/// The processes that an event is about. Process IDs are those of the time of the event.
struct Attribution {
    /// flow::no_id: none, or not known. Of a context switch: the process that is switched in.
    std::uint32_t process = flow::no_id;
    /// Of a context switch: the process that is switched out; flow::no_id: none, or not known.
    std::uint32_t switched_out = flow::no_id;
    /// Every process that the event is about is known. False if the record names no process, or
    /// a thread whose process the trace does not record. Events about the machine are complete
    /// without a process.
    bool is_complete = false;

    bool operator==(const Attribution&) const = default;
};

/// Attributes events. No guesses: a thread is looked up in the facts, never derived from what ran
/// on a processor. One thread.
class Attributor {
public:
    /// `facts`, not null: by TraceInfo::file; those of a Collector with Scope::processes suffice. A
    /// trace without facts is one without known threads. `schemas` describe the kernel's classes; a
    /// record without a schema is attributed by its header.
    Attributor(std::shared_ptr<const FactsByTrace> facts, schema::SchemasByTrace schemas,
               decode::DecoderOptions options = {});
    ~Attributor();
    Attributor(Attributor&&) noexcept;
    Attributor& operator=(Attributor&&) noexcept;
    Attributor(const Attributor&) = delete;
    Attributor& operator=(const Attributor&) = delete;

    /// Pure: depends on the event, the facts, and the schemas only. Decodes kernel records, reads
    /// the header of all others. No allocation for kinds seen before.
    Attribution attribute(const flow::Event& event);

    /// The same of an event that a decoder of the same schemas has decoded. `generation` is that
    /// decoder's; always the same decoder, and never mixed with the above.
    Attribution attribute(const decode::DecodedEvent& event, std::uint32_t generation);

    /// The facts of the event's trace.
    const Facts& facts_of(const flow::Event& event) const noexcept;

private:
    struct State;

    std::unique_ptr<State> state_;
};

} // namespace etl::facts

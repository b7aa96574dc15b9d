// Annotation of one event with facts: its process, its stack, and the meaning of numbers in its
// payload. One Annotator per thread. docs/enrich.md#what
#pragma once

#include "decode/decoder.hpp"
#include "facts/facts.hpp"
#include "facts/frame_names.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::facts {

/// The meaning of a field's number.
struct FieldNote {
    std::uint32_t field = 0; // index in the schema; top-level
    std::string_view text;   // UTF-8
};

/// Views into the annotator and the facts; valid until the next call.
struct Notes {
    /// Process that the event is about (Attribution::process); empty: unknown.
    std::string_view process;
    std::string_view logger; // that of the process ID in the header; empty: unknown, or no ID
    std::span<const FieldNote> fields;
    /// Addresses, innermost first: those in the event, then those of its separate stack records,
    /// kernel before user.
    std::span<const std::uint64_t> stack;
    /// The name of each address (FrameNames::append), or the address if it has none; empty: none
    /// has a name. All but the first address of an interrupted processor are return addresses.
    std::span<const std::string_view> frames;
    /// The first address of the stack is where the processor was interrupted.
    bool is_interrupt = false;
    /// Process that the event is about; flow::no_id: none, or unknown.
    std::uint32_t process_id = flow::no_id;
    /// Process and thread of the stack: those that ran. flow::no_id: unknown.
    std::uint32_t stack_process_id = flow::no_id, thread_id = flow::no_id;
};

class Annotator {
public:
    explicit Annotator(std::shared_ptr<const FactsByTrace> facts, FrameNames names = FrameNames());
    ~Annotator();
    Annotator(Annotator&&) noexcept;
    Annotator& operator=(Annotator&&) noexcept;
    Annotator(const Annotator&) = delete;
    Annotator& operator=(const Annotator&) = delete;

    /// Returns the notes of an event. `generation` is that of the decoder that returned `event`.
    /// For kinds seen before, allocates only to grow buffers.
    const Notes& annotate(const decode::DecodedEvent& event, std::uint32_t generation);

    /// The same without texts: the stack, and what it needs for the names of its frames.
    const Notes& find_stack(const decode::DecodedEvent& event, std::uint32_t generation);

private:
    struct State;

    std::unique_ptr<State> state_;
};

} // namespace etl::facts

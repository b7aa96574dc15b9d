// What the facts say about one event: its process, its stack, and what the numbers in its payload
// stand for. One Annotator per thread. docs/enrich.md#what
#pragma once

#include <etl/decode/decoder.hpp>
#include <etl/facts/facts.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::facts {

/// What a field's number stands for.
struct FieldNote {
    std::uint32_t field = 0; // of the schema; top-level
    std::string_view text;   // UTF-8
};

/// Views into the annotator and the facts; valid until the next event.
struct Notes {
    std::string_view process; // of the event; empty: not known
    std::span<const FieldNote> fields;
    /// Addresses from the innermost on: those that the event carries, then those of stacks that
    /// belong to it, kernel before user.
    std::span<const std::uint64_t> stack;
    /// For each of them `image+0x...`, or the address where no image is known; empty: not one image
    /// is known.
    std::span<const std::string_view> frames;
};

class Annotator {
public:
    explicit Annotator(std::shared_ptr<const FactsByTrace> facts);
    ~Annotator();
    Annotator(Annotator&&) noexcept;
    Annotator& operator=(Annotator&&) noexcept;
    Annotator(const Annotator&) = delete;
    Annotator& operator=(const Annotator&) = delete;

    /// `generation` is that of the decoder that gave `event`. No allocation for kinds seen before,
    /// but for the growth of buffers.
    const Notes& annotate(const decode::DecodedEvent& event, std::uint32_t generation);

private:
    struct State;

    std::unique_ptr<State> state_;
};

} // namespace etl::facts

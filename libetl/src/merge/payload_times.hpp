// Times in payloads of kernel records that are counted by the session's clock.
// docs/merge.md#payload
#pragma once

#include <etl/flow/event.hpp>

namespace etl::merge {

struct PayloadTime {
    enum class Kind : std::uint8_t {
        none,
        stamp,    // raw, as the record's own
        duration, // ticks of the performance counter
    };

    Kind kind = Kind::none;
    std::uint32_t offset = 0; // of its eight bytes, which lie inside, in the record
};

/// What the payload of a record holds; no kind has more than one.
PayloadTime payload_time(const flow::Event& event) noexcept;

} // namespace etl::merge

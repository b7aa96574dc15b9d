// Traces to damage and to repair.
#pragma once

#include "format/records.hpp"
#include "tests/unit/editing/repair/repaired.hpp"

#include <cstdint>
#include <vector>

namespace etl::test {

inline constexpr std::size_t story_buffer_size = 0x400;
inline constexpr std::size_t event_size = 0x58; // with its padding

// A header buffer of 1 KB and `count` buffers of three events each on two processors. Times of
// buffer i are 10 * i to 10 * i + 2; it is flushed at 10 * i + 9.
inline TraceBuilder story(std::uint16_t count, TraceFacts facts = {}) {
    facts.reference_time = 0;
    facts.processors = 2;
    facts.buffer_size = story_buffer_size;
    TraceBuilder trace(facts);
    for (std::uint16_t i = 1; i <= count; ++i) {
        auto& buffer = trace.buffer(
            {.processor = static_cast<std::uint16_t>(i % 2), .time_stamp = 10 * i + 9});
        for (std::uint16_t k = 0; k < 3; ++k) {
            buffer.add(
                format::EventRecord{.time = 10 * i + k,
                                    .descriptor = {.id = static_cast<std::uint16_t>(10 * i + k)},
                                    .payload = noise(5U + k, i)});
        }
    }
    return trace;
}

inline std::vector<int> ids_of(const Image& file) {
    return read(file).ids();
}

} // namespace etl::test

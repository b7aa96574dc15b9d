// A trace whose buffers overlap in time, for streams.
#pragma once

#include "tests/support/damage.hpp"

#include <cstdint>
#include <vector>

namespace etl::test {

inline constexpr std::uint32_t story_buffer_size = 0x400;

inline TraceFacts facts_of(std::uint32_t processors = 3) {
    TraceFacts facts;
    facts.reference_time = 0;
    facts.processors = processors;
    facts.buffer_size = story_buffer_size;
    return facts;
}

// `count` buffers of four events each on three processors whose times overlap.
inline TraceBuilder story(std::uint16_t count, codec::Format compression = codec::Format::none) {
    TraceFacts facts = facts_of();
    facts.lineage =
        compression == codec::Format::none ? trace::Lineage::session : trace::Lineage::relogger;
    TraceBuilder trace(facts);
    for (std::uint16_t i = 1; i <= count; ++i) {
        auto& buffer = trace.buffer(
            {.processor = static_cast<std::uint16_t>(i % 3), .compression = compression});
        for (std::uint16_t k = 0; k < 4; ++k) {
            buffer.add(
                format::EventRecord{.time = 10 * i + 9 * k,
                                    .descriptor = {.id = static_cast<std::uint16_t>(10 * i + k)},
                                    .payload = noise(5U + k, i)});
        }
    }
    return trace;
}

inline std::vector<std::size_t> chunks_of(std::size_t chunk, const Image& image) {
    return std::vector<std::size_t>(image.size() / chunk + 1, chunk);
}

} // namespace etl::test

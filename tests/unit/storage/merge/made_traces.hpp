// Traces of numbered events, to be merged.
#pragma once

#include "format/records.hpp"
#include "tests/unit/storage/merge/merging.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace etl::test {

inline constexpr std::int64_t reference = 1'000'000; // TraceFacts' own

inline constexpr merge::Options system_time{.timestamps = merge::Timestamps::system_time};

inline format::EventRecord numbered(std::uint16_t id, std::int64_t time) {
    return {.time = time, .descriptor = {.id = id}};
}

inline Image trace_with(std::vector<std::pair<int, std::int64_t>> events,
                        const TraceFacts& facts = {}, std::uint16_t processor = 0) {
    TraceBuilder trace(facts);
    BufferBuilder& buffer = trace.buffer({.processor = processor});
    for (const auto& [id, time] : events) {
        buffer.add(numbered(static_cast<std::uint16_t>(id), time));
    }
    return trace.build();
}

} // namespace etl::test

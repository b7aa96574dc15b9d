// Traces of events that are nothing but numbers.
#pragma once

#include "tests/support/corpus/corpus.hpp"

#include <array>
#include <cstdint>
#include <utility>

namespace etl::test {

inline constexpr Guid numbers_provider = *parse_guid("2439db94-e47f-5eab-c228-a937adf41e49");
inline constexpr std::uint32_t small_buffer = 0x800;

inline TraceFacts facts_of(const char16_t* session,
                           trace::Lineage lineage = trace::Lineage::session) {
    TraceFacts facts;
    facts.lineage = lineage;
    facts.reference_time = 1'000'000;
    facts.buffer_size = small_buffer;
    facts.session_name = session;
    facts.file_name = u"C:\\Traces\\sample.etl";
    return facts;
}

/// An event whose id is its number, with four bytes of payload.
inline format::EventRecord numbered(std::int64_t time, std::uint16_t id) {
    static constexpr std::array<std::byte, 4> payload{std::byte{'t'}, std::byte{'i'},
                                                      std::byte{'c'}, std::byte{'k'}};
    return {.process_id = 100,
            .thread_id = 104,
            .time = time,
            .provider = numbers_provider,
            .descriptor = {.id = id, .level = 4},
            .payload = payload};
}

// Ten events in ten buffers of two processors.
inline TraceBuilder ten_buffers(TraceFacts facts, codec::Format compression = codec::Format::none) {
    facts.processors = 2;
    TraceBuilder trace(facts);
    for (std::uint16_t i = 1; i <= 10; ++i) {
        trace.buffer({.processor = static_cast<std::uint16_t>(i % 2), .compression = compression})
            .add(numbered(facts.reference_time + 1'000 * i, i))
            .add(numbered(facts.reference_time + 1'000 * i + 500, i));
    }
    return trace;
}

inline Sample ten(const char* name, const char* about, Image bytes) {
    return {.name = name,
            .about = about,
            .bytes = std::move(bytes),
            .events = 21,
            .buffers = 11,
            .warnings = 0,
            .kinds = "SYSTEM64 EVENT64"};
}

} // namespace etl::test

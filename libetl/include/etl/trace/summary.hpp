// What a trace holds, counted in one parallel pass over its buffers; and the checks of `etl check`.
#pragma once

#include <etl/trace/reader.hpp>

#include <array>
#include <functional>
#include <optional>
#include <unordered_map>

namespace etl::trace {

/// Counts and extremes over all events of a trace.
struct Summary {
    struct Provider {
        std::uint64_t events = 0;
        std::uint64_t payload_bytes = 0;
    };

    std::uint64_t events = 0;
    std::uint64_t record_bytes = 0; // headers included, padding not
    std::array<std::uint64_t, format::record_kinds> by_kind{};
    std::unordered_map<Guid, Provider> by_provider; // kernel records under their class
    std::unordered_map<std::uint16_t, std::uint64_t> by_processor;
    std::optional<std::int64_t> first_time, last_time; // raw; of records with a time stamp
    /// Raw; of those that are not context (flow/context.hpp): a part of a trace keeps the header
    /// and the rundowns of the whole, with their times.
    std::optional<std::int64_t> first_own_time, last_own_time;
    std::uint64_t without_timestamp = 0;        // records without a time stamp
    std::uint64_t invalid_items = 0;            // events whose extended items do not parse
    std::uint64_t buffers_with_lost_events = 0; // BufferFlag EVENTS_LOST
    std::uint64_t damage = 0; // warnings inside buffers; those of opening are Reader::damage()

    void add(flow::Run events);
    void combine(const Summary& other);
};

/// Counts everything. `threads` as in Reader::for_each_buffer.
Summary summarize(Reader& reader, unsigned threads);

/// Structural findings beyond those of reading: what the header says against what is there. Reading
/// findings come out of the reader itself while it is read to its end, which this does. Every
/// finding goes to `sink`; the result is the number of warnings, those of the reader included.
/// `progress` is told now and then how many events were read and what the newest is; may be empty.
std::uint64_t
check(Reader& reader, DiagnosticSink& sink,
      const std::function<void(std::uint64_t events, const flow::Event& newest)>& progress = {});

} // namespace etl::trace

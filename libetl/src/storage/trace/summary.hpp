// Summary of a trace, computed in one parallel pass over its buffers; and the checks of `etl
// check`.
#pragma once

#include "trace/reader.hpp"

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
    std::uint64_t record_bytes = 0; // including headers, without padding
    std::array<std::uint64_t, format::max_record_kinds> by_kind{}; // by format::number_of()
    std::unordered_map<Guid, Provider> by_provider;                // kernel records by class
    std::unordered_map<std::uint16_t, std::uint64_t> by_processor;
    std::optional<std::int64_t> first_time, last_time; // raw times of records with a timestamp
    /// Raw times of records that are not context events (flow/context.hpp): a part of a trace
    /// contains the header and rundowns of the original, with their times.
    std::optional<std::int64_t> first_own_time, last_own_time;
    std::uint64_t without_timestamp = 0;        // records without a timestamp
    std::uint64_t invalid_items = 0;            // events with invalid extended data items
    std::uint64_t buffers_with_lost_events = 0; // BufferFlag EVENTS_LOST
    /// Warnings inside buffers; warnings from opening are in Reader::damage().
    std::uint64_t damage = 0;

    void add(flow::Run events);
    void combine(const Summary& other);
};

/// Computes the summary. `threads` as in Reader::for_each_buffer.
Summary summarize(Reader& reader, unsigned threads);

/// Reads the trace to its end and compares the header with the content. Reports these findings to
/// `sink`, in addition to those of the reader itself. Returns the number of warnings, including
/// those of the reader. `progress` is called periodically with the number of events read and the
/// newest one; may be empty.
std::uint64_t
check(Reader& reader, DiagnosticSink& sink,
      const std::function<void(std::uint64_t events, const flow::Event& newest)>& progress = {});

} // namespace etl::trace

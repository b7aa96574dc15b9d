// Summary of a trace, computed in one parallel pass over its buffers; and the checks of `etl
// check`.
#pragma once

#include <etl/error.hpp>

#include "flow/event.hpp"
#include "io/input_file.hpp"
#include "trace/reader.hpp"

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
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

// Search for the first damage in the structure of a trace, for readers that stop there.

/// The location of a finding of Severity::warning in the decompressed trace.
struct DamageLocation {
    FileOffset buffer{};      // offset of the damaged buffer, or of bytes between buffers
    std::uint32_t offset = 0; // in the decompressed buffer; records before it are intact
    Diagnostic finding{};     // description of the damage

    /// Returns whether the damage is after the event's record.
    bool is_after(const flow::Event& event) const noexcept {
        return event.buffer->where != buffer ? event.buffer->where < buffer
                                             : event.offset() < offset;
    }

    /// Compares locations.
    friend constexpr std::strong_ordering operator<=>(const DamageLocation& a,
                                                      const DamageLocation& b) noexcept {
        const auto by_buffer = a.buffer <=> b.buffer;
        return by_buffer != 0 ? by_buffer : a.offset <=> b.offset;
    }

    friend constexpr bool operator==(const DamageLocation& a, const DamageLocation& b) noexcept {
        return (a <=> b) == 0;
    }
};

/// Returns the first damage in file order, as Reader finds it; nothing for an intact trace. Reads
/// the entire trace with up to `threads` threads. A file that is not a trace is damaged at its
/// beginning. Thread-safe.
std::optional<DamageLocation> find_first_damage(std::shared_ptr<const io::InputFile> file,
                                                unsigned threads);

} // namespace etl::trace

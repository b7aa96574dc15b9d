// The index of a trace: what reading the trace once shows about each of its buffers. With it, a
// reader skips buffers that are not needed. Stored in a side file with a message authentication
// code: an index determines what is read, so a forged one could hide events.
// docs/parts.md#index
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include "flow/trace_info.hpp"

#include <array>
#include <limits>
#include <span>
#include <vector>

namespace etl::trace {

struct BufferEntry;

/// One buffer. Times are raw.
struct IndexedBuffer {
    /// Times of the earliest and of the latest record with a timestamp; first_time > last_time:
    /// there is none.
    std::int64_t first_time = std::numeric_limits<std::int64_t>::max();
    std::int64_t last_time = std::numeric_limits<std::int64_t>::min();
    /// The first record has no timestamp: it has the time of a record in an earlier buffer.
    bool begins_untimed = false;
    bool has_schemas =
        false; // contains schemas, or a provider or class that no earlier buffer contains
    bool has_origins = false;   // contains facts about the origin of events
    bool has_processes = false; // contains facts about processes and threads
    bool has_facts = false;     // contains facts of any kind
    bool has_sampling = false;  // contains the interval between samples
    /// Contains context events (flow/context.hpp), or stacks of events that can be elsewhere.
    bool has_context = false;

    bool operator==(const IndexedBuffer&) const = default;
};

struct TraceIndex {
    std::vector<IndexedBuffer> buffers; // by number

    /// Returns the numbers of the buffers for which a member is true, ascending.
    std::vector<std::uint32_t> numbers_of(bool IndexedBuffer::* member) const;

    bool operator==(const TraceIndex&) const = default;
};

/// Random bytes, a secret of those who share indexes.
using IndexKey = std::array<std::uint8_t, 32>;

/// Identifies the trace that an index, or a part of a table, belongs to.
struct TraceIdentity {
    std::uint64_t size = 0; // flow::TraceInfo::file_size
    std::uint64_t buffers = 0;
    /// Of the log file header and the headers of all buffers.
    std::uint64_t hash = 0;

    bool operator==(const TraceIdentity&) const = default;
};

/// The hash is not cryptographic.
TraceIdentity identity_of(const flow::TraceInfo& trace, std::span<const BufferEntry> buffers);

/// The hash is keyed. It covers the log file header and the headers of buffers, not their contents.
TraceIdentity identity_of(const flow::TraceInfo& trace, std::span<const BufferEntry> buffers,
                          const IndexKey& key);

/// Returns the content of the side file.
std::vector<std::byte> encode(const TraceIndex& index, const TraceIdentity& trace,
                              const IndexKey& key);

/// Returns the index in a side file. Errors: truncated; malformed (not an index); unsupported
/// (version); invalid_option: key mismatch, or damaged; not_found: it is the
/// index of another trace, or of an earlier state of this one.
Result<TraceIndex> parse_index(Bytes file, const TraceIdentity& trace, const IndexKey& key);

} // namespace etl::trace

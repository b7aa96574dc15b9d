// The index of a trace: what reading the trace once shows about each of its buffers. With it, a
// reader skips buffers that are not needed. Stored in a side file with a message authentication
// code: an index determines what is read, so a forged one could hide events.
// docs/parts.md#index
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include "base/shared_bytes.hpp"
#include "flow/filters.hpp"
#include "flow/trace_info.hpp"
#include "trace/buffer_kinds.hpp"

#include <array>
#include <atomic>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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
    bool has_facts = false;     // contains facts of any other kind, but stacks of events
    bool has_sampling = false;  // contains the interval between samples
    /// Contains context events (flow/context.hpp), or stacks of events that can be elsewhere.
    bool has_context = false;

    /// Times of the earliest and of the latest event whose stack the buffer can contain;
    /// first_stack > last_stack: it contains no stacks.
    std::int64_t first_stack = std::numeric_limits<std::int64_t>::max();
    std::int64_t last_stack = std::numeric_limits<std::int64_t>::min();

    bool operator==(const IndexedBuffer&) const = default;
};

/// Random bytes, a secret of those who share indexes.
using IndexKey = std::array<std::uint8_t, 32>;

/// Sections of an index at most.
inline constexpr std::uint64_t max_index_sections = 4096;

/// What other rooms keep in a side file, by name. A section is not read before it is asked for.
class IndexSections {
public:
    /// Where a section is; its content is not checked yet.
    struct Entry {
        std::string name;
        Bytes content;
        std::array<std::byte, 16> code{};
    };

    /// The contents are valid as long as `owner`.
    IndexSections(std::vector<Entry> entries, std::shared_ptr<const void> owner,
                  const IndexKey& key)
        : entries_(std::move(entries)), owner_(std::move(owner)), key_(key),
          is_sound_(std::make_unique<std::atomic<bool>[]>(entries_.size())) {}

    /// Returns the content, whose code is checked once, and which is valid as long as this object;
    /// empty: there is none. Errors: invalid_option (damaged).
    Result<Bytes> find(std::string_view name) const;

private:
    std::vector<Entry> entries_;
    std::shared_ptr<const void> owner_;
    IndexKey key_;
    std::unique_ptr<std::atomic<bool>[]> is_sound_; // by number: its code has been checked
};

struct TraceIndex {
    std::int64_t changed = 0;           // io::InputFile::changed() of the trace; 0: unknown
    bool is_cached = false;             // from the user's cache, not from beside the trace
    std::vector<IndexedBuffer> buffers; // by number
    /// Of an index that is not from a file; null: not known.
    std::shared_ptr<const std::vector<BufferKind>> kinds{};
    std::shared_ptr<const IndexSections> sections{}; // null: the index is not from a file

    /// Returns the numbers of the buffers for which a member is true, ascending.
    std::vector<std::uint32_t> numbers_of(bool IndexedBuffer::* member) const;

    /// Returns the numbers of the buffers with stacks of events in a window, ascending.
    std::vector<std::uint32_t> numbers_of_stacks(const flow::RawWindow& window) const;

    /// Returns the kinds of events in the buffers; null: they are not known, or damaged.
    std::shared_ptr<const std::vector<BufferKind>> find_kinds() const;

    /// Of the buffers.
    bool operator==(const TraceIndex& other) const { return buffers == other.buffers; }
};

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

/// The section with the headers of the buffers of a trace: Reader::known_buffers().
inline constexpr std::string_view buffers_section = "buffers";

/// A section to be written.
struct IndexSection {
    std::string name; // at most 32 bytes of ASCII
    SharedBytes content{};
};

/// Returns the begin of the side file, which the contents of the sections follow.
std::vector<std::byte> encode_head(const TraceIndex& index, const TraceIdentity& trace,
                                   const IndexKey& key, std::span<const IndexSection> sections);

/// Returns the content of the side file.
std::vector<std::byte> encode(const TraceIndex& index, const TraceIdentity& trace,
                              const IndexKey& key, std::span<const IndexSection> sections = {});

/// Returns the index in a side file. Its sections are views of the file, which is valid as long as
/// `owner`. Errors: truncated; malformed (not an index); unsupported (version); invalid_option: key
/// mismatch, or damaged; not_found: it is the index of another trace, or of an earlier state of
/// this one.
Result<TraceIndex> parse_index(Bytes file, const TraceIdentity& trace, const IndexKey& key,
                               std::shared_ptr<const void> owner = {});

/// Returns the index in a side file of a trace with this size and io::InputFile::changed(), of
/// which nothing else is known yet. Errors: as above; not_found also if either is unknown.
Result<TraceIndex> parse_index(Bytes file, std::uint64_t size, std::optional<std::int64_t> changed,
                               const IndexKey& key, std::shared_ptr<const void> owner);

} // namespace etl::trace

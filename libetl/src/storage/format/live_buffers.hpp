// The live buffer file, which contains the buffers of a running session so that they survive its
// process: a header, two slots that identify the session, a table of buffers, and the buffers. A
// private format. docs/format/live-buffers.md
#pragma once

#include <etl/error.hpp>

#include "base/layout.hpp"
#include "format/limits.hpp"
#include "format/record_kind.hpp"

#include <optional>
#include <string_view>

namespace etl::format {

/// docs/format/live-buffers.md#header
namespace live_buffers {
inline constexpr std::uint64_t magic = 0x314576694C6C7445; // "EtlLivE1" on disk
inline constexpr std::uint32_t version = 2;
inline constexpr std::uint32_t version_without_losses = 1; // otherwise the same; still read

inline constexpr LayoutField<std::uint64_t> magic_number{
    0x00}; // written last; until then the file is invalid
inline constexpr LayoutField<std::uint32_t> format_version{0x08};
inline constexpr LayoutField<std::uint32_t> buffer_size{0x0C};  // bytes
inline constexpr LayoutField<std::uint32_t> buffer_count{0x10}; // number of buffers, used or not
inline constexpr LayoutField<std::uint32_t> stripes{0x14};      // number of processors with buffers
inline constexpr LayoutField<std::uint32_t> clock{0x18};        // ClockType of timestamps
inline constexpr LayoutField<std::uint32_t> process_id{0x1C};   // process ID of the writer
inline constexpr LayoutField<std::uint64_t> process_key{0x20};  // host::process_start_key
inline constexpr LayoutField<std::uint64_t> slot_offset{0x28};  // offset of the first of two slots
inline constexpr LayoutField<std::uint32_t> slot_size{0x30};    // size of each slot
inline constexpr LayoutField<std::uint32_t> slot_in_use{0x34};  // 0 or 1; no_slot: not set yet
inline constexpr LayoutField<std::uint64_t> entry_offset{0x38}; // offset of the table
inline constexpr LayoutField<std::uint64_t> buffer_offset{0x40}; // offset of the first buffer
inline constexpr LayoutField<std::uint64_t> events_lost{0x48};   // since the session began
inline constexpr LayoutField<std::uint64_t> buffers_lost{0x50};  // since the session began
inline constexpr std::size_t size = 0x58;
inline constexpr std::size_t size_without_losses = 0x48; // in version 1
static_assert(tiles<size>(magic_number, format_version, buffer_size, buffer_count, stripes, clock,
                          process_id, process_key, slot_offset, slot_size, slot_in_use,
                          entry_offset, buffer_offset, events_lost, buffers_lost));

inline constexpr std::uint32_t no_slot = 0xFFFFFFFF;
} // namespace live_buffers

/// Description of the session: its log file and the start of that file.
/// docs/format/live-buffers.md#slot
namespace live_slot {
inline constexpr LayoutField<std::uint32_t> path_size{0x00}; // bytes of UTF-8 after this structure
inline constexpr LayoutField<std::uint32_t> header_size{0x04};  // bytes after the path
inline constexpr LayoutField<std::uint64_t> events_lost{0x08};  // included in the header buffer
inline constexpr LayoutField<std::uint64_t> buffers_lost{0x10}; // included in the header buffer
inline constexpr std::size_t size = 0x18;
inline constexpr std::size_t size_without_losses = 0x08; // in version 1
static_assert(tiles<size>(path_size, header_size, events_lost, buffers_lost));

inline constexpr std::uint32_t total_size = 128U << 10U; // size of a slot, including this structure
} // namespace live_slot

/// One buffer. docs/format/live-buffers.md#entry
namespace live_entry {
inline constexpr LayoutField<std::uint32_t> state{0x00}; // LiveState; written last
inline constexpr LayoutField<std::uint32_t> used{
    0x04}; // full: valid bytes, including the buffer header
inline constexpr LayoutField<std::uint32_t> stripe{0x08}; // processor
inline constexpr LayoutField<std::uint32_t> reserved{0x0C};
inline constexpr LayoutField<std::uint64_t> order{
    0x10}; // sequence number in which buffers were opened
inline constexpr LayoutField<std::int64_t> closed_at{0x18}; // full: raw timestamp
inline constexpr std::size_t size = 0x20;
static_assert(tiles<size>(state, used, stripe, reserved, order, closed_at));
} // namespace live_entry

enum class LiveState : std::uint32_t {
    free = 0,             // unused; its bytes are meaningless
    open = 1,             // records from 0x48 on, followed by zeros
    full = 2,             // closed; some records may be incomplete
    damaged = 0xFFFFFFFF, // of a LiveEntry: the file has another value
};

/// What a session lost.
struct LiveLosses {
    std::uint64_t events = 0, buffers = 0;
};

/// The validated header: everything it refers to is inside the file.
struct LiveBuffers {
    std::uint32_t buffer_size = 0, buffer_count = 0;
    std::uint32_t stripes = 0;
    std::uint32_t clock = 0;
    std::uint32_t process_id = 0;
    std::uint64_t process_key = 0;
    std::uint64_t entry_offset = 0, buffer_offset = 0;
    std::string_view log_file; // UTF-8; points into the file
    Bytes header_buffer;       // start of the log file: the valid bytes of its first buffer
    bool counts_losses = true; // false: version 1
    LiveLosses lost;           // since the session began
    LiveLosses lost_before;    // of those, what header_buffer includes
};

struct LiveEntry {
    LiveState state = LiveState::free;
    std::uint32_t used = 0;
    std::uint32_t stripe = 0;
    std::uint64_t order = 0;
    std::int64_t closed_at = 0;
    Bytes buffer; // buffer_size bytes; points into the file
};

/// Errors: not_a_trace (another file), unsupported (a version other than 1 and 2), truncated,
/// malformed.
Result<LiveBuffers> parse_live_buffers(Bytes file);

/// Returns the entry of a buffer below buffer_count. An entry with an unknown state, or a
/// used one with an impossible processor, is damaged. `used` never exceeds the buffer size. `file`
/// is the parsed file.
LiveEntry live_entry_at(const LiveBuffers& live, Bytes file, std::uint32_t buffer) noexcept;

/// Returns the first dword of the space for an incomplete record: an ERROR record of the size of
/// that space, which readers skip. docs/format/live-buffers.md#unfinished
constexpr std::uint32_t incomplete_record(std::uint32_t size) noexcept {
    // The space may be one byte larger: sizes are padded to 8.
    constexpr std::uint32_t max_size = max_record_size;
    return first_dword({RecordFamily::error},
                       static_cast<std::uint16_t>(size < max_size ? size : max_size));
}

} // namespace etl::format

#include "merge/payload_times.hpp"

#include "flow/context.hpp"
#include "merge/rewriter.hpp"

#include <algorithm>
#include <array>

namespace etl::merge {

namespace {

enum class Kind : std::uint8_t {
    none,
    stamp,    // raw, as the record's own
    duration, // ticks of the performance counter
};

struct PayloadTime {
    Kind kind = Kind::none;
    std::uint32_t offset = 0; // of its eight bytes, which lie inside, in the record
};

/// Kinds of record: a group, a range of types, the version from which on they have the time.
struct Entry {
    std::uint8_t group, first_type, last_type, from_version;
    Kind kind;
    std::uint8_t offset;   // without the pointers in front of it
    std::uint8_t pointers; // in front of it
};

// From the classes of schemas/kernel: what they mark as WmiTime, Registry's InitialTime, which the
// same clock gives, and HighResResponseTime of DiskIo. Hook 0x1820 is StackWalk's.
constexpr std::array entries{
    Entry{0x01, 0x0A, 0x0B, 2, Kind::duration, 24, 2}, // DiskIo read, write
    Entry{0x01, 0x0A, 0x0B, 1, Kind::duration, 24, 1},
    Entry{0x01, 0x0E, 0x0E, 2, Kind::duration, 8, 0},  // flush
    Entry{0x01, 0x37, 0x38, 3, Kind::duration, 24, 2}, // optical
    Entry{0x01, 0x39, 0x39, 3, Kind::duration, 8, 0},
    Entry{0x02, 0x20, 0x20, 2, Kind::stamp, 0, 0}, // PageFault hard fault
    Entry{0x04, 0x62, 0x63, 3, Kind::stamp, 0, 0}, // FileIo filter completion
    Entry{0x09, 0x0A, 0x1D, 2, Kind::stamp, 0, 0}, // Registry
    Entry{0x0F, 0x32, 0x32, 2, Kind::stamp, 0, 0}, // PerfInfo ISR-MSI
    Entry{0x0F, 0x42, 0x42, 2, Kind::stamp, 0, 0}, // threaded DPC
    Entry{0x0F, 0x43, 0x45, 1, Kind::stamp, 0, 0}, // ISR, DPC, timer DPC
    Entry{0x0F, 0x46, 0x46, 2, Kind::stamp, 0, 0}, // IO timer
    Entry{0x0F, 0x5F, 0x5F, 1, Kind::stamp, 0, 0}, // ISR of a passive level
    Entry{0x18, 0x20, 0x20, 2, Kind::stamp, 0, 0}, // StackWalk
    Entry{0x18, 0x25, 0x26, 2, Kind::stamp, 0, 0}, // keys of stacks
};

constexpr std::uint32_t groups_with_times = [] {
    std::uint32_t bits = 0;
    for (const Entry& entry : entries) {
        bits |= 1U << entry.group;
    }
    return bits;
}();

/// What the payload of a record holds; no kind has more than one.
PayloadTime payload_time(const flow::Event& event) noexcept {
    const auto hook = flow::kernel_hook_of(event);
    if (!hook) {
        return {};
    }
    const unsigned group = *hook >> 8U;
    if (group > 31 || (groups_with_times >> group & 1U) == 0) [[likely]] {
        return {};
    }
    const flow::EventHeader header = flow::read_header(event);
    const auto* const entry = std::ranges::find_if(entries, [&](const Entry& e) {
        return e.group == group && header.opcode >= e.first_type && header.opcode <= e.last_type &&
               header.version >= e.from_version;
    });
    if (entry == entries.end()) {
        return {};
    }
    const std::size_t offset = entry->offset + std::size_t{entry->pointers} * header.pointer_size;
    if (!has_range(header.payload, offset, sizeof(std::int64_t))) {
        return {};
    }
    const auto payload_at = static_cast<std::size_t>(header.payload.data() - event.record);
    return {entry->kind, static_cast<std::uint32_t>(payload_at + offset)};
}

void convert_matches(const flow::Event& event, std::byte* copy, const Restamp& restamp) noexcept {
    flow::StackItems stacks(flow::read_header(event));
    flow::StackItem stack;
    while (stacks.next(stack)) {
        if (stack.match != 0) {
            store_le(copy + (stack.match_bytes.data() - event.record), restamp(stack.match));
        }
    }
}

} // namespace

void convert_inner_times(const flow::Event& event, std::byte* copy,
                         const Restamp& restamp) noexcept {
    if (format::is_event(event.kind)) {
        convert_matches(event, copy, restamp);
        return;
    }
    const PayloadTime in = payload_time(event);
    if (in.kind == Kind::none) {
        return;
    }
    const auto ticks = load_le<std::int64_t>(copy + in.offset);
    if (ticks != 0) {
        store_le(copy + in.offset,
                 in.kind == Kind::stamp ? restamp(ticks) : restamp.duration(ticks));
    }
}

} // namespace etl::merge

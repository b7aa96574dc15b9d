// TakenEvent: a record of a producer, checked. The bytes are a private copy; whatever they contain,
// every view lies inside them. docs/machine-sessions-internals.md#drain
#pragma once

#include <etl/bytes.hpp>

#include "base/function_ref.hpp"
#include "format/event_header.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace etl::machine {

struct TakenEvent {
    format::EventHeader header;
    std::int64_t time = 0; // monotonic, 100 ns
    std::optional<Guid> related;
    /// Those of the header without those that the host adds itself: identity of process and user,
    /// traits.
    std::vector<format::ExtendedItem> items;
    std::vector<std::uint64_t> stack; // empty: none
    std::uint64_t event_key = 0;      // 0: none
};

/// Returns nothing unless the bytes start with an EVENT record with valid items. Bytes after it are
/// ignored. `to` is reused: no allocation per event.
bool take_event(Bytes record, TakenEvent& to);

/// ClassicEvent: a classic record of a producer, checked, with what the host knows better stored in
/// it. docs/machine-sessions-internals.md#drain
struct ClassicEvent {
    std::vector<std::byte> record;
    std::optional<std::uint32_t> stamp_at; // offset of the timestamp; none: it has none
};

/// Returns false unless the bytes are exactly one FULL, INSTANCE, or message record of ETW. `to` is
/// reused. `next_sequence` is called for a message with a sequence number.
bool take_classic(Bytes record, std::uint32_t process_id,
                  FunctionRef<std::uint32_t()> next_sequence, ClassicEvent& to);

} // namespace etl::machine

// ClassicEvent: a classic record of a producer, checked, with what the host knows better stored in
// it. docs/machine-sessions-internals.md#drain
#pragma once

#include "base/bytes.hpp"
#include "base/function_ref.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace etl::machine {

struct ClassicEvent {
    std::vector<std::byte> record;
    std::optional<std::uint32_t> stamp_at; // offset of the timestamp; none: it has none
};

/// Returns false unless the bytes are exactly one FULL, INSTANCE, or message record of ETW. `to` is
/// reused. `next_sequence` is called for a message with a sequence number.
bool take_classic(Bytes record, std::uint32_t process_id,
                  FunctionRef<std::uint32_t()> next_sequence, ClassicEvent& to);

} // namespace etl::machine

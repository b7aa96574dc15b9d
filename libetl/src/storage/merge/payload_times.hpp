// Times inside records, beside their own, that are counted by the session's clock.
// docs/merge.md#payload
#pragma once

#include "flow/event.hpp"

namespace etl::merge {

class Restamp;

/// Converts in `copy`, the bytes of the event's record: times in payloads of kernel classes, and
/// what extended items tell of the time under which the rest of a stack comes. 0 is no time and
/// stays.
void convert_inner_times(const flow::Event& event, std::byte* copy,
                         const Restamp& restamp) noexcept;

} // namespace etl::merge

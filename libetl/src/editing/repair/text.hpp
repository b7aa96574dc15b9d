// Losses as text, for messages.
#pragma once

#include "repair/repair.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace etl::repair {

/// `the session lost 3 events and 1 buffer`; only what is not 0, unless both are. If the counts are
/// not `all`: `lost at least`.
std::string lost_by_session(std::uint64_t events, std::uint64_t buffers, bool is_all);

/// `2010-10-29T19:10:00.0000000Z to end`. Raw times; none: the start or end of the trace.
std::string span_text(const flow::Clock& clock, std::optional<std::int64_t> after,
                      std::optional<std::int64_t> before);

/// `processor 3`.
std::string processor_text(std::optional<std::uint16_t> processor);

/// One line: where in time and on which processor something was lost, and what.
std::string text_of(const Report& report, const Loss& loss);

} // namespace etl::repair

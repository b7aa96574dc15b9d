// Numbers of headers, which are compared as they are. Private to match.
#pragma once

#include "flow/event.hpp"
#include "match/operand.hpp"

#include <cstdint>
#include <optional>

namespace etl::match {

/// Reads a number of an event, whose header is given. None: the event has no such number.
using HeaderNumber = std::optional<std::uint64_t> (*)(const flow::Event& event,
                                                      const flow::EventHeader& header);

/// Null: the operand is not a number of the header.
HeaderNumber header_number(Operand operand) noexcept;

} // namespace etl::match

// Numbers of headers, which are compared as they are. Private to match.
#pragma once

#include <etl/flow/event.hpp>

#include "match/condition_state.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace etl::match {

/// Whether the operand is a number that header_number() returns.
bool is_header_number(Operand operand) noexcept;

/// `header` is that of `event`. None: the event has no such number, or the operand is another one.
std::optional<std::uint64_t> header_number(Operand operand, const flow::Event& event,
                                           const flow::EventHeader& header) noexcept;

/// CompiledTest::numbers of a test.
std::vector<std::uint64_t> numbers_of(const CompiledTest& test);

/// Whether the test, which has numbers, is true of a number.
bool holds(std::uint64_t number, const CompiledTest& test) noexcept;

} // namespace etl::match

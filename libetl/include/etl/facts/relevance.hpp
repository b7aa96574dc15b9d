// Which events contain facts: to leave out buffers without any.
#pragma once

#include <etl/facts/collector.hpp>
#include <etl/flow/event.hpp>

namespace etl::facts {

/// Returns whether an event may contain facts of a scope. A Collector to which all buffers without
/// such events were added as empty ones returns the same facts.
bool may_have_facts(const flow::Event& event, Scope scope) noexcept;

/// Returns whether an event may contain facts about origins. An OriginCollector without the other
/// events finds the same origins.
bool may_have_origin(const flow::Event& event) noexcept;

/// Returns whether an event may contain the interval between two samples of a processor, by which
/// later samples are weighted.
bool may_have_sampling_interval(const flow::Event& event) noexcept;

} // namespace etl::facts

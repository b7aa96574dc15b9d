// Which events contain facts: to leave out buffers without any.
#pragma once

#include <etl/facts/collector.hpp>
#include <etl/flow/event.hpp>

#include <vector>

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

/// Returns the providers whose payloads contain facts, or say which process an event is about: the
/// classes of the kernel, some of its manifest providers, and runtimes. Some occur twice.
std::vector<Guid> providers_of_facts();

} // namespace etl::facts

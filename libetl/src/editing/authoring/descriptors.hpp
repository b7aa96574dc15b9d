// Descriptors of events in generated headers. Private to authoring.
#pragma once

#include "schema/event_schema.hpp"

#include <cstdint>

namespace etl::authoring {

/// Whether the event has a descriptor: not class events, trace messages, and TraceLogging.
bool has_descriptor(const schema::EventSchema& event) noexcept;

/// The message compiler marks the channel of an event in its keyword: bit 63 for the first channel
/// of the provider, 62 for the second, eight at most. docs/format/decoding.md#winmeta
std::uint64_t descriptor_keyword(const schema::EventSchema& event,
                                 const schema::ProviderNames& names) noexcept;

} // namespace etl::authoring

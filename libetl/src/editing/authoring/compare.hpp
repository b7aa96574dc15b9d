// Comparison of two sets of schemas. Pure; thread-safe.
#pragma once

#include "schema/schema_set.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace etl::authoring {

/// One difference between two sets.
struct Difference {
    enum class Kind : std::uint8_t { added, removed, changed };
    enum class Thing : std::uint8_t { provider, event, field };

    Kind kind = Kind::changed;
    Thing thing = Thing::provider;
    Guid provider;
    std::string provider_name;
    std::uint16_t id = 0; // event ID, for events and fields
    std::uint8_t version = 0;
    std::string event_name;
    std::string field; // field path, `Structure.Member`; a repeated name becomes `Name#2`
    /// The changed property: "name", "message", "type", ...; empty if the entire item was added or
    /// removed.
    std::string property;
    std::string before, after; // values of the property, or of the entire field
};

/// Return "added", "removed", "changed"; "provider", "event", "field".
std::string_view name(Difference::Kind kind) noexcept;
std::string_view name(Difference::Thing thing) noexcept;

/// Returns the differences from `before` to `after`. Providers are matched by GUID, events by ID
/// and version (several of one version by their order), and fields by path. Sorted by provider
/// name, then by event. The origin of schemas and the order of providers and events are ignored.
std::vector<Difference> compare(const schema::SchemaSet& before, const schema::SchemaSet& after);

/// Returns a field's type as text: `UInt32`, `UInt32[Count]`, `UnicodeString(16)`, `UInt32 as
/// HResult`, `UInt8 by map Colors`. docs/schemas.md#show
std::string type_text(const schema::EventSchema& event, std::size_t field);

} // namespace etl::authoring

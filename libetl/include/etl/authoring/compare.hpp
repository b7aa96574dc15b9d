// What differs between two sets of schemas. Pure functions; any thread.
#pragma once

#include <etl/schema/schema_set.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace etl::authoring {

/// One thing that only one side has, or that both have differently.
struct Difference {
    enum class Kind : std::uint8_t { added, removed, changed };
    enum class Thing : std::uint8_t { provider, event, field };

    Kind kind = Kind::changed;
    Thing thing = Thing::provider;
    Guid provider;
    std::string provider_name;
    std::uint16_t id = 0; // of the event, for events and fields
    std::uint8_t version = 0;
    std::string event_name;
    std::string field; // its path, `Structure.Member`; the second of one name is `Name#2`
    /// Which property changed: "name", "message", "type" ...; empty when all of it came or went.
    std::string property;
    std::string before, after; // of the property, or of the whole field
};

/// The word for it: "added", "removed", "changed"; "provider", "event", "field".
std::string_view name(Difference::Kind kind) noexcept;
std::string_view name(Difference::Thing thing) noexcept;

/// Differences from `before` to `after`: providers by GUID, events by id and version (several of
/// one version by their order), fields by their paths. Ordered by the providers' names, then by
/// event. Where a schema came from, and the order of providers and events, do not count.
std::vector<Difference> compare(const schema::SchemaSet& before, const schema::SchemaSet& after);

/// A field's type as people write it: `UInt32`, `UInt32[Count]`, `UnicodeString(16)`,
/// `UInt32 as HResult`, `UInt8 by map Colours`. docs/schemas.md#show
std::string type_text(const schema::EventSchema& event, std::size_t field);

} // namespace etl::authoring

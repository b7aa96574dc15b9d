// Schemas of any number of files, grouped by provider. Pure; thread-safe.
#pragma once

#include "schema/schema_set.hpp"

#include <memory>
#include <string>
#include <vector>

namespace etl::authoring {

/// One provider with its names and events.
struct ProviderEvents {
    schema::ProviderNames names;
    std::vector<std::string> other_names;                           // other names of this GUID
    std::vector<std::shared_ptr<const schema::EventSchema>> events; // in the order of the set
};

/// Returns the providers of a set in order of first occurrence. Names of a GUID from several files
/// are combined; the first name of a value takes precedence. Events without a provider are omitted.
std::vector<ProviderEvents> group_by_provider(const schema::SchemaSet& set);

} // namespace etl::authoring

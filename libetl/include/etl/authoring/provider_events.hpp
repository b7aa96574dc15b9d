// Schemas of any number of files put in order: by provider, each with its names and its events.
// Pure functions; any thread.
#pragma once

#include <etl/schema/schema_set.hpp>

#include <memory>
#include <string>
#include <vector>

namespace etl::authoring {

/// One provider with all that is known of it.
struct ProviderEvents {
    schema::ProviderNames names;
    std::vector<std::string> other_names;                           // that this GUID goes by
    std::vector<std::shared_ptr<const schema::EventSchema>> events; // in the order of the set
};

/// The providers of a set in the order in which they first occur, each once: what several files say
/// about the names of a GUID is put together, the first word on a value first. Events without a
/// provider are left out.
std::vector<ProviderEvents> group_by_provider(const schema::SchemaSet& set);

} // namespace etl::authoring

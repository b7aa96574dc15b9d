// Schemas that traces, event logs, and files contain, bound to the builds of Windows that have
// them, and without those that are known. Pure functions; any thread. docs/schemas.md#harvest
#pragma once

#include "schema/schema_set.hpp"

#include <cstddef>
#include <cstdint>

namespace etl::authoring {

/// Returns the set with its layouts bound to a build of Windows; 0, an unknown one: they hold for
/// any build. Layouts of EventSource providers hold for any build as well, because applications
/// have them, and those of TraceLogging events for no build in particular. A provider whose source
/// states builds keeps them. Events without a provider are omitted.
schema::SchemaSet bound_to_build(const schema::SchemaSet& set, std::uint32_t build);

/// What makes a layout a known one, beside the provider, ID, and version of the event.
enum class Known : std::uint8_t {
    /// The same fields, for each build of the layout: for each one, a layout that would be used for
    /// a trace of that build. One of any build is known if any is the same.
    for_builds,
    /// The same fields, stated for each of the builds, and for any build if the layout is.
    as_stated,
    /// The same names of fields, whatever their types and builds: for sources that lose types.
    by_names,
};

/// Removes the layouts that `known` has, and events without a provider. Returns the number of
/// layouts. Fields are the same if their names, structure, and types are, and the removed one has
/// no out type and no entry of a map, except sentences, that the known one lacks.
std::size_t remove_known(schema::SchemaSet& set, const schema::SchemaSet& known, Known how);

} // namespace etl::authoring

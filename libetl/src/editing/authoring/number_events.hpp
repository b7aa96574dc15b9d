// IDs for events that have none. Pure function; any thread.
#pragma once

#include "schema/schema_set.hpp"

namespace etl::authoring {

/// Gives the TraceLogging events of a set IDs, so that a manifest can describe them: per provider
/// and in the order of their names, the lowest IDs from 1 that no other event has. Layouts of one
/// name become its versions. Events that differ in nothing but their old ID, version, or descriptor
/// become one. Their channel stays 11, by which they are recognized. Other events are unchanged.
schema::SchemaSet with_tracelogging_ids(const schema::SchemaSet& set);

} // namespace etl::authoring

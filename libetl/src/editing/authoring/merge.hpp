// Sets of schemas made of others: merged, reduced to facts, and with IDs for events that have none.
// Pure functions; any thread.
#pragma once

#include "schema/schema_set.hpp"

#include <span>

namespace etl::authoring {

/// Merges sources, the preferred one first. The result has each provider once, with each name and
/// each event in the form of the first source that has it. Several events of one ID and version
/// remain if their layouts differ, unless one is known in full and the other is not. Layouts that
/// are known by build of Windows, which differ also in names of fields and in maps, all remain,
/// each with the builds that any source knows. Made-up names of tasks and opcodes (`task_12`) are
/// replaced by those of other sources; missing maps and out types of fields are added from other
/// sources with the same layout and field name.
schema::SchemaSet merge(std::span<const schema::SchemaSet> sources);

/// The facts of a set: names, numbers, and layouts. Without messages, file names, made-up names,
/// and texts of names and maps that are sentences. An event in a task has no symbol.
schema::SchemaSet facts_of(const schema::SchemaSet& set);

// IDs for events that have none. Pure function; any thread.

/// Gives the TraceLogging events of a set, also those that have such IDs already, IDs, so that a
/// manifest can describe them: per provider and in the order of their names, the lowest IDs from 1
/// that no other event has. Layouts of one
/// name become its versions. Events that differ in nothing but their old ID, version, or descriptor
/// become one. Their channel stays 11, by which they are recognized. Other events are unchanged.
schema::SchemaSet with_tracelogging_ids(const schema::SchemaSet& set);

} // namespace etl::authoring

// One set of schemas from several sources. Pure functions; any thread.
#pragma once

#include "schema/schema_set.hpp"

#include <span>

namespace etl::authoring {

/// Merges sources, the preferred one first. The result has each provider once, with each name and
/// each event in the form of the first source that has it. Several events of one ID and version
/// remain if their layouts differ, unless one is known in full and the other is not. Made-up names
/// of tasks and opcodes (`task_12`) are replaced by those of other sources; missing maps and out
/// types of fields are added from other sources with the same layout and field name.
schema::SchemaSet merge(std::span<const schema::SchemaSet> sources);

/// The facts of a set: names, numbers, and layouts. Without messages, file names, made-up names,
/// and texts of names and maps that are sentences. An event in a task has no symbol.
schema::SchemaSet facts_of(const schema::SchemaSet& set);

} // namespace etl::authoring

// The kinds of flame graphs, and what is said about one of a trace. docs/flame.md#stacks
#pragma once

#include "pages/flame_data.hpp"

#include <span>

namespace cli {

/// What the stacks of a graph are those of.
struct FlameKind {
    std::string_view name; // of --kind, and of the table `flame`
    std::string_view title;
    std::string_view stacks;        // `stacks of samples`
    std::string_view record_stacks; // how to record them
};

/// All kinds except that of named events.
std::span<const FlameKind> flame_kinds() noexcept;

/// Returns the kind of that name; else that of named events, `event`.
const FlameKind& flame_kind(std::string_view name) noexcept;

/// Returns what a graph counts, `samples`: the name of the first column after the keys.
std::string_view counted_events(const etl::analysis::Table& table) noexcept;

/// Whether any event of a graph has a stack.
bool has_stacks(const etl::analysis::Table& table);

/// Returns what is missing, if anything: lost events, events without stacks.
std::vector<std::string> flame_notes(const etl::analysis::Table& table, const FlameKind& kind);

/// Returns the number, the weight, and the range of the events.
std::string flame_summary(const etl::analysis::Table& table);

} // namespace cli

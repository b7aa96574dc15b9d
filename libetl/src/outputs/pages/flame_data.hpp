// The data of a flame graph, as tools/pages/flame_tree.mjs reads them.
#pragma once

#include "analysis/stacks.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::pages {

/// What a flame graph says besides its tree. UTF-8.
struct FlameTexts {
    std::string title;
    std::string summary;
    std::string_view events;        // what is counted: `samples`
    std::vector<std::string> notes; // what is missing
    bool is_differential = false;
};

/// Returns JSON for renderFlame():
/// {"title","summary","events","notes":[],"unit":"nanoseconds","modules":[],
///  "frames":{"name":[],"module":[],"kind":[]},
///  "nodes":{"depth":[],"frame":[],"weight":[],"count":[],"before":[],"merged":[[node,count]]}}
/// `module` is an index in `modules`, `kind` a number of analysis::FrameKind. Nodes are in
/// preorder; `before` exists if the graph is differential.
std::string flame_data(const analysis::StackTree& tree, const FlameTexts& texts);

/// Returns the depth of each node: 0 for nodes without a parent.
std::vector<std::uint32_t> depths_of(const analysis::StackTree& tree);

// The kinds of flame graphs, and what is said about one of a trace. docs/flame.md#stacks

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

/// Returns what a graph counts, the first column that is not a key: `samples`.
std::string_view counted_events(const analysis::Table& table) noexcept;

/// Whether any event of a graph has a stack.
bool has_stacks(const analysis::Table& table);

/// Returns what is missing, if anything: lost events, events without stacks.
std::vector<std::string> flame_notes(const analysis::Table& table, const FlameKind& kind);

/// Returns the number, the weight, and the range of the events.
std::string flame_summary(const analysis::Table& table);

} // namespace etl::pages

// The data of a flame graph, as tools/pages/flame_tree.mjs reads them.
#pragma once

#include "analysis/stacks.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cli {

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
std::string flame_data(const etl::analysis::StackTree& tree, const FlameTexts& texts);

/// Returns the depth of each node: 0 for nodes without a parent.
std::vector<std::uint32_t> depths_of(const etl::analysis::StackTree& tree);

} // namespace cli

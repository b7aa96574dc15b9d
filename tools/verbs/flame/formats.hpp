// Flame graphs as text. docs/flame.md#formats
#pragma once

#include "pages/flame_data.hpp"

#include <string>

namespace cli {

/// One line for each stack with a weight: `root;...;leaf weight`, sorted; two weights, that of the
/// other trace first, if the graph is differential.
std::string folded_text(const etl::analysis::StackTree& tree, bool is_differential);

/// Lines for people, at most `most`: the heaviest nodes, callers before what they called, with
/// their weight including that, and their own. Lines are indented where a caller called several.
/// With the weight in the other trace, if the graph is differential.
std::string tree_text(const etl::analysis::StackTree& tree, bool is_differential, std::size_t most);

/// A picture without scripts.
std::string flame_svg(const etl::analysis::StackTree& tree, const etl::pages::FlameTexts& texts);

/// A page that contains all that it needs.
std::string flame_page(const etl::analysis::StackTree& tree, const etl::pages::FlameTexts& texts);

/// Returns what a bar of so many letters shows of a frame: as much of the end of
/// `module!Namespace.Type.Method(arguments)` as fits, without arguments if need be; of
/// `module!0x1234`, the module; of a process or mark, its beginning.
std::string short_text(const etl::analysis::StackFrame& frame, std::size_t letters);

/// Returns `module!function`, `function`, or the name of a process or mark: without control
/// characters, and without characters that change the direction of text.
std::string frame_text(const etl::analysis::StackFrame& frame);

} // namespace cli

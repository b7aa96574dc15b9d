// Names of frames that patterns match. Private to analysis. docs/flame.md#pattern-names
#pragma once

#include "analysis/stacks.hpp"

#include <string>
#include <string_view>

namespace etl::analysis {

/// Returns a name without .exe or .dll.
std::string_view without_extension(std::string_view module);

/// Whether the function of a frame is known by name.
bool has_function_name(const StackFrame& frame) noexcept;

/// Returns full_name_of() a frame without the path of its image.
std::string short_name_of(const StackFrame& frame);

/// Returns a name as a regular expression that matches it, in a list of patterns: names can contain
/// `;`, `{`, and `->`.
std::string escaped(std::string_view name);

} // namespace etl::analysis

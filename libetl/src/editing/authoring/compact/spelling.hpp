// Names as the compact form spells them. Pure; any thread. schemas/README.md
#pragma once

#include <string>
#include <string_view>

namespace etl::authoring {

/// The name, in quotes if necessary. What is not UTF-8 becomes U+FFFD.
std::string compact_name(std::string_view name);

/// The name of a field as a length or count: in quotes also where it could be something else.
std::string compact_reference(std::string_view name);

} // namespace etl::authoring

// Texts of enumerations and bit maps, as in JSON (docs/output.md#values).
#pragma once

#include "decode/value.hpp"

#include <string>

namespace etl::decode {

/// Appends the text of an integer with a map: its name, `A | B`, or the number as text.
void append_enumeration(std::string& to, const Value& value);

} // namespace etl::decode

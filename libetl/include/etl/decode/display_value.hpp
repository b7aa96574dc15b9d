// Values as Windows displays them, for people and for message strings.
// docs/format/decoding.md#rendering
#pragma once

#include <etl/decode/value.hpp>

#include <string>

namespace etl::decode {

/// Appends one value. Hidden values (out type no-print) are the caller's business.
void append_display(std::string& to, const Value& value);

} // namespace etl::decode

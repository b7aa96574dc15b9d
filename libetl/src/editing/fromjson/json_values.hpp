// What simdjson read, as values that somebody gave. Private to the lines.
#pragma once

#include "encode/input_value.hpp"

#include <simdjson.h>

#include <vector>

namespace etl::fromjson {

using JsonValue = simdjson::dom::element;
using JsonType = simdjson::dom::element_type;

/// Why a text is no JSON, for people.
const char* why_no_json(simdjson::error_code code) noexcept;

/// Appends a value with everything inside, in pre-order, until `to` has `most` entries. The views
/// live as long as the document. Its depth is bounded by the parser.
void append_given(const JsonValue& value, std::size_t most,
                  std::vector<etl::encode::InputValue>& to);

} // namespace etl::fromjson

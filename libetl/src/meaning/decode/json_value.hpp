// Formatting of values as JSON (docs/output.md#values). Not thread-safe; allocates only to grow the
// text.
#pragma once

#include "base/code_page.hpp"
#include "base/text_appender.hpp"
#include "decode/value.hpp"

#include <string>

namespace etl::decode {

struct JsonValueOptions {
    bool enumerations = true; // show map values as text
    bool error_names = false; // show error codes as "NAME (0x...)" if the name is known
    /// Code page of 8-bit text; null: UTF-8 if valid, otherwise 1252.
    const CodePage* code_page = nullptr;
};

/// Appends one value as JSON, including quotes. Always valid JSON, for any bytes.
void append_json_value(TextAppender& to, const Value& value, const JsonValueOptions& options);

/// Appends the text of an integer with a map: its name, `A | B`, or the number as text.
void append_enumeration(std::string& to, const Value& value);

} // namespace etl::decode

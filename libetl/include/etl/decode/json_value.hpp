// Values as the JSON contract shows them (docs/output.md#values). One thread; no allocation but the
// growth of the text.
#pragma once

#include <etl/base/code_page.hpp>
#include <etl/base/text_appender.hpp>
#include <etl/decode/value.hpp>

namespace etl::decode {

struct JsonValueOptions {
    bool enumerations = true;            // values of a map as the map's text
    bool error_names = false;            // error codes as "NAME (0x...)" where the name is known
    const CodePage* code_page = nullptr; // of 8-bit text; null: UTF-8 if it is valid, else 1252
};

/// Appends one value as JSON, quotes included. Always valid JSON, whatever the bytes.
void append_json_value(TextAppender& to, const Value& value, const JsonValueOptions& options);

} // namespace etl::decode

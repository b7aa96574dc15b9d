// JSON about files.
#pragma once

#include <etl/error.hpp>
#include <etl/time.hpp>

#include "base/json_object.hpp"
#include "base/text.hpp"

#include <span>
#include <string>
#include <string_view>

namespace cli {

using etl::JsonList;
using etl::JsonObject;

inline std::string rfc3339(etl::Filetime time) {
    std::string text;
    etl::append_rfc3339(text, time);
    return text;
}

/// Text of a file or the system as valid UTF-8.
inline std::string utf8_text(std::string_view text) {
    std::string utf8;
    etl::append_utf8(utf8, std::as_bytes(std::span(text)));
    return utf8;
}

/// The object for a file that cannot be opened, on one line.
inline std::string unopened_json(std::string_view file, const etl::Error& error) {
    JsonObject json;
    json.text("file", utf8_text(file));
    json.text("error", etl::describe(error));
    return json.take() + "\n";
}

} // namespace cli

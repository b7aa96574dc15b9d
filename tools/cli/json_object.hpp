// JSON about files.
#pragma once

#include <etl/error.hpp>
#include <etl/time.hpp>

#include "base/json_object.hpp"
#include "base/text.hpp"

#include <string>
#include <string_view>

namespace cli {

using etl::JsonList;
using etl::JsonObject;
using etl::utf8_text;

inline std::string rfc3339(etl::Filetime time) {
    std::string text;
    etl::append_rfc3339(text, time);
    return text;
}

/// The object for a file that cannot be opened, on one line.
inline std::string unopened_json(std::string_view file, const etl::Error& error) {
    JsonObject json;
    json.text("file", utf8_text(file));
    json.text("error", etl::describe(error));
    return json.take() + "\n";
}

} // namespace cli

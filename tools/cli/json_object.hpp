// JSON that tools write about files, a member at a time.
#pragma once

#include <etl/base/json_text.hpp>
#include <etl/base/result.hpp>
#include <etl/base/text.hpp>
#include <etl/base/time.hpp>

#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cli {

inline std::string rfc3339(etl::Filetime time) {
    std::string text;
    etl::append_rfc3339(text, time);
    return text;
}

/// Appends `"key":value,` pairs.
class JsonObject {
public:
    void text(std::string_view key, std::string_view value) {
        begin(key);
        etl::append_json_string(text_, value);
    }

    template <std::integral T>
    void number(std::string_view key, T value) {
        begin(key);
        etl::append_decimal(text_, value);
    }

    void boolean(std::string_view key, bool value) { raw(key, value ? "true" : "false"); }

    void time(std::string_view key, std::optional<etl::Filetime> value) {
        if (value) {
            text(key, rfc3339(*value));
        } else {
            raw(key, "null");
        }
    }

    void raw(std::string_view key, std::string_view json) {
        begin(key);
        text_ += json;
    }

    std::string take() { return "{" + std::move(text_) + "}"; }

private:
    void begin(std::string_view key) {
        text_ += text_.empty() ? "" : ",";
        etl::append_json_string(text_, key);
        text_ += ':';
    }

    std::string text_;
};

/// Text of a file or of the system as valid UTF-8.
inline std::string utf8_text(std::string_view text) {
    std::string utf8;
    etl::append_utf8(utf8, std::as_bytes(std::span(text)));
    return utf8;
}

/// The object for a file that cannot be opened, in one line.
inline std::string unopened_json(std::string_view file, const etl::Error& error) {
    JsonObject json;
    json.text("file", utf8_text(file));
    json.text("error", etl::describe(error));
    return json.take() + "\n";
}

} // namespace cli

// JSON objects and lists, built one member at a time.
#pragma once

#include <etl/time.hpp>

#include "base/json_text.hpp"
#include "base/text.hpp"

#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace etl {

/// Returns text of a file or the system as valid UTF-8.
inline std::string utf8_text(std::string_view text) {
    std::string utf8;
    append_utf8(utf8, std::as_bytes(std::span(text)));
    return utf8;
}

/// Keys and texts must be valid UTF-8; duplicate keys are not detected.
class JsonObject {
public:
    JsonObject& text(std::string_view key, std::string_view value) {
        append_json_string(begin(key), value);
        return *this;
    }

    template <std::integral T>
    JsonObject& number(std::string_view key, T value) {
        append_decimal(begin(key), value);
        return *this;
    }

    JsonObject& boolean(std::string_view key, bool value) {
        return raw(key, value ? "true" : "false");
    }

    /// Adds a time as RFC 3339, or null.
    JsonObject& time(std::string_view key, std::optional<Filetime> value) {
        if (!value) {
            return raw(key, "null");
        }
        std::string& to = begin(key);
        to += '"';
        append_rfc3339(to, *value);
        to += '"';
        return *this;
    }

    /// Adds a value that is already JSON.
    JsonObject& raw(std::string_view key, std::string_view json) {
        begin(key) += json;
        return *this;
    }

    /// Returns the object on one line and clears this.
    std::string take() { return "{" + std::exchange(members_, {}) + "}"; }

private:
    std::string& begin(std::string_view key) {
        members_ += members_.empty() ? "" : ",";
        append_json_string(members_, key);
        return members_ += ':';
    }

    std::string members_;
};

/// A list of values that are already JSON.
class JsonList {
public:
    JsonList& raw(std::string_view json) {
        elements_ += elements_.empty() ? "" : ",";
        elements_ += json;
        return *this;
    }

    JsonList& text(std::string_view value) {
        elements_ += elements_.empty() ? "" : ",";
        append_json_string(elements_, value);
        return *this;
    }

    /// Returns the list on one line and clears this.
    std::string take() { return "[" + std::exchange(elements_, {}) + "]"; }

private:
    std::string elements_;
};

} // namespace etl

// Objects and lists of JSON that are put together a member at a time.
#pragma once

#include <etl/base/json_text.hpp>
#include <etl/base/text.hpp>
#include <etl/base/time.hpp>

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace etl {

/// Keys and texts are valid UTF-8; keys are not looked at for repetitions.
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

    /// RFC 3339, or null.
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

    /// A value that is JSON already.
    JsonObject& raw(std::string_view key, std::string_view json) {
        begin(key) += json;
        return *this;
    }

    /// The object, in one line. Nothing is left here.
    std::string take() { return "{" + std::exchange(members_, {}) + "}"; }

private:
    std::string& begin(std::string_view key) {
        members_ += members_.empty() ? "" : ",";
        append_json_string(members_, key);
        return members_ += ':';
    }

    std::string members_;
};

/// Values that are JSON already, one after the other.
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

    /// The list, in one line. Nothing is left here.
    std::string take() { return "[" + std::exchange(elements_, {}) + "]"; }

private:
    std::string elements_;
};

} // namespace etl

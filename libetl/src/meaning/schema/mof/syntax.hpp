// MOF text as a list of classes with their qualifiers and properties, meaning nothing yet.
// Views the text. One thread. docs/format/decoding.md#mof-text
#pragma once

#include "schema/mof/reading.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::schema {

/// One value of a qualifier: a string, a number, or a word such as TRUE.
struct MofValue {
    std::string text;                   // of a string or a word
    std::optional<std::int64_t> number; // of a whole number
};

struct MofQualifier {
    std::string_view name;
    std::vector<MofValue> values; // none: the mere name
    std::size_t offset = 0;
};

using MofQualifiers = std::vector<MofQualifier>;

/// By name, case ignored; null: there is none.
const MofQualifier* find(const MofQualifiers& qualifiers, std::string_view name) noexcept;

/// The text of a qualifier's first value; empty without one.
std::string_view text_of(const MofQualifiers& qualifiers, std::string_view name) noexcept;

/// There, and not FALSE.
bool is_set(const MofQualifiers& qualifiers, std::string_view name) noexcept;

/// The whole number that a value is, whether written as a number or as a string.
std::optional<std::int64_t> integer_of(const MofValue& value) noexcept;

/// Of a qualifier's first value.
std::optional<std::int64_t> integer_of(const MofQualifiers& qualifiers,
                                       std::string_view name) noexcept;

struct MofProperty {
    MofQualifiers qualifiers;
    std::string_view type; // of an embedded object its class
    std::string_view name;
    bool is_array = false;
    std::optional<std::int64_t> array_size;
    std::size_t offset = 0;
};

struct MofClass {
    MofQualifiers qualifiers;
    std::string_view name;
    std::string_view base; // empty: none
    std::vector<MofProperty> properties;
    std::size_t offset = 0;
};

/// `text` is UTF-8 and must outlive the result. Instances are passed over with a note, methods and
/// declarations of qualifiers without one.
std::expected<std::vector<MofClass>, FileError> parse_mof_classes(std::string_view text,
                                                                  MofReading& reading);

} // namespace etl::schema

// What the parts of the MOF parser share: notes with their places, the memory budget. One thread.
#pragma once

#include "schema/file_reading.hpp"
#include "schema/file_text.hpp"
#include "schema/schema_set.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etl::schema {

/// Returns as much of a name as a remark may quote.
constexpr std::string_view quoted(std::string_view name) noexcept {
    return clipped(name, 200);
}

class MofReading {
public:
    /// `text` must outlive this.
    explicit MofReading(std::string_view text) : lines_(text) {}

    /// Keeps a finding; beyond limits::manifest_notes only that there are more.
    void note(std::size_t offset, std::string text) {
        add_note(result.notes, {lines_.line_of(offset), std::move(text), lines_.column_of(offset)});
    }

    FileError error(std::size_t offset, std::string reason) const {
        return {lines_.line_of(offset), std::move(reason), lines_.column_of(offset)};
    }

    /// Books memory that the schemas take. False: limits::manifest_schema_bytes is reached, stop.
    bool charge(std::size_t bytes) noexcept { return budget_.charge(bytes); }

    bool exhausted() const noexcept { return budget_.exhausted(); }

    SchemaSet result;

private:
    LineIndex lines_;
    SchemaBudget budget_;
};

/// MOF text cut into words, strings, numbers and punctuation. One thread.
/// docs/format/decoding.md#mof-text
struct MofToken {
    enum class Kind : std::uint8_t {
        end,
        word, // identifiers, keywords, $aliases
        text, // a string; neighbours are still apart
        number,
        punctuation, // one character
        broken,      // `text` says why; nothing follows
    };

    Kind kind = Kind::end;
    std::size_t offset = 0;            // in the text that is read
    std::string_view spelling;         // as it stands there
    std::string text;                  // of a string, escapes undone, UTF-8
    std::optional<std::int64_t> value; // of a whole number; above 63 bits it wraps
};

class MofTokens {
public:
    /// `text` is UTF-8 and must outlive this and all tokens.
    explicit MofTokens(std::string_view text) : text_(text) {}

    /// Comments, blanks and lines of the preprocessor are passed over.
    MofToken next();

    /// Where lines of the preprocessor stand that are no #pragma, and may have been meant to do
    /// something; the first few.
    const std::vector<std::size_t>& directives() const noexcept { return directives_; }

private:
    /// False: a comment does not end.
    bool skip_blanks();
    void skip_directive();
    MofToken number();
    MofToken string(char quote);
    void unescape(std::string& to);

    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<std::size_t> directives_;
};

/// Decimal or 0x, with a sign perhaps, blanks around it ignored. Empty: no such number, or beyond
/// 64 bits.
std::optional<std::int64_t> parse_mof_integer(std::string_view text) noexcept;

// MOF text as a list of classes with their qualifiers and properties, meaning nothing yet. Views
// the text. One thread. docs/format/decoding.md#mof-text

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

/// Finds a qualifier by its name, case ignored. Null if there is none.
const MofQualifier* find(const MofQualifiers& qualifiers, std::string_view name) noexcept;

/// The text of a qualifier's first value; empty without one.
std::string_view text_of(const MofQualifiers& qualifiers, std::string_view name) noexcept;

/// There, and not FALSE.
bool is_set(const MofQualifiers& qualifiers, std::string_view name) noexcept;

/// The whole number that a value is, whether written as a number or as a string.
std::optional<std::int64_t> integer_of(const MofValue& value) noexcept;

/// Returns the first value of a qualifier.
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

// A manifest file as UTF-8 that an XML parser takes: encodings undone, attribute values repaired.
// One thread. docs/format/decoding.md#manifest-text
#pragma once

#include "schema/manifest.hpp"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace etl::schema {

/// Line numbers for findings. Views the text; offsets count its bytes.
class LineIndex {
public:
    explicit LineIndex(std::string_view text);
    /// 1-based.
    std::size_t line_of(std::size_t offset) const noexcept;
    /// In bytes, 1-based; 0 far behind the beginning of a line that is very long.
    std::size_t column_of(std::size_t offset) const noexcept;

private:
    std::string_view text_;
    std::vector<std::size_t> newlines_before_; // each block of the text
};

/// The file as UTF-8 without byte order mark, for XML and other text that begins with an ASCII
/// character. `assumed_ansi` says that it was no UTF-8 and was read as Windows-1252.
struct DecodedText {
    std::string utf8;
    bool assumed_ansi = false;
};

DecodedText decode_text(Bytes file);

/// Whether decode_text() takes the file for UTF-16: by its mark, or by a first unit that is ASCII.
bool looks_like_utf16(Bytes file) noexcept;

/// Escapes what may not stand raw in an attribute value: `<`, and quotes that do not end the value.
/// Lines stay where they are.
struct RepairedText {
    std::string text;                  // empty when nothing had to be repaired
    std::vector<std::size_t> repaired; // offsets in `text` of the values concerned
    std::size_t nodes = 0; // elements, attributes and texts at most: what a DOM would hold
};

RepairedText repair_attributes(std::string_view text);

/// The text of a manifest as a DOM can be made of it.
struct ManifestText {
    std::string text;
    bool assumed_ansi = false;
    std::vector<std::size_t> repaired; // offsets of the attribute values that had to be
};

/// Both of the above, within limits::manifest_file_bytes and limits::manifest_nodes.
std::expected<ManifestText, FileError> manifest_text(Bytes file);

} // namespace etl::schema

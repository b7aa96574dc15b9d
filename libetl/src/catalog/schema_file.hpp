// The kinds of file that hold schemas: told apart by content, each with its loader. A new kind is
// one more enumerator here and one more line in both functions. Private to catalog.
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/catalog/catalog.hpp>
#include <etl/schema/schema_set.hpp>

#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace etl::catalog {

enum class FileKind : std::uint8_t { manifest, mof };

struct SchemaFile {
    FileKind kind;
    std::vector<Guid> providers; // that it seems to define: providers, classes, message GUIDs
};

/// By a cheap scan, without parsing. None: no schemas in there.
std::optional<SchemaFile> recognise(Bytes content);

std::expected<schema::SchemaSet, schema::FileError> parse_schema_file(FileKind kind, Bytes content,
                                                                      const std::string& culture);

} // namespace etl::catalog

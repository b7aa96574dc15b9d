// The kinds of file that hold schemas: told apart by content, each with its loader. A new kind is
// one more enumerator here and one more line in both functions. Private to catalog.
#pragma once

#include <etl/bytes.hpp>

#include "catalog/catalog.hpp"
#include "schema/manifest.hpp"
#include "schema/schema_set.hpp"
#include "schema/wevt.hpp"

#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace etl::catalog {

enum class FileKind : std::uint8_t { manifest, image, mof, tmf, pdb, compact, event_log };

struct SchemaFile {
    FileKind kind;
    std::vector<Guid> providers; // that it seems to define: providers, classes, message GUIDs
};

/// Scans the content without parsing it. Empty if it has no schemas.
std::optional<SchemaFile> recognise(Bytes content);

/// What a loader needs beside the file.
struct LoadOptions {
    const std::string& culture;
    schema::MessageLookup messages; // of images
    schema::ParameterFiles parameter_files;
    bool code_names; // of manifests
};

std::expected<schema::SchemaSet, schema::FileError> parse_schema_file(FileKind kind, Bytes content,
                                                                      const LoadOptions& options);

} // namespace etl::catalog

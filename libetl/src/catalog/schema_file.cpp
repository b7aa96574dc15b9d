#include "catalog/schema_file.hpp"

#include <etl/schema/manifest.hpp>

namespace etl::catalog {

std::optional<SchemaFile> recognise(Bytes content) {
    if (auto providers = schema::scan_manifest_providers(content); !providers.empty()) {
        return SchemaFile{FileKind::manifest, std::move(providers)};
    }
    return std::nullopt;
}

std::expected<schema::SchemaSet, schema::FileError> parse_schema_file(FileKind kind, Bytes content,
                                                                      const std::string& culture) {
    switch (kind) {
    case FileKind::manifest:
        return schema::parse_manifest(content, {schema::Origin::manifest, culture});
    }
    return std::unexpected(schema::FileError{0, "of no known kind"});
}

} // namespace etl::catalog

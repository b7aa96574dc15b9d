#include "catalog/schema_file.hpp"

#include <etl/schema/manifest.hpp>
#include <etl/schema/mof.hpp>

namespace etl::catalog {

std::optional<SchemaFile> recognise(Bytes content) {
    if (auto providers = schema::scan_manifest_providers(content); !providers.empty()) {
        return SchemaFile{FileKind::manifest, std::move(providers)};
    }
    if (auto classes = schema::scan_mof_classes(content); !classes.empty()) {
        return SchemaFile{FileKind::mof, std::move(classes)};
    }
    return std::nullopt;
}

std::expected<schema::SchemaSet, schema::FileError> parse_schema_file(FileKind kind, Bytes content,
                                                                      const std::string& culture) {
    switch (kind) {
    case FileKind::manifest:
        return schema::parse_manifest(content, {schema::Origin::manifest, culture});
    case FileKind::mof:
        return schema::parse_mof(content);
    }
    return std::unexpected(schema::FileError{0, "of no known kind"});
}

} // namespace etl::catalog

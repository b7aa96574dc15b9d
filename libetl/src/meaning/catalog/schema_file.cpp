#include "catalog/schema_file.hpp"

#include "schema/compact.hpp"
#include "schema/event_log.hpp"
#include "schema/image.hpp"
#include "schema/manifest.hpp"
#include "schema/mof.hpp"
#include "schema/pdb.hpp"
#include "schema/tmf.hpp"

namespace etl::catalog {

std::optional<SchemaFile> recognise(Bytes content) {
    if (schema::PeImage::is_likely(content)) { // and nothing else, whatever it holds
        auto providers = schema::scan_wevt_providers(content);
        return providers.empty() ? std::nullopt
                                 : std::optional(SchemaFile{FileKind::image, std::move(providers)});
    }
    if (schema::is_event_log(content)) {
        auto providers = schema::scan_event_log(content);
        return providers.empty()
                   ? std::nullopt
                   : std::optional(SchemaFile{FileKind::event_log, std::move(providers)});
    }
    if (schema::is_pdb(content)) {
        auto messages = schema::scan_pdb(content);
        return messages.empty() ? std::nullopt
                                : std::optional(SchemaFile{FileKind::pdb, std::move(messages)});
    }
    if (auto messages = schema::scan_tmf(content); !messages.empty()) {
        return SchemaFile{FileKind::tmf, std::move(messages)};
    }
    if (auto providers = schema::scan_compact_providers(content); !providers.empty()) {
        return SchemaFile{FileKind::compact, std::move(providers)};
    }
    if (auto providers = schema::scan_manifest_providers(content); !providers.empty()) {
        return SchemaFile{FileKind::manifest, std::move(providers)};
    }
    if (auto classes = schema::scan_mof_classes(content); !classes.empty()) {
        return SchemaFile{FileKind::mof, std::move(classes)};
    }
    return std::nullopt;
}

std::expected<schema::SchemaSet, schema::FileError> parse_schema_file(FileKind kind, Bytes content,
                                                                      const LoadOptions& options) {
    switch (kind) {
    case FileKind::manifest:
        return schema::parse_manifest(content, {schema::Origin::manifest, options.culture,
                                                options.parameter_files, options.code_names});
    case FileKind::image:
        return schema::parse_wevt_image(content, options.messages, CultureChain(options.culture));
    case FileKind::mof:
        return schema::parse_mof(content);
    case FileKind::tmf:
        return schema::parse_tmf(content);
    case FileKind::pdb:
        return schema::parse_pdb(content);
    case FileKind::compact:
        return schema::parse_compact(content);
    case FileKind::event_log:
        return schema::parse_event_log(content);
    }
    return std::unexpected(schema::FileError{0, "unknown file format"});
}

} // namespace etl::catalog

// Instrumentation manifests (.man, .xml) to schemas; also the XML that EventSource providers log.
// docs/format/decoding.md#manifest
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/base/result.hpp>
#include <etl/schema/event_schema.hpp>

#include <functional>

namespace etl::schema {

struct ManifestOptions {
    Origin origin = Origin::manifest;
    std::string culture = "en-US"; // of message strings; falls back to en-US, then to the first
};

/// A finding in a manifest that could nevertheless be used.
struct ManifestNote {
    std::size_t line = 0; // 1-based
    std::string text;
};

struct Manifest {
    std::vector<std::shared_ptr<const ProviderNames>> providers;
    std::vector<std::shared_ptr<const EventSchema>> events;
    std::vector<ManifestNote> notes;
};

/// Why a manifest was refused.
struct ManifestError {
    std::size_t line = 0; // 1-based; 0 when the whole file is meant
    std::string reason;
};

/// Parses a whole manifest. `text` is the file: UTF-8 or UTF-16, with or without byte order mark.
/// What is not well-formed inside an attribute value is repaired where it can be (decoding.md part
/// 8) and noted.
std::expected<Manifest, ManifestError> parse_manifest(Bytes text,
                                                      const ManifestOptions& options = {});

/// The GUIDs of the providers that a manifest seems to define, found by a cheap scan of the text
/// without parsing. Empty: this is no manifest.
std::vector<Guid> scan_manifest_providers(Bytes text);

} // namespace etl::schema

// Generation of instrumentation manifests: the inverse of parse_manifest. Pure; thread-safe.
// docs/format/decoding.md#manifest-writing
#pragma once

#include <etl/error.hpp>

#include "schema/schema_set.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace etl::authoring {

/// A manifest in UTF-8, and notes about what it cannot express.
struct WrittenManifest {
    std::string text;
    /// At most schema::limits::manifest_notes; the last indicates that more exist.
    std::vector<std::string> notes;
};

/// Writes all providers and events of `set` as one manifest with the texts of one culture.
/// Providers with the same GUID are merged; equal templates, maps, and texts are written once. The
/// output is deterministic. Without notes, parse_manifest restores the same providers and events;
/// the written text is always parseable. Errors: limit (longer than
/// schema::limits::manifest_file_bytes).
Result<WrittenManifest> write_manifest(const schema::SchemaSet& set,
                                       std::string_view culture = "en-US");

} // namespace etl::authoring

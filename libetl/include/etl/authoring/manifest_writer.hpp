// Schemas as an instrumentation manifest: the way back from parse_manifest. Pure function; any
// thread. docs/format/decoding.md#manifest-writing
#pragma once

#include <etl/base/result.hpp>
#include <etl/schema/schema_set.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace etl::authoring {

/// A manifest, UTF-8, and what of the schemas it cannot say.
struct WrittenManifest {
    std::string text;
    /// At most limits::manifest_notes, the last says that more follow.
    std::vector<std::string> notes;
};

/// Writes all providers and events of `set` as one manifest with the texts of one culture.
/// Providers with one GUID become one; equal templates, maps and texts are written once. The same
/// set gives the same bytes. Where there are no notes parse_manifest gives back the same providers
/// and events; what the text says is read back in any case. Errors: limit, when the text would be
/// longer than the parser reads (limits::manifest_file_bytes).
Result<WrittenManifest> write_manifest(const schema::SchemaSet& set,
                                       std::string_view culture = "en-US");

} // namespace etl::authoring

// Parser of instrumentation manifests (.man, .xml) and of the XML that EventSource providers log.
// docs/format/decoding.md#manifest
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include "base/function_ref.hpp"
#include "schema/schema_set.hpp"

#include <expected>
#include <memory>
#include <optional>
#include <string_view>

namespace etl::schema {

/// Returns the texts of a provider's parameter file (`%%n` in values), or null.
using ParameterFiles = FunctionRef<std::shared_ptr<const MessageTable>(std::string_view file)>;

struct ManifestOptions {
    Origin origin = Origin::manifest;
    /// Language of message strings, with the fallbacks of CultureChain.
    std::string culture = "en-US";
    std::optional<ParameterFiles> parameter_files{};
    bool code_names = false; // also read SchemaSet::code_names
};

/// Parses a manifest. `text` is the file content: UTF-8 or UTF-16, with or without a byte order
/// mark. Attribute values that are not well-formed are repaired if possible (decoding.md part 8),
/// with a note.
std::expected<SchemaSet, FileError> parse_manifest(Bytes text, const ManifestOptions& options = {});

/// Returns the GUIDs of the providers that a manifest appears to define, using a fast scan without
/// parsing. Empty if the text is not a manifest.
std::vector<Guid> scan_manifest_providers(Bytes text);

} // namespace etl::schema

// Instrumentation manifests (.man, .xml) to schemas; also the XML that EventSource providers log.
// docs/format/decoding.md#manifest
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/base/function_ref.hpp>
#include <etl/base/result.hpp>
#include <etl/schema/schema_set.hpp>

#include <expected>
#include <memory>
#include <optional>
#include <string_view>

namespace etl::schema {

/// The texts of the file that a provider names for the `%%n` in its values, or null.
using ParameterFiles = FunctionRef<std::shared_ptr<const MessageTable>(std::string_view file)>;

struct ManifestOptions {
    Origin origin = Origin::manifest;
    std::string culture = "en-US"; // of message strings, with the fallbacks of CultureChain
    std::optional<ParameterFiles> parameter_files{};
};

/// Parses a whole manifest. `text` is the file: UTF-8 or UTF-16, with or without byte order mark.
/// What is not well-formed inside an attribute value is repaired where it can be (decoding.md part
/// 8) and noted.
std::expected<SchemaSet, FileError> parse_manifest(Bytes text, const ManifestOptions& options = {});

/// The GUIDs of the providers that a manifest seems to define, found by a cheap scan of the text
/// without parsing. Empty: this is no manifest.
std::vector<Guid> scan_manifest_providers(Bytes text);

} // namespace etl::schema

// Any bytes as a manifest to validate. Beyond "does not crash": what the parser refuses is an
// error; findings name places that the file has, in order; all are counted.
#include "authoring/limits.hpp"
#include "authoring/validate.hpp"
#include "base/text.hpp"
#include "fuzz/require.hpp"
#include "schema/manifest.hpp"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    const Bytes file = std::as_bytes(std::span(data, size));
    const authoring::Validation result = authoring::validate_manifest(file);
    fuzz::require(result.findings.size() <= authoring::limits::manifest_findings);
    fuzz::require(result.findings.size() <= result.errors + result.warnings);
    fuzz::require(result.findings.size() == authoring::limits::manifest_findings ||
                  result.findings.size() == result.errors + result.warnings);
    fuzz::require(std::ranges::is_sorted(result.findings, {}, &authoring::ManifestFinding::line));
    for (const authoring::ManifestFinding& finding : result.findings) {
        fuzz::require(!finding.text.empty() && finding.line <= size + 1);
    }
    fuzz::require(schema::parse_manifest(file).has_value() || result.errors > 0);
    return 0;
}

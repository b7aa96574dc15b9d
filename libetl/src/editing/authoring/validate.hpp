// Validation of manifests against the rules of the message compiler (mc.exe). Pure; thread-safe.
// docs/schemas.md#validate
#pragma once

#include <etl/bytes.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace etl::authoring {

/// A problem in a manifest.
struct ManifestFinding {
    enum class Severity : std::uint8_t {
        error,   // rejected by the compiler or Windows, or makes an event undecodable
        warning, // accepted, but probably not intended
    };

    Severity severity = Severity::error;
    std::size_t line = 0;   // 1-based; 0: the entire file
    std::size_t column = 0; // 1-based, in bytes of UTF-8; 0: unknown
    std::string text;
};

struct Validation {
    std::vector<ManifestFinding> findings; // by line; at most limits::manifest_findings
    std::size_t errors = 0;                // all errors, including those not listed
    std::size_t warnings = 0;
};

/// Checks a manifest: UTF-8 or UTF-16, with or without a byte order mark. A file that cannot be
/// parsed has a single error.
Validation validate_manifest(Bytes text);

} // namespace etl::authoring

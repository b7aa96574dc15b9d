// Is a manifest one that the message compiler (mc.exe) takes? Pure function; any thread.
// docs/schemas.md#validate
#pragma once

#include <etl/base/bytes.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace etl::authoring {

/// Something that is wrong with a manifest.
struct ManifestFinding {
    enum class Severity : std::uint8_t {
        error,   // the compiler or Windows refuses it, or it makes an event undecodable
        warning, // it is taken, but is not what its author can have meant
    };

    Severity severity = Severity::error;
    std::size_t line = 0;   // 1-based; 0: the whole file is meant
    std::size_t column = 0; // 1-based, in bytes of UTF-8; 0: not known
    std::string text;
};

struct Validation {
    std::vector<ManifestFinding> findings; // by line; at most limits::manifest_findings
    std::size_t errors = 0;                // all, also those that are not listed
    std::size_t warnings = 0;
};

/// Checks a whole manifest: UTF-8 or UTF-16, with or without byte order mark. What cannot be parsed
/// is one error.
Validation validate_manifest(Bytes text);

} // namespace etl::authoring

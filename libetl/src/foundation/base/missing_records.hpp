// Findings about records that an event log lacks: Diagnostic::missing counts records there, and the
// first number is the ID of a record.
#pragma once

#include "base/diagnostic.hpp"

#include <string_view>

namespace etl {

/// How the texts of these findings begin.
inline constexpr std::string_view missing_records = "missing records";

/// Returns whether Diagnostic::missing counts records of an event log, not buffers of a trace.
inline bool is_about_records(const Diagnostic& finding) noexcept {
    return std::string_view(finding.what).starts_with(missing_records);
}

} // namespace etl

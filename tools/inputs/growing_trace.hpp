// A trace that another program is writing. docs/streams.md#follow
#pragma once

#include "trace/stream.hpp"

#include <memory>
#include <optional>
#include <string>

namespace cli {

/// The stream reads from the trace.
struct GrowingInput {
    std::shared_ptr<etl::trace::GrowingTrace> trace;
    etl::trace::StreamInput stream;
};

/// Opens a trace that can be followed. `why_not`: why options need it complete; empty: they do not.
/// Returns nothing on failure, after printing the reason.
std::optional<GrowingInput> open_growing(const std::string& path, const std::string& why_not = "");

} // namespace cli

// A provider and its events as text and JSON (docs/schemas.md#show).
#pragma once

#include "authoring/provider_events.hpp"

#include <string>

namespace cli {

std::string description_text(const etl::authoring::ProviderEvents& provider,
                             const std::string& file);

/// One line.
std::string description_json(const etl::authoring::ProviderEvents& provider,
                             const std::string& file);

} // namespace cli

// Names of well-known providers, for traces that do not contain them. Pure; thread-safe. Table:
// schemas/providers.csv
#pragma once

#include <etl/guid.hpp>

#include <string_view>

namespace etl::decode {

/// Returns the provider name; empty if not in the table.
std::string_view known_provider_name(const Guid& guid) noexcept;

} // namespace etl::decode

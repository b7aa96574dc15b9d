// Names of well-known providers, for traces that name them nowhere. Pure; any thread. Table:
// schemas/providers.csv
#pragma once

#include <etl/base/guid.hpp>

#include <string_view>

namespace etl::decode {

/// Empty: not in the table.
std::string_view known_provider_name(const Guid& guid) noexcept;

} // namespace etl::decode

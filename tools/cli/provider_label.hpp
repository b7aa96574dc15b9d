// The label of a provider in tables and messages.
#pragma once

#include <etl/guid.hpp>

#include "schema/schema_store.hpp"

#include <string>
#include <string_view>

namespace cli {

/// `MSNT_SystemTrace/CLASS` for kernel classes, else `name`, which may be empty.
std::string label_of(const etl::Guid& provider, std::string_view name);

/// The same, with the name from a store or the built-in table. `store` may be null.
std::string label_of(const etl::Guid& provider, const etl::schema::SchemaStore* store);

} // namespace cli

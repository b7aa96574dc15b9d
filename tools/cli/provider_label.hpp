// What a provider is called in tables and messages.
#pragma once

#include <etl/base/guid.hpp>
#include <etl/schema/schema_store.hpp>

#include <string>
#include <string_view>

namespace cli {

/// `MSNT_SystemTrace/CLASS` for the kernel's classes, else `name`; empty: it has none.
std::string label_of(const etl::Guid& provider, std::string_view name);

/// The same, with the name that a store or the library knows. `store` may be null.
std::string label_of(const etl::Guid& provider, const etl::schema::SchemaStore* store);

} // namespace cli

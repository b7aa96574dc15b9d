// File names of providers, and those of the members of a schema cache: `etl schema cache` writes
// archives of manifests, one provider each. The names identify the providers, so that a Catalog
// decompresses only the members it needs. Pure; thread-safe. docs/schemas.md#cache
#pragma once

#include "schema/event_schema.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace etl::catalog {

/// The directory of all members in the archive, with a trailing slash.
inline constexpr std::string_view cache_directory = "etl-schema-cache/";

/// Returns the name as a safe_file_name, with `_` in place of characters that some file system does
/// not support.
std::string portable_file_name(std::string_view name);

/// Returns `etl-schema-cache/NAME.GUID.man`, with the portable form of the name.
std::string cache_member_name(const schema::ProviderNames& names);

/// Returns the provider of a member; nothing if the name does not identify one.
std::optional<Guid> provider_of_cache_member(std::string_view name);

} // namespace etl::catalog

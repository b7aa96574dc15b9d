// How the members of a schema cache are called: `etl schema cache` writes archives of manifests,
// one provider each, whose names tell a Catalog what is in them, so that it unpacks only what it
// wants. Pure functions; any thread. docs/schemas.md#cache
#pragma once

#include <etl/schema/event_schema.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace etl::catalog {

/// The folder inside of the archive in which all members lie, with the slash behind it.
inline constexpr std::string_view cache_directory = "etl-schema-cache/";

/// `etl-schema-cache/NAME.GUID.man`; of the name only what all file systems take.
std::string cache_member_name(const schema::ProviderNames& names);

/// The provider whose manifest a member of this name holds; none: the name does not say.
std::optional<Guid> provider_of_cache_member(std::string_view name);

} // namespace etl::catalog

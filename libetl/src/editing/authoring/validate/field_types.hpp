// Which types a manifest may give its fields, and what goes with them. Private to authoring.
#pragma once

#include "schema/event_schema.hpp"

#include <optional>
#include <string_view>

namespace etl::authoring {

/// May a field of that in type have the out type?
bool is_legal(schema::InType in, schema::OutType out) noexcept;

/// Only under their own names: dumps use older ones for what they could not tell.
std::optional<schema::InType> manifest_type(std::string_view written) noexcept;

/// A type of manifests that were made from classes.
bool is_converted_type(std::string_view written) noexcept;

bool may_have_length(schema::InType type) noexcept;

/// May a field of that type be the count or the length of others?
bool may_count(schema::InType type) noexcept;

bool may_have_map(schema::InType type) noexcept;
bool is_integer(schema::InType type) noexcept;

} // namespace etl::authoring

// What a field holds, by its type and its name. Private to anonymize. docs/anonymize.md#fields
#pragma once

#include "anonymize/names/units.hpp"
#include "anonymize/texts/roles.hpp"
#include "base/guid.hpp"
#include "decode/value.hpp"

#include <string_view>

namespace etl::anonymize {

/// A value of `form` in a field called `name`, of an event whose provider or class is `provider`.
/// Arrays of characters and of bytes are texts and binaries here.
Role role_of(decode::Form form, std::string_view name, const Guid& provider) noexcept;

/// Whether elements of an array of such values belong together: characters make up a text, bytes a
/// binary.
bool is_piece(decode::Form form) noexcept;

/// What such a value, or the pieces of one, is read as.
UnitSize unit_size_of(decode::Form form) noexcept;

} // namespace etl::anonymize

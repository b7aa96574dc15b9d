// SIDs and addresses where they lie in binary, and bytes that are cleared. Private to anonymize.
// docs/anonymize.md#fields
#pragma once

#include "anonymize/names/pseudonyms.hpp"
#include "anonymize/texts/rewriter.hpp"

namespace etl::anonymize {

/// In place. `role` is one of those after Role::title. Returns the kinds of what changed; nothing
/// changes where the bytes are not what the role says.
KindSet rewrite_binary(MutableBytes bytes, Role role, const Pseudonyms& pseudonyms);

bool is_all_zero(Bytes bytes) noexcept;

/// Returns whether anything else was there.
bool fill_with_zeros(MutableBytes bytes) noexcept;

} // namespace etl::anonymize

// SIDs and addresses where they stand within a text. Private to anonymize.
// docs/anonymize.md#texts
#pragma once

#include "anonymize/anonymize.hpp"
#include "anonymize/names/pseudonyms.hpp"
#include "anonymize/names/units.hpp"

#include <vector>

namespace etl::anonymize {

/// Several kinds, a bit each.
using KindSet = std::uint16_t;

constexpr KindSet only(Kind kind) noexcept {
    return static_cast<KindSet>(1U << static_cast<unsigned>(kind));
}

static_assert(kind_count <= 16);

/// Whether four numbers with dots between them may be an address; in a version they are not.
enum class Dotted : std::uint8_t { address, version };

/// Replaces what it finds and marks all of it in `done`, which has an entry for each unit; also
/// what stays (127.0.0.1). Returns the kinds of what changed.
KindSet replace_embedded(Units text, std::vector<std::uint8_t>& done, const Pseudonyms& pseudonyms,
                         Dotted dotted);

/// Likewise, but SIDs alone: where nothing says that the bytes are a text.
KindSet replace_sids(Units text, std::vector<std::uint8_t>& done, const Pseudonyms& pseudonyms);

} // namespace etl::anonymize

// Tracks as bytes for a page that draws them. docs/view.md#pictures
#pragma once

#include <etl/time.hpp>

#include "explore/explorer.hpp"

#include <cstdint>
#include <string>

namespace etl::viewer {

/// The first bytes of a picture, and the version of its layout.
inline constexpr std::uint32_t picture_magic = 0x4C544C45, picture_version = 1;

/// Returns the bytes: a header in JSON, and columns of records, at most two for each track and bin.
/// Times are those after `begin`.
std::string picture_of(const explore::TracksAnswer& answer, Filetime begin);

/// Returns the tracks with their sums, as JSON.
std::string tracks_json(const explore::TracksAnswer& answer);

} // namespace etl::viewer

// The binary XML of a UserData template: tokens as in .evtx files, names in place.
// docs/format/images.md#user-data
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include <string>

namespace etl::schema {

/// The one element inside of UserData as XML text, `%1` where the first field belongs; a fragment
/// that begins with that element itself will do. `where` is for errors. Errors: truncated,
/// malformed, limit (limits::user_data_depth), unsupported (tokens that no template has).
Result<std::string> read_user_data(Bytes fragment, FileOffset where);

} // namespace etl::schema

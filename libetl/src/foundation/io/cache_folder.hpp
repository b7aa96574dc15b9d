// A directory of files that can be made again, of a bounded size.
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include <cstdint>
#include <string>

namespace etl::io {

/// Writes a file into a directory, which is made if need be, and belongs to the user alone. It
/// takes the place of one of that name, and appears when it is complete. Then removes the oldest
/// files with the same extension while all of these have more than `most` bytes. Errors: limit
/// (larger than a quarter of `most`); io_failure.
Result<void> put_into_cache(const std::string& directory, const std::string& name, Bytes content,
                            std::uint64_t most);

} // namespace etl::io

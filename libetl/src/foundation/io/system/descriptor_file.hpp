// Files over descriptors that were opened in different ways. Private to io, POSIX only.
#pragma once

#include "io/writable_file.hpp"

#include <memory>
#include <string>

namespace etl::io {

/// Opens a file to write to, without changing it; with `replace`, it is created if it is missing.
/// Returns a descriptor, or -1 (errno).
int open_to_write(const std::string& path, FileFactory::Open how);

/// A file over a descriptor, which it owns from now on, also on failure. A regular file is locked;
/// with `replace` it is then empty. `path` is where the file was found, or empty if that is not
/// known here. Errors: io_failure (also is_in_use).
Result<std::unique_ptr<WritableFile>> file_over(const std::string& path, int descriptor,
                                                FileFactory::Open how);

} // namespace etl::io

// Archives to write: zip files that appear under their name only when complete. One thread.
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/base/result.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace etl::io {

/// The same members give the same bytes: no times, owners or permissions of this machine go in.
class ArchiveWriter {
public:
    virtual ~ArchiveWriter() = default;

    /// Begins a zip file, as AtomicFile does. Errors: not_found (the folder), io_failure.
    static Result<std::unique_ptr<ArchiveWriter>> create(const std::string& path);

    /// Packs one more member; `name` is UTF-8, `/` divides folders. Errors: io_failure.
    virtual Result<void> add(std::string_view name, Bytes content) = 0;

    /// Puts the archive under its name; nothing may be added after it. Without it nothing is left
    /// behind. Errors: io_failure; the first failure of add, if there was one.
    virtual Result<void> commit() = 0;

    ArchiveWriter(const ArchiveWriter&) = delete;
    ArchiveWriter& operator=(const ArchiveWriter&) = delete;

protected:
    ArchiveWriter() = default;
};

} // namespace etl::io

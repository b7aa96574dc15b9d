// Writing of zip archives, which appear under their name only when complete. Not thread-safe.
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace etl::io {

/// The same members yield the same bytes: no times, owners, or permissions are stored.
class ArchiveWriter {
public:
    virtual ~ArchiveWriter() = default;

    /// Creates a zip file, like AtomicFile. Errors: not_found (the directory), io_failure.
    static Result<std::unique_ptr<ArchiveWriter>> create(const std::string& path);

    /// Adds a member; `name` is UTF-8, with `/` between directories. Errors: io_failure.
    virtual Result<void> add(std::string_view name, Bytes content) = 0;

    /// Makes the archive appear under its name; nothing may be added afterwards. Without commit()
    /// no file remains. Errors: io_failure; the first failure of add, if any.
    virtual Result<void> commit() = 0;

    ArchiveWriter(const ArchiveWriter&) = delete;
    ArchiveWriter& operator=(const ArchiveWriter&) = delete;

protected:
    ArchiveWriter() = default;
};

} // namespace etl::io

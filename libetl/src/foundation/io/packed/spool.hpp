// Bytes that arrive one after the other, kept in an unlinked temporary file. Private to io. One
// thread.
#pragma once

#include "io/byte_stream.hpp"
#include "io/system/os_file.hpp"

namespace etl::io {

class Spool {
public:
    /// Errors: io_failure.
    static Result<Spool> create();

    /// Errors: io_failure.
    Result<void> write(Bytes bytes);

    /// Maps what was written. Errors: io_failure.
    Result<std::shared_ptr<const InputFile>> finish(std::string name,
                                                    std::optional<Error> damage = std::nullopt);

private:
    explicit Spool(OsFile file) : file_(std::move(file)) {}

    OsFile file_;
};

/// Makes an input of an open file: maps a regular one from its position on, and spools the rest of
/// a stream, up to `max` bytes. Errors: io_failure, limit.
Result<std::shared_ptr<const InputFile>> input_from(OsFile file, std::string name,
                                                    std::uint64_t max);

/// Makes an input of the first `size` bytes of a regular file. Errors: io_failure.
Result<std::shared_ptr<const InputFile>> head_of(const OsFile& file, std::string name,
                                                 std::uint64_t size);

/// The rest of an open pipe or device.
std::unique_ptr<ByteStream> stream_of(OsFile file);

} // namespace etl::io

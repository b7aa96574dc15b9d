// A file to read, as one view of bytes: mapped, unpacked into an unlinked temporary file and
// mapped, or in memory. Immutable after construction; shareable between threads.
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/base/result.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace etl::io {

class InputFile {
public:
    virtual ~InputFile() = default;

    /// Maps the file read-only; a pipe is read to its end into an unlinked temporary file first. An
    /// empty file gives an empty view. If the file is truncated while it is mapped, the system
    /// answers a read beyond the new end with SIGBUS, unless there is a MappingGuard. Errors:
    /// not_found, io_failure, limit (a pipe, limits::unpacked_bytes).
    static Result<std::shared_ptr<const InputFile>> map(const std::string& path);

    /// Takes bytes that are in memory already; `name` is for messages.
    static std::shared_ptr<const InputFile> from_memory(std::vector<std::byte> bytes,
                                                        std::string name);

    /// Everything in the file. Lives as long as this object.
    Bytes bytes() const noexcept { return bytes_; }

    /// How many of bytes() the file still has: fewer when it was truncated since it was mapped.
    /// What lies beyond reads as zeros or not at all. Of many mapped files only the first are
    /// asked, of the others it is known when a MappingGuard met the end. Thread-safe; costs a
    /// system call.
    virtual std::uint64_t intact_size() const noexcept;

    /// For messages: the path, or `archive.zip:member.etl`, or `-`.
    const std::string& name() const noexcept { return name_; }

    /// Set when this was unpacked from damaged data: bytes() end where the damage began, or fail
    /// their checksum. The offset is one in the packed data.
    const std::optional<Error>& damage() const noexcept { return damage_; }

    /// How the bytes are about to be read.
    enum class Access : std::uint8_t {
        random,     // a few bytes here and there: reading ahead would fetch the whole file
        sequential, // nearly from front to back: read ahead far
    };

    /// Tells the system what to expect from now on. A file is mapped for Access::sweep.
    virtual void advise(Access access) const noexcept;

    /// Tells the system that this part was used and is not needed soon (bounds the resident pages).
    /// The bytes stay readable.
    virtual void release(FileOffset where, std::uint64_t size) const noexcept;

    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

protected:
    InputFile(std::string name, Bytes bytes, std::optional<Error> damage = std::nullopt)
        : bytes_(bytes), name_(std::move(name)), damage_(damage) {}

private:
    Bytes bytes_;
    std::string name_;
    std::optional<Error> damage_;
};

} // namespace etl::io

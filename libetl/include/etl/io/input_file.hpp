// A file to read, as one view of bytes: mapped, unpacked into an unlinked temporary file and mapped, or in
// memory. Immutable after construction; shareable between threads.
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/base/result.hpp>

#include <memory>
#include <string>
#include <vector>

namespace etl::io {

class InputFile {
public:
    virtual ~InputFile() = default;

    /// Maps the file read-only. An empty file gives an empty view. Errors: not_found, io_failure.
    static Result<std::shared_ptr<const InputFile>> map(const std::string& path);

    /// Takes bytes that are in memory already; `name` is for messages.
    static std::shared_ptr<const InputFile> from_memory(std::vector<std::byte> bytes, std::string name);

    /// Everything in the file. Lives as long as this object.
    Bytes bytes() const noexcept { return bytes_; }

    /// For messages: the path, or `archive.zip:member.etl`, or `-`.
    const std::string& name() const noexcept { return name_; }

    /// Tells the system that this part was used and is not needed soon (bounds the resident pages).
    virtual void release(FileOffset where, std::uint64_t size) const noexcept;

protected:
    InputFile(std::string name, Bytes bytes) : bytes_(bytes), name_(std::move(name)) {}

    Bytes bytes_;
    std::string name_;
};

} // namespace etl::io

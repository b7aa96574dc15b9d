// A file that holds no resources of the process until its content is needed, for inputs by the
// thousand. Immutable; thread-safe.
#pragma once

#include "io/find_files.hpp"
#include "io/input_file.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace etl::limits {

/// Inputs that stay mapped; further ones are files on demand. Systems limit the mappings of a
/// process (65,530 on Linux), and each takes memory of the system.
inline constexpr std::size_t mapped_inputs = 1024;

/// Files on demand up to this size are read as a whole: mapping and unmapping them takes longer.
inline constexpr std::uint64_t small_file = 64U << 10U;

} // namespace etl::limits

namespace etl::io {

/// The name and identity of a regular file. bytes() is empty; content() and read() open the
/// file.
class FileOnDemand final : public InputFile {
public:
    explicit FileOnDemand(const std::string& path);

    /// Returns `file` if it is on demand, otherwise null.
    static const FileOnDemand* from(const InputFile& file) noexcept {
        return file.bytes().data() == &mark ? static_cast<const FileOnDemand*>(&file) : nullptr;
    }

    /// Returns the content: a copy of a small file (etl::limits::small_file), otherwise a mapping.
    /// Errors: those of InputFile::map; not_found also if another file has taken its place.
    Result<std::shared_ptr<const InputFile>> content() const;

    /// Opens the file and reads that part. Nothing if it is gone, or another file has taken its
    /// place.
    std::size_t read(FileOffset where, MutableBytes into) const noexcept override;

    /// The current size of the file; 0 if it is gone.
    std::uint64_t intact_size() const noexcept override;

private:
    static const std::byte mark; // where bytes() is: the library is built without dynamic_cast

    std::optional<FileId> id_;
};

} // namespace etl::io

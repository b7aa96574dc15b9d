// A file that holds no resources of the process until its content is needed, for inputs by the
// thousand. Immutable; thread-safe.
#pragma once

#include <etl/io/find_files.hpp>
#include <etl/io/input_file.hpp>

#include <cstddef>
#include <memory>
#include <optional>

namespace etl::limits {

/// Inputs that stay mapped; further ones are files on demand. Systems limit the mappings of a
/// process (65,530 on Linux), and each takes memory of the system.
inline constexpr std::size_t mapped_inputs = 1024;

} // namespace etl::limits

namespace etl::io {

/// The name and identity of a regular file. bytes() is empty; map() maps the content.
class FileOnDemand final : public InputFile {
public:
    /// `mapped` is that file, mapped from the path InputFile::name().
    explicit FileOnDemand(const InputFile& mapped);

    /// Returns `file` if it is on demand, otherwise null.
    static const FileOnDemand* from(const InputFile& file) noexcept {
        return file.bytes().data() == &mark ? static_cast<const FileOnDemand*>(&file) : nullptr;
    }

    /// Maps the file. Errors: those of InputFile::map; not_found also if another file has taken
    /// its place.
    Result<std::shared_ptr<const InputFile>> map() const;

    /// The current size of the file; 0 if it is gone.
    std::uint64_t intact_size() const noexcept override;

private:
    static const std::byte mark; // where bytes() is: the library is built without dynamic_cast

    std::optional<FileId> id_;
};

} // namespace etl::io

// Files of this user alone, in spool_directory(), that end with the program.
#pragma once

#include <etl/error.hpp>

#include "io/input_file.hpp"
#include "io/writable_file.hpp"

#include <memory>
#include <string>
#include <utility>

namespace etl::io {

class OsFile;

/// A file without a name, which ends with the last one that has it open, whatever becomes of the
/// program: written as any other, and then read as an input.
class TemporaryFile final : public FileFactory {
public:
    /// Errors: io_failure.
    static Result<TemporaryFile> create();
    TemporaryFile(TemporaryFile&&) noexcept;
    TemporaryFile& operator=(TemporaryFile&&) noexcept;
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() override;

    /// The file, whatever the path. Errors: io_failure.
    Result<std::unique_ptr<WritableFile>> open(const std::string& path, Open how) override;

    /// What has been written, as an input of this name, which can outlive this object. Errors:
    /// io_failure.
    Result<std::shared_ptr<const InputFile>> input(std::string name) const;

private:
    explicit TemporaryFile(std::unique_ptr<OsFile> file);

    std::unique_ptr<OsFile> file_;
};

/// A directory for files that other programs open by their names. It is removed with all that is in
/// it on destruction, but not if the program is killed.
class TemporaryFolder {
public:
    /// Errors: io_failure.
    static Result<TemporaryFolder> create();

    TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

    TemporaryFolder& operator=(TemporaryFolder&& other) noexcept {
        std::swap(path_, other.path_);
        return *this;
    }

    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();

    /// Without a separator at its end.
    const std::string& path() const noexcept { return path_; }

private:
    explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}

    std::string path_; // empty: moved from
};

} // namespace etl::io

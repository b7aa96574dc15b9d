#include "io/temporary_file.hpp"

#include "io/limits.hpp"
#include "io/packed/spool.hpp"
#include "io/system/new_file.hpp"
#include "io/system/os_file.hpp"
#include "io/system/system.hpp"

#include <filesystem>
#include <utility>

namespace etl::io {

TemporaryFile::TemporaryFile(std::unique_ptr<OsFile> file) : file_(std::move(file)) {}

TemporaryFile::TemporaryFile(TemporaryFile&&) noexcept = default;
TemporaryFile& TemporaryFile::operator=(TemporaryFile&&) noexcept = default;
TemporaryFile::~TemporaryFile() = default;

Result<TemporaryFile> TemporaryFile::create() {
    auto file = OsFile::temporary();
    if (!file) {
        return std::unexpected(file.error());
    }
    return TemporaryFile(std::make_unique<OsFile>(*std::move(file)));
}

Result<std::unique_ptr<WritableFile>> TemporaryFile::open(const std::string& /*path*/, Open how) {
    auto same = file_->duplicate();
    if (!same) {
        return std::unexpected(same.error());
    }
    auto file = disk_file({}, same->release());
    if (how == Open::replace) {
        if (const auto emptied = file->resize(0); !emptied) {
            return std::unexpected(emptied.error());
        }
    }
    return file;
}

Result<std::shared_ptr<const InputFile>> TemporaryFile::input(std::string name) const {
    auto same = file_->duplicate();
    return same ? input_from(*std::move(same), std::move(name), limits::unpacked_bytes)
                : std::unexpected(same.error());
}

Result<TemporaryFolder> TemporaryFolder::create() {
    std::string path = make_private_folder(OsFile::temporary_folder());
    if (path.empty()) {
        Error error = os_error("temporary directory");
        error.code = ErrorCode::io_failure; // a missing $TMPDIR is not a missing input
        return std::unexpected(error);
    }
    return TemporaryFolder(std::move(path));
}

TemporaryFolder::~TemporaryFolder() {
    if (!path_.empty()) {
        std::error_code ignored;
        std::filesystem::remove_all(to_path(path_), ignored);
    }
}

} // namespace etl::io

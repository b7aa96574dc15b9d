#include <etl/io/private_file.hpp>

#include "io/system/new_file.hpp"
#include "io/system/os_file.hpp"
#include "io/system/paths.hpp"

#include <filesystem>

namespace etl::io {

Result<std::vector<std::byte>> read_private_file(const std::string& path, std::size_t most) {
    const auto file = OsFile::open_for_reading(path);
    if (!file) {
        return std::unexpected(file.error());
    }
    if (!file->is_private()) {
        return fail(ErrorCode::invalid_option, "others may read or change it");
    }
    std::vector<std::byte> content(most + 1);
    std::size_t filled = 0;
    while (filled < content.size()) {
        const auto more = file->read(MutableBytes(content).subspan(filled));
        if (!more) {
            return std::unexpected(more.error());
        }
        if (*more == 0) {
            break;
        }
        filled += *more;
    }
    if (filled > most) {
        return fail(ErrorCode::limit, "size of the file", {}, most, filled);
    }
    content.resize(filled);
    return content;
}

Result<void> create_private_file(const std::string& path, Bytes content) {
    std::error_code ignored; // the file then cannot be made, which is reported
    std::filesystem::create_directories(to_path(path).parent_path(), ignored);
    auto file = NewFile::beside(target_of(path), NewFile::Rights::only_owner);
    if (!file) {
        return std::unexpected(file.error());
    }
    auto done = (*file)->file().write_at({0}, content);
    if (done) {
        done = (*file)->close(NewFile::Handle::keep);
    }
    if (done) {
        done = (*file)->sync();
    }
    if (done) {
        done = (*file)->appear(NewFile::Taken::kept);
    }
    if (done) {
        sync_folder_of(path);
    }
    return done;
}

} // namespace etl::io

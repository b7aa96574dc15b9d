#include "io/private_file.hpp"

#include "io/find_files.hpp"
#include "io/system/new_file.hpp"
#include "io/system/os_file.hpp"
#include "io/system/system.hpp"

#include <filesystem>

namespace etl::io {

namespace {

Result<void> make_directory(const std::filesystem::path& path) {
    std::error_code code;
    std::filesystem::create_directories(path, code);
    if (!code || path.empty()) {
        return {};
    }
    Error error{ErrorCode::io_failure, "create its directory"};
    error.os_code = code.value();
    return std::unexpected(error);
}

} // namespace

Result<std::vector<std::byte>> read_private_file(const std::string& path, std::size_t max) {
    if (exists(path) && !is_regular_file(path)) { // opening a pipe would wait
        return fail(ErrorCode::malformed, "not a file");
    }
    const auto file = OsFile::open_for_reading(path);
    if (!file) {
        return std::unexpected(file.error());
    }
    switch (file->privacy()) {
    case OsFile::Privacy::of_another_user:
        return fail(ErrorCode::invalid_option, "it belongs to another user");
    case OsFile::Privacy::others_can_access:
        return fail(ErrorCode::invalid_option,
                    "other users can read or change it; `chmod 600` makes it private");
    case OsFile::Privacy::is_private:
        break;
    }
    std::vector<std::byte> content(max + 1);
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
    if (filled > max) {
        return fail(ErrorCode::limit, "size of the file", {}, max, filled);
    }
    content.resize(filled);
    return content;
}

Result<void> create_private_file(const std::string& path, Bytes content) {
    if (auto made = make_directory(to_path(path).parent_path()); !made) {
        return made;
    }
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

#include "outputs/staged_folder.hpp"

#include "io/find_files.hpp"
#include "io/writable_file.hpp"

#include <fmt/format.h>

#include <set>
#include <system_error>

namespace cli {

namespace {

namespace fs = std::filesystem;

etl::Result<void> failure(const std::error_code& code) {
    return std::unexpected(etl::Error{.code = etl::ErrorCode::io_failure,
                                      .what = "cannot write the tables",
                                      .os_code = code.value()});
}

etl::Result<void> append_to_file(const std::string& path, std::string_view text) {
    using Open = etl::io::FileFactory::Open;
    const bool is_there = etl::io::is_regular_file(path);
    auto file = etl::io::disk().open(path, is_there ? Open::existing : Open::replace);
    const auto size = file ? (*file)->size() : std::unexpected(file.error());
    auto done = size ? (*file)->write_at({*size}, std::as_bytes(std::span(text)))
                     : std::unexpected(size.error());
    return done ? (*file)->close() : done;
}

} // namespace

StagedFolder::StagedFolder(fs::path folder, fs::path stage, bool is_new)
    : folder_(std::move(folder)), stage_(std::move(stage)), is_new_folder_(is_new) {}

etl::Result<std::unique_ptr<StagedFolder>> StagedFolder::create(const std::string& folder) {
    std::error_code code;
    const bool is_new = fs::create_directories(folder, code);
    if (code) {
        return std::unexpected(failure(code).error());
    }
    fs::path stage;
    unsigned number = 0;
    do { // another run may use the same directory
        stage = fs::path(folder) / fmt::format(".etl-tables-{}.tmp", number++);
    } while (!fs::create_directory(stage, code) && !code);
    if (code) {
        return std::unexpected(failure(code).error());
    }
    return std::unique_ptr<StagedFolder>(new StagedFolder(folder, std::move(stage), is_new));
}

StagedFolder::~StagedFolder() {
    std::error_code ignored;
    fs::remove_all(stage_, ignored);
    if (is_new_folder_) {
        fs::remove(folder_, ignored); // if it is empty: nothing was committed
    }
}

etl::Result<void> StagedFolder::append(const std::string& name, std::string_view bytes) {
    return append_to_file((stage_ / name).string(), bytes);
}

etl::Result<void> StagedFolder::commit(std::span<const std::string> names) {
    for (const std::string& name : names) { // all or none, as far as can be known
        std::error_code ignored;
        if (fs::is_directory(folder_ / name, ignored)) {
            return failure(std::make_error_code(std::errc::is_a_directory));
        }
    }
    for (const std::string& name : names) {
        std::error_code code;
        fs::rename(stage_ / name, folder_ / name, code);
        if (code) {
            return failure(code);
        }
    }
    return {};
}

etl::Result<void> StagedFolder::remove_outdated(std::span<const std::string> outdated,
                                                std::span<const std::string> names) {
    const std::set<std::string_view> current(names.begin(), names.end());
    for (const std::string& name : outdated) {
        std::error_code code;
        if (!current.contains(name) && fs::is_regular_file(folder_ / name, code)) {
            fs::remove(folder_ / name, code);
        }
        if (code && code != std::errc::no_such_file_or_directory) {
            return failure(code);
        }
    }
    return {};
}

} // namespace cli

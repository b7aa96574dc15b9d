#include "io/cache_folder.hpp"

#include "base/text.hpp"
#include "io/output_file.hpp"
#include "io/system/system.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

namespace etl::io {

namespace fs = std::filesystem;

namespace {

/// A new one is for its user alone; the rights of one that exists are the user's business.
std::error_code make_directory(const std::string& path) {
    std::error_code code;
    if (fs::create_directories(to_path(path), code) && !code) {
        fs::permissions(to_path(path), fs::perms::owner_all, code);
    }
    return code;
}

struct Cached {
    fs::path path;
    std::uint64_t size = 0;
    fs::file_time_type written{};
};

std::vector<Cached> cached_in(const std::string& path, const fs::path& extension) {
    std::vector<Cached> all;
    std::error_code code;
    for (fs::directory_iterator entry(to_path(path), code), end; !code && entry != end;
         entry.increment(code)) {
        std::error_code no_size, no_time;
        const Cached one{entry->path(), entry->file_size(no_size), entry->last_write_time(no_time)};
        if (!no_size && !no_time && one.path.extension() == extension) {
            all.push_back(one);
        }
    }
    return all;
}

void make_room(const std::string& path, const fs::path& extension, std::uint64_t most) {
    std::vector<Cached> all = cached_in(path, extension);
    std::ranges::sort(all, {}, &Cached::written);
    std::uint64_t total = 0;
    std::ranges::for_each(all, [&](const Cached& one) { total += one.size; });
    for (const Cached& one : all) {
        if (total <= most) {
            break;
        }
        std::error_code gone;
        fs::remove(one.path, gone);
        total -= one.size;
    }
}

} // namespace

Result<void> put_into_cache(const std::string& directory, const std::string& name, Bytes content,
                            std::uint64_t most) {
    if (content.size() > most / 4) {
        return fail(ErrorCode::limit, "size of the file", {}, most / 4, content.size());
    }
    if (const std::error_code code = make_directory(directory)) {
        Error error{ErrorCode::io_failure, "create the directory of the cache"};
        error.os_code = code.value();
        return std::unexpected(error);
    }
    auto file = AtomicFile::create(directory + "/" + name);
    if (!file) {
        return std::unexpected(file.error());
    }
    if (auto written = (*file)->write(as_text(content)); !written) {
        return written;
    }
    if (auto done = (*file)->commit(); !done) {
        return done;
    }
    make_room(directory, to_path(name).extension(), most);
    return {};
}

} // namespace etl::io

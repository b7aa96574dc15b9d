#include "gather/index_cache.hpp"

#include "base/hashes.hpp"
#include "io/cache_folder.hpp"
#include "io/find_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace etl::gather {

namespace {

/// Empty: unknown.
std::string directory() {
    const std::string caches = io::user_cache_directory();
    return caches.empty() ? caches : caches + "/etl/index";
}

std::string name_of(const std::string& trace, const trace::IndexKey& key) {
    std::array<std::uint8_t, 16> half{};
    std::copy_n(key.begin(), half.size(), half.begin());
    const std::string path = io::real_path(trace);
    return fmt::format("{:016x}.index", SipHash(half)(std::as_bytes(std::span(path))));
}

} // namespace

std::string cached_index_path(const std::string& trace, const trace::IndexKey& key) {
    const std::string in = directory();
    return in.empty() ? in : in + "/" + name_of(trace, key);
}

Result<void> cache_index(const std::string& trace, const trace::IndexKey& key, Bytes index,
                         std::uint64_t most) {
    const std::string in = directory();
    return in.empty() ? fail(ErrorCode::not_found, "HOME and XDG_CACHE_HOME are not set")
                      : io::put_into_cache(in, name_of(trace, key), index, most);
}

} // namespace etl::gather

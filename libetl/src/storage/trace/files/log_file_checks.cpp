#include "trace/files/log_file_checks.hpp"

#include "base/limits.hpp"
#include "trace/limits.hpp"

namespace etl::trace {

namespace {

std::unexpected<Error> contradiction(const char* what, std::uint64_t need = 0,
                                     std::uint64_t have = 0) {
    return fail(ErrorCode::invalid_option, what, {}, need, have);
}

Result<void> check_sizes(const LogFileOptions& options) {
    const std::uint32_t size = options.buffer_size;
    if (size < limits::min_buffer || size > limits::buffer_bytes ||
        size % limits::buffer_granule != 0) {
        return contradiction("buffer size: must be a multiple of 512 from 1 KB to 16 MB", 0, size);
    }
    const std::uint64_t limit = options.limit.bytes();
    if (limit == 0 && options.mode == FileMode::circular) {
        return contradiction("a circular file requires a size limit");
    }
    if (limit == 0 && options.mode == FileMode::new_file) {
        return contradiction("a series of files requires a size limit");
    }
    if (limit == 0 && options.preallocate) {
        return contradiction("preallocation requires a size limit");
    }
    if (limit != 0 && limit < 2 * std::uint64_t{size} && options.mode != FileMode::circular) {
        return contradiction("the size limit is smaller than two buffers", 2 * std::uint64_t{size},
                             limit);
    }
    return {};
}

} // namespace

Result<void> check_log_file(const std::string& path, const LogFileOptions& options) {
    const bool compresses = options.compression != codec::Format::none;
    const bool packs = options.container != io::Container::none;
    if (options.mode == FileMode::circular && (compresses || packs)) {
        return contradiction("a circular file cannot be compressed");
    }
    if (options.mode == FileMode::append && (compresses || packs)) {
        return contradiction("a compressed file cannot be appended to");
    }
    if (compresses && packs) {
        return contradiction("buffer compression and a container exclude each other");
    }
    if (options.preallocate && packs) {
        return contradiction("a container cannot be preallocated");
    }
    if (options.mode == FileMode::new_file && find_series_number(path) == std::string_view::npos) {
        return contradiction("the file name of a series requires one `%d` and no other `%`");
    }
    return check_sizes(options);
}

} // namespace etl::trace

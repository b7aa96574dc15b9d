#include "columnfiles/zstd.hpp"

#include <zstd.h>

#include <new>

namespace etl::columnfiles {

namespace {

/// Encoded columns are small already: higher levels cost more than they save.
constexpr int level = 1;

} // namespace

Zstd::Zstd() : context_(ZSTD_createCCtx()) {
    if (context_ == nullptr) {
        throw std::bad_alloc();
    }
}

Zstd::~Zstd() {
    ZSTD_freeCCtx(context_);
}

std::size_t Zstd::append(std::string& to, std::string_view bytes) {
    const std::size_t before = to.size();
    std::size_t size = 0;
    to.resize_and_overwrite(before + ZSTD_compressBound(bytes.size()),
                            [&](char* all, std::size_t max) {
                                size = ZSTD_compressCCtx(context_, all + before, max - before,
                                                         bytes.data(), bytes.size(), level);
                                return ZSTD_isError(size) != 0U ? before : before + size;
                            });
    if (ZSTD_isError(size) != 0U) { // with enough space, only memory can be missing
        throw std::bad_alloc();
    }
    return size;
}

std::string_view Zstd::compress(std::string_view bytes) {
    frame_.clear();
    append(frame_, bytes);
    return frame_;
}

} // namespace etl::columnfiles

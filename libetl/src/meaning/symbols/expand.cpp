#include "symbols/expand.hpp"

#include <zstd.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <zlib.h>

namespace etl::symbols {

namespace {

constexpr std::size_t first_step = 64U << 10U;

// Returns the free part of `to` after it has grown; empty at `size`.
MutableBytes grown(std::vector<std::byte>& to, std::size_t used, std::size_t size) {
    if (used == to.size()) {
        to.resize(std::min(size, std::max(first_step, 2 * used)));
    }
    return std::span(to).subspan(used);
}

bool expand_zstd(Bytes packed, std::size_t size, std::vector<std::byte>& to) {
    const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                            ZSTD_freeDStream);
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    std::size_t used = 0;
    while (stream && used < size) {
        const MutableBytes free = grown(to, used, size);
        ZSTD_outBuffer out{free.data(), free.size(), 0};
        const std::size_t left = ZSTD_decompressStream(stream.get(), &out, &in);
        used += out.pos;
        if (ZSTD_isError(left) != 0 || (out.pos == 0 && in.pos == in.size)) {
            return false;
        }
    }
    return used == size;
}

bool expand_deflate(Bytes packed, std::size_t size, std::vector<std::byte>& to) {
    constexpr int raw = -15;
    constexpr std::size_t max = std::numeric_limits<uInt>::max();
    z_stream stream{};
    if (packed.size() > max || inflateInit2(&stream, raw) != Z_OK) {
        return false;
    }
    const std::unique_ptr<z_stream, decltype(&inflateEnd)> end(&stream, inflateEnd);
    // zlib does not write to its input; its interface is older than const.
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast,cppcoreguidelines-pro-type-const-cast)
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    std::size_t used = 0;
    while (used < size) {
        const MutableBytes free = grown(to, used, size);
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
        stream.next_out = reinterpret_cast<Bytef*>(free.data());
        stream.avail_out = static_cast<uInt>(std::min(free.size(), max));
        const uInt before = stream.avail_out;
        const int code = inflate(&stream, Z_NO_FLUSH);
        const uInt written = before - stream.avail_out;
        used += written;
        if ((code != Z_OK && code != Z_STREAM_END) || (written == 0 && used < size)) {
            return false;
        }
    }
    return true;
}

} // namespace

bool expand(Compression compression, Bytes packed, std::size_t size, std::vector<std::byte>& to) {
    to.clear();
    switch (compression) {
    case Compression::none:
        to.assign(packed.begin(), packed.end());
        return to.size() == size;
    case Compression::zstd:
        return expand_zstd(packed, size, to);
    case Compression::deflate:
        return expand_deflate(packed, size, to);
    }
    return false;
}

} // namespace etl::symbols

// Bytes compressed by the libraries themselves, for readers of MSFZ and embedded portable PDBs.
#pragma once

#include "tests/support/stream_files.hpp"

#include <zstd.h>

#include <stdexcept>
#include <zlib.h>

namespace etl::test {

inline Image zstd_of(Bytes bytes) {
    Image out(ZSTD_compressBound(bytes.size()));
    out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
    return out;
}

/// By zlib's number for the format around it.
inline Image zlib_of(Bytes bytes, int format) {
    z_stream stream{};
    if (deflateInit2(&stream, 9, Z_DEFLATED, format, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::logic_error("deflate");
    }
    Image in(bytes.begin(), bytes.end());
    Image out(deflateBound(&stream, static_cast<uLong>(bytes.size())));
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

/// Raw deflate.
inline Image deflate_of(Bytes bytes) {
    return zlib_of(bytes, -15);
}

inline Image gzip_of(Bytes bytes) {
    return zlib_of(bytes, 16 + 15);
}

} // namespace etl::test

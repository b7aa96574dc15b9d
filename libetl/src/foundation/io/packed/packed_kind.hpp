// Which packed format some bytes are, by their magic. Private to io.
#pragma once

#include <etl/bytes.hpp>

#include <cstdint>
#include <string_view>

namespace etl::io {

enum class PackedKind : std::uint8_t {
    none,
    gzip,
    bzip2,
    xz,
    lzma,
    zstd,
    lz4,
    tar,
    zip,
    seven_zip,
    cab,
};

PackedKind packed_kind(Bytes head) noexcept;

/// A compressed stream without a directory; false for archives.
bool is_stream(PackedKind kind) noexcept;

/// The name of what a compressed stream holds: `x.etl` of `x.etl.gz` and of `x.etlgz`; else the
/// name as it is.
std::string_view name_inside(std::string_view name) noexcept;

} // namespace etl::io

// Compression formats of .etl files. Pure functions; thread-safe. docs/format/compression.md
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include <vector>

namespace etl::codec {

/// COMPRESSION_FORMAT_* of Windows, as stored in the header buffer of a relogged trace.
enum class Format : std::uint16_t {
    none = 0,
    lznt1 = 2,
    xpress = 3,
    xpress_huffman = 4,
};

/// Trade-off between time and size; for XPRESS, relative to Windows' relogger. Measurements:
/// docs/format/compression.md#encoder
enum class Level : std::uint8_t {
    fast,   // sizes like those of Windows
    normal, // 5% smaller, slightly slower
    small,  // 17% smaller, several times slower
};

/// The result of a decompression. If the input is damaged, the decoded prefix is valid.
struct Outcome {
    std::size_t written = 0;  // valid bytes of output
    std::size_t consumed = 0; // bytes of input used
    ErrorCode code = ErrorCode::none;
    const char* what = ""; // static text if code is not none

    constexpr bool is_complete() const noexcept { return code == ErrorCode::none; }
};

/// Decompresses `in` until `out` is full. Input may remain, because the formats have no reliable
/// end mark. The last match is truncated to the size of `out`. `in` and `out` must not overlap.
/// Format::none copies. Codes: truncated (input ended before `out` was full), malformed,
/// unsupported (unknown format).
Outcome decompress(Format format, Bytes in, MutableBytes out) noexcept;

/// Appends the compressed form of `in` to `out`; `in` must not be inside `out`. Allocates; for many
/// buffers use codec::Compressor. Errors: unsupported.
Result<void> compress(Format format, Bytes in, std::vector<std::byte>& out,
                      Level level = Level::normal);

} // namespace etl::codec

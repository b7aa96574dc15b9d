// Compression as .etl files use it: bytes to bytes, pure. docs/format/compression.md
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/base/result.hpp>

#include <vector>

namespace etl::codec {

/// COMPRESSION_FORMAT_* of Windows, as the header buffer of a relogged trace names it.
enum class Format : std::uint16_t {
    none = 0,
    lznt1 = 2,
    xpress = 3,
    xpress_huffman = 4,
};

/// How much time to spend on size; for XPRESS against Windows' own relogger. Measured:
/// docs/format/compression.md#encoder
enum class Level : std::uint8_t {
    fast,   // sizes like those of Windows
    normal, // a twentieth smaller, and not much slower
    small,  // a sixth smaller, in several times the time
};

/// What a decompression achieved. Damage is an expected case: the prefix that was decoded is kept.
struct Outcome {
    std::size_t written = 0;  // bytes of output that are valid
    std::size_t consumed = 0; // bytes of input that were used for them
    ErrorCode code = ErrorCode::none;
    const char* what = ""; // static text, when code is not none

    constexpr bool is_complete() const noexcept { return code == ErrorCode::none; }
};

/// Decompresses `in` until `out` is full. Input may be left over: the formats have no end mark that
/// a reader may rely on. The last match is cut to what `out` can hold. `in` and `out` do not
/// overlap. Format none copies. Codes: truncated (input ended before `out` was full), malformed,
/// unsupported (unknown format).
Outcome decompress(Format format, Bytes in, MutableBytes out) noexcept;

/// Appends the compressed form of `in` to `out`; `in` does not lie in `out`. Allocates: for many
/// buffers there is codec::Compressor. Codes: unsupported.
Result<void> compress(Format format, Bytes in, std::vector<std::byte>& out,
                      Level level = Level::normal);

} // namespace etl::codec

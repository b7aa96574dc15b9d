// Compression formats of .etl files. Pure functions; thread-safe. docs/format/compression.md
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include <memory>
#include <optional>
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

class Encoder;

/// Returns the maximum compressed size of `size` bytes at any level, which random data approaches;
/// 0 for an unknown format.
constexpr std::size_t max_compressed_size(Format format, std::size_t size) noexcept {
    constexpr auto pieces = [](std::size_t bytes, std::size_t piece) {
        return bytes / piece + (bytes % piece != 0 ? 1 : 0);
    };
    switch (format) {
    case Format::none:
        return size;
    case Format::lznt1: // an incompressible chunk is stored after its header
        return size + 2 * pieces(size, 4096);
    case Format::xpress: // no item is longer than its input; one word per 32 items
        return size + 4 * (size / 32 + 1);
    case Format::xpress_huffman: // nine bits per byte; the code table, and two words of bits
        return size + size / 8 + 264 * (size == 0 ? 1 : pieces(size, 65536));
    }
    return 0;
}

/// Compresses many buffers using the same tables. Not thread-safe.
/// docs/format/compression.md#encoder
///
/// Owns the working memory of an encoder: 16 to 600 KB, depending on format and level, independent
/// of the input.
class Compressor {
public:
    /// Allocates all working memory. Errors: unsupported (unknown format).
    static Result<Compressor> create(Format format, Level level = Level::normal);

    Compressor(const Compressor&) = delete;
    Compressor& operator=(const Compressor&) = delete;
    Compressor(Compressor&& other) noexcept;
    Compressor& operator=(Compressor&& other) noexcept;
    ~Compressor();

    /// Writes the compressed form of `in` to the front of `out` and returns its size. Returns
    /// nothing if it is larger than `out`, whose content is then undefined. To store incompressible
    /// data uncompressed, pass an `out` smaller than `in`; max_compressed_size bytes are always
    /// sufficient. The output depends only on `in`, format, and level. `in` and `out` must not
    /// overlap. Does not allocate.
    std::optional<std::size_t> compress(Bytes in, MutableBytes out) noexcept;

private:
    explicit Compressor(std::unique_ptr<Encoder> encoder) noexcept;

    std::unique_ptr<Encoder> encoder_;
};

} // namespace etl::codec

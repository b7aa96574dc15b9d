// Compresses buffer after buffer with the same tables. docs/format/compression.md#encoder
// Belongs to one thread.
#pragma once

#include <etl/codec/codec.hpp>

#include <memory>
#include <optional>

namespace etl::codec {

class Encoder;

/// The most bytes that a compressed form of `size` bytes can have, at any level; what `size` bytes
/// of random noise come close to. 0 for a format that is not known.
constexpr std::size_t max_compressed_size(Format format, std::size_t size) noexcept {
    constexpr auto pieces = [](std::size_t bytes, std::size_t piece) {
        return bytes / piece + (bytes % piece != 0 ? 1 : 0);
    };
    switch (format) {
    case Format::none:
        return size;
    case Format::lznt1: // a chunk that does not shrink is stored behind its head
        return size + 2 * pieces(size, 4096);
    case Format::xpress: // no item is longer than what it stands for; a word for each 32
        return size + 4 * (size / 32 + 1);
    case Format::xpress_huffman: // nine bits for a byte; the table of codes, and two words of bits
        return size + size / 8 + 264 * (size == 0 ? 1 : pieces(size, 65536));
    }
    return 0;
}

/// Owns what an encoder needs besides its input and output: 16 to 600 KB, by format and level, and
/// independent of what it compresses.
class Compressor {
public:
    /// Allocates all that will ever be needed. Errors: unsupported (unknown format).
    static Result<Compressor> create(Format format, Level level = Level::normal);

    Compressor(const Compressor&) = delete;
    Compressor& operator=(const Compressor&) = delete;
    Compressor(Compressor&& other) noexcept;
    Compressor& operator=(Compressor&& other) noexcept;
    ~Compressor();

    /// Writes the compressed form of `in` to the front of `out` and returns its size. Nothing when
    /// it has more bytes than `out`; then what `out` holds is of no use. So who stores as it is
    /// what does not shrink passes an `out` that is smaller than `in`; in max_compressed_size bytes
    /// everything fits. What is written depends on `in`, format and level alone. `in` and `out` do
    /// not overlap. Allocates nothing.
    std::optional<std::size_t> compress(Bytes in, MutableBytes out) noexcept;

private:
    explicit Compressor(std::unique_ptr<Encoder> encoder) noexcept;

    std::unique_ptr<Encoder> encoder_;
};

} // namespace etl::codec

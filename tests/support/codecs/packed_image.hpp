// Traces packed into containers, a frame for each piece. For those who link etl_io.
#pragma once

#include "io/container.hpp"
#include "tests/support/codecs/frame_sizes.hpp"
#include "tests/support/damage.hpp"

#include <span>
#include <vector>

namespace etl::test {

enum class SeekTable : std::uint8_t { none, right };

/// A container, and where its frames lie.
struct PackedImage {
    Image file;
    std::vector<io::Frame> frames; // views of nothing
};

/// Each piece of `plain` becomes a frame that stores the header of a buffer; the first stores all.
inline PackedImage pack(const Image& plain, std::span<const Place> pieces, io::Container kind,
                        SeekTable table = SeekTable::right) {
    auto encoder = io::FrameEncoder::create(kind);
    PackedImage packed;
    for (const Place& piece : pieces) {
        const std::size_t stored = piece.offset == 0 ? piece.size : format::buffer_header::size;
        const std::size_t where = packed.file.size();
        const Bytes content = Bytes(plain).subspan(piece.offset, piece.size);
        if (!encoder || !encoder->encode(content, stored, packed.file)) {
            throw std::logic_error("frame cannot be encoded");
        }
        packed.frames.push_back(
            {.where = {where},
             .packed_size = static_cast<std::uint32_t>(packed.file.size() - where),
             .content_size = static_cast<std::uint32_t>(piece.size),
             .stored = {}});
    }
    if (table == SeekTable::right) {
        io::encode_seek_table(kind, sizes_of(packed.frames), packed.file);
    }
    return packed;
}

/// A frame for each buffer.
inline PackedImage pack(const Image& plain, io::Container kind,
                        SeekTable table = SeekTable::right) {
    return pack(plain, buffers_of(plain), kind, table);
}

} // namespace etl::test

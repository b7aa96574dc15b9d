// The formats by name, each with its decoder and its encoder. docs/format/compression.md
#pragma once

#include "codec/codec.hpp"

#include <memory>
#include <optional>

namespace etl::codec {

/// What the encoders have in common. Each owns its tables: one per thread.
class Encoder {
public:
    Encoder() = default;
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;
    virtual ~Encoder() = default;

    /// See Compressor::compress. What was encoded before leaves no trace.
    virtual std::optional<std::size_t> encode(Bytes in, MutableBytes out) noexcept = 0;
};

namespace lznt1 {
std::unique_ptr<Encoder> make_encoder(Level level);
}

namespace xpress {
std::unique_ptr<Encoder> make_encoder(Level level);
}

namespace xpress_huffman {
std::unique_ptr<Encoder> make_encoder(Level level);
}

/// Appends what `encoder` makes of `in`; what it writes always fits into `max` bytes.
void append(Encoder& encoder, Bytes in, std::size_t max, std::vector<std::byte>& out);

} // namespace etl::codec

namespace etl::codec::lznt1 {

// LZNT1: used in payloads injected by a merge, and possible as the format of a trace.
// docs/format/compression.md#lznt1

/// Decompresses until `out` is full; see codec::decompress.
Outcome decompress(Bytes in, MutableBytes out) noexcept;

/// Appends the compressed form of `in` to `out`.
void compress(Bytes in, std::vector<std::byte>& out, Level level = Level::normal);

} // namespace etl::codec::lznt1

namespace etl::codec::xpress {

// MS-XCA plain LZ77 (COMPRESSION_FORMAT_XPRESS): the format of every compressed trace seen so far.
// docs/format/compression.md#xpress

/// Decompresses until `out` is full; see codec::decompress.
Outcome decompress(Bytes in, MutableBytes out) noexcept;

/// Appends the compressed form of `in` to `out`.
void compress(Bytes in, std::vector<std::byte>& out, Level level = Level::normal);

} // namespace etl::codec::xpress

namespace etl::codec::xpress_huffman {

// MS-XCA LZ77 with Huffman codes (COMPRESSION_FORMAT_XPRESS_HUFF).
// docs/format/compression.md#xpress-huffman

/// Decompresses until `out` is full; see codec::decompress.
Outcome decompress(Bytes in, MutableBytes out) noexcept;

/// Appends the compressed form of `in` to `out`.
void compress(Bytes in, std::vector<std::byte>& out, Level level = Level::normal);

} // namespace etl::codec::xpress_huffman

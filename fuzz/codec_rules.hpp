// What holds for every codec. The input is the size of the output wanted (three bytes, up to 256
// KB) and a stream.
#pragma once

#include "base/layout.hpp"
#include "codec/codec.hpp"
#include "fuzz/require.hpp"
#include "tests/support/codecs/plain_codec.hpp"

#include <algorithm>

namespace etl::fuzz {

/// Compressing loses nothing, needs no more than the stated size, and does not depend on what the
/// same tables compressed before.
inline void require_round_trip(codec::Format format, codec::Level level,
                               test::PlainOutcome (*plain)(Bytes, std::size_t), Bytes bytes) {
    auto compressor = codec::Compressor::create(format, level);
    require(compressor.has_value());
    std::vector<std::byte> packed(codec::max_compressed_size(format, bytes.size()));
    const auto size = compressor->compress(bytes, packed);
    require(size.has_value());
    packed.resize(*size);
    std::vector<std::byte> back(bytes.size());
    require(codec::decompress(format, packed, back).is_complete() &&
            std::ranges::equal(back, bytes));
    require(std::ranges::equal(plain(packed, bytes.size()).bytes, bytes));

    std::vector<std::byte> exact(*size);
    require(compressor->compress(bytes, exact) == *size && exact == packed);
    if (*size != 0) {
        std::vector<std::byte> small(*size - 1);
        require(!compressor->compress(bytes, small).has_value());
    }
}

/// Decompressing the stream gives what the slow, obvious decoder gives, byte by byte and code by
/// code; and any bytes, here those of the stream, survive compression at every level.
inline void require_codec(codec::Format format, test::PlainOutcome (*plain)(Bytes, std::size_t),
                          Bytes bytes) {
    if (bytes.size() < 3) {
        return;
    }
    const std::size_t want =
        (load_le<std::uint16_t>(bytes.data()) |
         static_cast<std::size_t>(load_le<std::uint8_t>(bytes.data() + 2)) << 16U) &
        0x3FFFFU;
    // A copy of its own, so that a sanitizer sees the end of the stream.
    const std::vector<std::byte> stream(bytes.begin() + 3, bytes.end());
    std::vector<std::byte> out(want);
    const codec::Outcome outcome = codec::decompress(format, stream, out);
    const test::PlainOutcome expected = plain(stream, want);
    require(outcome.code == expected.code && outcome.written == expected.bytes.size());
    require(std::ranges::equal(expected.bytes, Bytes(out).first(outcome.written)));
    require(outcome.consumed <= stream.size());
    require(!outcome.is_complete() ||
            (outcome.written == want && outcome.consumed == expected.consumed));

    for (const codec::Level level :
         {codec::Level::fast, codec::Level::normal, codec::Level::small}) {
        require_round_trip(format, level, plain, stream);
    }
}

} // namespace etl::fuzz

// What holds for every codec. The input is the size of the output wanted (three bytes, up to 256
// KB) and a stream.
#pragma once

#include <etl/base/layout.hpp>
#include <etl/codec/codec.hpp>

#include "fuzz/require.hpp"
#include "tests/support/plain_codec.hpp"

#include <algorithm>

namespace etl::fuzz {

/// Decompressing the stream gives what the slow, obvious decoder gives, byte by byte and code by
/// code; and compressing any bytes, here those of the stream, loses nothing.
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
    require(!outcome.complete() ||
            (outcome.written == want && outcome.consumed == expected.consumed));

    std::vector<std::byte> packed;
    require(codec::compress(format, stream, packed).has_value());
    std::vector<std::byte> back(stream.size());
    require(codec::decompress(format, packed, back).complete() && back == stream);
}

} // namespace etl::fuzz

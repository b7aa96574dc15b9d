#include "codec/formats.hpp"
#include "tests/support/codecs/plain_lznt1.hpp"
#include "tests/unit/foundation/codec/against_plain.hpp"

namespace etl::codec::lznt1::lznt1_test {

namespace {

using namespace etl::test;

std::vector<std::byte> packed(Bytes bytes) {
    std::vector<std::byte> out;
    compress(bytes, out);
    return out;
}

ErrorCode code_of(std::string_view stream, std::size_t want) {
    const std::vector<std::byte> in = from_hex(stream);
    EXPECT_EQ(plain_lznt1(in, want).code, decode(decompress, in, want).outcome.code);
    return decode(decompress, in, want).outcome.code;
}

// The example of [MS-XCA] 3.3.
constexpr std::string_view melody_stream = "38b08846232000204720410010a24701a045204400084501507900c"
                                           "045200524138805b4024a44ef0358028c091601484500be"
                                           "009e0004011890 00";
constexpr std::string_view melody = "F# F# G A A G F# E D D E F# F# E E F# F# G A A G F# E D D E "
                                    "F# E D D E E F# D E F# G F# D E F# G F# E "
                                    "D E A F# F# G A A G F# E D D E F# E D D";

TEST(Lznt1, DecodesThePublishedExample) {
    const auto in = from_hex(melody_stream);
    ASSERT_EQ(in.size(), 59U);
    auto expected = bytes_of(melody);
    expected.push_back(std::byte{0});
    ASSERT_EQ(expected.size(), 142U);
    const Decoded decoded = decode(decompress, in, 142);
    EXPECT_TRUE(decoded.outcome.is_complete()) << decoded.outcome.what;
    EXPECT_EQ(decoded.outcome.consumed, 59U);
    EXPECT_EQ(decoded.bytes, expected);
}

TEST(Lznt1, EncodesTheExampleNoLongerThanPublished) {
    auto bytes = bytes_of(melody);
    bytes.push_back(std::byte{0});
    EXPECT_LE(packed(bytes).size(), 59U);
    expect_round_trip(compress, decompress, plain_lznt1, bytes);
}

TEST(Lznt1, StoresWhatDoesNotShrink) {
    const auto bytes = random_bytes(5000, 1);
    const auto stream = packed(bytes);
    ASSERT_EQ(stream.size(), 5000U + 2 * 2);
    EXPECT_EQ(stream[1], std::byte{0x3F}); // 4096 bytes as they are
    EXPECT_EQ(stream[0], std::byte{0xFF});
    expect_round_trip(compress, decompress, plain_lznt1, bytes);
}

TEST(Lznt1, MixesStoredAndCompressedChunks) {
    auto bytes = random_bytes(4096, 2);
    bytes.resize(8192, std::byte{7});
    const auto more = random_bytes(100, 3);
    bytes.insert(bytes.end(), more.begin(), more.end());
    expect_round_trip(compress, decompress, plain_lznt1, bytes);
    // Stored, a run (head, tags, literal, match), stored.
    EXPECT_EQ(packed(bytes).size(), 2U + 4096U + 2U + 4U + 2U + 100U);
}

TEST(Lznt1, RoundTripsEverySmallSize) {
    for (std::size_t size = 0; size <= 300; ++size) {
        SCOPED_TRACE(size);
        const auto seed = static_cast<std::uint32_t>(size);
        expect_round_trip(compress, decompress, plain_lznt1, random_bytes(size, seed));
        expect_round_trip(compress, decompress, plain_lznt1, structured_bytes(size, seed));
        expect_round_trip(compress, decompress, plain_lznt1, std::vector<std::byte>(size));
    }
}

TEST(Lznt1, RoundTripsAroundTheEndOfAChunk) {
    for (std::size_t size = 4096 - 20; size <= 4096 + 20; ++size) {
        SCOPED_TRACE(size);
        expect_round_trip(compress, decompress, plain_lznt1, std::vector<std::byte>(size));
        expect_round_trip(compress, decompress, plain_lznt1, event_like_bytes(size, 4));
    }
}

TEST(Lznt1, RoundTripsLargeBuffers) {
    for (const std::size_t size : {65'464U, 1'000'000U}) {
        SCOPED_TRACE(size);
        expect_round_trip(compress, decompress, plain_lznt1, event_like_bytes(size, 5));
        expect_round_trip(compress, decompress, plain_lznt1, structured_bytes(size, 6));
        expect_round_trip(compress, decompress, plain_lznt1, random_bytes(size, 7));
        expect_round_trip(compress, decompress, plain_lznt1, std::vector<std::byte>(size));
    }
}

TEST(Lznt1, ExplainsEveryCut) {
    expect_prefix_at_every_cut(compress, decompress, plain_lznt1, event_like_bytes(9000, 8));
    auto stored_first = random_bytes(4096, 9);
    stored_first.resize(6000);
    expect_prefix_at_every_cut(compress, decompress, plain_lznt1, stored_first);
}

TEST(Lznt1, EndsAtAZeroHead) {
    EXPECT_EQ(code_of("0030 61 0000", 1), ErrorCode::none);
    EXPECT_EQ(code_of("0030 61 0000", 2), ErrorCode::truncated);
}

TEST(Lznt1, RejectsAMatchBeforeItsChunk) {
    // The first chunk stores "ab"; the match of the second may not reach it.
    EXPECT_EQ(code_of("0130 6162 02b0 01 0000", 5), ErrorCode::malformed);
}

TEST(Lznt1, RejectsAChunkThatEndsWithinAMatch) {
    EXPECT_EQ(code_of("02b0 02 61 00", 4), ErrorCode::malformed);
}

TEST(Lznt1, RejectsAChunkOfMoreThan4096Bytes) {
    // a, then a match of 1/4098, then b.
    EXPECT_EQ(code_of("04b0 02 61 ff0f 62", 4096), ErrorCode::none);
    EXPECT_EQ(code_of("04b0 02 61 ff0f 62", 4097), ErrorCode::malformed);
}

TEST(Lznt1, AcceptsTagsWithoutItemsAtTheEndOfAChunk) {
    // Eight literals, a group of nothing; the next chunk stores one byte.
    EXPECT_EQ(code_of("09b0 00 6162636465666768 00 0030 63", 9), ErrorCode::none);
    // The same when the chunk is full.
    EXPECT_EQ(code_of("0ab0 80 61616161616161 f60f 00 0030 63", 4097), ErrorCode::none);
}

TEST(Lznt1, CallsACutChunkMalformedWhenItIsTooLongAlready) {
    EXPECT_EQ(code_of("09b0 02 61 ff0f 62", 5000), ErrorCode::malformed);
    EXPECT_EQ(code_of("09b0 02 61 ff0f", 5000), ErrorCode::truncated);
}

TEST(Lznt1, StopsWhenTheOutputIsFull) {
    const auto bytes = event_like_bytes(10'000, 10);
    const auto stream = packed(bytes);
    for (const std::size_t want : {0U, 1U, 100U, 4095U, 4096U, 4097U, 9999U}) {
        const Decoded decoded = decode(decompress, stream, want);
        EXPECT_TRUE(decoded.outcome.is_complete());
        EXPECT_TRUE(std::ranges::equal(decoded.bytes, Bytes(bytes).first(want))) << want;
    }
}

TEST(Lznt1, DecodesNoiseAsTheObviousDecoderDoes) {
    for (std::uint32_t seed = 0; seed < 3000; ++seed) {
        SCOPED_TRACE(seed);
        auto in = random_bytes(seed % 300 + 2, seed);
        in[1] = static_cast<std::byte>(seed % 2 == 0 ? 0xB0 : 0x30);
        expect_as_plain(decompress, plain_lznt1, in, seed * 7 % 9000);
        ASSERT_FALSE(HasFatalFailure());
    }
}

TEST(Lznt1, DecodesDamageAsTheObviousDecoderDoes) {
    expect_as_plain_when_damaged(compress, decompress, plain_lznt1, structured_bytes(600, 11), 12,
                                 3000);
    expect_as_plain_when_damaged(compress, decompress, plain_lznt1, event_like_bytes(20'000, 13),
                                 14, 500);
}

} // namespace

} // namespace etl::codec::lznt1::lznt1_test

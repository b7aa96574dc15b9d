#include "codec/formats.hpp"
#include "tests/support/codecs/plain_xpress_huffman.hpp"
#include "tests/unit/foundation/codec/against_plain.hpp"

namespace etl::codec::xpress_huffman::xpress_huffman_test {

namespace {

using namespace etl::test;

std::vector<std::byte> packed(Bytes bytes) {
    std::vector<std::byte> out;
    compress(bytes, out);
    return out;
}

struct Code {
    std::size_t symbol;
    unsigned bits;
};

/// A block: the lengths of its codes, then what follows them.
std::vector<std::byte> block(std::initializer_list<Code> codes, std::string_view rest) {
    std::vector<std::byte> bytes(256);
    for (const Code& code : codes) {
        bytes[code.symbol / 2] |= static_cast<std::byte>(code.bits << (code.symbol % 2 * 4));
    }
    const auto tail = from_hex(rest);
    bytes.insert(bytes.end(), tail.begin(), tail.end());
    return bytes;
}

std::vector<std::byte> repeated(std::string_view text, std::size_t size) {
    std::vector<std::byte> bytes;
    while (bytes.size() < size) {
        bytes.push_back(static_cast<std::byte>(text[bytes.size() % text.size()]));
    }
    return bytes;
}

void expect_decodes(const std::vector<std::byte>& in, const std::vector<std::byte>& bytes) {
    const Decoded decoded = decode(decompress, in, bytes.size());
    EXPECT_EQ(decoded.outcome.code, ErrorCode::none) << decoded.outcome.what;
    EXPECT_EQ(decoded.bytes, bytes);
    EXPECT_TRUE(decoded.kept_to_output);
    EXPECT_TRUE(std::ranges::equal(plain_xpress_huffman(in, bytes.size()).bytes, bytes));
}

ErrorCode code_of(const std::vector<std::byte>& in, std::size_t want) {
    EXPECT_EQ(plain_xpress_huffman(in, want).code, decode(decompress, in, want).outcome.code);
    return decode(decompress, in, want).outcome.code;
}

/// The two examples of [MS-XCA] 3.2: the alphabet, and "abc" a hundred times.
std::vector<std::byte> alphabet_stream() {
    auto bytes = block({}, "d8523ed794115be9195ff9d67cdf8d0400000000");
    for (std::size_t symbol = 'a'; symbol <= 'z'; ++symbol) {
        bytes[symbol / 2] |= static_cast<std::byte>((symbol < 'w' ? 5U : 4U) << (symbol % 2 * 4));
    }
    bytes[128] = std::byte{4};
    return bytes;
}

std::vector<std::byte> abc_stream(std::string_view length_bytes) {
    auto bytes = block({{'a', 3}, {'b', 3}, {'c', 2}, {256, 2}, {256 + 31, 2}}, "a8dc0000");
    const auto tail = from_hex(length_bytes);
    bytes.insert(bytes.end(), tail.begin(), tail.end());
    return bytes;
}

TEST(XpressHuffman, DecodesThePublishedLiterals) {
    expect_decodes(alphabet_stream(), bytes_of("abcdefghijklmnopqrstuvwxyz"));
}

TEST(XpressHuffman, DecodesThePublishedMatch) {
    expect_decodes(abc_stream("ff 2601"), repeated("abc", 300));
}

TEST(XpressHuffman, EncodesTheExamplesAsPublished) {
    EXPECT_EQ(packed(bytes_of("abcdefghijklmnopqrstuvwxyz")), alphabet_stream());
    EXPECT_EQ(packed(repeated("abc", 300)), abc_stream("ff 2601"));
}

TEST(XpressHuffman, DecodesALengthOf32Bits) {
    // As Windows writes half a gigabyte of "abc": one block, one match.
    expect_decodes(abc_stream("ff 0000 00001000"), repeated("abc", 3 + 0x100000 + 3));
}

TEST(XpressHuffman, DecodesAMatchThatRunsOverTheEndOfABlock) {
    // As Windows writes 65,537 zeros: a literal and a match of 65,536.
    expect_decodes(block({{0, 2}, {256, 2}, {256 + 15, 1}}, "0098 0000 ff fdff"),
                   std::vector<std::byte>(65'537));
}

TEST(XpressHuffman, BeginsTheNextBlockWhereTheMatchEnded) {
    // The first block has 1 + 70,000 zeros, the second one "a".
    auto in = block({{0, 2}, {256, 2}, {256 + 15, 1}}, "0080 0000 ff 0000 6d110100");
    const auto second = block({{'a', 1}, {256, 1}}, "0040 0000");
    in.insert(in.end(), second.begin(), second.end());
    std::vector<std::byte> bytes(70'001);
    bytes.push_back(std::byte{'a'});
    expect_decodes(in, bytes);
}

TEST(XpressHuffman, DecodesABlockWithOneCode) {
    expect_decodes(block({{'x', 1}}, "0000 0000"), repeated("x", 32));
    EXPECT_EQ(code_of(block({{'x', 1}}, "ffff ffff"), 32), ErrorCode::malformed);
}

TEST(XpressHuffman, RejectsABlockWithoutCodes) {
    EXPECT_EQ(code_of(block({}, "0000 0000"), 1), ErrorCode::malformed);
}

TEST(XpressHuffman, RejectsTooManyCodes) {
    EXPECT_EQ(code_of(block({{1, 1}, {2, 1}, {3, 1}}, "0000 0000"), 1), ErrorCode::malformed);
}

TEST(XpressHuffman, TakesTheEndMarkForAMatchWhileOutputIsWanted) {
    // x, then symbol 256 (three bytes, distance 1), then x.
    const auto in = block({{'x', 1}, {256, 1}}, "0040 0000");
    expect_decodes(in, repeated("x", 5));
}

TEST(XpressHuffman, RejectsAMatchBeforeTheBeginning) {
    EXPECT_EQ(code_of(block({{'x', 1}, {256, 1}}, "0080 0000"), 3), ErrorCode::malformed);
    EXPECT_EQ(code_of(block({{'x', 1}, {256 + 16, 1}}, "0040 0000"), 3), ErrorCode::malformed);
}

TEST(XpressHuffman, RejectsALengthTooSmallForItsForm) {
    const std::initializer_list<Code> codes{{'x', 1}, {256 + 15, 1}};
    EXPECT_EQ(code_of(block(codes, "0040 0000 ff 0e00"), 100), ErrorCode::malformed);
    EXPECT_EQ(code_of(block(codes, "0040 0000 ff 0000 0e000000"), 100), ErrorCode::malformed);
    expect_decodes(block(codes, "0040 0000 ff 0f00"), repeated("x", 19));
}

TEST(XpressHuffman, ClipsTheLastMatchToTheOutput) {
    expect_decodes(block({{'x', 1}, {256 + 15, 1}}, "0040 0000 ff 0000 ffffffff"),
                   repeated("x", 100));
}

TEST(XpressHuffman, DoesWithoutTheWordsThatAnEncoderLeftOut) {
    // Ten bits are enough for ten bytes; nothing is missing until an item needs it.
    const auto in = block({{'x', 1}, {'y', 1}}, "0000");
    expect_decodes(in, repeated("x", 16));
    const Decoded decoded = decode(decompress, in, 17);
    EXPECT_EQ(decoded.outcome.code, ErrorCode::truncated);
    EXPECT_EQ(decoded.outcome.written, 16U);
}

TEST(XpressHuffman, ExplainsEveryCut) {
    expect_prefix_at_every_cut(compress, decompress, plain_xpress_huffman,
                               event_like_bytes(900, 1));
    expect_prefix_at_every_cut(compress, decompress, plain_xpress_huffman,
                               structured_bytes(1500, 2));
}

TEST(XpressHuffman, ReadsLengthsInEveryForm) {
    for (const std::size_t length : {3U, 17U, 18U, 19U, 272U, 273U, 274U, 65'534U, 65'535U, 65'536U,
                                     65'538U, 65'539U, 200'000U}) {
        SCOPED_TRACE(length);
        std::vector<std::byte> bytes(1 + length, std::byte{'Q'});
        bytes.push_back(std::byte{'!'});
        expect_round_trip(compress, decompress, plain_xpress_huffman, bytes);
    }
}

TEST(XpressHuffman, ReachesBackIntoEarlierBlocks) {
    // Noise of 65,000 bytes, twice: only a distance close to the farthest makes the second copy
    // small.
    auto bytes = random_bytes(65'000, 3);
    const auto again = bytes;
    bytes.insert(bytes.end(), again.begin(), again.end());
    EXPECT_LT(packed(bytes).size(), 67'000U);
    expect_round_trip(compress, decompress, plain_xpress_huffman, bytes);
}

TEST(XpressHuffman, DoesNotReachFartherThanADistanceCanSay) {
    for (const std::size_t distance : {32'767U, 32'768U, 65'534U, 65'535U, 65'536U, 65'537U}) {
        SCOPED_TRACE(distance);
        auto bytes = random_bytes(distance, 4);
        for (int i = 0; i < 100; ++i) {
            bytes.push_back(bytes[bytes.size() - distance]);
        }
        expect_round_trip(compress, decompress, plain_xpress_huffman, bytes);
    }
}

TEST(XpressHuffman, RoundTripsEverySmallSize) {
    for (std::size_t size = 0; size <= 300; ++size) {
        SCOPED_TRACE(size);
        const auto seed = static_cast<std::uint32_t>(size);
        expect_round_trip(compress, decompress, plain_xpress_huffman, random_bytes(size, seed));
        expect_round_trip(compress, decompress, plain_xpress_huffman, structured_bytes(size, seed));
        expect_round_trip(compress, decompress, plain_xpress_huffman, std::vector<std::byte>(size));
    }
}

TEST(XpressHuffman, RoundTripsAroundTheEndOfABlock) {
    for (std::size_t size = 65'536 - 3; size <= 65'536 + 3; ++size) {
        SCOPED_TRACE(size);
        expect_round_trip(compress, decompress, plain_xpress_huffman, event_like_bytes(size, 5));
        expect_round_trip(compress, decompress, plain_xpress_huffman, std::vector<std::byte>(size));
        expect_round_trip(compress, decompress, plain_xpress_huffman,
                          std::vector<std::byte>(size + 65'536));
    }
}

TEST(XpressHuffman, RoundTripsLargeBuffers) {
    for (const std::size_t size : {300'000U, 1'000'000U}) {
        SCOPED_TRACE(size);
        expect_round_trip(compress, decompress, plain_xpress_huffman, event_like_bytes(size, 6));
        expect_round_trip(compress, decompress, plain_xpress_huffman, structured_bytes(size, 7));
        expect_round_trip(compress, decompress, plain_xpress_huffman, random_bytes(size, 8));
        expect_round_trip(compress, decompress, plain_xpress_huffman, std::vector<std::byte>(size));
    }
}

TEST(XpressHuffman, DecodesNoiseAsTheObviousDecoderDoes) {
    for (std::uint32_t seed = 0; seed < 1000; ++seed) {
        SCOPED_TRACE(seed);
        // Noise makes an impossible table; a real table before noise gets farther.
        auto in = seed % 8 == 0 ? std::vector<std::byte>{} : packed(structured_bytes(400, seed));
        in.resize(std::min<std::size_t>(in.size(), 256));
        const auto noise = random_bytes(256 + seed % 500, seed);
        in.insert(in.end(), noise.begin(), noise.end());
        expect_as_plain(decompress, plain_xpress_huffman, in, seed * 7 % 4000);
        ASSERT_FALSE(HasFatalFailure());
    }
}

TEST(XpressHuffman, DecodesDamageAsTheObviousDecoderDoes) {
    expect_as_plain_when_damaged(compress, decompress, plain_xpress_huffman,
                                 structured_bytes(600, 9), 10, 2000);
    expect_as_plain_when_damaged(compress, decompress, plain_xpress_huffman,
                                 event_like_bytes(70'000, 11), 12, 40);
}

} // namespace

} // namespace etl::codec::xpress_huffman::xpress_huffman_test

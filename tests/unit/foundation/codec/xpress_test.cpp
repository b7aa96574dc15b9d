#include "codec/formats.hpp"
#include "tests/support/codecs/plain_xpress.hpp"
#include "tests/unit/foundation/codec/against_plain.hpp"

namespace etl::codec::xpress::xpress_test {

namespace {

using namespace etl::test;

std::vector<std::byte> packed(Bytes bytes) {
    std::vector<std::byte> out;
    compress(bytes, out);
    return out;
}

std::vector<std::byte> repeated(std::string_view text, std::size_t size) {
    std::vector<std::byte> bytes;
    while (bytes.size() < size) {
        bytes.push_back(static_cast<std::byte>(text[bytes.size() % text.size()]));
    }
    return bytes;
}

void expect_decodes(std::string_view stream, const std::vector<std::byte>& bytes) {
    const std::vector<std::byte> in = from_hex(stream);
    const Decoded decoded = decode(decompress, in, bytes.size());
    EXPECT_EQ(decoded.outcome.code, ErrorCode::none) << decoded.outcome.what;
    EXPECT_EQ(decoded.bytes, bytes);
    EXPECT_TRUE(std::ranges::equal(plain_xpress(in, bytes.size()).bytes, bytes));
}

ErrorCode code_of(std::string_view stream, std::size_t want) {
    const std::vector<std::byte> in = from_hex(stream);
    EXPECT_EQ(plain_xpress(in, want).code, decode(decompress, in, want).outcome.code);
    return decode(decompress, in, want).outcome.code;
}

/// Bytes whose best encoding has a match of exactly this length.
std::vector<std::byte> with_match_of(std::size_t length) {
    std::vector<std::byte> bytes = bytes_of("Q");
    bytes.resize(1 + length, std::byte{'Q'});
    bytes.push_back(std::byte{'!'});
    return bytes;
}

// The two examples of [MS-XCA] 3.1.
constexpr std::string_view alphabet_stream =
    "3f000000 6162636465666768696a6b6c6d6e6f707172737475767778797a";
constexpr std::string_view abc_stream = "ffffff1f 616263 1700 0f ff 2601";

TEST(Xpress, DecodesThePublishedLiterals) {
    expect_decodes(alphabet_stream, bytes_of("abcdefghijklmnopqrstuvwxyz"));
}

TEST(Xpress, DecodesThePublishedMatch) {
    expect_decodes(abc_stream, repeated("abc", 300));
}

TEST(Xpress, EncodesTheExamplesAsPublished) {
    EXPECT_EQ(packed(bytes_of("abcdefghijklmnopqrstuvwxyz")), from_hex(alphabet_stream));
    EXPECT_EQ(packed(repeated("abc", 300)), from_hex(abc_stream));
}

TEST(Xpress, EncodesNothingAsIndicatorsAlone) {
    EXPECT_EQ(packed({}), from_hex("ffffffff"));
    EXPECT_TRUE(decompress(from_hex("ffffffff"), {}).is_complete());
    EXPECT_TRUE(decompress({}, {}).is_complete());
}

TEST(Xpress, SharesALengthByteBetweenTwoMatches) {
    // a, match 1/10, b, match 1/11, c, match 1/12: nibbles 0 and 1 share a byte, 2 begins another.
    const auto bytes = repeated("a", 11);
    auto all = bytes;
    const auto b = repeated("b", 12);
    const auto c = repeated("c", 13);
    all.insert(all.end(), b.begin(), b.end());
    all.insert(all.end(), c.begin(), c.end());
    constexpr std::string_view stream = "ffffff57 61 0700 10 62 0700 63 0700 02";
    expect_decodes(stream, all);
    EXPECT_EQ(packed(all), from_hex(stream));
}

TEST(Xpress, PutsLengthBytesBehindTheSharedNibble) {
    // The second match takes its nibble 15 from the byte of the first, and only then adds its own
    // byte.
    auto all = repeated("a", 11);
    const auto b = repeated("b", 1 + 25);
    all.insert(all.end(), b.begin(), b.end());
    constexpr std::string_view stream = "ffffff5f 61 0700 f0 62 0700 00";
    expect_decodes(stream, all);
    EXPECT_EQ(packed(all), from_hex(stream));
}

TEST(Xpress, LeavesAFullIndicatorWordBehind32Items) {
    const auto bytes = random_bytes(32, 1);
    const auto stream = packed(bytes);
    ASSERT_EQ(stream.size(), 4U + 32U + 4U);
    EXPECT_EQ(Bytes(stream).last(4).front(), std::byte{0xFF});
    const Outcome outcome = decode(decompress, stream, 32).outcome;
    EXPECT_TRUE(outcome.is_complete());
    EXPECT_EQ(outcome.consumed, 36U);
}

TEST(Xpress, ReadsLengthsInEveryForm) {
    for (const std::size_t length :
         {3U, 9U, 10U, 24U, 25U, 26U, 279U, 280U, 281U, 65538U, 65539U, 65540U, 200'000U}) {
        SCOPED_TRACE(length);
        const auto bytes = with_match_of(length);
        expect_round_trip(compress, decompress, plain_xpress, bytes);
    }
}

TEST(Xpress, WritesEachLengthInItsShortestForm) {
    // indicators, Q, match, then nibble, byte, word, dword; !
    const std::size_t plain = 4 + 1 + 2 + 1;
    for (const auto& [length, more] : {std::pair{9U, 0U},
                                       {10U, 1U},
                                       {24U, 1U},
                                       {25U, 2U},
                                       {279U, 2U},
                                       {280U, 4U},
                                       {65538U, 4U},
                                       {65539U, 8U}}) {
        EXPECT_EQ(packed(with_match_of(length)).size(), plain + more) << length;
    }
}

TEST(Xpress, ReadsALongFormForAShorterLength) {
    // 22 is the least that a word may hold: a length of 25.
    expect_decodes("ffffff7f 61 0700 0f ff 1600", repeated("a", 26));
    expect_decodes("ffffff7f 61 0700 0f ff 0000 16000000", repeated("a", 26));
}

TEST(Xpress, RejectsALengthTooSmallForItsForm) {
    EXPECT_EQ(code_of("ffffff7f 61 0700 0f ff 1500", 26), ErrorCode::malformed);
    EXPECT_EQ(code_of("ffffff7f 61 0700 0f ff 0000 15000000", 26), ErrorCode::malformed);
    EXPECT_EQ(code_of("ffffff7f 61 0700 0f ff 0000 00000000", 26), ErrorCode::malformed);
}

TEST(Xpress, RejectsAMatchBeforeTheBeginning) {
    EXPECT_EQ(code_of("ffffffff 0000", 3), ErrorCode::malformed);
    EXPECT_EQ(code_of("ffffff7f 61 0800", 4), ErrorCode::malformed);
}

TEST(Xpress, ClipsTheLastMatchToTheOutput) {
    const auto in = from_hex("ffffff7f 61 0700 0f ff 0000 ffffffff");
    const Decoded decoded = decode(decompress, in, 500);
    EXPECT_TRUE(decoded.outcome.is_complete());
    EXPECT_EQ(decoded.bytes, repeated("a", 500));
    EXPECT_TRUE(decoded.kept_to_output);
}

TEST(Xpress, StopsWhenTheOutputIsFull) {
    auto in = packed(repeated("abc", 300));
    in.insert(in.end(), 100, std::byte{0xEE});
    const Outcome outcome = decode(decompress, in, 300).outcome;
    EXPECT_TRUE(outcome.is_complete());
    EXPECT_EQ(outcome.consumed, 13U);
}

TEST(Xpress, KeepsWhatCameBeforeTheInputEnded) {
    const Decoded decoded = decode(decompress, from_hex("3f000000 616263"), 26);
    EXPECT_EQ(decoded.outcome.code, ErrorCode::truncated);
    EXPECT_EQ(decoded.outcome.written, 3U);
    EXPECT_EQ(decoded.outcome.consumed, 7U);
    EXPECT_EQ(decoded.bytes[2], std::byte{'c'});
}

TEST(Xpress, ExplainsEveryCut) {
    expect_prefix_at_every_cut(compress, decompress, plain_xpress, event_like_bytes(700, 3));
    expect_prefix_at_every_cut(compress, decompress, plain_xpress, structured_bytes(2000, 4));
}

TEST(Xpress, ReachesEveryDistance) {
    for (std::size_t distance = 1; distance <= 8192; ++distance) {
        std::vector<std::byte> bytes = random_bytes(distance, static_cast<std::uint32_t>(distance));
        const std::size_t length = 3 + distance % 60;
        for (std::size_t i = 0; i < length; ++i) {
            bytes.push_back(bytes[bytes.size() - distance]);
        }
        expect_round_trip(compress, decompress, plain_xpress, bytes);
        ASSERT_FALSE(HasFatalFailure()) << distance;
    }
}

TEST(Xpress, RoundTripsEverySmallSize) {
    for (std::size_t size = 0; size <= 300; ++size) {
        SCOPED_TRACE(size);
        const auto seed = static_cast<std::uint32_t>(size);
        expect_round_trip(compress, decompress, plain_xpress, random_bytes(size, seed));
        expect_round_trip(compress, decompress, plain_xpress, structured_bytes(size, seed));
        expect_round_trip(compress, decompress, plain_xpress, repeated("ab", size));
        expect_round_trip(compress, decompress, plain_xpress, std::vector<std::byte>(size));
    }
}

TEST(Xpress, LooksForRoomAgainBehindALongMatch) {
    // A long match ends shortly before the end of the output, at every place of its group of 32
    // items, and short matches follow.
    for (std::size_t before = 9000; before < 9040; ++before) {
        SCOPED_TRACE(before);
        std::vector<std::byte> bytes = random_bytes(before, 21);
        const auto repeat = [&](std::size_t distance, std::size_t length) {
            for (std::size_t i = 0; i < length; ++i) {
                bytes.push_back(bytes[bytes.size() - distance]);
            }
        };
        repeat(5000, 2000);
        for (std::size_t i = 0; i < 20; ++i) {
            repeat(100 * i + 50, 5);
        }
        // Input that is left over lets the decoder think of speed to the end.
        std::vector<std::byte> stream = packed(bytes);
        stream.resize(stream.size() + 500);
        for (std::size_t less = 0; less < 100; less += 9) {
            const Decoded decoded = decode(decompress, stream, bytes.size() - less);
            ASSERT_TRUE(decoded.outcome.is_complete()) << decoded.outcome.what;
            ASSERT_TRUE(std::equal(decoded.bytes.begin(), decoded.bytes.end(), bytes.begin()));
            ASSERT_TRUE(decoded.kept_to_output);
        }
    }
}

TEST(Xpress, RoundTripsLargeBuffers) {
    for (const std::size_t size : {8192U, 65'464U, 300'000U, 3'000'000U}) {
        SCOPED_TRACE(size);
        expect_round_trip(compress, decompress, plain_xpress, event_like_bytes(size, 5));
        expect_round_trip(compress, decompress, plain_xpress, structured_bytes(size, 6));
        expect_round_trip(compress, decompress, plain_xpress, random_bytes(size, 7));
        expect_round_trip(compress, decompress, plain_xpress, std::vector<std::byte>(size));
    }
}

TEST(Xpress, AppendsToWhatIsThere) {
    auto out = bytes_of("kept");
    compress(bytes_of("abcdefghijklmnopqrstuvwxyz"), out);
    EXPECT_EQ(Bytes(out).first(4).back(), std::byte{'t'});
    EXPECT_TRUE(std::ranges::equal(Bytes(out).subspan(4), from_hex(alphabet_stream)));
}

TEST(Xpress, NeverGrowsByMoreThanTheIndicators) {
    for (const std::size_t size : {1U, 31U, 32U, 33U, 5000U}) {
        EXPECT_LE(packed(random_bytes(size, 8)).size(), size + 4 * (size / 32 + 1)) << size;
    }
}

TEST(Xpress, DecodesNoiseAsTheObviousDecoderDoes) {
    for (std::uint32_t seed = 0; seed < 3000; ++seed) {
        SCOPED_TRACE(seed);
        auto in = random_bytes(seed % 700, seed);
        if (seed % 2 == 0 && in.size() > 8) {
            // A few literals first, so that the matches of the noise have something to reach.
            std::fill_n(in.begin(), 4, std::byte{0x00});
        }
        expect_as_plain(decompress, plain_xpress, in, seed * 7 % 3000);
        ASSERT_FALSE(HasFatalFailure());
    }
}

TEST(Xpress, DecodesDamageAsTheObviousDecoderDoes) {
    expect_as_plain_when_damaged(compress, decompress, plain_xpress, structured_bytes(600, 9), 10,
                                 4000);
    expect_as_plain_when_damaged(compress, decompress, plain_xpress, structured_bytes(20'000, 11),
                                 12, 300);
    expect_as_plain_when_damaged(compress, decompress, plain_xpress, event_like_bytes(65'464, 13),
                                 14, 200);
}

} // namespace

} // namespace etl::codec::xpress::xpress_test

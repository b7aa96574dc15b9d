#include "codec/codec.hpp"
#include "tests/unit/foundation/codec/against_plain.hpp"

namespace etl::codec::codec_test {

namespace {

using namespace etl::test;

constexpr auto unknown = static_cast<Format>(1);

class CodecFormat : public testing::TestWithParam<Format> {};

TEST_P(CodecFormat, GivesBackWhatItWasGiven) {
    const auto bytes = event_like_bytes(20'000, 1);
    std::vector<std::byte> packed;
    ASSERT_TRUE(compress(GetParam(), bytes, packed));
    std::vector<std::byte> back(bytes.size());
    const Outcome outcome = decompress(GetParam(), packed, back);
    EXPECT_TRUE(outcome.is_complete()) << outcome.what;
    EXPECT_EQ(outcome.written, bytes.size());
    EXPECT_EQ(back, bytes);
}

TEST_P(CodecFormat, SaysTruncatedWhenThereIsNoInput) {
    std::vector<std::byte> out(10);
    const Outcome outcome = decompress(GetParam(), {}, out);
    EXPECT_EQ(outcome.code, ErrorCode::truncated);
    EXPECT_EQ(outcome.written, 0U);
}

TEST_P(CodecFormat, IsDoneAtOnceWhenNothingIsWanted) {
    const Outcome outcome = decompress(GetParam(), from_hex("ffff"), {});
    EXPECT_TRUE(outcome.is_complete());
    EXPECT_EQ(outcome.consumed, 0U);
}

INSTANTIATE_TEST_SUITE_P(Codec, CodecFormat,
                         testing::Values(Format::none, Format::lznt1, Format::xpress,
                                         Format::xpress_huffman));

TEST(Codec, DoesNotGuessAnUnknownFormat) {
    std::vector<std::byte> out(10);
    EXPECT_EQ(decompress(unknown, from_hex("00"), out).code, ErrorCode::unsupported);
    const auto result = compress(unknown, from_hex("00"), out);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::unsupported);
    EXPECT_EQ(out.size(), 10U);
}

} // namespace

} // namespace etl::codec::codec_test

#include "codec/codec.hpp"
#include "codec/match_finder.hpp"
#include "tests/support/counting_new.hpp"
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

using namespace etl::test;

struct Case {
    Format format;
    Level level;
};

class CompressorCase : public testing::TestWithParam<Case> {
protected:
    static Compressor make() { return *Compressor::create(GetParam().format, GetParam().level); }

    static std::vector<std::byte> packed(Compressor& compressor, Bytes bytes) {
        std::vector<std::byte> out(max_compressed_size(GetParam().format, bytes.size()));
        const auto size = compressor.compress(bytes, out);
        EXPECT_TRUE(size.has_value());
        out.resize(size.value_or(0));
        return out;
    }

    static std::vector<std::byte> packed(Bytes bytes) {
        std::vector<std::byte> out;
        EXPECT_TRUE(compress(GetParam().format, bytes, out, GetParam().level));
        return out;
    }
};

std::vector<std::vector<std::byte>> samples() {
    std::vector<std::vector<std::byte>> all{{}, bytes_of("a"), bytes_of("abcabcabcabcabcabcabc")};
    for (const std::size_t size : {31U, 32U, 33U, 1000U, 65'464U, 65'536U, 65'537U, 200'000U}) {
        all.push_back(event_like_bytes(size, 1));
        all.push_back(structured_bytes(size, 2));
        all.push_back(random_bytes(size, 3));
        all.push_back(std::vector<std::byte>(size));
    }
    return all;
}

TEST_P(CompressorCase, WritesTheSameWhateverItCompressedBefore) {
    Compressor used = make();
    for (const auto& bytes : samples()) {
        SCOPED_TRACE(bytes.size());
        const auto expected = packed(bytes);
        EXPECT_EQ(packed(used, bytes), expected);
        EXPECT_EQ(packed(used, bytes), expected);
        std::vector<std::byte> back(bytes.size());
        EXPECT_TRUE(decompress(GetParam().format, expected, back).is_complete());
        EXPECT_EQ(back, bytes);
    }
}

TEST_P(CompressorCase, FillsAnOutputToItsLastByteAndNotBeyond) {
    Compressor compressor = make();
    for (const auto& bytes : samples()) {
        SCOPED_TRACE(bytes.size());
        const auto expected = packed(bytes);
        std::vector<std::byte> out(expected.size() + 64, std::byte{0xA5});
        EXPECT_EQ(compressor.compress(bytes, MutableBytes(out).first(expected.size())),
                  expected.size());
        EXPECT_TRUE(std::ranges::equal(Bytes(out).first(expected.size()), expected));
        const std::size_t max = bytes.size() <= 1000 ? 70 : 2;
        for (std::size_t less = 1; less <= std::min(expected.size(), max); ++less) {
            const std::size_t room = expected.size() - less;
            std::ranges::fill(out, std::byte{0xA5});
            EXPECT_EQ(compressor.compress(bytes, MutableBytes(out).first(room)), std::nullopt);
            EXPECT_TRUE(std::ranges::all_of(Bytes(out).subspan(room),
                                            [](std::byte b) { return b == std::byte{0xA5}; }));
        }
    }
}

TEST_P(CompressorCase, FindsNoRoomForNoiseInFewerBytesThanItHas) {
    if (GetParam().format == Format::none) {
        GTEST_SKIP() << "a copy is as large as its source";
    }
    Compressor compressor = make();
    const auto noise = random_bytes(65'464, 4);
    std::vector<std::byte> out(noise.size() - 1);
    EXPECT_EQ(compressor.compress(noise, out), std::nullopt);
    EXPECT_NE(compressor.compress(event_like_bytes(65'464, 4), out), std::nullopt);
}

TEST_P(CompressorCase, NeverNeedsMoreThanTheStatedSize) {
    Compressor compressor = make();
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        // Noise with short copies from all distances, where a match gains least.
        Random random(seed);
        std::vector<std::byte> bytes;
        while (bytes.size() < seed * 1300) {
            const std::size_t reach = std::min<std::size_t>(bytes.size(), 1U << random.below(17));
            const std::size_t distance = reach == 0 ? 0 : random.below(reach) + 1;
            for (std::uint32_t i = random.below(6); i > 0; --i) {
                bytes.push_back(distance == 0 ? random.byte() : bytes[bytes.size() - distance]);
            }
            bytes.push_back(random.byte());
        }
        ASSERT_EQ(packed(compressor, bytes), packed(bytes)) << seed;
    }
}

TEST_P(CompressorCase, AllocatesNothingWhileItCompresses) {
    if (!can_count_allocations()) {
        GTEST_SKIP() << "the thread sanitizer has an operator new of its own";
    }
    Compressor compressor = make();
    const auto bytes = event_like_bytes(300'000, 5);
    std::vector<std::byte> out(max_compressed_size(GetParam().format, bytes.size()));
    const std::size_t before = allocations().count;
    const bool fits = compressor.compress(bytes, out).has_value();
    EXPECT_EQ(allocations().count, before);
    EXPECT_TRUE(fits);
}

TEST_P(CompressorCase, OwnsLessThanItsDocumentationSays) {
    if (!can_count_allocations()) {
        GTEST_SKIP() << "the thread sanitizer has an operator new of its own";
    }
    const std::size_t before = allocations().live;
    const Compressor compressor = make();
    EXPECT_LE(allocations().live - before, 600U * 1024U);
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
    constexpr const char* formats[] = {"none", "", "lznt1", "xpress", "xpress_huffman"};
    constexpr const char* names[] = {"fast", "normal", "small"};
    return std::string(formats[static_cast<std::size_t>(info.param.format)]) + "_" +
           names[static_cast<std::size_t>(info.param.level)];
}

std::vector<Case> cases() {
    std::vector<Case> all{{Format::none, Level::normal}};
    for (const Format format : {Format::lznt1, Format::xpress, Format::xpress_huffman}) {
        for (const Level level : levels) {
            all.push_back({format, level});
        }
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Compressor, CompressorCase, testing::ValuesIn(cases()), name_of);

TEST(Compressor, DoesNotGuessAnUnknownFormat) {
    const auto compressor = Compressor::create(static_cast<Format>(1));
    ASSERT_FALSE(compressor);
    EXPECT_EQ(compressor.error().code, ErrorCode::unsupported);
    EXPECT_EQ(max_compressed_size(static_cast<Format>(1), 10), 0U);
}

TEST(Compressor, SpendsMoreTimeForASmallerSize) {
    const auto bytes = event_like_bytes(500'000, 6);
    for (const Format format : {Format::lznt1, Format::xpress, Format::xpress_huffman}) {
        std::size_t last = bytes.size();
        for (const Level level : levels) {
            std::vector<std::byte> out;
            ASSERT_TRUE(compress(format, bytes, out, level));
            EXPECT_LT(out.size(), last);
            last = out.size();
        }
    }
}

/// An input as large as it says, of which nobody reads a byte.
Bytes unread(std::size_t size) {
    static constexpr std::byte first{};
    return {&first, size};
}

TEST(Numbering, PutsEarlierInputsOutOfReach) {
    constexpr std::uint32_t window = 8192;
    Numbering numbers(window);
    ASSERT_TRUE(numbers.begin(unread(1000)));
    EXPECT_EQ(numbers.reaches(numbers.of(unread(0).data())), 0U) << "nothing in the table";
    const std::uint32_t last = numbers.of(unread(0).data()) + 999;
    ASSERT_TRUE(numbers.begin(unread(1000)));
    EXPECT_EQ(numbers.reaches(numbers.of(unread(0).data()) - last), 0U);
    EXPECT_EQ(numbers.reaches(0), 0U);
    EXPECT_EQ(numbers.reaches(1), 1U);
    EXPECT_EQ(numbers.reaches(window), 1U);
    EXPECT_EQ(numbers.reaches(window + 1), 0U);
}

TEST(Numbering, SaysWhenItsNumbersBeginAnew) {
    Numbering numbers(8192);
    constexpr std::size_t gigabyte = std::size_t{1} << 30U;
    EXPECT_TRUE(numbers.begin(unread(gigabyte)));
    EXPECT_TRUE(numbers.begin(unread(gigabyte)));
    EXPECT_TRUE(numbers.begin(unread(gigabyte)));
    EXPECT_FALSE(numbers.begin(unread(gigabyte)));
    EXPECT_TRUE(numbers.begin(unread(gigabyte)));
    EXPECT_FALSE(numbers.begin(unread(8 * gigabyte)));
    EXPECT_FALSE(numbers.begin(unread(1)));
    EXPECT_TRUE(numbers.begin(unread(1)));
}

} // namespace

} // namespace etl::codec::codec_test

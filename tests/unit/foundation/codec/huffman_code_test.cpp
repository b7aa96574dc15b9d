#include "codec/huffman_code.hpp"
#include "tests/support/traces/sample_bytes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace etl::codec::huffman::huffman_code_test {

namespace {

using test::Random;

/// The share of all codes that the lengths take, in units of 2^-15: 32768 is a complete code.
std::uint32_t share(const CodeLengths& lengths) {
    std::uint32_t sum = 0;
    for (const std::uint8_t bits : lengths) {
        sum += bits == 0 ? 0 : 1U << (max_bits - bits);
    }
    return sum;
}

TEST(HuffmanCode, IsCompleteForAnyCounts) {
    Random random(1);
    for (int round = 0; round < 500; ++round) {
        Counts counts{};
        for (auto used = random.below(600); used > 0; --used) {
            counts[random.below(symbols)] = random.below(1U << random.below(17)) + 1;
        }
        const CodeLengths lengths = code_lengths(counts);
        ASSERT_EQ(share(lengths), 1U << max_bits) << round;
        for (std::size_t symbol = 0; symbol < symbols; ++symbol) {
            ASSERT_TRUE(counts[symbol] == 0 || lengths[symbol] != 0) << round;
        }
    }
}

TEST(HuffmanCode, StaysWithin15BitsForSkewedCounts) {
    Counts counts{};
    std::uint32_t a = 1;
    std::uint32_t b = 1;
    for (std::size_t symbol = 0; symbol < 40; ++symbol) {
        counts[symbol] = a;
        a = std::exchange(b, a + b);
    }
    const CodeLengths lengths = code_lengths(counts);
    EXPECT_EQ(share(lengths), 1U << max_bits);
    EXPECT_LE(*std::ranges::max_element(lengths), max_bits);
    EXPECT_LT(lengths[39], lengths[0]);
}

TEST(HuffmanCode, IsNeverWorseThanNineBitsForAll) {
    // Counts that make a tree too deep, so that the lengths are not the best ones.
    Random random(3);
    for (int round = 0; round < 300; ++round) {
        Counts counts{};
        std::uint64_t total = 0;
        double next = 1;
        const double growth = 1 + random.below(1000) / 1000.0;
        for (std::size_t symbol = 0; symbol < symbols; ++symbol) {
            counts[symbol] = static_cast<std::uint32_t>(next);
            total += counts[symbol];
            next = std::min(next * growth, 1e6);
        }
        std::uint64_t bits = 0;
        const CodeLengths lengths = code_lengths(counts);
        for (std::size_t symbol = 0; symbol < symbols; ++symbol) {
            bits += std::uint64_t{counts[symbol]} * lengths[symbol];
        }
        ASSERT_LE(bits, total * flat_bits) << growth;
    }
}

TEST(HuffmanCode, GivesTheOnlySymbolACompanion) {
    for (const std::size_t only : {0U, 1U, 256U, 511U}) {
        Counts counts{};
        counts[only] = 7;
        const CodeLengths lengths = code_lengths(counts);
        EXPECT_EQ(lengths[only], 1);
        EXPECT_EQ(share(lengths), 1U << max_bits);
    }
}

TEST(HuffmanCode, IsOptimalForPowersOfTwo) {
    Counts counts{};
    counts[5] = 8;
    counts[9] = 4;
    counts[300] = 2;
    counts[7] = 1;
    counts[8] = 1;
    const CodeLengths lengths = code_lengths(counts);
    EXPECT_EQ(lengths[5], 1);
    EXPECT_EQ(lengths[9], 2);
    EXPECT_EQ(lengths[300], 3);
    EXPECT_EQ(lengths[7], 4);
    EXPECT_EQ(lengths[8], 4);
}

TEST(HuffmanCode, OrdersCodesByLengthAndSymbol) {
    CodeLengths lengths{};
    lengths[10] = 2;
    lengths[3] = 3;
    lengths[4] = 3;
    lengths[1] = 1;
    const Codes result = codes(lengths);
    EXPECT_EQ(result[1], 0b0);
    EXPECT_EQ(result[10], 0b10);
    EXPECT_EQ(result[3], 0b110);
    EXPECT_EQ(result[4], 0b111);
}

TEST(HuffmanDecoder, FindsEverySymbolByItsCode) {
    Random random(2);
    for (int round = 0; round < 200; ++round) {
        Counts counts{};
        for (auto used = random.below(600) + 1; used > 0; --used) {
            counts[random.below(symbols)] = 1U << random.below(20);
        }
        const CodeLengths lengths = code_lengths(counts);
        const Codes all = codes(lengths);
        Decoder decoder;
        ASSERT_TRUE(decoder.build(lengths));
        for (std::size_t symbol = 0; symbol < symbols; ++symbol) {
            if (lengths[symbol] == 0) {
                continue;
            }
            const unsigned open = max_bits - lengths[symbol];
            const std::uint32_t first = static_cast<std::uint32_t>(all[symbol]) << open;
            for (const std::uint32_t next : {first, first + (1U << open) - 1}) {
                const Decoder::Symbol found = decoder.find(next);
                ASSERT_EQ(found.value, symbol) << round;
                ASSERT_EQ(found.bits, lengths[symbol]) << round;
            }
        }
    }
}

TEST(HuffmanDecoder, RejectsMoreCodesThanThereIsRoomFor) {
    CodeLengths lengths{};
    lengths[0] = lengths[1] = lengths[2] = 1;
    EXPECT_FALSE(Decoder{}.build(lengths));
    lengths.fill(8); // 512 codes of 8 bits
    EXPECT_FALSE(Decoder{}.build(lengths));
    lengths.fill(9);
    EXPECT_TRUE(Decoder{}.build(lengths));
    lengths[17] = 8;
    EXPECT_FALSE(Decoder{}.build(lengths));
}

TEST(HuffmanDecoder, ReportsBitsThatNoCodeBeginsWith) {
    CodeLengths lengths{};
    lengths[65] = 1;  // the code 0
    lengths[66] = 15; // and 100000000000000
    Decoder decoder;
    ASSERT_TRUE(decoder.build(lengths));
    EXPECT_EQ(decoder.find(0x3FFF).value, 65);
    EXPECT_EQ(decoder.find(0x4000).value, 66);
    EXPECT_EQ(decoder.find(0x4001).bits, 0);
    EXPECT_EQ(decoder.find(0x7FFF).bits, 0);
}

TEST(HuffmanDecoder, ForgetsAnEarlierCode) {
    CodeLengths lengths{};
    lengths[1] = lengths[2] = 1;
    Decoder decoder;
    ASSERT_TRUE(decoder.build(lengths));
    ASSERT_TRUE(decoder.build(CodeLengths{}));
    EXPECT_EQ(decoder.find(0).bits, 0);
    EXPECT_EQ(decoder.find(0x7FFF).bits, 0);
}

} // namespace

} // namespace etl::codec::huffman::huffman_code_test

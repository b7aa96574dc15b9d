// The fast and the portable form of each block function against each other and against the obvious.
#include "base/text_blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string_view>

namespace etl::text_blocks_test {
namespace {

bool is_plain(unsigned char c) {
    return c >= 0x20 && c != '"' && c != '\\';
}

unsigned expected_plain(std::string_view block) {
    unsigned count = 0;
    while (count < block.size() && is_plain(static_cast<unsigned char>(block[count]))) {
        ++count;
    }
    return count;
}

template <typename Copy>
void check_copy_json(Copy copy, unsigned size) {
    std::array<char, 16> in{};
    std::array<char, 16> out{};
    for (unsigned place = 0; place < size; ++place) {
        for (unsigned other = 0; other < size; ++other) {
            for (unsigned c = 0; c < 256; ++c) {
                in.fill('a');
                in[other] = '\x80';
                in[place] = static_cast<char>(c);
                const std::string_view block(in.data(), size);
                ASSERT_EQ(copy(in.data(), out.data()), expected_plain(block))
                    << c << " at " << place;
                ASSERT_EQ(std::string_view(out.data(), size), block);
            }
        }
    }
}

template <bool Json, typename Narrow>
void check_narrow(Narrow narrow) {
    std::mt19937 random(3);
    std::array<std::byte, 16> in{};
    std::array<char, 8> out{};
    const std::array<std::uint16_t, 12> odd{0x00, 0x1F,  0x22,   0x5C,   0x7F,   0x80,
                                            0xFF, 0x100, 0x2122, 0x7FFF, 0x8000, 0xFFFF};
    for (int i = 0; i < 20'000; ++i) {
        std::array<std::uint16_t, 8> units{};
        for (std::uint16_t& unit : units) {
            unit = random() % 4 == 0 ? odd[random() % odd.size()] : std::uint16_t{'a'};
        }
        unsigned expected = 0;
        for (std::size_t u = 0; u < 8; ++u) {
            store_le(in.data() + 2 * u, units[u]);
        }
        while (expected < 8 && units[expected] < 0x80 &&
               (!Json || is_plain(static_cast<unsigned char>(units[expected])))) {
            ++expected;
        }
        ASSERT_EQ(narrow(in.data(), out.data()), expected);
        for (std::size_t u = 0; u < expected; ++u) {
            ASSERT_EQ(static_cast<unsigned char>(out[u]), units[u]);
        }
    }
}

template <typename Count>
void check_plain_in_line(Count count, unsigned size) {
    const auto is_special = [](unsigned c) {
        return c <= 0x20 || c >= 0x7F || std::string_view("\",[]{}").contains(static_cast<char>(c));
    };
    std::array<char, 16> in{};
    for (unsigned place = 0; place < size; ++place) {
        for (unsigned c = 0; c < 256; ++c) {
            in.fill('a');
            in[place] = static_cast<char>(c);
            ASSERT_EQ(count(in.data()), is_special(c) ? place : size) << c << " at " << place;
            in[size - 1] = ' ';
            const unsigned expected = is_special(c) ? std::min(place, size - 1) : size - 1;
            ASSERT_EQ(count(in.data()), expected) << c << " at " << place << " and a blank";
        }
    }
}

TEST(TextBlocks, PortableFormFindsWhatIsNotPlainInALine) {
    check_plain_in_line(portable_blocks::plain_in_line, portable_blocks::block_size);
}

TEST(TextBlocks, FormInUseFindsWhatIsNotPlainInALine) {
    check_plain_in_line(blocks::plain_in_line, blocks::block_size);
}

TEST(TextBlocks, PortableFormFindsWhatJsonEscapes) {
    check_copy_json(portable_blocks::copy_json, portable_blocks::block_size);
}

TEST(TextBlocks, PortableFormNarrowsUnits) {
    check_narrow<false>(portable_blocks::narrow_units<false>);
    check_narrow<true>(portable_blocks::narrow_units<true>);
}

TEST(TextBlocks, FormInUseFindsWhatJsonEscapes) {
    check_copy_json(blocks::copy_json, blocks::block_size);
}

TEST(TextBlocks, FormInUseNarrowsUnits) {
    check_narrow<false>(blocks::narrow_units<false>);
    check_narrow<true>(blocks::narrow_units<true>);
}

} // namespace
} // namespace etl::text_blocks_test

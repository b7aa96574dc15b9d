#include "columnfiles/compact_protocol.hpp"
#include "columnfiles/integer_encodings.hpp"
#include "columnfiles/limits.hpp"
#include "columnfiles/parquet.hpp"
#include "tests/unit/outputs/columnfiles/arrays.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace etl::columnfiles::parquet_test {
namespace {

using columns::Array;
using columns::BatchColumn;
using columns::Type;

std::string bytes(std::initializer_list<int> values) {
    std::string text;
    for (const int value : values) {
        text.push_back(static_cast<char>(value));
    }
    return text;
}

RowGroup encode(const BatchColumn& column, Array&& array) {
    const columns::Batch batch = batch_of(std::move(array));
    return encode_row_group(std::span(&column, 1), std::span(&batch, 1));
}

// thrift-compact-protocol.md: "zigzag", "ULEB128", field headers with the distance in the high
// bits.
TEST(CompactProtocol, WritesFieldsAsTheSpecificationSays) {
    std::string text;
    CompactWriter to(text);
    to.i32(1, -1);
    to.i64(2, 300);
    to.boolean(3, true);
    to.text(20, "ab");
    to.structures(21, 1);
    to.element();
    to.byte(1, 8);
    to.end();
    to.end();
    EXPECT_EQ(text, bytes({0x15, 1, 0x16, 0xD8, 0x04, 0x11}) +
                        bytes({0x08, 40, 2, 'a', 'b', 0x19, 0x1C, 0x13, 8, 0, 0}));
}

// Encodings.md: 0 to 7 with width 3 are 10001000 11000110 11111010.
TEST(Hybrid, PacksTheExampleOfTheSpecification) {
    const std::vector<std::uint32_t> values{0, 1, 2, 3, 4, 5, 6, 7};
    std::string text;
    append_hybrid<std::uint32_t>(text, values, 3);
    EXPECT_EQ(text, bytes({1 << 1 | 1, 0b10001000, 0b11000110, 0b11111010}));
}

TEST(Hybrid, RunsFollowWholeGroups) {
    std::vector<std::uint32_t> values{1, 2, 1};
    values.insert(values.end(), 13, 2); // 5 of them complete the group
    std::string text;
    append_hybrid<std::uint32_t>(text, values, 2);
    EXPECT_EQ(text, bytes({1 << 1 | 1, 0b10011001, 0b10101010, 8 << 1, 2}));
}

/// Reads the hybrid back, by the grammar of Encodings.md.
std::vector<std::uint32_t> read_hybrid(const std::string& text, std::size_t count, unsigned width) {
    std::vector<std::uint32_t> values;
    std::size_t at = 0;
    const auto next = [&] { return static_cast<unsigned char>(text.at(at++)); };
    while (values.size() < count) {
        std::uint64_t header = 0;
        for (unsigned shift = 0;; shift += 7) {
            const unsigned byte = next();
            header |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
            if (byte < 0x80) {
                break;
            }
        }
        if ((header & 1U) == 0) {
            std::uint32_t value = 0;
            for (unsigned i = 0; i < width; i += 8) {
                value |= static_cast<std::uint32_t>(next()) << i;
            }
            values.insert(values.end(), header >> 1U, value);
            continue;
        }
        const std::size_t begin = at * 8;
        for (std::size_t i = 0; i < (header >> 1U) * 8; ++i) {
            std::uint32_t value = 0;
            for (unsigned bit = 0; bit < width; ++bit) {
                const std::size_t place = begin + i * width + bit;
                const auto byte = static_cast<unsigned char>(text.at(place / 8));
                value |= (byte >> place % 8 & 1U) << bit;
            }
            values.push_back(value);
        }
        at += (header >> 1U) * width;
    }
    EXPECT_EQ(at, text.size());
    values.resize(count);
    return values;
}

TEST(Hybrid, IsReadBack) {
    std::mt19937 random(1);
    for (unsigned width = 1; width <= 17; ++width) {
        std::vector<std::uint32_t> values;
        while (values.size() < 1000) {
            values.insert(values.end(), random() % 3 == 0 ? random() % 40 : 1,
                          static_cast<std::uint32_t>(random()) & ((1U << width) - 1));
        }
        std::string text;
        append_hybrid<std::uint32_t>(text, values, width);
        EXPECT_EQ(read_hybrid(text, values.size(), width), values) << width;
    }
}

// Encodings.md: 7, 5, 3, 1, 2, 3, 4, 5 have the least difference -2, and the header 128, 4, 8, 7.
TEST(Deltas, AreThoseOfTheExampleOfTheSpecification) {
    const std::vector<std::int64_t> values{7, 5, 3, 1, 2, 3, 4, 5};
    std::string text;
    append_deltas(text, values);
    const std::string packed = bytes({0b11000000, 0b00111111, 0, 0, 0, 0, 0, 0});
    EXPECT_EQ(text, bytes({0x80, 1, 4, 8, 14, 3, 2, 0, 0, 0}) + packed);
}

TEST(Deltas, OfTheFarthestValuesWrapAround) {
    const std::vector<std::int64_t> values{INT64_MIN, INT64_MAX, 0, INT64_MIN};
    std::string text;
    append_deltas(text, values);
    // Differences -1, INT64_MIN + 1, INT64_MIN: above the least 2^63 - 1, 1, and 0.
    EXPECT_EQ(static_cast<unsigned char>(text[text.size() - 32 * 63 / 8 - 4]), 63);
}

TEST(RowGroups, HaveBoundsByTheTypeOfTheColumn) {
    const auto of_signed = encode({"n", Type::int8}, numbers<std::int8_t>({1, -1, 5}));
    EXPECT_EQ(of_signed.chunks[0].bounds.min, bytes({0xFF, 0xFF, 0xFF, 0xFF}));
    EXPECT_EQ(of_signed.chunks[0].bounds.greatest, bytes({5, 0, 0, 0}));
    const auto of_unsigned = encode({"n", Type::uint8}, numbers<std::uint8_t>({1, 255, 5}));
    EXPECT_EQ(of_unsigned.chunks[0].bounds.min, bytes({1, 0, 0, 0}));
    EXPECT_EQ(of_unsigned.chunks[0].bounds.greatest, bytes({255, 0, 0, 0}));
    const auto of_texts = encode({"t", Type::text}, texts({"b", "\xC3\xA4", "a"}));
    EXPECT_EQ(of_texts.chunks[0].bounds.min, "a");
    EXPECT_EQ(of_texts.chunks[0].bounds.greatest, "\xC3\xA4");
    const auto of_long =
        encode({"t", Type::text}, texts({std::string(limits::bound_bytes + 1, 'x')}));
    EXPECT_FALSE(of_long.chunks[0].bounds.is_known);
    const auto not_ordered = encode({"f", Type::float64}, numbers<double>({1.0, std::nan("")}));
    EXPECT_FALSE(not_ordered.chunks[0].bounds.is_known);
}

TEST(RowGroups, LeaveOutNulls) {
    Array array = numbers<std::uint32_t>({7, 0, 9});
    array.nulls = 1;
    array.validity = {0b101};
    const auto group = encode({"n", Type::uint32}, std::move(array));
    EXPECT_EQ(group.chunks[0].values, 3);
    EXPECT_EQ(group.chunks[0].nulls, 1);
    EXPECT_EQ(group.chunks[0].bounds.min, bytes({7, 0, 0, 0}));
}

TEST(RowGroups, UseDictionariesForWhatRepeats) {
    const auto repeated = encode({"t", Type::text}, texts({"a", "a", "b", "a"}));
    EXPECT_EQ(repeated.chunks[0].encoding, Encoding::dictionary);
    const auto distinct = encode({"t", Type::text}, texts({"a", "b", "c"}));
    EXPECT_EQ(distinct.chunks[0].encoding, Encoding::plain);
    const auto constant = encode({"n", Type::uint8}, numbers<std::uint8_t>({3, 3, 3}));
    EXPECT_EQ(constant.chunks[0].encoding, Encoding::dictionary);
    const auto label = encode({"l", Type::label}, labels({1, 1, 2}, {"unused", "x", "y"}));
    EXPECT_EQ(label.chunks[0].encoding, Encoding::dictionary);
    EXPECT_EQ(label.chunks[0].bounds.min, "x");
}

TEST(RowGroups, CountTheEntriesOfLists) {
    Array lists; // [1, 2], [], null, [3]
    lists.size = 4;
    lists.nulls = 1;
    lists.validity = {0b1011};
    lists.offsets = {0, 2, 2, 2, 3};
    lists.elements = std::make_unique<Array>(numbers<std::uint16_t>({1, 2, 3}));
    const auto group = encode({"n", Type::uint16, true}, std::move(lists));
    EXPECT_EQ(group.rows, 4);
    EXPECT_EQ(group.chunks[0].values, 5);
    EXPECT_EQ(group.chunks[0].nulls, 2);
}

TEST(ParquetFiles, BeginAndEndAsTheFormatSays) {
    const BatchColumn column{"n", Type::uint32};
    ParquetFile file({column}, {{"key", "value"}}, "etl version 1");
    std::string all = file.head();
    for (const std::uint32_t number : {1U, 2U}) {
        const RowGroup group = encode(column, numbers<std::uint32_t>({number, number}));
        file.add(group);
        all.append(group.bytes);
    }
    EXPECT_EQ(file.size(), all.size());
    EXPECT_EQ(file.rows(), 4);
    EXPECT_EQ(file.groups(), 2);
    const std::string tail = file.tail();
    all.append(tail);
    EXPECT_EQ(file.size(), all.size());
    EXPECT_TRUE(all.starts_with("PAR1"));
    EXPECT_TRUE(all.ends_with("PAR1"));
    std::uint32_t footer = 0;
    std::memcpy(&footer, all.data() + all.size() - 8, sizeof footer);
    EXPECT_EQ(footer + 8, tail.size());
}

TEST(RowGroups, AreTheSameIfValuesRepeat) {
    const auto value_of = [](Type type) {
        return type == Type::uint16    ? numbers<std::uint16_t>({3})
               : type == Type::time    ? numbers<std::int64_t>({-5})
               : type == Type::float64 ? numbers<double>({-0.5})
               : type == Type::guid    ? Array{.size = 1, .bytes = "0123456789abcdef"}
               : type == Type::label   ? labels({0}, {"tea"})
                                       : Array();
    };
    for (const Type type : {Type::uint16, Type::time, Type::float64, Type::guid, Type::label,
                            Type::text, Type::boolean}) {
        for (const std::size_t count : {1U, 7U, 8U, 1000U}) {
            const BatchColumn column{"Drink", type};
            Array expanded = repeating(value_of(type), count);
            expand(type, expanded);
            ASSERT_FALSE(expanded.repeats);
            const RowGroup a = encode(column, repeating(value_of(type), count));
            const RowGroup b = encode(column, std::move(expanded));
            EXPECT_EQ(a.bytes, b.bytes) << count;
            EXPECT_EQ(a.chunks[0].values, count);
            EXPECT_EQ(a.chunks[0].nulls, b.chunks[0].nulls);
            EXPECT_EQ(a.chunks[0].bounds.min, b.chunks[0].bounds.min);
            EXPECT_EQ(a.chunks[0].bounds.greatest, b.chunks[0].bounds.greatest);
        }
    }
}

TEST(ParquetFiles, DependOnTheRowsOnly) {
    const BatchColumn column{"t", Type::text};
    const auto make = [&] { return encode(column, texts({"a", "b", "a", "a", "c"})).bytes; };
    EXPECT_EQ(make(), make());
}

} // namespace
} // namespace etl::columnfiles::parquet_test

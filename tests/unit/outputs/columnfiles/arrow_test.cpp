#include "columnfiles/arrow.hpp"
#include "columnfiles/flatbuffer.hpp"
#include "tests/unit/outputs/columnfiles/arrays.hpp"
#include "tests/unit/outputs/columnfiles/arrow_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace etl::columnfiles::arrow_test {
namespace {

using columns::Array;
using columns::Batch;
using columns::BatchColumn;
using columns::Type;
using testing::ElementsAre;

std::string bytes(std::initializer_list<int> values) {
    std::string text;
    for (const int value : values) {
        text.push_back(static_cast<char>(value));
    }
    return text;
}

// flatbuffers.dev/internals: a reference to the root; sizes of the list of fields and of the table;
// a place per field; the distance to the list; the fields.
TEST(FlatBuffers, AreATableAfterTheListOfItsFields) {
    const std::string buffer =
        FlatTable().number(0, std::int32_t{-2}).number(2, std::uint8_t{7}).buffer();
    EXPECT_EQ(buffer, bytes({16, 0, 0, 0}) + bytes({0, 0}) +
                          bytes({10, 0, 9, 0, 4, 0, 0, 0, 8, 0}) +
                          bytes({10, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF, 7}) + std::string(7, '\0'));
}

TEST(FlatBuffers, ReferToTextsTablesAndStructures) {
    std::vector<FlatTable> list(2);
    list[1].text(0, "second");
    const std::string buffer = FlatTable()
                                   .text(0, "first")
                                   .choice(1, 9, FlatTable().number(0, std::int64_t{5}))
                                   .tables(3, std::move(list))
                                   .structures(4, 2, std::string(16, '\3'))
                                   .buffer();
    EXPECT_EQ(buffer.size() % 8, 0);
    const auto root = readback::Flat::root(buffer);
    EXPECT_EQ(root.text(0), "first");
    EXPECT_EQ(root.number<std::uint8_t>(1), 9);
    EXPECT_EQ(root.table(2)->number<std::int64_t>(0), 5);
    EXPECT_EQ(root.count(3), 2);
    EXPECT_EQ(root.element(3, 1).text(0), "second");
    EXPECT_EQ(root.count(4), 2);
    EXPECT_EQ(root.in_structure<std::uint64_t>(4, 1, 8, 0), 0x0303030303030303U);
    EXPECT_FALSE(root.table(7));
}

/// A file of one column, with these batches.
std::string file_of(const BatchColumn& column, std::vector<Array>&& arrays, bool spills = false) {
    ArrowFile file({column}, {{"key", "value"}}, "etl version 1");
    std::string all = file.head();
    for (Array& array : arrays) {
        Batch batch = batch_of(std::move(array));
        EXPECT_TRUE(file.prepare(batch).has_value());
        const RowGroup rows = file.encode({&batch, 1});
        file.add(rows);
        all.append(rows.bytes);
        if (spills) {
            all.append(file.spill());
            EXPECT_EQ(file.memory(), 0);
        }
    }
    all.append(file.tail());
    EXPECT_EQ(file.size(), all.size());
    return all;
}

template <typename... More>
std::vector<Array> arrays(Array first, More... more) {
    std::vector<Array> list;
    list.push_back(std::move(first));
    (list.push_back(std::move(more)), ...);
    return list;
}

/// The labels of the first column.
std::vector<std::string> read_labels(const readback::File& file) {
    std::vector<std::string> read;
    for (const Batch& batch : file.batches) {
        for (std::size_t i = 0; i < batch.rows; ++i) {
            const auto number = readback::number_in<std::int32_t>(batch.columns[0].bytes, 4 * i);
            read.push_back(file.labels.at(0).at(static_cast<std::size_t>(number)));
        }
    }
    return read;
}

TEST(ArrowFiles, HaveTheBuffersOfTheirBatches) {
    const BatchColumn column{"n", Type::uint32};
    Array nulls = numbers<std::uint32_t>({7, 0, 9});
    nulls.nulls = 1;
    nulls.validity = {0b101};
    const std::vector<std::uint32_t> equal(1000, 5);
    const std::string all = file_of(column, arrays(std::move(nulls), numbers(equal)));
    EXPECT_LT(all.size(), 2000); // compressed
    const auto file = readback::read_arrow(all, std::span(&column, 1));
    ASSERT_EQ(file.batches.size(), 2);
    EXPECT_EQ(file.batches[0].columns[0].nulls, 1);
    EXPECT_THAT(file.batches[0].columns[0].validity, ElementsAre(0b101));
    EXPECT_EQ(file.batches[0].columns[0].bytes, numbers<std::uint32_t>({7, 0, 9}).bytes);
    EXPECT_EQ(file.batches[1].columns[0].bytes, numbers(equal).bytes);
}

TEST(ArrowFiles, HaveListsAndTexts) {
    const BatchColumn column{"t", Type::text, true};
    Array lists; // ["a", "bc"], [], null, ["d"]
    lists.size = 4;
    lists.nulls = 1;
    lists.validity = {0b1011};
    lists.offsets = {0, 2, 2, 2, 3};
    lists.elements = std::make_unique<Array>(texts({"a", "bc", "d"}));
    const std::string all = file_of(column, arrays(std::move(lists)));
    const auto file = readback::read_arrow(all, std::span(&column, 1));
    const Array& read = file.batches.at(0).columns.at(0);
    EXPECT_THAT(read.offsets, ElementsAre(0, 2, 2, 2, 3));
    EXPECT_THAT(read.elements->offsets, ElementsAre(0, 1, 3, 4));
    EXPECT_EQ(read.elements->bytes, "abcd");
}

TEST(ArrowFiles, HaveOneDictionaryForTheLabelsOfAllBatches) {
    const BatchColumn column{"l", Type::label};
    const std::string all = file_of(
        column, arrays(labels({1, 0, 1}, {"red", "green"}), labels({0, 1}, {"green", "blue"})));
    const auto file = readback::read_arrow(all, std::span(&column, 1));
    EXPECT_EQ(file.dictionary_messages, 1);
    EXPECT_THAT(file.labels.at(0), ElementsAre("red", "green", "blue"));
    EXPECT_THAT(read_labels(file), ElementsAre("green", "red", "green", "green", "blue"));
}

TEST(ArrowFiles, HaveAPlaceForEachValueThatRepeats) {
    const BatchColumn label{"l", Type::label};
    const auto labels_file =
        readback::read_arrow(file_of(label, arrays(labels({0, 1}, {"red", "green"}),
                                                   repeating(labels({0}, {"green"}), 3))),
                             std::span(&label, 1));
    EXPECT_THAT(read_labels(labels_file), ElementsAre("red", "green", "green", "green", "green"));
    const BatchColumn number{"n", Type::uint16};
    const auto numbers_file = readback::read_arrow(
        file_of(number, arrays(repeating(numbers<std::uint16_t>({7}), 3), repeating({}, 2))),
        std::span(&number, 1));
    EXPECT_EQ(numbers_file.batches[0].columns[0].bytes, numbers<std::uint16_t>({7, 7, 7}).bytes);
    EXPECT_EQ(numbers_file.batches[1].columns[0].nulls, 2);
}

TEST(ArrowFiles, SpillLabelsAsDeltas) {
    const BatchColumn column{"l", Type::label};
    const std::string all = file_of(
        column, arrays(labels({1, 0, 1}, {"red", "green"}), labels({0, 1}, {"green", "blue"})),
        true);
    const auto file = readback::read_arrow(all, std::span(&column, 1));
    EXPECT_EQ(file.dictionary_messages, 2);
    EXPECT_THAT(read_labels(file), ElementsAre("green", "red", "green", "green", "blue"));
}

TEST(ArrowFiles, HaveADictionaryAlsoIfAllLabelsAreNull) {
    const BatchColumn column{"l", Type::label};
    Array array = labels({0, 0}, {});
    array.nulls = 2;
    array.validity = {0};
    const std::string all = file_of(column, arrays(std::move(array)));
    const auto file = readback::read_arrow(all, std::span(&column, 1));
    EXPECT_EQ(file.dictionary_messages, 1);
    EXPECT_THAT(file.labels.at(0), testing::IsEmpty());
}

// Schema.fbs: numbers of the types, and their parameters.
TEST(ArrowFiles, NameTheTypesOfTheirColumns) {
    const std::vector<BatchColumn> columns{
        {"b", Type::boolean}, {"i", Type::int16}, {"u", Type::uint64}, {"f", Type::float64},
        {"t", Type::time},    {"g", Type::guid},  {"l", Type::label},  {"x", Type::binary, true}};
    ArrowFile empty(columns, {{"key", "value"}}, "etl version 1");
    const std::string all = empty.head() + empty.tail();
    const auto schema = *readback::read_arrow(all, columns).footer.table(1);
    std::vector<int> types;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        EXPECT_EQ(schema.element(1, i).text(0), columns[i].name);
        EXPECT_EQ(schema.element(1, i).number<std::uint8_t>(1), 1); // nullable
        types.push_back(schema.element(1, i).number<std::uint8_t>(2));
    }
    EXPECT_THAT(types, ElementsAre(6, 2, 2, 3, 10, 15, 5, 12));
    const auto type = [&](std::size_t i) { return *schema.element(1, i).table(3); };
    EXPECT_EQ(type(1).number<std::int32_t>(0), 16);
    EXPECT_EQ(type(1).number<std::uint8_t>(1), 1);
    EXPECT_EQ(type(2).number<std::int32_t>(0), 64);
    EXPECT_EQ(type(2).number<std::uint8_t>(1), 0);
    EXPECT_EQ(type(3).number<std::int16_t>(0), 2);
    EXPECT_EQ(type(4).number<std::int16_t>(0), 3);
    EXPECT_EQ(type(4).text(1), "UTC");
    EXPECT_EQ(type(5).number<std::int32_t>(0), 16);
    EXPECT_EQ(schema.element(1, 6).table(4)->number<std::int64_t>(0), 6);
    EXPECT_EQ(schema.element(1, 7).element(5, 0).number<std::uint8_t>(2), 4);
    EXPECT_EQ(schema.count(2), 2);
    EXPECT_EQ(schema.element(2, 0).text(0), "key");
    EXPECT_EQ(schema.element(2, 0).text(1), "value");
}

} // namespace
} // namespace etl::columnfiles::arrow_test

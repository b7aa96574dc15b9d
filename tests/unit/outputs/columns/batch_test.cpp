#include "columns/array_builder.hpp"
#include "columns/batch.hpp"
#include "tests/unit/outputs/columns/events_in_columns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace etl::columns::batch_test {

namespace {

using testing::ElementsAre;

TEST(SpareMemory, IsTakenForAboutAsMuch) {
    SpareMemory spare;
    spare.put({.size = 100'000, .bytes = std::string(100'000, 'x')});
    spare.put({.size = 10, .bytes = std::string(10, 'x')});
    EXPECT_LT(spare.take(10).capacity(), 100U) << "a small text is not kept";
    EXPECT_LT(spare.take(20'000).capacity(), 20'000U) << "the other one is too large for it";
    EXPECT_LT(spare.take(200'000).capacity(), 200'000U);
    const std::string taken = spare.take(90'000);
    EXPECT_TRUE(taken.empty());
    EXPECT_GE(taken.capacity(), 100'000U);
    EXPECT_LT(spare.take(90'000).capacity(), 90'000U) << "it is gone";
}

TEST(SpareMemory, DoesNotShowWhatItContained) {
    SpareMemory spare;
    spare.put({.size = 100'000, .bytes = std::string(100'000, 'x')});
    ArrayBuilder builder(Type::uint64, &spare);
    builder.add_nulls(10'000);
    builder.add(std::uint64_t{7});
    const Array array = builder.take();
    EXPECT_LT(spare.take(90'000).capacity(), 90'000U) << "the builder has it";
    EXPECT_EQ(array.bytes, std::string(80'000, '\0') + '\7' + std::string(7, '\0'));
}

ArrayBuilder repeating_builder(Type type) {
    return ArrayBuilder(type, nullptr, true);
}

TEST(ArrayBuilder, RepeatsOneValue) {
    ArrayBuilder builder = repeating_builder(Type::uint16);
    builder.add(std::uint16_t{7});
    builder.add(std::uint16_t{7});
    builder.repeat(5);
    Array array = builder.take();
    EXPECT_TRUE(array.repeats);
    EXPECT_EQ(array.size, 5U);
    EXPECT_EQ(array.bytes, std::string("\7\0", 2));
    expand(Type::uint16, array);
    EXPECT_EQ(array.bytes, std::string("\7\0\7\0\7\0\7\0\7\0", 10));
    builder.add(std::uint16_t{8});
    EXPECT_EQ(builder.take().bytes, std::string("\10\0", 2)) << "each batch starts anew";
}

TEST(ArrayBuilder, KeepsWhatItRepeatedBeforeAnotherValue) {
    ArrayBuilder builder = repeating_builder(Type::uint8);
    builder.add(std::uint8_t{7});
    builder.add(std::uint8_t{7});
    builder.add(std::uint8_t{9});
    builder.repeat(5);
    builder.add_null();
    const Array array = builder.take();
    EXPECT_FALSE(array.repeats);
    EXPECT_EQ(array.bytes, std::string("\7\7\11\11\11\0", 6));
    EXPECT_THAT(array.validity, ElementsAre(0b0001'1111));
}

TEST(ArrayBuilder, RepeatsNullsOfEachType) {
    for (const Type type : {Type::uint64, Type::guid, Type::boolean, Type::text, Type::label}) {
        ArrayBuilder builder = repeating_builder(type);
        builder.add_nulls(2);
        builder.pad(11);
        Array array = builder.take();
        EXPECT_TRUE(array.repeats);
        EXPECT_EQ(array.nulls, 11U);
        EXPECT_TRUE(array.bytes.empty() && array.offsets.empty() && array.validity.empty());
        expand(type, array);
        EXPECT_EQ(array.nulls, 11U);
        EXPECT_THAT(array.validity, ElementsAre(0, 0));
        EXPECT_EQ(array.bytes.size(), type == Type::boolean ? 2U : 11 * width_of(type));
        EXPECT_EQ(array.offsets.size(), type == Type::text ? 12U : 0U);
    }
}

TEST(ArrayBuilder, KeepsNullsBeforeAValue) {
    ArrayBuilder builder = repeating_builder(Type::uint8);
    builder.pad(3);
    builder.add(std::uint8_t{0});
    const Array array = builder.take();
    EXPECT_FALSE(array.repeats);
    EXPECT_EQ(array.nulls, 3U);
    EXPECT_THAT(array.validity, ElementsAre(0b1000));
    ArrayBuilder texts = repeating_builder(Type::text);
    texts.pad(2);
    texts.add_text([](std::string& to) { to.append("tea"); });
    EXPECT_THAT(texts.take().offsets, ElementsAre(0, 0, 0, 3));
}

TEST(Batches, JoinTheirDictionaries) {
    const BatchColumn column{"Drink", Type::label};
    const auto batch_of = [](std::vector<std::int32_t> numbers, std::vector<std::string> drinks) {
        Array array;
        array.size = numbers.size();
        array.bytes.assign(reinterpret_cast<const char*>(numbers.data()), 4 * numbers.size());
        array.dictionary = std::make_unique<Array>();
        array.dictionary->size = drinks.size();
        array.dictionary->offsets.push_back(0);
        for (const std::string& drink : drinks) {
            array.dictionary->bytes += drink;
            array.dictionary->offsets.push_back(
                static_cast<std::int32_t>(array.dictionary->bytes.size()));
        }
        Batch batch{.rows = numbers.size(), .columns = {}};
        batch.columns.push_back(std::move(array));
        return batch;
    };
    Batch joined = batch_of({0, 1}, {"tea", "coffee"});
    append(std::span(&column, 1), joined, batch_of({1, 0, 1}, {"water", "tea"}));
    std::vector<std::int32_t> numbers(5);
    ASSERT_EQ(joined.columns[0].bytes.size(), 20U);
    std::memcpy(numbers.data(), joined.columns[0].bytes.data(), 20);
    EXPECT_THAT(numbers, ElementsAre(0, 1, 0, 2, 0));
    EXPECT_EQ(joined.columns[0].dictionary->bytes, "teacoffeewater");
}

class RowsOfColumns : public EventsInColumns {};

// Appended one by one, batches are the same as one batch: also bits that do not begin at a byte.
TEST_F(RowsOfColumns, AreTheSameInOneBatchAndAppended) {
    add_varied();
    const Batch whole = build_with_details();
    Batch joined;
    for (const std::size_t rows : {1U, 9U, 3U, 8U}) {
        Batch part = build_part(joined.rows, rows);
        append(layout_.columns(), joined, std::move(part));
    }
    ASSERT_EQ(joined.rows, whole.rows);
    for (std::size_t i = 0; i < whole.columns.size(); ++i) {
        expect_equal(joined.columns[i], whole.columns[i], layout_.columns()[i].name);
    }
}

// The same of batches that are joined column by column, in memory that all columns share.
TEST_F(RowsOfColumns, AreTheSameInOneBatchAndJoined) {
    add_varied();
    const Batch whole = build_with_details();
    std::vector<Batch> parts;
    std::size_t rows = 0;
    for (const std::size_t count : {1U, 9U, 3U, 8U}) {
        parts.push_back(build_part(rows, count));
        rows += count;
    }
    ASSERT_EQ(rows, whole.rows);
    Array joined;
    for (std::size_t i = 0; i < whole.columns.size(); ++i) {
        join(layout_.columns()[i], i, parts, joined);
        expect_equal(joined, whole.columns[i], layout_.columns()[i].name);
    }
}

TEST_F(RowsOfColumns, RepeatWhatAllOfThemHave) {
    add_varied();
    const Batch batch = build_with_details(true);
    for (const char* const name : {"provider", "event", "id", "provider_guid", "source", "pid"}) {
        EXPECT_TRUE(array(batch, name).repeats) << name;
        EXPECT_EQ(array(batch, name).size, batch.rows) << name;
    }
    EXPECT_EQ(array(batch, "pid").bytes, std::string("\7\0\0\0", 4));
    for (const char* const name : {"activity_id", "decode_error", "payload"}) {
        EXPECT_TRUE(array(batch, name).repeats) << name;
        EXPECT_EQ(array(batch, name).nulls, batch.rows) << name;
        EXPECT_TRUE(array(batch, name).bytes.empty()) << name;
    }
    for (const char* const name : {"time", "Order", "IsPaid", "Note", "Sizes"}) {
        EXPECT_FALSE(array(batch, name).repeats) << name;
    }
}

// Whether columns repeat or not, appended and expanded they are the same.
TEST_F(RowsOfColumns, AreTheSameIfTheyRepeat) {
    add_varied();
    build_with_details(true);
    Batch repeating;
    for (const std::size_t rows : {1U, 1U, 8U, 3U, 8U}) {
        append(layout_.columns(), repeating, build_part(repeating.rows, rows));
    }
    EXPECT_TRUE(array(repeating, "event").repeats);
    EXPECT_FALSE(array(repeating, "Order").repeats);
    const Batch whole = build_with_details();
    ASSERT_EQ(repeating.rows, whole.rows);
    for (std::size_t i = 0; i < whole.columns.size(); ++i) {
        expand(layout_.columns()[i].type, repeating.columns[i]);
        expect_equal(repeating.columns[i], whole.columns[i], layout_.columns()[i].name);
    }
}

// The same of batches that are joined column by column.
TEST_F(RowsOfColumns, AreTheSameIfTheyRepeatAndAreJoined) {
    add_varied();
    build_with_details(true);
    std::vector<Batch> parts;
    std::size_t rows = 0;
    for (const std::size_t count : {1U, 1U, 8U, 3U, 8U}) {
        parts.push_back(build_part(rows, count));
        rows += count;
    }
    const Batch whole = build_with_details();
    ASSERT_EQ(rows, whole.rows);
    Array joined;
    bool has_repeated = false;
    for (std::size_t i = 0; i < whole.columns.size(); ++i) {
        join(layout_.columns()[i], i, parts, joined);
        has_repeated = has_repeated || joined.repeats;
        expand(layout_.columns()[i].type, joined);
        expect_equal(joined, whole.columns[i], layout_.columns()[i].name);
    }
    EXPECT_TRUE(has_repeated);
}

} // namespace

} // namespace etl::columns::batch_test

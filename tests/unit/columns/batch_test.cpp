#include <etl/columns/batch.hpp>

#include "columns/array_builder.hpp"

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

TEST(Batches, JoinTheirDictionaries) {
    const Column column{"Drink", Type::label};
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

} // namespace
} // namespace etl::columns::batch_test

#include "base/function_ref.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace etl::function_ref_test {
namespace {

int call_twice(FunctionRef<int(int)> f) {
    return f(1) + f(10);
}

TEST(FunctionRef, CallsWhatItRefersTo) {
    int calls = 0;
    const auto count = [&](int value) {
        ++calls;
        return value * 2;
    };
    EXPECT_EQ(call_twice(count), 22);
    EXPECT_EQ(calls, 2);
}

TEST(FunctionRef, KeepsTheStateOfAMutableCallable) {
    auto counter = [total = 0](int value) mutable { return total += value; };
    const FunctionRef<int(int)> ref = counter;
    EXPECT_EQ(ref(5), 5);
    EXPECT_EQ(ref(5), 10);
    EXPECT_EQ(counter(5), 15);
}

TEST(FunctionRef, ForwardsWhatCanOnlyBeMoved) {
    auto take = [](std::unique_ptr<int> value) { return *value; };
    const FunctionRef<int(std::unique_ptr<int>)> ref = take;
    EXPECT_EQ(ref(std::make_unique<int>(3)), 3);
}

} // namespace
} // namespace etl::function_ref_test

// Logging asks for no memory once an event was logged.
#include <etl/provider.hpp>

#include "format/encode.hpp"
#include "tests/support/counting_new.hpp"

#include <gtest/gtest.h>

namespace etl::provider::allocation_test {
namespace {

TEST(Allocation, LoggingTheSameEventAgainNeedsNoMemory) {
    const Provider coffee("MyCompany.Coffee");
    StaticEvent<"CupFinished", EventOptions{}, Field<"Drink", std::u16string_view>,
                Field<"Steps", std::span<const int>>>
        fixed(coffee);
    SelfDescribingEvent made(coffee, "CupFinished");
    Event described;
    ByteWriter to;
    const std::vector<int> steps{1, 2, 3};
    const auto log = [&] {
        made.clear().add("Drink", u"espresso").add_struct("Machine", [&](auto& machine) {
            machine.add("Steps", steps);
        });
        PayloadWriter(described.begin(coffee.guid(), {.id = 1})).terminated(u"espresso");
        to.clear();
        return format::encode(fixed.record({}, u"espresso", steps), to) &&
               format::encode(made.record({}), to) && format::encode(described.record({}), to);
    };
    ASSERT_TRUE(log());
    const std::size_t before = test::allocations().count;
    EXPECT_TRUE(log());
    EXPECT_EQ(test::allocations().count - before, 0U);
}

} // namespace
} // namespace etl::provider::allocation_test

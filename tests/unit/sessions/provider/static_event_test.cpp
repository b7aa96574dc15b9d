#include <etl/provider.hpp>

#include "tests/unit/sessions/provider/decoded.hpp"

#include <gtest/gtest.h>

namespace etl::provider {

namespace {

struct Position {
    std::int32_t x = 0, y = 0;
};

} // namespace

template <>
struct Wire<Position> : Structure<Position, Member<"X", &Position::x>, Member<"Y", &Position::y>> {
};

namespace {

using CupFinished =
    StaticEvent<"CupFinished", EventOptions{.level = 4, .keyword = 2, .tag = 0x0FE00000},
                Field<"Drink", std::u16string_view>, Field<"Temperature", std::int32_t, 0x00200000>,
                Field<"Path", std::span<const Position>>, Field<"Fixed", std::array<double, 2>>,
                Field<"Port", Port>>;

const Provider& coffee() {
    static const Provider provider("MyCompany.Coffee");
    return provider;
}

TEST(StaticEvent, ShowsTheValuesOfACall) {
    CupFinished event(coffee());
    const std::vector<Position> path{{1, 2}, {-3, 4}};
    const auto record = event.record({.time = 5}, u"mocha", 93, path, {1, 2.5}, Port{80});
    EXPECT_EQ(keys_of(record, {"provider", "channel", "level", "keyword", "event", "data"}),
              R"({"provider":"MyCompany.Coffee","channel":11,"level":4,"keyword":"0x2",)"
              R"("event":"CupFinished","data":{"Drink":"mocha","Temperature":93,)"
              R"("Path":[{"X":1,"Y":2},{"X":-3,"Y":4}],"Fixed":[1.0,2.5],"Port":80}})");
    EXPECT_EQ(record.time, 5);
    EXPECT_EQ(data_of(event.record({}, u"", 0, {}, {}, {})),
              R"({"Drink":"","Temperature":0,"Path":[],"Fixed":[0.0,0.0],"Port":0})");
}

TEST(StaticEvent, IsTheSameAsOneMadeAtRunTime) {
    CupFinished fixed(coffee());
    SelfDescribingEvent made(coffee(), "CupFinished",
                             {.level = 4, .keyword = 2, .tag = 0x0FE00000});
    const std::vector<Position> path{{1, 2}};
    made.add("Drink", u"mocha")
        .add("Temperature", 93, {0x00200000})
        .add("Path", path)
        .add("Fixed", std::array{1.0, 2.0})
        .add("Port", Port{80});
    ByteWriter one;
    ByteWriter other;
    ASSERT_TRUE(format::encode(fixed.record({}, u"mocha", 93, path, {1, 2}, Port{80}), one));
    ASSERT_TRUE(format::encode(made.record({}), other));
    EXPECT_EQ(one.take(), other.take());
}

TEST(StaticEvent, MayHaveNoFields) {
    StaticEvent<"Tick", EventOptions{}> tick(coffee());
    EXPECT_EQ(keys_of(tick.record({}), {"level", "event", "data"}),
              R"({"level":5,"event":"Tick","data":{}})");
}

static_assert(StaticEvent<"Tick", EventOptions{}>::metadata.size() == 2 + 1 + 5);
static_assert(!std::is_constructible_v<CupFinished, Provider>, "would dangle");

} // namespace
} // namespace etl::provider

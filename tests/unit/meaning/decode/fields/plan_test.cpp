// What a plan knows of the sizes of its fields.
#include "tests/unit/meaning/decode/schemas.hpp"

#include <gtest/gtest.h>

namespace etl::plan_test {
namespace {

using namespace test;

TEST(Plan, KnowsWhenOneSizeFitsAll) {
    using decode::Plan;
    using decode::SizeFit;
    const auto fits = [](const EventSchema& schema, std::size_t size) {
        return Plan::compile(schema, 4).size_fit(size);
    };
    const auto fixed =
        schema_of({field("A", InType::pointer), field("B", InType::guid),
                   with_count(field("C", InType::uint16), Extent::Kind::fixed, 3),
                   with_length(field("D", InType::unicode_string), Extent::Kind::fixed, 4),
                   structure("S", 1), field("E", InType::uint8)});
    EXPECT_EQ(fits(fixed, 35), SizeFit::exact);
    EXPECT_EQ(fits(fixed, 36), SizeFit::trailing);
    EXPECT_EQ(fits(fixed, 34), SizeFit::too_short);
    const auto frames = schema_of(
        {field("A", InType::uint64), with_count(field("B", InType::pointer), Extent::Kind::rest)});
    EXPECT_EQ(fits(frames, 7), SizeFit::too_short);
    EXPECT_EQ(fits(frames, 8), SizeFit::exact);
    EXPECT_EQ(fits(frames, 20), SizeFit::exact);
    EXPECT_EQ(fits(frames, 21), SizeFit::trailing);
    const auto texts = schema_of({with_count(
        with_length(field("A", InType::ansi_string), Extent::Kind::fixed, 4), Extent::Kind::rest)});
    EXPECT_EQ(fits(texts, 16), SizeFit::exact);
    EXPECT_EQ(fits(texts, 17), SizeFit::trailing);
    EXPECT_EQ(fits(schema_of({field("A", InType::ansi_string)}), 5), SizeFit::unknown);
    EXPECT_EQ(fits(schema_of({field("N", InType::uint32),
                              with_count(field("A", InType::uint8), Extent::Kind::field, 0)}),
                   5),
              SizeFit::unknown);
    EXPECT_EQ(fits(schema_of({with_count(structure("S", 1), Extent::Kind::fixed, 2),
                              field("A", InType::uint8)}),
                   2),
              SizeFit::unknown);
    EXPECT_EQ(fits(schema_of({}), 0), SizeFit::exact);
}

} // namespace
} // namespace etl::plan_test

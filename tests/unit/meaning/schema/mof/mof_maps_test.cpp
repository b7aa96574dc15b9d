#include "tests/unit/meaning/schema/mof/mof_in.hpp"

#include <gmock/gmock.h>

namespace etl::schema::mof_maps_test {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

/// The map of a property with these qualifiers.
ValueMap map_with(std::string_view qualifiers) {
    const EventSchema event = event_with(fmt::format("[WmiDataId(1), {}] uint32 F;", qualifiers));
    if (event.fields.empty() || event.fields[0].map >= event.maps.size()) {
        ADD_FAILURE() << "no map";
        return {};
    }
    return *event.maps[event.fields[0].map];
}

TEST(MofMaps, PairValuesWithTheirNames) {
    const ValueMap map = map_with(R"(ValueMap{"0", "0x10", "-1"}, Values{"none", "some", "all"})");
    EXPECT_EQ(map.kind, ValueMap::Kind::value);
    EXPECT_EQ(map.name, "F");
    EXPECT_THAT(map.entries,
                ElementsAre(Pair(0U, "none"), Pair(16U, "some"), Pair(0xFFFFFFFFU, "all")));
}

TEST(MofMaps, CountThroughNamesWithoutValues) {
    EXPECT_THAT(map_with(R"(Values{"zero", "one"})").entries,
                ElementsAre(Pair(0U, "zero"), Pair(1U, "one")));
    EXPECT_THAT(map_with(R"(Values{"a", "b"}, ValueType("index"))").entries,
                ElementsAre(Pair(0U, "a"), Pair(1U, "b")));
}

TEST(MofMaps, AreFlagsWhenTheirTypeSaysSo) {
    const ValueMap flags =
        map_with(R"(ValueMap{"0x1", "0x8"}, Values{"a", "b"}, ValueType("flag"))");
    EXPECT_EQ(flags.kind, ValueMap::Kind::bits);
    EXPECT_THAT(flags.entries, ElementsAre(Pair(1U, "a"), Pair(8U, "b")));
    EXPECT_THAT(map_with(R"(Values{"a", "b", "c"}, ValueType("FLAG"))").entries,
                ElementsAre(Pair(1U, "a"), Pair(2U, "b"), Pair(4U, "c")));
}

TEST(MofMaps, TakeOtherNamesWhereValuesAreMissing) {
    EXPECT_THAT(
        map_with(R"(ValueDescriptions{"long"}, DefineValues{"SHORT"}, ValueMap{"7"})").entries,
        ElementsAre(Pair(7U, "long")));
    EXPECT_THAT(map_with(R"(DefineValues{"SHORT"}, ValueMap{"7"})").entries,
                ElementsAre(Pair(7U, "SHORT")));
}

TEST(MofMaps, TellBitPositionsFromMasks) {
    const ValueMap positions = map_with(R"(BitMap{"0", "1", "3"}, BitValues{"a", "b", "c"})");
    EXPECT_EQ(positions.kind, ValueMap::Kind::bits);
    EXPECT_THAT(positions.entries, ElementsAre(Pair(1U, "a"), Pair(2U, "b"), Pair(8U, "c")));
    EXPECT_THAT(map_with(R"(BitMap{"1", "2", "4"}, BitValues{"a", "b", "c"})").entries,
                ElementsAre(Pair(1U, "a"), Pair(2U, "b"), Pair(4U, "c")));
    EXPECT_THAT(map_with(R"(BitMap{"0x3", "0x00000010"}, BitValues{"a", "b"})").entries,
                ElementsAre(Pair(3U, "a"), Pair(16U, "b")));
    EXPECT_THAT(map_with(R"(BitValues{"a", "b"})").entries,
                ElementsAre(Pair(1U, "a"), Pair(2U, "b")));
}

TEST(MofMaps, PassOverWhatIsNoNumber) {
    EXPECT_THAT(map_with(R"(ValueMap{"1", "2..5", "6"}, Values{"a", "b", "c", "d"})").entries,
                ElementsAre(Pair(1U, "a"), Pair(6U, "c")));
    const EventSchema none = event_with(R"([WmiDataId(1), ValueMap{"x"}, Values{"a"}] uint8 F;)");
    EXPECT_EQ(none.fields.at(0).map, Field::no_map);
}

} // namespace
} // namespace etl::schema::mof_maps_test

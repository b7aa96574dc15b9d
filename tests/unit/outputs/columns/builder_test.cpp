#include "columns/builder.hpp"
#include "tests/unit/outputs/columns/events_in_columns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::columns::builder_test {

struct Cup {
    std::int32_t size;
    std::string drink;
};

struct Tip {
    std::int32_t size;
    double euros;
};

} // namespace etl::columns::builder_test

template <>
struct etl::provider::Wire<etl::columns::builder_test::Cup>
    : etl::provider::Structure<
          etl::columns::builder_test::Cup,
          etl::provider::Member<"Size", &etl::columns::builder_test::Cup::size>,
          etl::provider::Member<"Drink", &etl::columns::builder_test::Cup::drink>> {};

template <>
struct etl::provider::Wire<etl::columns::builder_test::Tip>
    : etl::provider::Structure<
          etl::columns::builder_test::Tip,
          etl::provider::Member<"Size", &etl::columns::builder_test::Tip::size>,
          etl::provider::Member<"Euros", &etl::columns::builder_test::Tip::euros>> {};

namespace etl::columns::builder_test {
namespace {

using testing::ElementsAre;

TEST(CommonTypes, HoldTheValuesOfBoth) {
    EXPECT_EQ(common_type(Type::int8, Type::int32), Type::int32);
    EXPECT_EQ(common_type(Type::uint64, Type::uint8), Type::uint64);
    EXPECT_EQ(common_type(Type::int16, Type::uint32), Type::int64);
    EXPECT_EQ(common_type(Type::int8, Type::uint64), Type::text);
    EXPECT_EQ(common_type(Type::float64, Type::float32), Type::float64);
    EXPECT_EQ(common_type(Type::float32, Type::int8), Type::text);
    EXPECT_EQ(common_type(Type::boolean, Type::uint8), Type::text);
    EXPECT_EQ(common_type(Type::guid, Type::binary), Type::text);
    EXPECT_EQ(common_type(Type::time, Type::time), Type::time);
}

TEST_F(EventsInColumns, HaveTheirOrigin) {
    add([](auto& event) { event.add("Order", 1); });
    add([](auto& event) { event.add("Order", 2); });
    const Batch batch = build();
    EXPECT_EQ(batch.rows, 2U);
    constexpr std::int64_t ns = (opening_time - Filetime::unix_epoch) * 100;
    EXPECT_THAT(values<std::int64_t>(array(batch, "time")), ElementsAre(ns, ns + 100));
    EXPECT_THAT(values<std::uint32_t>(array(batch, "pid")), ElementsAre(7, 7));
    EXPECT_EQ(array(batch, "tid").nulls, 2U); // not recorded
    EXPECT_THAT(values<std::int32_t>(array(batch, "provider")), ElementsAre(0, 0));
    EXPECT_THAT(texts(*array(batch, "provider").dictionary), ElementsAre("Coffee.Shop"));
    EXPECT_THAT(values<std::int32_t>(array(batch, "Order")), ElementsAre(1, 2));
}

TEST_F(EventsInColumns, OfSeveralLayoutsGetTheWiderType) {
    add([](auto& event) { event.add("Order", std::int8_t{-1}); });
    add([](auto& event) { event.add("Order", std::uint32_t{4'000'000'000}); });
    add([](auto& event) { event.add("Order", std::int32_t{-70'000}); });
    const Batch batch = build();
    EXPECT_EQ(type("Order"), Type::int64);
    EXPECT_THAT(values<std::int64_t>(array(batch, "Order")),
                ElementsAre(-1, 4'000'000'000, -70'000));
}

TEST_F(EventsInColumns, OfUnlikeTypesAreTexts) {
    add([](auto& event) { event.add("Order", -1); });
    add([](auto& event) { event.add("Order", std::uint64_t{18'446'744'073'709'551'615ULL}); });
    add([](auto& event) { event.add("Order", true); });
    const Batch batch = build();
    EXPECT_THAT(texts(array(batch, "Order")), ElementsAre("-1", "18446744073709551615", "true"));
}

TEST_F(EventsInColumns, HaveNullForWhatTheyLack) {
    for (int i = 0; i < 20; ++i) {
        add([i](auto& event) {
            if (i == 9) {
                event.add("Tip", 5).add("IsPaid", true).add("Note", "thanks");
            } else {
                event.add("Order", i);
            }
        });
    }
    const Batch batch = build();
    for (const char* const name : {"Tip", "IsPaid", "Note"}) {
        EXPECT_EQ(array(batch, name).size, 20U) << name;
        EXPECT_EQ(array(batch, name).nulls, 19U) << name;
        EXPECT_FALSE(is_null(array(batch, name), 9)) << name;
        EXPECT_TRUE(is_null(array(batch, name), 8) && is_null(array(batch, name), 19)) << name;
    }
    EXPECT_EQ(array(batch, "Order").nulls, 1U);
    EXPECT_TRUE(is_null(array(batch, "Order"), 9) && !is_null(array(batch, "Order"), 0));
    EXPECT_EQ(texts(array(batch, "Note"))[9], "thanks");
    EXPECT_EQ(values<std::int32_t>(array(batch, "Order"))[19], 19);
}

TEST_F(EventsInColumns, KeepListsAndSingleValuesApart) {
    add([](auto& event) { event.add("Order", 1); });
    add([](auto& event) { event.add("Order", {2, 3}); });
    const Batch batch = build();
    EXPECT_THAT(values<std::int32_t>(array(batch, "Order")), ElementsAre(1, 0));
    EXPECT_TRUE(is_null(array(batch, "Order"), 1));
    const Array& lists = array(batch, "Order#2");
    EXPECT_THAT(lists.offsets, ElementsAre(0, 0, 2));
    EXPECT_TRUE(is_null(lists, 0) && !is_null(lists, 1));
    EXPECT_THAT(values<std::int32_t>(*lists.elements), ElementsAre(2, 3));
}

TEST_F(EventsInColumns, HaveNoTimesThatNanosecondsCannotRepresent) {
    add([](auto& event) { event.add("Baked", Filetime{1}); });
    add([](auto& event) { event.add("Baked", Filetime{opening_time}); });
    add([](auto& event) { event.add("Baked", Filetime{0}); }); // not set
    const Batch batch = build();
    EXPECT_TRUE(is_null(array(batch, "Baked"), 0) && !is_null(array(batch, "Baked"), 1));
    EXPECT_TRUE(is_null(array(batch, "Baked"), 2));
    EXPECT_EQ(builder_->unrepresentable(), 1U);
}

TEST_F(EventsInColumns, DoNotHideTheirOrigin) {
    add([](auto& event) { event.add("time", 1).add("provider", "x"); });
    const Batch batch = build();
    EXPECT_EQ(type("data.time"), Type::int32);
    EXPECT_THAT(texts(array(batch, "data.provider")), ElementsAre("x"));
}

TEST_F(EventsInColumns, HaveMessagesIfAsked) {
    add([](auto& event) { event.add("message", 1); });
    layout_ = Layout({.messages = true});
    add([](auto& event) { event.add("Order", 1); });
    const Batch batch = build();
    EXPECT_EQ(layout_.columns()[origin_columns].name, "message");
    EXPECT_EQ(array(batch, "message").nulls, 2U); // these events have none
    EXPECT_EQ(type("data.message"), Type::int32);
}

TEST_F(EventsInColumns, KeepMembersOfArraysOfStructuresTogetherIfAsked) {
    add([](auto& event) { event.add("Items", std::vector<Cup>{{1, "tea"}, {2, "water"}}); });
    add([](auto& event) { event.add("Items", std::vector<Tip>{{3, 0.5}}); });
    add([](auto& event) { event.add("Order", 1); });
    add([](auto& event) { event.add("Items", std::vector<Cup>{}); });
    add([](auto& event) { event.add("Items", {7, 8}).add("Items.Size", 9); });
    layout_ = Layout({.structures = true});
    const Batch batch = build();
    const BatchColumn& size = layout_.columns()[origin_columns];
    EXPECT_EQ(size, (BatchColumn{"Size", Type::int32, true, "Items"}));
    EXPECT_EQ(layout_.columns()[origin_columns + 2].structures, "Items");
    EXPECT_THAT(values<std::int32_t>(*array(batch, "Size").elements), ElementsAre(1, 2, 3));
    EXPECT_THAT(texts(*array(batch, "Drink").elements), ElementsAre("tea", "water", ""));
    EXPECT_TRUE(is_null(*array(batch, "Drink").elements, 2));
    EXPECT_TRUE(is_null(*array(batch, "Euros").elements, 0));
    for (const char* const name : {"Size", "Drink", "Euros"}) {
        EXPECT_THAT(array(batch, name).offsets, ElementsAre(0, 2, 3, 3, 3, 3)) << name;
        EXPECT_EQ(array(batch, name).validity, std::vector<std::uint8_t>{0b01011}) << name;
    }
    EXPECT_EQ(type("Items#2"), Type::int32); // the list of numbers
    EXPECT_EQ(type("Items.Size"), Type::int32);
}

TEST_F(EventsInColumns, AreFullAtTheirRows) {
    add([](auto& event) { event.add("Order", 1); });
    add([](auto& event) { event.add("Order", 2); });
    build(2);
    EXPECT_EQ(builder_->rows(), 0U); // taken
    EXPECT_FALSE(builder_->is_full());
    const Batch second = builder_->take();
    EXPECT_EQ(second.rows, 0U);
    EXPECT_EQ(array(second, "Order").size, 0U);
}

TEST_F(EventsInColumns, StartLabelsAnewInEachBatch) {
    add([](auto& event) { event.add("Order", 1); });
    const Batch first = build();
    const Batch second = builder_->take();
    EXPECT_EQ(array(first, "event").dictionary->size, 1U);
    EXPECT_EQ(array(second, "event").dictionary->size, 0U);
}

TEST_F(EventsInColumns, HaveDetailsIfAsked) {
    add([](auto& event) { event.add("Order", 1).add("Level", 2).add("order", 3); });
    const Batch batch = build_with_details();
    ASSERT_EQ(layout_.columns().size(), detailed_origin_columns + 3);
    EXPECT_THAT(values<std::uint16_t>(array(batch, "id")), ElementsAre(0));
    EXPECT_THAT(texts(*array(batch, "source").dictionary), ElementsAre("tracelogging"));
    EXPECT_EQ(array(batch, "provider_guid").bytes.size(), 16U);
    EXPECT_EQ(array(batch, "activity_id").nulls, 1U);
    EXPECT_EQ(array(batch, "decode_error").nulls, 1U);
    EXPECT_EQ(array(batch, "payload").nulls, 1U);
    EXPECT_THAT(values<std::int32_t>(array(batch, "data.Level")), ElementsAre(2));
    EXPECT_THAT(values<std::int32_t>(array(batch, "order#2")), ElementsAre(3));
}

// Kinds in turn, and some twice in a row.
TEST_F(EventsInColumns, HaveTheDetailsOfTheirKind) {
    for (const std::uint8_t level : std::initializer_list<std::uint8_t>{4, 4, 2, 4, 2, 2, 3}) {
        add([](auto& event) { event.add("Order", 1); },
            {.level = level, .keyword = std::uint64_t{1} << level});
    }
    for (const bool repeats : {false, true}) {
        const Batch batch = build_with_details(repeats);
        EXPECT_THAT(values<std::uint8_t>(array(batch, "level")), ElementsAre(4, 4, 2, 4, 2, 2, 3));
        EXPECT_THAT(values<std::uint64_t>(array(batch, "keyword")),
                    ElementsAre(16, 16, 4, 16, 4, 4, 8));
        EXPECT_EQ(array(batch, "id").repeats, repeats);
        const Batch part = build_part(5, 2);
        EXPECT_THAT(values<std::uint8_t>(array(part, "level")), ElementsAre(2, 3));
    }
}

} // namespace
} // namespace etl::columns::builder_test

#include <etl/trace.hpp>

#include "tests/support/traces/shop_trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <ranges>

namespace etl::field_test {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;

static_assert(!std::is_copy_constructible_v<Field> && !std::is_move_constructible_v<Field>);
static_assert(!std::is_copy_constructible_v<Event> && !std::is_move_constructible_v<Event>);
static_assert(std::input_iterator<FieldIterator> && std::ranges::input_range<Fields>);
static_assert(std::ranges::input_range<Field>);

enum class Size : std::uint8_t { small = 1, large = 2 };

/// Shows one event to a test.
class FieldsOfAnEvent : public testing::Test {
protected:
    void show(const std::function<void(provider::SelfDescribingEvent&)>& fill,
              const std::function<void(const Event&)>& look) {
        const std::string path =
            write_trace(folder_.file("one.etl"), [&](const auto& shop, trace::Writer& writer) {
                provider::SelfDescribingEvent event(shop, "Baked");
                fill(event);
                EXPECT_TRUE(writer.add(event.record({.time = opening_time + 1})));
            });
        auto trace = Trace::open(path);
        ASSERT_TRUE(trace) << describe(trace.error());
        int seen = 0;
        for (const Event& event : *trace) {
            if (event.name() == "Baked") {
                ++seen;
                look(event);
            }
        }
        EXPECT_EQ(seen, 1);
    }

    ShopFolder folder_;
};

TEST_F(FieldsOfAnEvent, AreNumbersThatFit) {
    show(
        [](auto& event) {
            event.add("Small", std::uint8_t{200})
                .add("Negative", -5)
                .add("Most", std::numeric_limits<std::uint64_t>::max())
                .add("Yes", true)
                .add("Warm", 0.5)
                .add("Port", provider::Port{631})
                .add("Size", Size::large);
        },
        [](const Event& event) {
            EXPECT_EQ(event["Small"].as<int>(), 200);
            EXPECT_EQ(event["Small"].as<std::int8_t>().error().code, ErrorCode::limit);
            EXPECT_EQ(event["Negative"].as<std::int8_t>(), -5);
            EXPECT_EQ(event["Negative"].as<std::uint64_t>().error().code, ErrorCode::limit);
            EXPECT_EQ(event["Negative"].as<double>(), -5.0);
            EXPECT_EQ(event["Most"].as<std::uint64_t>(), std::numeric_limits<std::uint64_t>::max());
            EXPECT_EQ(event["Most"].as<std::int64_t>().error().code, ErrorCode::limit);
            EXPECT_EQ(event["Yes"].as<bool>(), true);
            EXPECT_EQ(event["Warm"].as<double>(), 0.5);
            EXPECT_EQ(event["Warm"].as<int>().error().code, ErrorCode::invalid_option);
            EXPECT_EQ(event["Port"].as<int>(), 631);
            EXPECT_EQ(event["Size"].as<Size>(), Size::large);
        });
}

TEST_F(FieldsOfAnEvent, AreTextsTimesAndGuids) {
    const Guid guid = parse_guid("01234567-89ab-cdef-0123-456789abcdef").value();
    show(
        [&](auto& event) {
            event.add("What", u"pain au \u00E9t\u00E9")
                .add("When", Filetime{opening_time})
                .add("Oven", guid);
        },
        [&](const Event& event) {
            EXPECT_EQ(event["What"].as<std::string>(), "pain au \u00E9t\u00E9");
            EXPECT_EQ(event["What"].text(), "pain au \u00E9t\u00E9");
            EXPECT_EQ(event["What"].as<Bytes>()->size(), 22U);
            EXPECT_EQ(event["When"].as<Filetime>(), Filetime{opening_time});
            EXPECT_EQ(event["Oven"].as<Guid>(), guid);
            EXPECT_EQ(event["Oven"].as<Filetime>().error().code, ErrorCode::invalid_option);
            EXPECT_EQ(event["What"].as<Guid>().error().code, ErrorCode::invalid_option);
        });
}

TEST_F(FieldsOfAnEvent, NestInAnyDepth) {
    show(
        [](auto& event) {
            event.add("First", 1).add("Temperatures", {180, 200, 220});
            event.add_struct("Block", [](auto& block) {
                block.add("From", 3).add_struct(
                    "Inner", [](auto& inner) { inner.add("Marks", {1, 2}).add("To", 9); });
            });
            event.add("Last", 4);
        },
        [](const Event& event) {
            std::vector<std::string> names;
            for (const Field& field : event.fields()) {
                names.emplace_back(field.name());
            }
            EXPECT_THAT(names, ElementsAre("First", "Temperatures", "Block", "Last"));
            EXPECT_EQ(event.fields().size(), 4U);
            EXPECT_EQ(event.fields()[3].name(), "Last");

            std::vector<int> numbers;
            for (const Field& element : event["Temperatures"]) {
                numbers.push_back(element.as<int>().value_or(0));
            }
            EXPECT_THAT(numbers, ElementsAre(180, 200, 220));
            EXPECT_TRUE(event["Temperatures"].is_array());
            EXPECT_EQ(event["Temperatures"].size(), 3U);
            EXPECT_EQ(event["Temperatures"][2].as<int>(), 220);
            EXPECT_FALSE(event["Temperatures"][3]);
            EXPECT_EQ(event["Temperatures"].text(), "[180, 200, 220]");

            EXPECT_TRUE(event["Block"].is_struct());
            EXPECT_EQ(event["Block"]["From"].as<int>(), 3);
            EXPECT_EQ(event["Block"]["Inner"]["Marks"][1].as<int>(), 2);
            EXPECT_EQ(event["Block"][1].name(), "Inner");
            EXPECT_EQ(event["Block"].size(), 2U);
            EXPECT_EQ(event["Block"].text(), "{From=3, Inner={Marks=[1, 2], To=9}}");
            EXPECT_EQ(event["Block"].as<int>().error().code, ErrorCode::invalid_option);
        });
}

TEST_F(FieldsOfAnEvent, MayBeMissing) {
    show([](auto& event) { event.add("There", 1); },
         [](const Event& event) {
             EXPECT_TRUE(event["There"]);
             EXPECT_FALSE(event["there"]);
             EXPECT_FALSE(event["Nowhere"]["Inside"][3]);
             EXPECT_EQ(event["Nowhere"].text(), "");
             EXPECT_EQ(event["Nowhere"].name(), "");
             EXPECT_EQ(event["Nowhere"].size(), 0U);
             EXPECT_EQ(event["Nowhere"].begin(), event["Nowhere"].end());
             EXPECT_EQ(event["Nowhere"].as<int>().error().code, ErrorCode::not_found);
             EXPECT_EQ(event["Nowhere"].as<std::string>().error().code, ErrorCode::not_found);
             EXPECT_EQ(event["There"].begin(), event["There"].end());
         });
}

TEST_F(FieldsOfAnEvent, EndWithAPayloadThatIsTooShort) {
    const std::string path =
        write_trace(folder_.file("short.etl"), [](const auto& shop, trace::Writer& writer) {
            provider::SelfDescribingEvent event(shop, "Baked");
            event.add("First", 1).add("Marks", {1, 2, 3}).add("Last", 4);
            format::EventRecord record = event.record({.time = opening_time + 1});
            record.payload = record.payload.first(12); // the array does not fit
            EXPECT_TRUE(writer.add(record));
            event.clear().add("First", 1);
            record = event.record({.time = opening_time + 2});
            const std::array<std::byte, 6> longer{std::byte{7}};
            record.payload = longer;
            EXPECT_TRUE(writer.add(record));
        });
    auto trace = Trace::open(path);
    ASSERT_TRUE(trace) << describe(trace.error());
    std::vector<std::string> seen;
    for (const Event& event : *trace) {
        if (event.name() == "Baked") {
            EXPECT_NE(event.problem(), "");
            seen.push_back(event["First"].text() + event["Marks"].text());
            EXPECT_FALSE(event["Last"]);
        }
    }
    EXPECT_THAT(seen, ElementsAre("1", "7"));
}

TEST_F(FieldsOfAnEvent, MayBeEmptyArrays) {
    show([](auto& event) { event.add("None", std::vector<int>{}).add("Behind", 5); },
         [](const Event& event) {
             EXPECT_TRUE(event["None"].is_array());
             EXPECT_EQ(event["None"].size(), 0U);
             EXPECT_EQ(event["None"].text(), "[]");
             EXPECT_EQ(event["Behind"].text(), "5");
         });
}

} // namespace
} // namespace etl::field_test

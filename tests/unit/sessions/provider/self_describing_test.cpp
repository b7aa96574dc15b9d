// The record of an event that describes itself: its header, its metadata, and what it cannot hold.
#include "format/limits.hpp"
#include "provider/self_describing.hpp"
#include "tests/support/reading.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"
#include "tests/unit/sessions/provider/coffee.hpp"
#include "trace/reader.hpp"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

namespace etl::provider::self_describing_test {
namespace {

using namespace literals;
using namespace std::string_view_literals;

Bytes metadata_of(const format::EventRecord& record) {
    return record.items[1].data;
}

std::vector<std::byte> copy_of(Bytes bytes) {
    return {bytes.begin(), bytes.end()};
}

TEST(SelfDescribingEvent, SaysWhoWhatAndWhen) {
    SelfDescribingEvent event(coffee(), "CupFinished", {.level = 4, .opcode = 1, .keyword = 0x12});
    event.add("Drink", u"espresso").add("Temperature", 93);
    const Guid activity = "7e57ab1e-0000-4000-8000-0000000000aa"_guid;
    const auto record =
        event.record({.time = 77, .process_id = 4, .thread_id = 8, .activity = activity});
    EXPECT_EQ(keys_of(record, {"pid", "tid", "provider", "channel", "level", "opcode", "keyword",
                               "event", "activity_id", "source", "data"}),
              R"({"pid":4,"tid":8,"provider":"MyCompany.Coffee","channel":11,"level":4,"opcode":1,)"
              R"("keyword":"0x12","event":"CupFinished",)"
              R"("activity_id":"7e57ab1e-0000-4000-8000-0000000000aa","source":"tracelogging",)"
              R"("data":{"Drink":"espresso","Temperature":93}})");
    EXPECT_EQ(record.time, 77);
    EXPECT_EQ(record.provider, coffee().guid());
}

TEST(SelfDescribingEvent, IsReadBackFromATrace) {
    SelfDescribingEvent event(coffee(), "CupFinished");
    event.add("Drink", u"espresso");
    test::TraceBuilder trace;
    trace.buffer().add(event.record({.time = 2'000'000}));
    auto reader = trace::Reader::open(test::in_memory(trace.build()));
    ASSERT_TRUE(reader.has_value());
    flow::EventCursor events(**reader);
    sink::JsonLines lines({.fields = {"event", "data"}});
    std::string text;
    while (const flow::Event* read = events.next()) {
        text.clear();
        lines.encode(*read, text);
    }
    EXPECT_EQ(text, "{\"event\":\"CupFinished\",\"data\":{\"Drink\":\"espresso\"}}\n");
}

TEST(SelfDescribingEvent, AddsArraysOfStructures) {
    const Provider provider("Coffee.Shop");
    SelfDescribingEvent event(provider, "Sold");
    event
        .add_structs("Cups", 3,
                     [](SelfDescribingEvent& cup, std::size_t i) {
                         cup.add("Size", static_cast<std::int32_t>(i));
                         cup.add_struct(
                             "Drink", [&](auto& drink) { drink.add("Name", i == 1 ? "tea" : ""); });
                     })
        .add("After", 9);
    EXPECT_EQ(event.omitted(), 0U);
    EXPECT_EQ(data_of(event.record({})),
              R"({"Cups":[{"Size":0,"Drink":{"Name":""}},{"Size":1,"Drink":{"Name":"tea"}},)"
              R"({"Size":2,"Drink":{"Name":""}}],"After":9})");
}

// Elements that differ would be read by the description of the first.
TEST(SelfDescribingEvent, OmitsElementsThatDifferFromTheFirst) {
    const Provider provider("Coffee.Shop");
    SelfDescribingEvent event(provider, "Sold");
    event.add_structs("Cups", 3, [](SelfDescribingEvent& cup, std::size_t i) {
        i == 1 ? cup.add("Size", std::int64_t{1}) : cup.add("Size", static_cast<std::int32_t>(i));
    });
    EXPECT_EQ(event.omitted(), 1U);
    EXPECT_EQ(data_of(event.record({})), R"({"Cups":[{"Size":0},{"Size":2}]})");
    event.clear().add_structs("Cups", 2, [](SelfDescribingEvent& cup, std::size_t i) {
        i == 1 ? cup.clear().add("Empty", true) : cup.add("Size", 1);
    });
    EXPECT_EQ(data_of(event.record({})), R"({"Empty":true})");
}

TEST(SelfDescribingEvent, DescribesItselfAsOthersDo) {
    using test::TraceLoggingEvent;
    TraceLoggingEvent expected("CupFinished", 0x0FE00001);
    using namespace test;
    expected.field({.name = "Drink", .in = tl_in::utf16, .tag = 0x00200000})
        .field({.name = "Temperature", .in = tl_in::i32})
        .fixed_array({.name = "Steps", .in = tl_in::u16}, 3)
        .variable_array({.name = "Names", .in = tl_in::counted_ansi, .out = tl_out::utf8})
        .structure("Machine", 2)
        .field({.name = "Port", .in = tl_in::u16, .out = tl_out::port})
        .field({.name = "On", .in = tl_in::u8, .out = tl_out::boolean})
        .structure_array("Ingredients", 2)
        .field({.name = "Name", .in = tl_in::counted_ansi, .out = tl_out::utf8})
        .field({.name = "Grams", .in = tl_in::hex32})
        .custom({.name = "Blob"}, std::as_bytes(std::span("x", 1)));
    SelfDescribingEvent event(coffee(), "CupFinished", {.tag = 0x0FE00001});
    event.add("Drink", Terminated(u"mocha"), {0x00200000})
        .add("Temperature", 93)
        .add("Steps", std::array<std::uint16_t, 3>{})
        .add("Names", {"a", "b"})
        .add_struct("Machine", [](auto& m) { m.add("Port", Port{1}).add("On", true); })
        .add("Ingredients", std::vector<Ingredient>{})
        .add_custom("Blob", std::as_bytes(std::span("x", 1)), {});
    EXPECT_EQ(copy_of(metadata_of(event.record({}))), expected.metadata());
}

TEST(SelfDescribingEvent, KeepsTheOrderOfItemsThatWindowsHas) {
    SelfDescribingEvent event(coffee(), "Event");
    const auto record = event.record({});
    ASSERT_EQ(record.items.size(), 2U);
    EXPECT_EQ(record.items[0].type, format::ItemType::provider_traits);
    EXPECT_EQ(record.items[1].type, format::ItemType::event_schema_tl);
}

TEST(SelfDescribingEvent, IsUsedAgainWithoutItsFields) {
    SelfDescribingEvent event(coffee(), "Event");
    event.add("First", 1);
    event.clear().add("Second", 2);
    EXPECT_EQ(data_of(event.record({})), R"({"Second":2})");
    event.clear();
    EXPECT_EQ(keys_of(event.record({}), {"event", "data", "payload", "decode_error"}),
              R"({"event":"Event","data":{}})");
}

TEST(SelfDescribingEvent, EndsNamesAtTheirFirstNul) {
    SelfDescribingEvent event(coffee(), "Event\0x"sv);
    event.add("First\0x"sv, 1);
    EXPECT_EQ(keys_of(event.record({}), {"event", "data"}),
              R"({"event":"Event","data":{"First":1}})");
}

TEST(SelfDescribingEvent, LeavesOutWhatAStructureCannotHold) {
    SelfDescribingEvent event(coffee(), "Event");
    event.add_struct("Many", [](auto& many) {
        for (int i = 0; i < 130; ++i) {
            many.add("V", i);
        }
    });
    EXPECT_EQ(event.omitted(), 3U);
    EXPECT_TRUE(data_of(event.record({})).ends_with(R"("V#127":126}})"));
    EXPECT_EQ(event.clear().omitted(), 0U);
}

void nest(SelfDescribingEvent& event, int depth) {
    event.add_struct("S", [depth](auto& inner) {
        inner.add("V", depth);
        if (depth > 1) {
            nest(inner, depth - 1);
        }
    });
}

TEST(SelfDescribingEvent, NestsAsDeepAsReadersRead) {
    SelfDescribingEvent event(coffee(), "Event");
    nest(event, limits::struct_depth + 1);
    EXPECT_EQ(event.omitted(), 1U);
    EXPECT_EQ(keys_of(event.record({}), {"source", "decode_error"}),
              R"({"source":"tracelogging"})");
    event.clear();
    nest(event, limits::struct_depth);
    EXPECT_EQ(event.omitted(), 0U);
    event.add_struct("Outer", [](auto& outer) { outer.add("Orders", std::vector<Order>{}); });
    EXPECT_EQ(event.omitted(), 0U);
}

// What a program of many events does when something of its own fails within one.
void throw_inside(SelfDescribingEvent& event) {
    event.add_struct("Outer", [](auto& outer) {
        outer.add("First", 1);
        outer.add_struct("Inner", [](auto& inner) {
            inner.add("Second", 2);
            throw std::runtime_error("out of coffee");
        });
    });
}

TEST(SelfDescribingEvent, IsWholeWhenSomethingThrowsInsideOfAStructure) {
    SelfDescribingEvent event(coffee(), "Event");
    for (std::uint32_t i = 0; i <= limits::struct_depth; ++i) {
        event.clear();
        EXPECT_THROW(throw_inside(event), std::runtime_error);
        event.add("Last", 3);
        EXPECT_EQ(event.omitted(), 0U);
        EXPECT_EQ(data_of(event.record({})),
                  R"({"Outer":{"First":1,"Inner":{"Second":2}},"Last":3})");
    }
}

TEST(SelfDescribingEvent, ClearedInsideOfAStructureIsEmpty) {
    SelfDescribingEvent event(coffee(), "Event");
    for (int i = 0; i < 200; ++i) { // more than members of one structure
        event.add_struct("Outer", [](auto& outer) {
            outer.add_struct("Inner", [](auto& inner) { inner.clear().add("New", 1); });
            outer.add("Newer", 2);
        });
        EXPECT_EQ(event.omitted(), 0U);
        EXPECT_EQ(data_of(event.record({})), R"({"New":1,"Newer":2})");
    }
}

TEST(SelfDescribingEvent, ThatIsTooLargeIsRefusedByTheEncoder) {
    SelfDescribingEvent event(coffee(), "Event");
    event.add("V", std::vector<std::byte>(70'000));
    ByteWriter to;
    EXPECT_EQ(format::encode(event.record({}), to).error().code, ErrorCode::limit);
    event.clear();
    for (int i = 0; i < 10'000; ++i) {
        event.add("Field", nullptr);
    }
    EXPECT_EQ(format::encode(event.record({}), to).error().code, ErrorCode::limit);
    EXPECT_EQ(to.size(), 0U);
}

} // namespace
} // namespace etl::provider::self_describing_test

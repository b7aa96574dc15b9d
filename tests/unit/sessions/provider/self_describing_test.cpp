// The record of an event that describes itself: its header, its metadata, and what it cannot hold.
#include <etl/provider.hpp>

#include "format/limits.hpp"
#include "tests/support/reading.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"
#include "tests/unit/sessions/provider/coffee.hpp"
#include "trace/reader.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <list>
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
    nest(event, format::max_struct_depth + 1);
    EXPECT_EQ(event.omitted(), 1U);
    EXPECT_EQ(keys_of(event.record({}), {"source", "decode_error"}),
              R"({"source":"tracelogging"})");
    event.clear();
    nest(event, format::max_struct_depth);
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
    for (std::uint32_t i = 0; i <= format::max_struct_depth; ++i) {
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

// Values of every type as fields of an event.

namespace {

using namespace literals;
using namespace std::string_view_literals;

enum class Size : std::uint16_t { small = 1, large = 7 };

TEST(SelfDescribingEvent, TakesNumbersOfEverySize) {
    EXPECT_EQ(shown(std::int8_t{-8}), R"({"V":-8})");
    EXPECT_EQ(shown(std::uint8_t{200}), R"({"V":200})");
    EXPECT_EQ(shown(std::int16_t{-300}), R"({"V":-300})");
    EXPECT_EQ(shown(std::uint16_t{60'000}), R"({"V":60000})");
    EXPECT_EQ(shown(-70'000), R"({"V":-70000})");
    EXPECT_EQ(shown(4'000'000'000U), R"({"V":4000000000})");
    EXPECT_EQ(shown(std::int64_t{-5'000'000'000}), R"({"V":-5000000000})");
    EXPECT_EQ(shown(std::uint64_t{18'000'000'000'000'000'000U}), R"({"V":18000000000000000000})");
    EXPECT_EQ(shown(1.5F), R"({"V":1.5})");
    EXPECT_EQ(shown(-2.25), R"({"V":-2.25})");
    EXPECT_EQ(shown(Size::large), R"({"V":7})");
    EXPECT_EQ(shown(true), R"({"V":true})");
    EXPECT_EQ(shown(Bool32{false}), R"({"V":false})");
    EXPECT_EQ(shown(nullptr), R"({"V":null})");
}

TEST(SelfDescribingEvent, TakesTextOfAllSorts) {
    EXPECT_EQ(shown('x'), R"({"V":"x"})");
    EXPECT_EQ(shown(u'\u00E9'), R"({"V":"é"})");
    EXPECT_EQ(shown("crème"), R"({"V":"crème"})");
    EXPECT_EQ(shown(u8"crème"), R"({"V":"crème"})");
    EXPECT_EQ(shown(u"crème"), R"({"V":"crème"})");
    EXPECT_EQ(shown(std::string("text")), R"({"V":"text"})");
    EXPECT_EQ(shown(std::u16string(u"text")), R"({"V":"text"})");
    EXPECT_EQ(shown("a\0b"sv), "{\"V\":\"a\\u0000b\"}");
    EXPECT_EQ(shown(Ansi{"\xE9"}), R"({"V":"é"})");
    EXPECT_EQ(shown(Terminated("a\0b"sv)), R"({"V":"a"})");
    EXPECT_EQ(shown(Terminated(u"a\0b"sv)), R"({"V":"a"})");
    EXPECT_EQ(shown(Terminated(Ansi{"\xE9"})), R"({"V":"é"})");
    EXPECT_EQ(shown(Xml("<a/>")), R"({"V":"<a/>"})");
    EXPECT_EQ(shown(Json(u"{}")), R"({"V":"{}"})");
    constexpr const char* nothing = nullptr;
    EXPECT_EQ(shown(nothing), R"({"V":""})");
    constexpr char cut[8] = {'c', 'u', 'p'};
    EXPECT_EQ(shown(cut), R"({"V":"cup"})");
    constexpr char full[2] = {'o', 'k'};
    EXPECT_EQ(shown(full), R"({"V":"ok"})");
}

TEST(SelfDescribingEvent, TakesWhatWindowsHasTypesFor) {
    EXPECT_EQ(shown("7e57ab1e-0000-4000-8000-00000000cafe"_guid),
              R"({"V":"7e57ab1e-0000-4000-8000-00000000cafe"})");
    EXPECT_EQ(shown(Filetime{133'603'992'001'234'567}), R"({"V":"2024-05-17T06:00:00.1234567Z"})");
    const auto time = std::chrono::sys_days(std::chrono::year(2024) / 5 / 17) +
                      std::chrono::nanoseconds(123'456'789);
    EXPECT_EQ(shown(time), R"({"V":"2024-05-17T00:00:00.1234567Z"})");
    EXPECT_EQ(shown(std::chrono::sys_seconds(std::chrono::seconds(-1))),
              R"({"V":"1969-12-31T23:59:59.0000000Z"})");
    EXPECT_EQ(shown(SystemTime{.year = 2024, .month = 5, .day = 17, .hour = 6}),
              R"({"V":"2024-05-17T06:00:00.0000000Z"})");
    EXPECT_EQ(shown(Sid(5, 32, 544)), R"({"V":"S-1-5-32-544"})");
    EXPECT_EQ(shown(Pointer{0x7FF0}), R"({"V":"0x7ff0"})");
    EXPECT_EQ(shown(CodePointer{0x7FF0}), R"({"V":"0x7ff0"})");
    EXPECT_TRUE(shown(&time).starts_with(R"({"V":"0x)"));
}

TEST(SelfDescribingEvent, TakesHowAValueIsShown) {
    EXPECT_EQ(shown(Hex(std::uint8_t{0x1F})), R"({"V":"0x1f"})");
    EXPECT_EQ(shown(Hex(std::int16_t{0x1F})), R"({"V":"0x1f"})");
    EXPECT_EQ(shown(Hex(0xFFFFFFFFU)), R"({"V":"0xffffffff"})");
    EXPECT_EQ(shown(Hex(std::uint64_t{1} << 40U)), R"({"V":"0x10000000000"})");
    EXPECT_EQ(shown(Port{443}), R"({"V":443})");
    EXPECT_EQ(shown(ProcessId{4}), R"({"V":4})");
    EXPECT_EQ(shown(ThreadId{8}), R"({"V":8})");
    EXPECT_EQ(shown(Ipv4{{192, 0, 2, 1}}), R"({"V":"192.0.2.1"})");
    EXPECT_EQ(shown(Ipv6{{0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}),
              R"({"V":"2001:db8::1"})");
    const std::array<std::uint8_t, 16> endpoint{2, 0, 1, 0xBB, 192, 0, 2, 1};
    EXPECT_EQ(shown(SocketAddress{std::as_bytes(std::span(endpoint))}), R"({"V":"192.0.2.1:443"})");
    EXPECT_EQ(shown(Win32Error{5}), R"({"V":5})");
    EXPECT_EQ(shown(NtStatus{0xC0000034}), R"({"V":3221225524})");
    EXPECT_EQ(shown(HResult{5}), R"({"V":5})");
    EXPECT_EQ(shown(as<Out::as_unsigned>(std::int8_t{-1})), R"({"V":255})");
}

TEST(SelfDescribingEvent, TakesBinaryData) {
    const std::vector<std::byte> bytes{std::byte{0xAB}, std::byte{0}};
    EXPECT_EQ(shown(bytes), R"({"V":"ab00"})");
    EXPECT_EQ(shown(Bytes(bytes)), R"({"V":"ab00"})");
    EXPECT_EQ(shown(std::array{std::byte{1}, std::byte{2}}), R"({"V":"0102"})");
    const std::vector<std::uint8_t> numbers{1, 2};
    EXPECT_EQ(shown(Binary(numbers)), R"({"V":"0102"})");
    EXPECT_EQ(shown(std::vector{bytes, bytes}), R"({"V":["ab00","ab00"]})");
}

TEST(SelfDescribingEvent, TakesArraysOfFixedAndOfAnySize) {
    EXPECT_EQ(shown(std::array{1, 2, 3}), R"({"V":[1,2,3]})");
    constexpr std::uint16_t plain[] = {4, 5};
    EXPECT_EQ(shown(plain), R"({"V":[4,5]})");
    EXPECT_EQ(shown(std::span(plain)), R"({"V":[4,5]})");
    EXPECT_EQ(shown(std::vector<double>{}), R"({"V":[]})");
    EXPECT_EQ(shown(std::vector{1.5, 2.5}), R"({"V":[1.5,2.5]})");
    EXPECT_EQ(shown(std::list<std::string>{"a", "bc"}), R"({"V":["a","bc"]})");
    EXPECT_EQ(shown(std::vector{true, false}), R"({"V":[true,false]})");
    EXPECT_EQ(shown(std::vector{Port{80}, Port{443}}), R"({"V":[80,443]})");
    SelfDescribingEvent event(coffee(), "Event");
    event.add("V", {u"a", u""}).add("W", {1, 2});
    EXPECT_EQ(data_of(event.record({})), R"({"V":["a",""],"W":[1,2]})");
}

TEST(SelfDescribingEvent, TakesStructuresOfOneCall) {
    SelfDescribingEvent event(coffee(), "Event");
    event.add("Before", 1)
        .add_struct("Machine",
                    [](auto& machine) {
                        machine.add("Port", Port{631});
                        machine.add_struct("Boiler", [](auto& boiler) {
                            boiler.add("Bar", 9.5).add("Litres", 1);
                        });
                        machine.add("Name", "Anna");
                    })
        .add_struct("Nothing", [](auto&) {})
        .add("Behind", 2);
    EXPECT_EQ(data_of(event.record({})),
              R"({"Before":1,"Machine":{"Port":631,"Boiler":{"Bar":9.5,"Litres":1},)"
              R"("Name":"Anna"},"Nothing":{},"Behind":2})");
}

TEST(SelfDescribingEvent, TakesStructuresOfYourOwnAlsoInArrays) {
    const Order order{.id = 7, .ingredients = {{"beans", 16}, {"water", 255}}};
    EXPECT_EQ(
        shown(order),
        R"({"V":{"Id":7,"Ingredients":[{"Name":"beans","Grams":"0x10"},{"Name":"water","Grams":"0xff"}]}})");
    EXPECT_EQ(shown(std::vector<Order>{{.id = 1, .ingredients = {}}, {.id = 2, .ingredients = {}}}),
              R"({"V":[{"Id":1,"Ingredients":[]},{"Id":2,"Ingredients":[]}]})");
    EXPECT_EQ(shown(std::vector<Order>{}), R"({"V":[]})");
    EXPECT_EQ(shown(std::array<Ingredient, 1>{{{"milk", 1}}}),
              R"({"V":[{"Name":"milk","Grams":"0x1"}]})");
}

TEST(SelfDescribingEvent, TakesDataInASerialisationOfItsOwn) {
    SelfDescribingEvent event(coffee(), "Event");
    const auto type = std::as_bytes(std::span("Bond"));
    const auto data = std::as_bytes(std::span("\x01\x02", 2));
    event.add_custom("V", type, data).add("Behind", 2);
    EXPECT_EQ(data_of(event.record({})), R"({"V":"0102","Behind":2})");
}

TEST(Sid, IsReadFromBytesThatAreOne) {
    const Sid sid(0x010203040506, 1, 0xFFFFFFFFU);
    const auto again = Sid::from_bytes(sid.bytes());
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(shown(*again), R"({"V":"S-1-0x10203040506-1-4294967295"})");
    EXPECT_FALSE(Sid::from_bytes(sid.bytes().first(15)));
    EXPECT_FALSE(Sid::from_bytes({}));
    std::vector<std::byte> long_one(8 + 4 * 16);
    long_one[1] = std::byte{16};
    EXPECT_FALSE(Sid::from_bytes(long_one));
    EXPECT_EQ(shown(Sid()), R"({"V":"S-1-0-0"})");
}

// What has no form in an event does not compile.
static_assert(!Loggable<std::wstring> && !Loggable<const wchar_t*> && !Loggable<char32_t>);
static_assert(!Loggable<long double>);
static_assert(!Loggable<std::vector<std::vector<int>>> && !Loggable<std::vector<std::nullptr_t>>);
static_assert(!std::is_constructible_v<SelfDescribingEvent, Provider, const char*>);
static_assert(!std::is_constructible_v<Binary, std::string>, "would dangle");
template <typename Event>
concept Records = requires(Event&& event) { std::forward<Event>(event).record(EventContext{}); };
static_assert(Records<SelfDescribingEvent&> && !Records<SelfDescribingEvent>, "would dangle");

} // namespace

} // namespace etl::provider::self_describing_test

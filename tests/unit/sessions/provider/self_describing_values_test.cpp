// Values of every type as fields of an event.
#include "provider/self_describing.hpp"
#include "tests/unit/sessions/provider/coffee.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <list>
#include <string>
#include <vector>

namespace etl::provider::self_describing_values_test {
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
} // namespace etl::provider::self_describing_values_test

#include "authoring/cpp_header.hpp"
#include "tests/unit/meaning/schema/manifest_in.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::authoring::cpp_header_test {
namespace {

using namespace schema;

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

CppHeader header_of(const schema::SchemaSet& set, const CppHeaderOptions& options = {}) {
    auto header = write_cpp_header(set, options);
    if (!header) {
        ADD_FAILURE() << describe(header.error());
        return {};
    }
    return std::move(*header);
}

/// The header of one event 1 with this template.
CppHeader header_of_template(std::string_view items) {
    return header_of(parse_provider(fmt::format(
        R"(<templates><template tid="T">{}</template></templates><events><event value="1" symbol="One" template="T"/></events>)",
        items)));
}

TEST(CppHeader, HasAFunctionForAnEvent) {
    const CppHeader header = header_of_template(
        R"(<data name="Drink" inType="win:UnicodeString"/><data name="Cups" inType="win:UInt16"/>)");
    EXPECT_TRUE(header.notes.empty());
    EXPECT_THAT(header.text, HasSubstr("namespace etw::demo {"));
    EXPECT_THAT(header.text, HasSubstr(R"([[nodiscard]] inline etl::provider::Event one(
    std::u16string_view drink,
    std::uint16_t cups,
    etl::provider::Event memory = {}) {
    etl::provider::PayloadWriter payload(memory.begin(provider_guid, descriptor::one));
    payload.terminated(drink);
    payload.value(cups);
    return memory;
}
)"));
}

TEST(CppHeader, TakesLengthsFromWhatTheyAreFor) {
    const CppHeader header = header_of_template(
        R"(<data name="Size" inType="win:UInt32"/><data name="Data" inType="win:Binary" length="Size"/>)");
    EXPECT_THAT(header.text, HasSubstr("    std::span<const std::byte> data,\n    etl::"));
    EXPECT_THAT(header.text,
                HasSubstr("size = etl::provider::length_for<std::uint32_t>({data.size()});"));
    EXPECT_THAT(header.text, HasSubstr("payload.value_as<std::uint32_t>(size);"));
}

TEST(CppHeader, SaysWhichEventsItLeavesOut) {
    EXPECT_THAT(
        header_of_template(
            R"(<data name="A" inType="win:Binary"/><data name="B" inType="win:Int8"/>)")
            .notes,
        ElementsAre("event 1 version 0 of Demo has no function: field `A` has an unknown length"));
    EXPECT_THAT(header_of_template(R"(<data name="A" inType="trace:SizeT" />)").notes,
                ElementsAre(HasSubstr("without a C++ equivalent")));
    EXPECT_THAT(header_of_template(R"(<data name="A" inType="win:Int8" count="Missing"/>)").notes,
                ElementsAre(HasSubstr("cannot be written")));
    EXPECT_THAT(
        header_of_template(R"(<data name="A" inType="win:AnsiString" length="70000"/>)").notes,
        ElementsAre(HasSubstr("exceeds the maximum event size")));
    EXPECT_THAT(
        header_of_template(
            R"(<data name="N" inType="win:UInt8"/><struct name="S"><data name="A" inType="win:Int8" count="N"/></struct>)")
            .notes,
        ElementsAre(HasSubstr("outside its structure")));
}

TEST(CppHeader, WritesEqualStructuresAndMapsOnce) {
    const schema::SchemaSet set = parse_provider(
        R"(<maps><valueMap name="M"><map value="1" message="one"/></valueMap></maps>
<templates><template tid="A"><struct name="S"><data name="X" inType="win:UInt8" map="M"/></struct></template>
<template tid="B"><struct name="S"><data name="X" inType="win:UInt8" map="M"/></struct></template>
<template tid="C"><struct name="S"><data name="Y" inType="win:UInt8"/></struct></template></templates>
<events><event value="1" template="A"/><event value="2" template="B"/><event value="3" template="C"/></events>)");
    const std::string text = header_of(set).text;
    EXPECT_EQ(text.find("enum class M "), text.rfind("enum class M "));
    EXPECT_EQ(text.find("struct S {"), text.rfind("struct S {"));
    EXPECT_THAT(text, HasSubstr("struct S_2 {"));
}

TEST(CppHeader, MarksTheChannelInTheKeyword) {
    const schema::SchemaSet set = parse_provider(
        R"(<channels><channel name="A" chid="A" type="Operational"/><channel name="B" chid="B" type="Debug"/></channels>
<events><event value="1" channel="A"/><event value="2" channel="B"/><event value="3"/></events>)");
    const std::string text = header_of(set).text;
    EXPECT_THAT(text, HasSubstr(".channel = 16, .level = 0, .opcode = 0, .task = 0, .keyword = "
                                "0x8000000000000000}"));
    EXPECT_THAT(text, HasSubstr(".channel = 17, .level = 0, .opcode = 0, .task = 0, .keyword = "
                                "0x4000000000000000}"));
    EXPECT_THAT(text, HasSubstr(".task = 0, .keyword = 0x0}"));
}

TEST(CppHeader, PutsProvidersWhereItIsTold) {
    schema::SchemaSet set = parse_provider(R"(<events><event value="1"/></events>)");
    EXPECT_THAT(header_of(set, {.name_space = "my::events"}).text,
                HasSubstr("\nnamespace my::events {\n"));
    auto other = std::make_shared<ProviderNames>();
    other->name = "Another";
    other->guid = Guid{{std::byte{1}}};
    auto event = std::make_shared<EventSchema>(*set.events.front());
    event->provider = other;
    set.providers.push_back(other);
    set.events.push_back(event);
    const std::string text = header_of(set, {.name_space = "my::events"}).text;
    const std::size_t first = text.find("\nnamespace my::events::another {\n");
    EXPECT_NE(first, text.npos);
    EXPECT_LT(first, text.find("\nnamespace my::events::demo {\n"));
    EXPECT_EQ(write_cpp_header(set, {.name_space = "a {} b"}).error().code,
              ErrorCode::invalid_option);
}

TEST(CppHeader, DoesNotDependOnTheOrderOfTheEvents) {
    schema::SchemaSet set = parse_provider(
        R"(<events><event value="2" symbol="Twin"/><event value="1" symbol="TWIN"/></events>)");
    const std::string text = header_of(set).text;
    std::swap(set.events[0], set.events[1]);
    EXPECT_EQ(header_of(set).text, text);
}

TEST(CppHeader, LeavesOutEventsThatHaveNoPayloadOfTheirOwn) {
    schema::SchemaSet set = parse_provider(R"(<events><event value="1"/></events>)");
    auto message = std::make_shared<EventSchema>(*set.events.front());
    message->origin = Origin::wpp;
    set.events = {message};
    EXPECT_THAT(header_of(set).text, Not(HasSubstr("namespace")));
}

} // namespace
} // namespace etl::authoring::cpp_header_test

// Schemas from the templates of event logs: order, names, and types of fields.
#include "schema/event_log.hpp"
#include "tests/support/eventlogs/event_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace etl::schema::event_log_test {
namespace {

using evtx::PayloadKind;
using evtx::ValueType;
using test::SampleEvent;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

SchemaSet schemas_in(std::vector<SampleEvent> events) {
    test::SampleLog log;
    for (SampleEvent& event : events) {
        EXPECT_TRUE(log.add(event.event()));
    }
    auto set = parse_event_log(log.finish());
    EXPECT_TRUE(set);
    return set ? *std::move(set) : SchemaSet{};
}

template <typename... Events>
SchemaSet schemas_of(Events... events) {
    std::vector<SampleEvent> list;
    (list.push_back(std::move(events)), ...);
    return schemas_in(std::move(list));
}

/// "Name:type" of each field.
std::vector<std::string> fields_of(const SchemaSet& set) {
    std::vector<std::string> list;
    for (const Field& field : set.events.empty() ? std::vector<Field>() : set.events[0]->fields) {
        list.push_back(field.name + ":" + std::to_string(static_cast<int>(field.in_type)));
    }
    return list;
}

SampleEvent user_data() {
    SampleEvent event;
    event.event().payload = PayloadKind::user_data;
    event.event().payload_name = "Brewing";
    return event;
}

TEST(SchemasOfEventLogs, AreThoseOfEventData) {
    SampleEvent event;
    event.text("Who", u"Ada").number("Cups", ValueType::uint32, std::uint32_t{3});
    const SchemaSet set = schemas_of(std::move(event));
    EXPECT_THAT(fields_of(set), ElementsAre("Who:1", "Cups:8"));
    ASSERT_EQ(set.events.size(), 1U);
    EXPECT_EQ(set.events[0]->id, 7);
    EXPECT_EQ(set.events[0]->version, 1);
    EXPECT_EQ(set.events[0]->provider->name, "Made-Up-Provider");
    EXPECT_THAT(set.notes, IsEmpty());
}

TEST(SchemasOfEventLogs, AreThoseOfUserDataWithElementsInElements) {
    SampleEvent event = user_data();
    event.text("Who", u"Ada").structure("Order");
    event.add("Cups", {ValueType::hex32, false, {}}, 1).text("Kind", u"tea", 1);
    event.text("Last", u"x");
    const SchemaSet set = schemas_of(std::move(event));
    EXPECT_THAT(fields_of(set), ElementsAre("Who:1", "Cups:20", "Kind:1", "Last:1"));
}

// A namespace and other text of the template are no fields; an attribute with a value is one.
TEST(SchemasOfEventLogs, HaveNoFieldsForTextOfTheTemplate) {
    SampleEvent event = user_data();
    event.text("xmlns", u"urn:tea").text("Size", u"large").text("Who", u"Ada");
    event.field(0).is_attribute = event.field(0).is_literal = true;
    event.field(1).is_attribute = true;
    EXPECT_THAT(fields_of(schemas_of(std::move(event))), ElementsAre("Size:1", "Who:1"));
}

TEST(SchemasOfEventLogs, JoinTheRecordsOfAnEvent) {
    const auto sample = [](evtx::Value who) {
        SampleEvent event = user_data();
        event.add("Who", who).number("Cups", ValueType::uint16, std::uint16_t{3});
        return event;
    };
    static constexpr std::array<std::byte, 2> text{};
    const evtx::Value a{ValueType::string, false, text};
    EXPECT_THAT(fields_of(schemas_of(sample({}), sample(a), sample({}))),
                ElementsAre("Who:1", "Cups:6"));
    const SchemaSet unknown = schemas_of(sample({}));
    EXPECT_THAT(unknown.events, IsEmpty());
    const SchemaSet contradicting = schemas_of(sample(a), sample({ValueType::int8, false, text}));
    EXPECT_THAT(contradicting.events, IsEmpty());
    ASSERT_EQ(contradicting.notes.size(), 1U);
    EXPECT_THAT(contradicting.notes[0].text, HasSubstr("1 event of the log not described"));
}

// The integer before binary data that equals their size in each record.
TEST(SchemasOfEventLogs, FindTheLengthsOfBinaryData) {
    const auto sample = [](std::uint32_t first, std::uint32_t second, std::size_t bytes) {
        SampleEvent event;
        event.number("A", ValueType::uint32, first).number("B", ValueType::uint32, second);
        event.bytes("Data", ValueType::binary, ByteWriter().fill(bytes));
        return event;
    };
    const auto length_of = [](const SchemaSet& set) {
        const Field& data = set.events.at(0)->fields.at(2);
        return data.length.kind == Extent::Kind::field ? static_cast<int>(data.length.value) : -1;
    };
    EXPECT_EQ(length_of(schemas_of(sample(4, 4, 4))), 1);
    EXPECT_EQ(length_of(schemas_of(sample(4, 4, 4), sample(5, 4, 5))), 0);
    EXPECT_EQ(length_of(schemas_of(sample(4, 4, 4), sample(5, 4, 5), sample(5, 5, 4))), -1);
    const SchemaSet set = schemas_of(sample(4, 4, 4));
    EXPECT_TRUE(set.events[0]->fields[1].referenced);
}

TEST(SchemasOfEventLogs, LeaveOutWhatATraceWouldNotTellApart) {
    SampleEvent unnamed;
    unnamed.text("", u"Ada");
    EXPECT_THAT(schemas_of(std::move(unnamed)).events, IsEmpty());
    SampleEvent array;
    array.array("Sizes", ValueType::uint16, ByteWriter().u16(1).u16(2));
    EXPECT_THAT(schemas_of(std::move(array)).events, IsEmpty());
    SampleEvent nested;
    nested.structure("Order").text("Kind", u"tea", 1);
    EXPECT_THAT(schemas_of(std::move(nested)).events, IsEmpty());
    const auto failed = [] { // by Windows
        SampleEvent event;
        event.event().payload = PayloadKind::processing_error_data;
        event.text("DataItemName", u"Url");
        return event;
    };
    EXPECT_THAT(schemas_of(failed()).events, IsEmpty());
    SampleEvent good;
    good.text("Url", u"x");
    EXPECT_THAT(fields_of(schemas_of(failed(), std::move(good), failed())), ElementsAre("Url:1"));
    SampleEvent debug;
    debug.event().payload = PayloadKind::debug_data;
    debug.text("Text", u"x");
    EXPECT_THAT(schemas_of(std::move(debug)).events, IsEmpty());
}

} // namespace
} // namespace etl::schema::event_log_test

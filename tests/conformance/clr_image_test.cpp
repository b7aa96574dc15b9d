// A real executable with maps, keywords, structures, arrays and UserData: clretwrc.dll of .NET Core
// 3.1.2. docs/format/images.md#evidence
#include "tests/conformance/fetched_image.hpp"

#include <map>

namespace etl::test {
namespace {

using schema::EventSchema;
using schema::Extent;
using schema::Field;
using schema::ValueMap;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::SizeIs;

constexpr Guid runtime = *parse_guid("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");
constexpr Guid rundown = *parse_guid("a669021c-c450-4609-a035-5af59af4df18");
constexpr Guid stress = *parse_guid("cc2bcbba-16b6-4cf3-8990-d74c2e8af500");
constexpr Guid private_runtime = *parse_guid("763fd754-7086-4dfe-95eb-c01a46faf4ca");

using ClrImage = FetchedImage;

const Field& field(const EventSchema& event, std::string_view name) {
    for (const Field& one : event.fields) {
        if (one.name == name) {
            return one;
        }
    }
    throw std::out_of_range("field");
}

TEST_F(ClrImage, HoldsFourProviders) {
    EXPECT_THAT(schema::scan_wevt_providers(bytes()),
                ElementsAre(runtime, rundown, stress, private_runtime));
    const schema::SchemaStore store = load();
    EXPECT_EQ(store.size(), 410U);
    EXPECT_EQ(store.provider(runtime)->name, "Microsoft-Windows-DotNETRuntime");
    EXPECT_EQ(store.provider(private_runtime)->name, "Microsoft-Windows-DotNETRuntimePrivate");
    EXPECT_THAT(store.provider(runtime)->levels, Contains(Pair(0, "Log Always")));
    EXPECT_THAT(store.provider(runtime)->keywords, Contains(Pair(0x10, "JitKeyword")));
}

TEST_F(ClrImage, DescribesUserData) {
    const schema::SchemaStore store = load();
    const EventSchema& start = event(store, {runtime, 1, 1});
    EXPECT_EQ(start.event_name, "GarbageCollection/Start");
    EXPECT_EQ(start.user_data, "<GCStart_V1 xmlns=\"myNs\"><Count>%1</Count><Depth>%2</Depth>"
                               "<Reason>%3</Reason><Type>%4</Type>"
                               "<ClrInstanceID>%5</ClrInstanceID></GCStart_V1>");
    EXPECT_EQ(start.message, "Count=%1;%nDepth=%2;%nReason=%3;%nType=%4;%nClrInstanceID=%5");
}

TEST_F(ClrImage, DescribesMaps) {
    const schema::SchemaStore store = load();
    std::map<ValueMap::Kind, std::size_t> fields_with_maps;
    for (const auto& schema : store.schemas()) {
        for (const Field& one : schema->fields) {
            if (one.map != Field::no_map) {
                EXPECT_THAT(schema->maps.at(one.map)->entries, Not(::testing::IsEmpty()));
                ++fields_with_maps[schema->maps.at(one.map)->kind];
            }
        }
    }
    EXPECT_GT(fields_with_maps[ValueMap::Kind::value], 20U);
    EXPECT_GT(fields_with_maps[ValueMap::Kind::bits], 20U);
}

TEST_F(ClrImage, DescribesStructuresAndArrays) {
    const schema::SchemaStore store = load();
    const EventSchema& types = event(store, {runtime, 15, 0});
    EXPECT_EQ(fields(types),
              "Count:UInt32/UnsignedInt ClrInstanceID:UInt16/UnsignedShort Values:Struct/ "
              "TypeID:UInt64/HexInt64 ModuleID:UInt64/HexInt64 TypeNameID:UInt32/UnsignedInt "
              "Flags:UInt32/UnsignedInt CorElementType:UInt8/UnsignedByte "
              "Name:UnicodeString/String TypeParameterCount:UInt32/UnsignedInt "
              "TypeParameters:UInt64/HexInt64 ");
    EXPECT_EQ(field(types, "Values").members, 8);
    EXPECT_EQ(field(types, "Values").count.kind, Extent::Kind::field);
    EXPECT_EQ(field(types, "Values").count.value, 0U);
    EXPECT_EQ(field(types, "TypeParameters").count.kind, Extent::Kind::field);
    EXPECT_EQ(field(types, "TypeParameters").count.value, 9U);
    // A constant count, and a length by a field.
    const EventSchema& stack = event(store, {runtime, 82, 0});
    EXPECT_EQ(field(stack, "Stack").count.kind, Extent::Kind::fixed);
    EXPECT_EQ(field(stack, "Stack").count.value, 2U);
    const EventSchema& symbols = event(store, {runtime, 260, 0});
    EXPECT_EQ(field(symbols, "Chunk").length.kind, Extent::Kind::field);
    EXPECT_EQ(field(symbols, "Chunk").length.value, 3U);
}

} // namespace
} // namespace etl::test

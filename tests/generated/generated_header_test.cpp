// Events of generated headers, written, and decoded by the manifests that the headers are made of.
#include "every_type.hpp"
#include "odd_names.hpp"

#include "catalog/catalog.hpp"
#include "flow/pipeline.hpp"
#include "sink/json.hpp"
#include "trace/reader.hpp"
#include "trace/writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl {
namespace {

using namespace literals;
using namespace std::string_view_literals;

std::shared_ptr<const schema::SchemaStore> store_of(const char* manifest) {
    auto store = std::make_shared<schema::SchemaStore>();
    auto catalog =
        catalog::Catalog::open({.paths = {manifest}, .environment = false, .built_in = false});
    if (!catalog) {
        ADD_FAILURE() << manifest;
    } else {
        catalog->load_all(*store);
    }
    store->freeze();
    return store;
}

/// Writes the event into a trace, reads that, and gives these keys as JSON.
std::string read_back(const provider::Event& event, const char* manifest,
                      std::vector<std::string> keys) {
    io::MemoryFiles files;
    auto writer = trace::Writer::create(
        "out.etl",
        {.recording = trace::begin_recording(Filetime{133'603'992'000'000'000}), .files = &files});
    if (!writer || !(*writer)->add(event.record({.time = 133'603'992'000'000'001})) ||
        !(*writer)->close()) {
        return "not written";
    }
    auto reader =
        trace::Reader::open(io::InputFile::from_memory(files.files()["out.etl"], "out.etl"));
    if (!reader) {
        return "not read";
    }
    StringOutput output;
    flow::run(**reader, sink::JsonLines({.schemas = store_of(manifest), .fields = std::move(keys)}),
              output);
    // The first line is that of the log file header.
    const std::size_t line = output.text().find('\n') + 1;
    return output.text().substr(line, output.text().size() - line - 1);
}

std::string data_of(const provider::Event& event) {
    return read_back(event, EVERY_TYPE, {"data", "trailing", "short", "decode_error", "payload"});
}

Bytes bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text));
}

TEST(GeneratedHeader, SaysWhoTheProviderIs) {
    EXPECT_EQ(every_type::provider_name, "Example-Every-Type");
    EXPECT_EQ(every_type::provider_guid, "3f0c9d52-7b1e-4c84-9a37-5d2e6b81c0f4"_guid);
    EXPECT_EQ(read_back(every_type::user_data(u"Alice", every_type::Doors::gone), EVERY_TYPE,
                        {"provider", "id", "level", "event", "source", "data"}),
              R"({"provider":"Example-Every-Type","id":19,"level":3,"event":"UserData",)"
              R"("source":"manifest","data":{"Who":"Alice","What":"gone"}})");
}

TEST(GeneratedHeader, WritesTextOfEverySort) {
    EXPECT_EQ(
        data_of(every_type::text16(u"a\0b"sv, u"sixsixsix", u"size", u"<x/>", u"{}", u"c\0d"sv,
                                   u"<y/>")),
        R"({"data":{"Text":"a","Six":"sixsix","Size":4,"Sized":"size","Xml":"<x/>","Json":"{}",)"
        R"("Counted":"c\u0000d","CountedXml":"<y/>"}})");
    EXPECT_EQ(data_of(every_type::text8("text", "five", "crème", "<x/>", "{}", "counted", "é")),
              R"({"data":{"Text":"text","Five":"five","Utf8":"crème","Xml":"<x/>","Json":"{}",)"
              R"("Counted":"counted","CountedUtf8":"é"}})");
}

TEST(GeneratedHeader, WritesNumbersOfEverySort) {
    EXPECT_EQ(data_of(every_type::bytes(-8, 'c', 0x1F, 200, 0xFF, 'x', true)),
              R"({"data":{"Int8":-8,"Int8String":"c","Int8Hex":"0x1f","UInt8":200,)"
              R"("UInt8Hex":"0xff","UInt8String":"x","UInt8Boolean":true}})");
    EXPECT_EQ(data_of(every_type::words(-300, 0x1F, 60'000, 0xFFFF, provider::Port{443}, u'é')),
              R"({"data":{"Int16":-300,"Int16Hex":"0x1f","UInt16":60000,"UInt16Hex":"0xffff",)"
              R"("UInt16Port":443,"UInt16String":"é"}})");
    EXPECT_EQ(data_of(every_type::signed32(-5, 0x1F, 0, 0)),
              R"({"data":{"Int32":-5,"Hex":"0x1f","HResult":0,"NtStatus":0}})");
    EXPECT_THAT(data_of(every_type::unsigned32(4'000'000'000, 4, 8, provider::Ipv4{{192, 0, 2, 1}},
                                               0, 5, 6, 7, 0xAB, 9)),
                testing::AllOf(testing::HasSubstr(R"("UInt32":4000000000,"Pid":4,"Tid":8,)"),
                               testing::HasSubstr(R"("IPv4":"192.0.2.1")"),
                               testing::HasSubstr(R"("Hex":"0xab","Int":9}})")));
    EXPECT_THAT(data_of(every_type::sixty4(-5'000'000'000, 0x1F, 0, 18'000'000'000'000'000'000U,
                                           0x1F, 0, 0x7FF0, 0)),
                testing::AllOf(testing::HasSubstr(R"("Int64":-5000000000,"Int64Hex":"0x1f")"),
                               testing::HasSubstr(R"("UInt64":18000000000000000000)"),
                               testing::HasSubstr(R"("UInt64CodePointer":"0x7ff0")")));
    EXPECT_EQ(data_of(every_type::floats(1.5F, -2.25)), R"({"data":{"Float":1.5,"Double":-2.25}})");
    EXPECT_EQ(data_of(every_type::boolean(true, false)),
              R"({"data":{"Boolean":true,"Named":false}})");
    EXPECT_EQ(data_of(every_type::hexes(1, 2, 3, 4, 5, 0xABCDEF0123, 7)),
              R"({"data":{"Hex32":"0x1","ErrorCode":2,"Win32Error":3,"NtStatus":4,"HResult":5,)"
              R"("Hex64":"0xabcdef0123","CodePointer":"0x7"}})");
}

TEST(GeneratedHeader, WritesBinaryData) {
    const provider::Ipv6 address{{0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}};
    constexpr std::byte four[4]{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
    EXPECT_EQ(data_of(every_type::binary(four, bytes_of("ab"), address, address,
                                         std::span(four).first<3>(), bytes_of("c"),
                                         bytes_of("0123456789abcdef"), {}, bytes_of("rest"))),
              R"({"data":{"Four":"01020304","Size":2,"Sized":"6162","IPv6":"2001:db8::1",)"
              R"("IPv6Alone":"2001:db8::1","Pkcs7":"010203","Counted":"63",)"
              R"("CountedIPv6":"3031:3233:3435:3637:3839:6162:6364:6566","CountedPkcs7":"",)"
              R"("Rest":"72657374"}})");
    std::array<std::byte, 16> v4{};
    v4[0] = std::byte{2};
    v4[3] = std::byte{80};
    v4[4] = std::byte{10};
    EXPECT_THAT(data_of(every_type::sockets(v4, std::array<std::byte, 28>{},
                                            std::array<std::byte, 128>{}, v4)),
                testing::AllOf(testing::HasSubstr(R"("V4":"10.0.0.0:80")"),
                               testing::HasSubstr(R"("Counted":"10.0.0.0:80"})")));
}

TEST(GeneratedHeader, WritesWhatWindowsHasTypesFor) {
    EXPECT_EQ(
        data_of(every_type::pointers("7e57ab1e-0000-4000-8000-00000000cafe"_guid, 1, 2, 3, 4)),
        R"({"data":{"Guid":"7e57ab1e-0000-4000-8000-00000000cafe","Pointer":"0x1",)"
        R"("PointerHex":"0x2","PointerCode":"0x3","PointerUnsigned":4}})");
    const Filetime time{133'603'992'001'234'567};
    EXPECT_THAT(data_of(every_type::filetimes(time, time, time)),
                testing::HasSubstr(R"("Utc":"2024-05-17T06:00:00.1234567Z"})"));
    const provider::SystemTime civil{.year = 2024, .month = 5, .day = 17, .hour = 6};
    EXPECT_THAT(data_of(every_type::systemtimes(civil, civil, civil)),
                testing::HasSubstr(R"("Utc":"2024-05-17T06:00:00.0000000Z"})"));
    EXPECT_EQ(data_of(every_type::sids(provider::Sid(5, 18), 28, provider::Sid(5, 32, 544))),
              R"({"data":{"Sid":"S-1-5-18","Length":28,"Sized":"S-1-5-32-544"}})");
}

TEST(GeneratedHeader, WritesEnumerationsAndFlags) {
    using every_type::Doors;
    namespace toppings = every_type::toppings;
    EXPECT_EQ(data_of(every_type::maps(Doors::shut, Doors::a_jar, Doors::gone, Doors::shut,
                                       toppings::salt | toppings::foam, 0, every_type::holes::pair,
                                       std::array{Doors::gone, static_cast<Doors>(7)})),
              R"({"data":{"Door8":"shut","Door16":"a \"jar\"","Door32":"gone","DoorHex":"shut",)"
              R"("Toppings":"salt | foam","ToppingsHex":"0x0","Holes":"pair",)"
              R"("Doors":["gone","7"]}})");
}

TEST(GeneratedHeader, WritesArraysAndStructures) {
    using every_type::Pairs;
    const std::uint8_t three[]{1, 2, 3};
    const std::uint16_t one[]{4};
    const std::int16_t counted[]{-1, -2};
    const std::u16string_view texts[]{u"a", u"b"};
    const Bytes blobs[]{bytes_of("abc"), bytes_of("d")};
    const std::vector<Pairs> pairs{{"k", 1}, {"l", 2}};
    EXPECT_EQ(
        data_of(every_type::arrays(three, one, counted, texts, blobs, {.x = -1, .y = 2}, pairs, 9)),
        R"({"data":{"Three":[1,2,3],"One":[4],"Count":2,"Counted":[-1,-2],"Texts":["a","b"],)"
        R"("Blobs":["616263","640000"],"Point":{"X":-1,"Y":2},)"
        R"("Pairs":[{"Key":"k","Value":"0x1"},{"Key":"l","Value":"0x2"}],"Last":9}})");
}

TEST(GeneratedHeader, FillsUpWhatACountForSeveralHasTooMany) {
    const std::int16_t counted[]{-1, -2};
    EXPECT_THAT(
        data_of(every_type::arrays(std::array<std::uint8_t, 3>{}, std::array<std::uint16_t, 1>{},
                                   counted, std::array<std::u16string_view, 2>{},
                                   std::array<Bytes, 2>{}, {}, {}, 9)),
        testing::HasSubstr(R"("Pairs":[{"Key":"","Value":"0x0"},{"Key":"","Value":"0x0"}])"));
}

TEST(GeneratedHeader, TellsLengthsAndCountsFromWhatTheyAreFor) {
    namespace names = odd::names;
    const std::uint16_t left[]{1};
    const std::u16string_view right[]{u"r", u"s"};
    const std::string_view cells[]{"a", "bcd"};
    const names::Rows row{.blob = bytes_of("xyz"), .id = bytes_of("i"), .write_2 = true};
    const names::Rows rows[]{row};
    const auto event = names::descriptor_2(std::u16string(300, u'x'), left, right, cells, rows,
                                           {.other = "7e57ab1e-0000-4000-8000-00000000cafe"_guid});
    const std::string text = read_back(event, ODD_NAMES, {"data", "trailing", "decode_error"});
    // A u8 cannot tell 300.
    EXPECT_THAT(text,
                testing::HasSubstr("{\"Short\":255,\"Text\":\"" + std::string(255, 'x') + '"'));
    EXPECT_THAT(text,
                testing::EndsWith(
                    R"("Both":2,"Left":[1,0],"Right":["r","s"],"Width":3,"Cells":["a","bcd"],)"
                    R"("Rows":[{"Size":3,"Blob":"78797a","Id":"6900","write":true},)"
                    R"({"Size":0,"Blob":"","Id":"0000","write":false}],)"
                    R"("Rows#2":{"Other":"7e57ab1e-0000-4000-8000-00000000cafe"},"None":[]}})"));
}

TEST(GeneratedHeader, MakesIdentifiersOfAnyNames) {
    namespace names = odd::names;
    EXPECT_EQ(names::provider_name, "Example-\"Odd\" */ Names\\");
    EXPECT_EQ(names::keyword::class_ | names::keyword::class_2 | names::keyword::gr_e |
                  names::keyword::keyword_8,
              0xFU);
    EXPECT_EQ(names::opcode::cleaning_grind, 11);
    const auto event = names::class_(1, 2, 3, std::array<std::uint8_t, 2>{4, 5}, 6, 7, 8, 9,
                                     names::Enum::return_, names::sizes::return_);
    EXPECT_EQ(read_back(event, ODD_NAMES, {"channel", "opcode", "task", "keyword", "data"}),
              R"({"channel":16,"opcode":10,"task":1,"keyword":"0x8000000000000005",)"
              R"("data":{"class":1,"memory":2,"provider_guid":3,"element":[4,5],"x */ y":6,)"
              R"("X_Y":7,"料":8,"1st":9,"enum":"return","linux":"return"}})");
    EXPECT_EQ(read_back(names::cleaning_grind_3_v1(), ODD_NAMES, {"id", "version", "event"}),
              R"({"id":3,"version":1,"event":"Cleaning/Grind"})");
}

TEST(GeneratedHeader, MakesEventsInMemoryThatIsUsedAgain) {
    provider::Event event = every_type::floats(1, 2);
    const std::byte* const before = event.payload().data();
    event = every_type::boolean(true, true, std::move(event));
    EXPECT_EQ(event.payload().data(), before);
    EXPECT_EQ(event.descriptor().id, 9);
    EXPECT_EQ(event.payload().size(), 8U);
}

TEST(GeneratedHeader, LeavesWhatIsTooLargeToTheEncoder) {
    const auto event = every_type::message(std::u16string(40'000, u'x'), 1);
    ByteWriter to;
    const auto encoded = format::encode(event.record({}), to);
    ASSERT_FALSE(encoded.has_value());
    EXPECT_EQ(encoded.error().code, ErrorCode::limit);
}

} // namespace
} // namespace etl

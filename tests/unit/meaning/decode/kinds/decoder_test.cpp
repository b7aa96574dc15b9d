// What a decoder makes of each kind of record.
#include "decode/decoder.hpp"
#include "decode/limits.hpp"
#include "format/kernel_group.hpp"
#include "format/logfile_header.hpp"
#include "format/records.hpp"
#include "tests/support/traces/one_event.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"
#include "tests/unit/meaning/decode/kinds/tea_house.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::decoder_test {
namespace {

using namespace test;
using namespace literals;
using decode::DecodedBy;
using format::ExtendedItem;
using format::ItemType;
using testing::ElementsAre;

TEST(Decoder, DecodesTraceLoggingByTheMetadataInTheEvent) {
    TraceLoggingEvent brewing("Brewing");
    brewing.i32("Cups", 3).utf16("Kind", u"mint");
    const auto metadata = brewing.metadata();
    const auto traits = provider_traits("Tea.House");
    const ExtendedItem items[] = {{ItemType::provider_traits, traits},
                                  {ItemType::event_schema_tl, metadata}};
    const auto one = event_of(format::EventRecord{
        .provider = tea_house, .items = items, .payload = brewing.payload_bytes()});
    decode::Decoder decoder(nullptr);
    const auto& event = decoder.decode(one->event);
    EXPECT_EQ(event.kind->decoded_by, DecodedBy::tracelogging);
    EXPECT_EQ(event.kind->event, "Brewing");
    EXPECT_EQ(event.kind->provider, "Tea.House");
    EXPECT_EQ(walked(event), "Cups=03000000 Kind=6d0069006e007400");
}

TEST(Decoder, ShowsAProcessIdThatTraceLoggingLogsInHexAsANumber) {
    TraceLoggingEvent brewing("Brewing");
    brewing.field({.name = "ProcessId", .in = tl_in::u32, .out = tl_out::hex});
    const auto metadata = brewing.metadata();
    const ExtendedItem items[] = {{ItemType::event_schema_tl, metadata}};
    const auto one = event_of(format::EventRecord{.provider = tea_house, .items = items});
    decode::Decoder decoder(nullptr);
    const auto& event = decoder.decode(one->event);
    EXPECT_EQ(event.kind->schema->fields.front().out_type, schema::OutType::pid);
}

// The manifest says two frames, FrameCount says how many there are.
TEST(Decoder, FindsAllFramesOfAClrStackWalk) {
    constexpr Guid clr = "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4"_guid;
    schema::Field stack;
    stack.name = "Stack";
    stack.in_type = schema::InType::pointer;
    stack.count = {schema::Extent::Kind::fixed, 2};
    schema::Field frame_count;
    frame_count.name = "FrameCount";
    frame_count.in_type = schema::InType::uint32;
    const auto store = store_of({told({.id = 82}, {frame_count, stack}, clr)});
    ByteWriter payload;
    payload.u32(3).u64(0x1A).u64(0x2B).u64(0x3C);
    const auto one = event_of(
        format::EventRecord{.provider = clr, .descriptor = {.id = 82}, .payload = payload.view()});
    decode::Decoder decoder(store);
    const auto& event = decoder.decode(one->event);
    EXPECT_EQ(walked(event),
              "FrameCount=03000000 Stack=[1a00000000000000 2b00000000000000 3c00000000000000]");
}

TEST(Decoder, TellsTraceLoggingEventsApartByTheirMetadataNotTheirId) {
    decode::Decoder decoder(nullptr);
    for (int round = 0; round < 3; ++round) {
        for (const char* name : {"Brewing", "Pouring"}) {
            TraceLoggingEvent made(name);
            made.u32(name, 7);
            const auto metadata = made.metadata();
            const ExtendedItem items[] = {{ItemType::event_schema_tl, metadata}};
            const auto one = event_of(format::EventRecord{
                .provider = tea_house, .items = items, .payload = made.payload_bytes()});
            EXPECT_EQ(decoder.decode(one->event).kind->event, name);
        }
    }
}

TEST(Decoder, KeepsAnEventWithBrokenMetadataRaw) {
    const std::byte metadata[] = {std::byte{9}, std::byte{0}, std::byte{0}};
    const ExtendedItem items[] = {{ItemType::event_schema_tl, metadata}};
    const auto one = event_of(format::EventRecord{.provider = tea_house, .items = items});
    decode::Decoder decoder(nullptr);
    const auto& event = decoder.decode(one->event);
    EXPECT_EQ(event.kind->decoded_by, DecodedBy::none);
    EXPECT_THAT(event.kind->problem, testing::HasSubstr("TraceLogging metadata: truncated"));
}

TEST(Decoder, DecodesStringEvents) {
    ByteWriter text;
    text.zero_terminated16(u"kettle on");
    const auto one = event_of(format::EventRecord{
        .flags = format::event_flag::string_only, .provider = tea_house, .payload = text.view()});
    decode::Decoder decoder(nullptr);
    const auto& event = decoder.decode(one->event);
    EXPECT_EQ(event.kind->decoded_by, DecodedBy::string);
    EXPECT_EQ(walked(event), "string=6b006500740074006c00650020006f006e00");
}

TEST(Decoder, TakesNamesFromTheSchemaAndItsProvider) {
    decode::Decoder decoder(store_of({told({.id = 7}, {field("Cups", InType::uint32)})}));
    ByteWriter payload;
    payload.u32(3);
    const auto one = event_of(format::EventRecord{
        .provider = tea_house,
        .descriptor = {.id = 7, .channel = 16, .level = 2, .keyword = 0x10000000000005},
        .payload = payload.view()});
    const auto& kind = *decoder.decode(one->event).kind;
    EXPECT_EQ(kind.decoded_by, DecodedBy::manifest);
    EXPECT_EQ(kind.provider, "Tea-House");
    EXPECT_EQ(kind.event, "Brewing");
    EXPECT_EQ(kind.level_name, "Error");
    EXPECT_EQ(kind.channel_name, "Tea-House/Operational");
    EXPECT_THAT(kind.keywords, ElementsAre("Hot", "Cold", "AuditFailure"));
    EXPECT_EQ(kind.note, "");
}

TEST(Decoder, LeavesUnknownEventsRawAndNamesTheirProvider) {
    decode::Decoder decoder(nullptr);
    const auto known = event_of(format::EventRecord{
        .provider = "22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716"_guid, .descriptor = {.id = 1}});
    EXPECT_EQ(decoder.decode(known->event).kind->provider, "Microsoft-Windows-Kernel-Process");
    EXPECT_EQ(decoder.decode(known->event).kind->schema, nullptr);
    const auto unknown =
        event_of(format::EventRecord{.provider = tea_house, .descriptor = {.id = 1}});
    EXPECT_EQ(decoder.decode(unknown->event).kind->provider, std::nullopt);
    EXPECT_EQ(decoder.decode(unknown->event).kind->event, std::nullopt);
}

TEST(Decoder, NamesKernelRecordsByTheirHook) {
    decode::Decoder decoder(nullptr);
    const auto kind_of = [&](const auto& record) {
        return decoder.decode(event_of(record)->event).kind;
    };
    EXPECT_EQ(kind_of(format::SystemRecord{.hook_id = 0x0301})->event, "Process/Start");
    EXPECT_EQ(kind_of(format::PerfinfoRecord{.hook_id = 0x0F2E})->provider, "MSNT_SystemTrace");
    EXPECT_EQ(kind_of(format::CompactRecord{.hook_id = 0x05FE})->event, "Thread/Opcode(254)");
    EXPECT_EQ(kind_of(format::CompactRecord{.hook_id = 0x7FFE})->event, std::nullopt);
}

TEST(Decoder, NamesKernelClassesUnderFullHeadersToo) {
    decode::Decoder decoder(nullptr);
    const auto kind_of = [&](const Guid& guid, std::uint8_t type) {
        return decoder
            .decode(event_of(format::FullRecord{.opcode = type, .event_class = guid})->event)
            .kind;
    };
    EXPECT_EQ(kind_of(format::class_of_hook(0x0301), 1)->event, "Process/Start");
    EXPECT_EQ(kind_of(format::class_of_hook(0x0301), 1)->provider, "MSNT_SystemTrace");
    EXPECT_EQ(kind_of("b3e675d7-2554-4f18-830b-2762732560de"_guid, 36)->event,
              "ImageId/DbgID_RSDS");
    EXPECT_EQ(kind_of(tea_house, 1)->event, std::nullopt);
}

TEST(Decoder, DecodesTheLogFileHeader) {
    format::LogfileHeader header;
    header.buffer_size = 0x10000;
    header.end_time = 5;
    header.session_name = u"S";
    header.log_file_name = u"F";
    header.time_zone.bias = -60;
    header.time_zone.standard_name = u"Z";
    for (const auto width : {format::Width::bits32, format::Width::bits64}) {
        const auto payload = format::encode_logfile_header(header, static_cast<unsigned>(width));
        const auto one = event_of(
            format::SystemRecord{.width = width, .version = 2, .hook_id = 0, .payload = payload});
        decode::Decoder decoder(nullptr);
        const auto& event = decoder.decode(one->event);
        EXPECT_EQ(event.kind->event, "EventTrace/Header");
        EXPECT_EQ(event.kind->provider, "MSNT_SystemTrace");
        EXPECT_EQ(event.kind->decoded_by, DecodedBy::mof);
        EXPECT_EQ(walked(event),
                  "BufferSize=00000100 Version=00000000 ProviderVersion=00000000 "
                  "NumberOfProcessors=00000000 EndTime=0500000000000000 "
                  "TimerResolution=00000000 MaxFileSize=00000000 LogFileMode=00000000 "
                  "BuffersWritten=00000000 StartBuffers=00000000 "
                  "PointerSize=00000000 EventsLost=00000000 CPUSpeed=00000000 "
                  "LoggerName=0000000000000000 BootTime=0000000000000000 "
                  "PerfFreq=0000000000000000 StartTime=0000000000000000 ReservedFlags=00000000 "
                  "BuffersLost=00000000 SessionName=5300 "
                  "LogFileName=4600 TimeZone={Bias=c4ffffff StandardName=5a00 "
                  "StandardBias=00000000 DaylightName= DaylightBias=00000000}");
    }
}

TEST(Decoder, SaysWhenTheLogFileHeaderIsNone) {
    const auto one =
        event_of(format::SystemRecord{.hook_id = 0, .payload = ByteWriter().u32(1).view()});
    decode::Decoder decoder(nullptr);
    EXPECT_NE(decoder.decode(one->event).problem, nullptr);
    const auto other = event_of(format::SystemRecord{.hook_id = 0x0301});
    EXPECT_EQ(decoder.decode(other->event).problem, nullptr);
}

TEST(Decoder, LeavesManifestChunksAndMessagesRaw) {
    decode::Decoder decoder(nullptr);
    const auto chunk = manifest_chunks("<m/>").front();
    const auto manifest = event_of(format::EventRecord{
        .provider = tea_house,
        .descriptor = {.id = 0xFFFE, .version = 1, .opcode = 0xFE, .task = 0xFFFE},
        .payload = chunk});
    EXPECT_EQ(decoder.decode(manifest->event).kind->event, "ManifestData");
    EXPECT_EQ(decoder.decode(manifest->event).kind->decoded_by, DecodedBy::none);
    const auto message = event_of(format::MessageRecord{.number = 12, .guid = tea_house});
    EXPECT_EQ(decoder.decode(message->event).kind->decoded_by, DecodedBy::none);
}

TEST(Decoder, ForgetsKindsWhenThereAreTooMany) {
    decode::Decoder decoder(nullptr);
    const auto decode_keyword = [&](std::uint64_t keyword) {
        const auto one = event_of(
            format::EventRecord{.provider = tea_house, .descriptor = {.keyword = keyword}});
        return decoder.decode(one->event).kind->number;
    };
    for (std::uint64_t keyword = 0; keyword < 2 * decode::limits::cached_schemas + 10; ++keyword) {
        EXPECT_LT(decode_keyword(keyword), decode::limits::cached_schemas);
    }
    EXPECT_GE(decoder.generation(), 1U);
}

TEST(Decoder, BoundsTheMemoryOfItsKinds) {
    decode::Decoder decoder(nullptr);
    std::vector<std::byte> metadata;
    for (int i = 0; i < 200; ++i) {
        TraceLoggingEvent made("E" + std::to_string(i));
        for (int f = 0; f < 2000; ++f) {
            made.field({.name = "f", .in = tl_in::u8});
        }
        metadata = made.metadata();
        const ExtendedItem items[] = {{ItemType::event_schema_tl, metadata}};
        const auto one = event_of(format::EventRecord{.provider = tea_house, .items = items});
        EXPECT_EQ(decoder.decode(one->event).kind->event, "E" + std::to_string(i));
    }
    EXPECT_GE(decoder.generation(), 2U)
        << "2000 fields x 200 are more than decode::limits::cached_schema_bytes";
}

TEST(Decoder, LeavesEverythingRawWhenToldSo) {
    TraceLoggingEvent brewing("Brewing");
    const auto metadata = brewing.metadata();
    const ExtendedItem items[] = {{ItemType::event_schema_tl, metadata}};
    const auto one = event_of(format::EventRecord{.provider = tea_house, .items = items});
    decode::Decoder decoder(nullptr, {.payloads = decode::Payloads::raw});
    EXPECT_EQ(decoder.decode(one->event).kind->schema, nullptr);
}

} // namespace
} // namespace etl::decoder_test

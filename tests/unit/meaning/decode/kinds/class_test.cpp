// Classic and kernel events: from class definitions to values.
#include "decode/decoder.hpp"
#include "format/kernel_group.hpp"
#include "tests/support/traces/one_event.hpp"
#include "tests/unit/meaning/decode/schemas.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::class_test {
namespace {

using namespace test;
using namespace literals;
using decode::DecodedBy;
using decode::RawReason;
using format::Width;

constexpr Guid process_class = "3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c"_guid;
constexpr Guid image_class = "2cb15d1d-5fc1-11d2-abe1-00a0c911f518"_guid;
constexpr Guid tea_class = "7e57ab1e-0000-4000-8000-000000000001"_guid;

struct ClassFacts {
    Guid guid = process_class;
    std::uint8_t type = 1;
    std::uint8_t version = 2;
    std::string event = "Process/Start";
};

std::shared_ptr<const EventSchema> class_of(const ClassFacts& facts,
                                            std::initializer_list<schema::Field> fields) {
    auto names = std::make_shared<schema::ProviderNames>();
    names->guid = facts.guid;
    names->name = "Tea-Class";
    auto schema = std::make_shared<EventSchema>(schema_of(fields));
    schema->origin = schema::Origin::mof;
    schema->provider = std::move(names);
    schema->id = facts.type;
    schema->version = facts.version;
    schema->event_name = facts.event;
    return schema;
}

decode::Decoder decoder_of(std::vector<std::shared_ptr<const EventSchema>> schemas,
                           decode::DecoderOptions options = {}) {
    auto store = std::make_shared<schema::SchemaStore>();
    for (auto& schema : schemas) {
        store->add(std::move(schema));
    }
    store->freeze();
    return decode::Decoder(std::move(store), options);
}

std::string walked(const decode::DecodedEvent& event) {
    return walk(*event.kind->schema, event.body, event.header.pointer_size);
}

/// A pointer, then a number.
std::shared_ptr<const EventSchema> pointer_and_number() {
    return class_of({}, {field("At", InType::pointer), field("Size", InType::uint32)});
}

TEST(ClassEvents, AreFoundByHookOrByClassAndType) {
    auto decoder = decoder_of({pointer_and_number()});
    const auto payload = ByteWriter().u64(1).u32(2).take();
    const auto kernel =
        event_of(format::SystemRecord{.version = 2, .hook_id = 0x0301, .payload = payload});
    const auto full = event_of(format::FullRecord{
        .opcode = 1, .version = 2, .event_class = process_class, .payload = payload});
    for (const auto* one : {kernel.get(), full.get()}) {
        const auto& event = decoder.decode(one->event);
        EXPECT_EQ(event.kind->decoded_by, DecodedBy::mof);
        EXPECT_EQ(event.kind->provider, "MSNT_SystemTrace");
        EXPECT_EQ(event.kind->event, "Process/Start");
        EXPECT_EQ(event.kind->level_name, "") << "level 0 says nothing in classic records";
        EXPECT_EQ(event.kind->raw_reason, RawReason::none);
        EXPECT_EQ(walked(event), "At=0100000000000000 Size=02000000");
    }
}

TEST(ClassEvents, OfTheImageLoadHookBelongToTheImageClass) {
    auto decoder = decoder_of({class_of({image_class, 10, 2, "Image/Load"}, {}),
                               class_of({process_class, 10, 2, "Process/Wrong"}, {})});
    const auto one = event_of(format::SystemRecord{.version = 2, .hook_id = 0x030A});
    EXPECT_EQ(decoder.decode(one->event).kind->event, "Image/Load");
}

TEST(ClassEvents, OfOtherProvidersGoByTheirOwnNames) {
    auto decoder = decoder_of({class_of({tea_class, 1, 0, "Tea/Brew"}, {})});
    const auto one =
        event_of(format::FullRecord{.opcode = 1, .level = 2, .event_class = tea_class});
    const auto& kind = *decoder.decode(one->event).kind;
    EXPECT_EQ(kind.provider, "Tea-Class");
    EXPECT_EQ(kind.event, "Tea/Brew");
    EXPECT_EQ(kind.level_name, "Error");
}

TEST(ClassEvents, OfKnownClassesHaveNamesWithoutASchema) {
    auto decoder = decoder_of({});
    const auto named = [&](std::string_view class_guid, std::uint8_t type) {
        const auto one = event_of(
            format::FullRecord{.opcode = type, .event_class = parse_guid(class_guid).value()});
        const auto& kind = *decoder.decode(one->event).kind;
        EXPECT_EQ(kind.raw_reason, RawReason::no_schema) << class_guid;
        return kind.provider.value_or("?") + " " + kind.event.value_or("?");
    };
    EXPECT_EQ(named("63dbb180-dbed-11d2-895b-00c04f79ab69", 1),
              "Active Directory: NetLogon NlSecChanlSetup/Start");
    EXPECT_EQ(named("f681e6cc-ec6c-4ee9-90a6-c0c4e83276c2", 11),
              "File Kernel Trace; Operation Set 1 File Trace/FileTrace");
    EXPECT_EQ(named("63dbb180-dbed-11d2-895b-00c04f79ab69", 9), "Active Directory: NetLogon ?");
    EXPECT_EQ(named("f8f10121-b617-4a56-868b-9df1b27fe32c", 33), "MSNT_SystemTrace MMCSS/Stop");
}

TEST(ClassEvents, GuessALowerVersionAndSaySo) {
    auto decoder = decoder_of({pointer_and_number()});
    const auto decode = [&](const ByteWriter& payload) -> const decode::DecodedEvent& {
        const auto one = event_of(
            format::SystemRecord{.version = 4, .hook_id = 0x0301, .payload = payload.view()});
        return decoder.decode(one->event);
    };
    EXPECT_EQ(decode(ByteWriter().u64(1).u32(2)).kind->note, "layout of version 2");
    EXPECT_EQ(decode(ByteWriter().u64(1)).kind->schema, nullptr);
    EXPECT_EQ(decode(ByteWriter().u64(1)).kind->raw_reason, RawReason::other_version);
}

/// What is decoded of a record of this version and class, and the assumption.
std::string decoded_as(decode::Decoder& decoder, std::uint8_t version, const ByteWriter& payload,
                       const Guid& event_class = process_class) {
    const auto one = event_of(format::FullRecord{
        .opcode = 1, .version = version, .event_class = event_class, .payload = payload.view()});
    const auto& event = decoder.decode(one->event);
    return event.kind->schema == nullptr ? "raw" : walked(event) + " " + event.kind->note;
}

TEST(NewerVersions, OfKernelClassesAreReadWithTheNewestLayout) {
    auto decoder =
        decoder_of({pointer_and_number(), class_of({.version = 1}, {field("Old", InType::uint8)})});
    EXPECT_EQ(decoded_as(decoder, 4, ByteWriter().u64(1).u32(2).u32(3)),
              "At=0100000000000000 Size=02000000 +03000000 layout of version 2");
    EXPECT_EQ(decoded_as(decoder, 4, ByteWriter().u64(1).u32(2)),
              "At=0100000000000000 Size=02000000 layout of version 2");
    EXPECT_EQ(decoded_as(decoder, 4, ByteWriter().u32(1)), "raw")
        << "the layout of version 1 is older";
    EXPECT_EQ(decoded_as(decoder, 4, ByteWriter().u64(0x1234567812345678).u32(2).u32(3)), "raw")
        << "not an address";
}

TEST(NewerVersions, OfOtherClassesAndBetweenKnownOnesStayRaw) {
    auto others =
        decoder_of({class_of({tea_class, 1, 2, "Tea/Brew"}, {field("A", InType::uint32)})});
    EXPECT_EQ(decoded_as(others, 3, ByteWriter().u32(1).u32(2), tea_class), "raw");
    auto known = decoder_of(
        {pointer_and_number(), class_of({.version = 5}, {field("New", InType::uint64)})});
    EXPECT_EQ(decoded_as(known, 4, ByteWriter().u64(1).u32(2).u32(3)), "raw")
        << "what version 5 changed, version 4 may have changed";
}

TEST(NewerVersions, ThatInsertFieldsBeforeTextsStayRaw) {
    schema::Field id = field("ProcessId", InType::uint32);
    id.out_type = OutType::pid;
    auto decoder = decoder_of(
        {class_of({}, {id, field("UserSID", InType::sid), field("Name", InType::unicode_string)})});
    const auto payload = [](std::uint32_t process, std::string_view before) {
        return ByteWriter().u32(process).text8(before).u8(1).u8(1).fill(5).u8(5).u32(18);
    };
    EXPECT_THAT(decoded_as(decoder, 3, payload(4, "").zero_terminated16(u"kettle.exe").u32(9)),
                testing::EndsWith("+09000000 layout of version 2"));
    EXPECT_EQ(decoded_as(decoder, 3, payload(4, "\x07\x01zz").zero_terminated16(u"kettle.exe")),
              "raw")
        << "a number before the SID";
    EXPECT_EQ(decoded_as(decoder, 3,
                         payload(4, "").u32(0x01802011).zero_terminated16(u"kettle.exe").u32(9)),
              "raw")
        << "a number before the text";
    EXPECT_EQ(
        decoded_as(decoder, 3, payload(4, "").u32(0x01802011).zero_terminated16(u"kettle.exe")),
        "raw")
        << "the same, to the last byte";
    EXPECT_EQ(
        decoded_as(decoder, 3, payload(0xB5630000, "").zero_terminated16(u"kettle.exe").u32(9)),
        "raw")
        << "no process ID";
}

TEST(NewerVersions, OfManifestEventsKeepTheName) {
    auto manifest = std::make_shared<EventSchema>(schema_of({field("At", InType::uint32)}));
    auto names = std::make_shared<schema::ProviderNames>();
    names->guid = tea_class;
    names->name = "Tea-House";
    manifest->provider = std::move(names);
    manifest->id = 1;
    manifest->version = 2;
    manifest->event_name = "Brewing/Start";
    manifest->task_name = "Brewing";
    auto decoder = decoder_of({manifest});
    for (const std::uint8_t version : std::initializer_list<std::uint8_t>{1, 3}) {
        const auto one = event_of(format::EventRecord{.provider = tea_class,
                                                      .descriptor = {.id = 1, .version = version},
                                                      .payload = ByteWriter().u64(1).view()});
        const auto& kind = *decoder.decode(one->event).kind;
        EXPECT_EQ(kind.schema, nullptr);
        EXPECT_EQ(kind.raw_reason, RawReason::other_version);
        EXPECT_EQ(kind.provider, "Tea-House");
        EXPECT_EQ(kind.event, "Brewing/Start");
        EXPECT_EQ(kind.task_name, "Brewing");
        EXPECT_EQ(kind.note, "name of version 2");
    }
}

TEST(ClassEvents, TakeTheDefinitionThatUsesUpThePayload) {
    auto decoder =
        decoder_of({class_of({.event = "Short"}, {field("A", InType::uint32)}),
                    class_of({.event = "Named"},
                             {field("A", InType::uint32), field("Name", InType::unicode_string)})});
    const auto name_of = [&](Bytes payload) {
        const auto one =
            event_of(format::SystemRecord{.version = 2, .hook_id = 0x0301, .payload = payload});
        return *decoder.decode(one->event).kind->event;
    };
    EXPECT_EQ(name_of(ByteWriter().u32(1).view()), "Short");
    EXPECT_EQ(name_of(ByteWriter().u32(1).zero_terminated16(u"x").view()), "Named");
}

TEST(PointerSize, OfTheOtherWidthIsTakenWhereOnlyThatUsesUpThePayload) {
    auto decoder = decoder_of({pointer_and_number()});
    decltype(event_of(format::SystemRecord{})) one;
    const auto decode = [&](Width width, Bytes payload) -> const decode::DecodedEvent& {
        one = event_of(format::SystemRecord{
            .width = width, .version = 2, .hook_id = 0x0301, .payload = payload});
        return decoder.decode(one->event);
    };
    const auto wide = ByteWriter().u64(1).u32(2).take();
    const auto narrow = ByteWriter().u32(1).u32(2).take();
    EXPECT_EQ(decode(Width::bits64, wide).kind->note, "");
    EXPECT_EQ(decode(Width::bits32, narrow).kind->note, "");
    EXPECT_EQ(decode(Width::bits32, wide).kind->note, "pointer size 8 under a 32-bit header");
    EXPECT_EQ(decode(Width::bits64, narrow).kind->note, "pointer size 4 under a 64-bit header");
    EXPECT_EQ(walked(decode(Width::bits32, wide)), "At=0100000000000000 Size=02000000");
    const auto odd = ByteWriter().u64(1).u32(2).u8(3).take();
    EXPECT_EQ(decode(Width::bits32, odd).kind->note, "") << "neither fits: the record is believed";
    EXPECT_EQ(walked(decode(Width::bits32, odd)), "At=01000000 Size=00000000 +0200000003");
}

TEST(PointerSize, IsNotGuessedWhereVariableFieldsFitToo) {
    auto decoder = decoder_of(
        {class_of({}, {field("At", InType::pointer), field("Name", InType::ansi_string)})});
    const auto narrow = event_of(
        format::SystemRecord{.width = Width::bits32,
                             .version = 2,
                             .hook_id = 0x0301,
                             .payload = ByteWriter().u32(1).zero_terminated8("kettle").view()});
    EXPECT_EQ(decoder.decode(narrow->event).kind->note, "");
    EXPECT_EQ(walked(decoder.decode(narrow->event)), "At=01000000 Name=6b6574746c65");
}

TEST(PointerSize, IsNotGuessedForAnotherVersionsLayout) {
    auto decoder = decoder_of({class_of(
        {.guid = tea_class}, {field("At", InType::pointer), field("Size", InType::uint32)})});
    const auto one = event_of(format::FullRecord{.width = Width::bits32,
                                                 .opcode = 1,
                                                 .version = 3,
                                                 .event_class = tea_class,
                                                 .payload = ByteWriter().fill(12).view()});
    EXPECT_EQ(decoder.decode(one->event).kind->schema, nullptr);
}

/// A module as Image/Load of version 0 has it, with this pointer size.
std::vector<std::byte> module(unsigned pointer_size, std::uint64_t base, std::uint32_t size,
                              std::u16string_view path) {
    ByteWriter payload;
    if (pointer_size == 8) {
        payload.u64(base);
    } else {
        payload.u32(static_cast<std::uint32_t>(base));
    }
    return payload.u32(size).zero_terminated16(path).take();
}

/// What is assumed of the module under a header of this width; empty: nothing.
std::string assumed(Width width, const std::vector<std::byte>& payload) {
    auto decoder = decoder_of(
        {class_of({image_class, 10, 0, "Image/Load"},
                  {field("BaseAddress", InType::pointer), field("ModuleSize", InType::uint32),
                   field("ImageFileName", InType::unicode_string)})});
    const auto one = event_of(
        format::SystemRecord{.width = width, .version = 0, .hook_id = 0x030A, .payload = payload});
    return decoder.decode(one->event).kind->note;
}

constexpr std::u16string_view kettle_path = u"\\Device\\HarddiskVolume1\\kettle.dll";

TEST(PointerSize, OfAReadingWithGarbageBeforeThePathLosesAgainstACleanOne) {
    // Both sizes consume these payloads to the last byte.
    for (const std::uint32_t size : {0x1000U, 0x20000U, 0x123000U, 0x7FFF000U}) {
        for (const std::uint64_t base : {0x77000000ULL, 0x7FFE12340000ULL, 0xFFFFF80012340000ULL}) {
            const auto wide = module(8, base, size, kettle_path);
            EXPECT_EQ(assumed(Width::bits64, wide), "") << std::hex << base << " " << size;
            if ((size & 0xFFFFU) != 0) { // else the text ends where the path begins
                EXPECT_EQ(assumed(Width::bits32, wide), "pointer size 8 under a 32-bit header")
                    << std::hex << base << " " << size;
            }
        }
    }
}

TEST(PointerSize, OfTheRecordIsBelievedWhereItsReadingIsClean) {
    for (const std::uint32_t size : {0U, 0x1000U, 0x20000U, 0x123000U, 0x7FFF000U}) {
        const auto narrow = module(4, 0x77000000, size, kettle_path);
        EXPECT_EQ(assumed(Width::bits32, narrow), "") << std::hex << size;
    }
    EXPECT_EQ(assumed(Width::bits32, module(4, 0x77000000, 0x2000, u"\x8336\x58F6\\kettle.dll")),
              "")
        << "two characters of another alphabet alone do not speak for the other size";
}

TEST(PointerSize, OfFramesIsTheOneThatMakesThemAddresses) {
    auto decoder = decoder_of({class_of({}, {[] {
                                            schema::Field stack = field("Stack", InType::pointer);
                                            stack.count.kind = schema::Extent::Kind::rest;
                                            return stack;
                                        }()})});
    const auto note_of = [&](Width width, const ByteWriter& payload) {
        const auto one = event_of(format::SystemRecord{
            .width = width, .version = 2, .hook_id = 0x0301, .payload = payload.view()});
        return decoder.decode(one->event).kind->note;
    };
    const auto wide = ByteWriter().u64(0x7FFE12345678).u64(0xFFFFF80012345678);
    const auto narrow = ByteWriter().u32(0x77001234).u32(0x77005678);
    EXPECT_EQ(note_of(Width::bits64, wide), "");
    EXPECT_EQ(note_of(Width::bits32, wide), "pointer size 8 under a 32-bit header");
    EXPECT_EQ(note_of(Width::bits32, narrow), "");
    EXPECT_EQ(note_of(Width::bits64, narrow), "") << "stacks are walked into garbage";
    const auto bogus = ByteWriter().u64(0x7FFE12345678).u64(0x8003480C61B8);
    EXPECT_EQ(note_of(Width::bits64, bogus), "");
    const auto small = ByteWriter().u32(0x80001000).u32(0x7000);
    EXPECT_EQ(note_of(Width::bits32, small), "");
}

TEST(PointerSize, OfManifestEventsIsTheRecords) {
    auto manifest = std::make_shared<EventSchema>(schema_of({field("At", InType::pointer)}));
    auto names = std::make_shared<schema::ProviderNames>();
    names->guid = tea_class;
    manifest->provider = std::move(names);
    manifest->id = 1;
    auto decoder = decoder_of({manifest});
    const auto one = event_of(format::EventRecord{.width = Width::bits32,
                                                  .provider = tea_class,
                                                  .descriptor = {.id = 1},
                                                  .payload = ByteWriter().u64(1).view()});
    EXPECT_EQ(walked(decoder.decode(one->event)), "At=01000000 +00000000");
}

TEST(PointerSize, IsTheOneThatWasAskedFor) {
    auto decoder = decoder_of({pointer_and_number()}, {.pointer_size = 4});
    const auto one = event_of(format::SystemRecord{
        .version = 2, .hook_id = 0x0301, .payload = ByteWriter().u64(1).u32(2).view()});
    const auto& event = decoder.decode(one->event);
    EXPECT_EQ(event.kind->note, "");
    EXPECT_EQ(walked(event), "At=01000000 Size=00000000 +02000000");
}

TEST(ClassEvents, WithoutDefinitionSayWhyTheyAreRaw) {
    decode::Decoder decoder(nullptr);
    const auto why = [&](const auto& record) {
        return decoder.decode(event_of(record)->event).kind->raw_reason;
    };
    EXPECT_EQ(why(format::SystemRecord{.hook_id = 0x0301}), RawReason::no_schema);
    EXPECT_EQ(why(format::SystemRecord{.hook_id = 0x7F01}), RawReason::no_schema);
    EXPECT_EQ(why(format::FullRecord{.event_class = process_class}), RawReason::no_schema);
    EXPECT_EQ(why(format::FullRecord{.event_class = tea_class}), RawReason::unknown_provider);
    EXPECT_EQ(why(format::FullRecord{.opcode = 32, .event_class = format::event_metadata_guid}),
              RawReason::schema_record);
    EXPECT_EQ(why(format::EventRecord{.provider = tea_class}), RawReason::unknown_provider);
    EXPECT_EQ(why(format::MessageRecord{.number = 10, .guid = tea_class}), RawReason::no_format);
    EXPECT_EQ(why(format::TimedRecord{}), RawReason::no_layout);
    decode::Decoder idle(nullptr, {.payloads = decode::Payloads::raw});
    const auto one = event_of(format::SystemRecord{.hook_id = 0x0301});
    EXPECT_EQ(idle.decode(one->event).kind->raw_reason, RawReason::not_requested);
}

} // namespace
} // namespace etl::class_test

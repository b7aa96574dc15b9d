// Which schema an event is decoded by.
#include "decode/coverage.hpp"
#include "decode/decoder.hpp"
#include "format/logfile_header.hpp"
#include "format/records.hpp"
#include "tests/support/traces/one_event.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"
#include "tests/unit/meaning/decode/kinds/tea_house.hpp"
#include "tests/unit/meaning/decode/schemas.hpp"

#include <gtest/gtest.h>

namespace etl::event_lookup_test {
namespace {

using namespace test;
using decode::DecodedBy;
using format::ExtendedItem;
using format::ItemType;

TEST(Decoder, GuessesALowerVersionOnlyWhereItConsumesThePayload) {
    decode::Decoder decoder(store_of({told({.version = 2}, {field("A", InType::uint8)}),
                                      told({.version = 1}, {field("A", InType::uint16)})}));
    const auto note_of = [&](const ByteWriter& payload) {
        const auto& decoded = decoder.decode(tea_event(4, payload.view())->event);
        EXPECT_EQ(decoded.kind->is_guess, decoded.kind->schema != nullptr);
        return decoded.kind->schema != nullptr
                   ? decoded.kind->note
                   : std::string(decode::name(decoded.kind->raw_reason));
    };
    EXPECT_EQ(note_of(ByteWriter().u8(1)), "layout of version 2");
    EXPECT_EQ(note_of(ByteWriter().u16(1)), "layout of version 1");
    EXPECT_EQ(note_of(ByteWriter().u32(1)), "other_version") << "bytes left over";
    EXPECT_EQ(note_of(ByteWriter()), "other_version") << "too short";
    EXPECT_EQ(decoder.guesses(), 2U);
}

TEST(Decoder, NeverUsesAHigherVersion) {
    decode::Decoder decoder(store_of({told({.version = 2}, {field("A", InType::uint8)})}));
    const auto& kind = *decoder.decode(tea_event(1, ByteWriter().u8(1).view())->event).kind;
    EXPECT_EQ(kind.schema, nullptr);
    EXPECT_EQ(kind.raw_reason, decode::RawReason::other_version);
}

TEST(Decoder, BelievesNoGuessWithImplausibleValues) {
    decode::Decoder decoder(
        store_of({told({.version = 0}, {field("Name", InType::unicode_string)})}));
    const auto is_decoded = [&](std::u16string_view text) {
        const auto payload = ByteWriter().zero_terminated16(text).take();
        return decoder.decode(tea_event(1, payload)->event).kind->schema != nullptr;
    };
    EXPECT_TRUE(is_decoded(u"kettle"));
    EXPECT_FALSE(is_decoded(u"\x0001kettle"));
}

TEST(Decoder, DecodesEachTraceByItsOwnSchemas) {
    const auto shared = store_of({told({.name = "File"}, {field("A", InType::uint8)})});
    const auto own = std::make_shared<schema::SchemaStore>(shared);
    own->add(told({.version = 1, .name = "Carried"}, {field("B", InType::uint8)}));
    own->freeze();
    schema::SchemasByTrace schemas(shared);
    ASSERT_TRUE(schemas.set(1, own));
    decode::Decoder decoder(schemas);
    const auto name_in = [&](std::uint32_t trace, std::uint8_t version) {
        const auto one = tea_event(version, ByteWriter().u8(1).view());
        one->trace.file = trace;
        const auto& kind = *decoder.decode(one->event).kind;
        return kind.schema != nullptr ? *kind.event + kind.note : "";
    };
    EXPECT_EQ(name_in(1, 1), "Carried");
    EXPECT_EQ(name_in(0, 1), "Filelayout of version 0") << "the other trace's is none of its own";
    EXPECT_EQ(name_in(1, 0), "File");
    EXPECT_EQ(name_in(0, 0), "File");
    EXPECT_EQ(name_in(1, 1), "Carried");
}

TEST(Decoder, PrefersTheSchemaThatUsesUpThePayload) {
    const auto store = store_of(
        {told({.name = "Narrow"}, {field("A", InType::uint32)}),
         told({.name = "Wide"}, {field("A", InType::uint64)}),
         told({.name = "Broken"}, {with_count(field("A", InType::uint8), Extent::Kind::unknown)})});
    decode::Decoder decoder(store);
    const auto name_with = [&](std::size_t size) {
        const auto one = event_of(format::EventRecord{.provider = tea_house,
                                                      .descriptor = {.id = 1},
                                                      .payload = ByteWriter().fill(size).view()});
        return *decoder.decode(one->event).kind->event;
    };
    for (int round = 0; round < 2; ++round) {
        EXPECT_EQ(name_with(4), "Narrow");
        EXPECT_EQ(name_with(8), "Wide");
        EXPECT_EQ(name_with(12), "Narrow") << "both leave bytes over: the first";
        EXPECT_EQ(name_with(2), "Narrow") << "too short for both: the first";
        EXPECT_EQ(name_with(6), "Narrow") << "bytes over are better than bytes missing";
    }
}

TEST(Decoder, PrefersTheSchemaWhoseDescriptorIsTheRecords) {
    decode::Decoder decoder(
        store_of({told({.channel = 16, .name = "Other"}, {field("A", InType::uint8)}),
                  told({.channel = 17, .name = "Same"}, {field("B", InType::uint8)})}));
    const auto one = event_of(format::EventRecord{.provider = tea_house,
                                                  .descriptor = {.id = 1, .channel = 17},
                                                  .payload = ByteWriter().u8(1).view()});
    EXPECT_EQ(decoder.decode(one->event).kind->event, "Same");
}

TEST(Decoder, PrefersWhatTheTraceItselfCarries) {
    decode::Decoder decoder(
        store_of({told({.name = "File"}, {field("A", InType::uint8)}),
                  told({.origin = schema::Origin::event_info, .name = "Embedded"},
                       {field("B", InType::uint8)})}));
    const auto one = event_of(format::EventRecord{
        .provider = tea_house, .descriptor = {.id = 1}, .payload = ByteWriter().u8(1).view()});
    EXPECT_EQ(decoder.decode(one->event).kind->decoded_by, DecodedBy::event_info);
}

TEST(Decoder, PrefersAnySchemaThatFitsToABuiltInOne) {
    const auto store = std::make_shared<schema::SchemaStore>();
    const auto add = [&](const Told& what, schema::InType type, bool built_in) {
        store->add(told(what, {field("A", type)}),
                   std::make_shared<schema::SchemaFile>("tea.man", built_in));
    };
    add({.version = 0, .channel = 17, .name = "Built-in"}, schema::InType::uint8, true);
    add({.version = 0, .channel = 17, .name = "Built-in"}, schema::InType::uint16, true);
    add({.version = 0, .channel = 16, .name = "File"}, schema::InType::uint8, false);
    store->freeze();
    decode::Decoder decoder(store);
    const auto read = [&](std::uint8_t version, const ByteWriter& payload) {
        const auto one =
            event_of(format::EventRecord{.provider = tea_house,
                                         .descriptor = {.id = 1, .version = version, .channel = 17},
                                         .payload = payload.view()});
        const decode::EventKind& kind = *decoder.decode(one->event).kind;
        return kind.event.value_or("raw") + " " + std::string(kind.schema_from());
    };
    EXPECT_EQ(read(0, ByteWriter().u8(1)), "File tea.man") << "despite the other channel";
    EXPECT_EQ(read(0, ByteWriter().u16(1)), "Built-in built-in") << "consumes the payload";
    EXPECT_EQ(read(0, ByteWriter().u32(1)), "File tea.man") << "neither does";
    EXPECT_EQ(read(1, ByteWriter().u8(1)), "File tea.man") << "a guess";
}

TEST(Decoder, LooksUnderTheDecodeGuidFirst) {
    decode::Decoder decoder(
        store_of({told({.name = "Own"}, {field("A", InType::uint8)}),
                  told({.name = "Other"}, {field("B", InType::uint8)}, other_house)}));
    const auto traits = provider_traits("Tea.House", {.decode = other_house});
    const ExtendedItem items[] = {{ItemType::provider_traits, traits}};
    const auto one = event_of(
        format::EventRecord{.provider = tea_house, .descriptor = {.id = 1}, .items = items});
    EXPECT_EQ(decoder.decode(one->event).kind->event, "Other");
}

TEST(Decoder, LooksUnderTheControlGuidLast) {
    decode::Decoder decoder(
        store_of({told({.name = "Other"}, {field("B", InType::uint8)}, other_house)}));
    ByteWriter guid;
    guid.guid(other_house);
    const ExtendedItem items[] = {{ItemType::control_guid, guid.view()}};
    const auto with = event_of(
        format::EventRecord{.provider = tea_house, .descriptor = {.id = 1}, .items = items});
    const auto without =
        event_of(format::EventRecord{.provider = tea_house, .descriptor = {.id = 1}});
    EXPECT_EQ(decoder.decode(with->event).kind->event, "Other");
    EXPECT_EQ(decoder.decode(without->event).kind->event, std::nullopt);
}

TEST(Decoder, FindsClassesByTypeAndKeepsThemApartFromEvents) {
    const auto store =
        store_of({told({.origin = schema::Origin::mof, .id = 1, .name = "Class/Start"},
                       {field("A", InType::uint8)}),
                  told({.id = 1, .name = "Event"}, {field("B", InType::uint8)})});
    decode::Decoder decoder(store);
    const auto classic = event_of(format::FullRecord{
        .opcode = 1, .event_class = tea_house, .payload = ByteWriter().u8(1).view()});
    EXPECT_EQ(decoder.decode(classic->event).kind->event, "Class/Start");
    const auto event = event_of(format::EventRecord{
        .provider = tea_house, .descriptor = {.id = 1}, .payload = ByteWriter().u8(1).view()});
    EXPECT_EQ(decoder.decode(event->event).kind->event, "Event");
}

} // namespace
} // namespace etl::event_lookup_test

// The rendering of all items is in tests/golden/wpp-messages; here is what goes beyond it.
#include "decode/limits.hpp"
#include "decode/wpp_text.hpp"
#include "schema/tmf.hpp"
#include "tests/support/traces/one_event.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::decode::wpp_text_test {
namespace {

using testing::EndsWith;

constexpr Guid pump = *parse_guid("7d3b9a60-52c1-4f8e-a0d7-19c6b2e45f01");

std::shared_ptr<const schema::SchemaStore> store_of(std::string_view entries) {
    const std::string text =
        "7d3b9a60-52c1-4f8e-a0d7-19c6b2e45f01 pumpdrv // SRC=Pump.c MJ= MN=\n" +
        std::string(entries);
    auto set = schema::parse_tmf(std::as_bytes(std::span(text)));
    auto store = std::make_shared<schema::SchemaStore>();
    if (set) {
        for (auto& event : set->events) {
            store->add(std::move(event));
        }
    }
    store->freeze();
    return store;
}

std::unique_ptr<test::OneEvent> message_event(Bytes arguments,
                                              format::Width width = format::Width::bits64) {
    return test::event_of(format::MessageRecord{.number = 10,
                                                .width = width,
                                                .guid = pump,
                                                .time = 0,
                                                .system_info = format::ThreadAndProcess{7, 8},
                                                .payload = arguments});
}

/// `format` with the one argument of that type.
std::string rendered(std::string_view format, std::string_view type, const ByteWriter& argument,
                     format::Width width = format::Width::bits64, DisplayOptions options = {}) {
    const std::string entry = "#typev Pump_c1 10 \"" + std::string(format) +
                              "\" // LEVEL=L FUNC=F\n{\nx, " + std::string(type) + " -- 10\n}\n";
    Decoder decoder(store_of(entry));
    const auto one = message_event(argument.view(), width);
    const DecodedEvent& decoded = decoder.decode(one->event);
    EXPECT_EQ(decoded.kind->decoded_by, DecodedBy::wpp);
    std::string text;
    WppText(options).append_message(text, decoded);
    return text;
}

TEST(WppText, LooksMessagesUpByGuidAndNumber) {
    Decoder decoder(
        store_of("#typev Pump_c1 10 \"ten\" //\n{\n}\n#typev Pump_c2 11 \"eleven\" //\n{\n}\n"));
    const auto one = message_event({});
    const EventKind& kind = *decoder.decode(one->event).kind;
    EXPECT_EQ(kind.decoded_by, DecodedBy::wpp);
    EXPECT_EQ(kind.event, "Pump_c1");
    EXPECT_EQ(kind.provider, "pumpdrv");
    EXPECT_EQ(kind.level_name, "") << "the record has no level";
    Decoder other(store_of("#typev Pump_c2 11 \"eleven\" //\n{\n}\n"));
    EXPECT_EQ(other.decode(one->event).kind->decoded_by, DecodedBy::none);
    EXPECT_EQ(other.decode(one->event).kind->raw_reason, RawReason::no_format);
}

TEST(WppText, ChoosesAmongBuildsByThePayload) {
    Decoder decoder(store_of("#typev Pump_c1 10 \"old %10!d!\" //\n{\nx, ItemLong -- 10\n}\n"
                             "#typev Pump_c1 10 \"new %10!d!\" //\n{\nx, ItemLongLong -- 10\n}\n"));
    ByteWriter argument;
    argument.u64(5);
    const auto one = message_event(argument.view());
    std::string text;
    WppText().append_message(text, decoder.decode(one->event));
    EXPECT_EQ(text, "new 5");
}

TEST(WppText, TakesPointersFromTheRecord) {
    ByteWriter narrow;
    narrow.u32(0xABC);
    EXPECT_EQ(rendered("%10!p!", "ItemPtr", narrow, format::Width::bits32), "00000ABC");
    EXPECT_EQ(rendered("%10!Id!", "ItemPtr", ByteWriter().u32(0xFFFFFFFF), format::Width::bits32),
              "-1");
}

TEST(WppText, ShowsValuesUnderWrongNotations) {
    EXPECT_EQ(rendered("%10!d!", "ItemDouble", ByteWriter().u64(0x3FF8000000000000)), "1.5");
    EXPECT_EQ(rendered("%10!U! %10!D!", "ItemLong", ByteWriter().u32(0xFFFFFFFF)), "4294967295 -1");
    EXPECT_EQ(rendered("%10!d!", "ItemString", ByteWriter().zero_terminated8("text")), "text");
    EXPECT_EQ(rendered("%10!f!", "ItemLong", ByteWriter().u32(3)), "3");
    EXPECT_EQ(rendered("%10!q!", "ItemLong", ByteWriter().u32(3)), "3");
    EXPECT_EQ(rendered("%10!c!", "ItemLong", ByteWriter().u32(0x8336)), "\u8336");
    EXPECT_EQ(rendered("%10!d!", "ItemPort", ByteWriter().u8(1).u8(0xBB)), "443");
}

TEST(WppText, LeavesWhatItDoesNotKnow) {
    EXPECT_EQ(rendered("%11!d! %!WHO! %!SUBCOMP!.", "ItemLong", ByteWriter().u32(3)),
              "%11!d! %!WHO! .");
}

TEST(WppText, ShowsTimesInTheZoneAskedFor) {
    const ByteWriter time = std::move(ByteWriter().u64(133'603'920'000'000'000));
    EXPECT_EQ(rendered("%10!s!", "ItemTimestamp", time), "05/17/2024-04:00:00.0000000");
    EXPECT_EQ(rendered("%10!s!", "ItemTimestamp", time, format::Width::bits64,
                       {.utc_offset_minutes = -300}),
              "05/16/2024-23:00:00.0000000");
    EXPECT_EQ(rendered("%10!I64d!", "ItemTimestamp", time), "133603920000000000");
    const ByteWriter last = std::move(ByteWriter().u64(~std::uint64_t{0} >> 1U));
    EXPECT_EQ(rendered("%10!s!", "ItemTimestamp", last, format::Width::bits64,
                       {.utc_offset_minutes = 60}),
              "09/14/30828-02:48:05.4775807")
        << "no overflow";
}

TEST(WppText, CannotBeMadeToGrowWithoutBound) {
    std::string format;
    for (int i = 0; i < 1000; ++i) {
        format += "%10!s!";
    }
    const std::string line(60'000, 'x');
    const std::string text = rendered(format, "ItemString", ByteWriter().zero_terminated8(line));
    EXPECT_LE(text.size(), decode::limits::wpp_message_bytes + line.size());
}

TEST(WppText, WritesThePrefixOfAnyEvent) {
    Decoder decoder(nullptr);
    const auto one = message_event({});
    std::string text;
    WppText().append_prefix(text, default_wpp_prefix, decoder.decode(one->event));
    EXPECT_THAT(text, testing::StartsWith("[0]0008.0007::"));
    EXPECT_THAT(text, EndsWith(" []"));
    text.clear();
    WppText().append_prefix(text, "%2|%5!u!|%6|%7!3d!|%!FUNC!|%!LEVEL!|%10!d!",
                            decoder.decode(one->event));
    EXPECT_EQ(text, "|0|0|  0|||%10!d!");
}

} // namespace
} // namespace etl::decode::wpp_text_test

#include "decode/coverage.hpp"
#include "format/kernel_group.hpp"
#include "tests/support/traces/one_event.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"
#include "tests/unit/meaning/decode/schemas.hpp"

#include <gtest/gtest.h>

namespace etl::coverage_test {
namespace {

using namespace test;
using namespace literals;
using decode::Coverage;
using decode::CoverageCounts;
using decode::DecodedBy;
using decode::RawReason;

constexpr Guid tea_house = "7e57ab1e-0000-4000-8000-00000000cafe"_guid;

/// Id 1: a number of four bytes and a text that a prefix counts.
std::shared_ptr<const schema::SchemaStore> tea_store() {
    auto names = std::make_shared<schema::ProviderNames>();
    names->guid = tea_house;
    names->name = "Tea-House";
    auto brewing = std::make_shared<EventSchema>(
        schema_of({field("Cups", InType::uint32), field("Kind", InType::counted_ansi_string)}));
    brewing->provider = std::move(names);
    brewing->id = 1;
    auto store = std::make_shared<schema::SchemaStore>();
    store->add(std::move(brewing));
    store->freeze();
    return store;
}

class CoverageOf {
public:
    template <typename Record>
    CoverageOf& add(const Record& record) {
        coverage_.add(decoder_.decode(event_of(record)->event));
        return *this;
    }

    CoverageOf& add(std::uint16_t id, Bytes payload) {
        return add(format::EventRecord{
            .provider = tea_house, .descriptor = {.id = id}, .payload = payload});
    }

    const Coverage& get() const { return coverage_; }

    const CoverageCounts& tea() const { return coverage_.providers().at(tea_house); }

private:
    decode::Decoder decoder_{tea_store()};
    Coverage coverage_;
};

TEST(Coverage, CountsHowWellPayloadsFit) {
    CoverageOf events;
    events.add(1, ByteWriter().u32(3).u16(1).text8("x").view());
    events.add(1, ByteWriter().u32(3).u16(1).text8("xy").view());
    events.add(1, ByteWriter().u32(3).u16(0).text8("").view());
    events.add(1, ByteWriter().u32(3).view());
    events.add(1, ByteWriter().u32(3).u16(9).view());
    EXPECT_EQ(events.tea().exact, 2U);
    EXPECT_EQ(events.tea().trailing, 1U);
    EXPECT_EQ(events.tea().short_payloads, 1U);
    EXPECT_EQ(events.tea().contradicting, 1U);
    EXPECT_EQ(events.tea().decoded(), 5U);
    EXPECT_EQ(events.tea().decoded_by[static_cast<std::size_t>(DecodedBy::manifest)], 5U);
    EXPECT_EQ(events.tea().raw(), 0U);
}

TEST(Coverage, CountsGuessesApart) {
    CoverageOf events;
    events.add(format::EventRecord{.provider = tea_house,
                                   .descriptor = {.id = 1, .version = 3},
                                   .payload = ByteWriter().u32(3).u16(1).text8("x").view()});
    events.add(format::EventRecord{.provider = tea_house,
                                   .descriptor = {.id = 1, .version = 3},
                                   .payload = ByteWriter().u32(3).view()});
    EXPECT_EQ(events.tea().guessed, 1U);
    EXPECT_EQ(events.tea().exact, 0U);
    EXPECT_EQ(events.tea().decoded(), 1U);
    EXPECT_EQ(events.tea().raw_by_reason[static_cast<std::size_t>(RawReason::other_version)], 1U);
}

TEST(Coverage, CountsNoDoubtfulValuesAsExact) {
    auto names = std::make_shared<schema::ProviderNames>();
    names->guid = tea_house;
    auto sid = std::make_shared<EventSchema>(schema_of({field("User", InType::sid)}));
    auto mac = std::make_shared<EventSchema>(
        schema_of({field("MAC", InType::binary), field("Cups", InType::uint32)}));
    sid->provider = mac->provider = std::move(names);
    sid->id = 1;
    mac->id = 2;
    auto store = std::make_shared<schema::SchemaStore>();
    store->add(std::move(sid));
    store->add(std::move(mac));
    store->freeze();
    decode::Decoder decoder(store);
    Coverage coverage;
    const auto add = [&](std::uint16_t id, const ByteWriter& payload) {
        const auto one = event_of(format::EventRecord{
            .provider = tea_house, .descriptor = {.id = id}, .payload = payload.view()});
        coverage.add(decoder.decode(one->event));
    };
    add(1, ByteWriter().fill(8));
    add(2, ByteWriter().fill(6, std::byte{1}).u32(7));
    add(2, ByteWriter().u8(1));
    const CoverageCounts total = coverage.total();
    EXPECT_EQ(total.exact, 0U);
    EXPECT_EQ(total.contradicting, 1U) << "not a SID";
    EXPECT_EQ(total.guessed, 1U) << "assumed length";
    EXPECT_EQ(total.trailing, 1U) << "unknown length";
}

TEST(Coverage, CountsWhyTheOthersAreRaw) {
    CoverageOf events;
    events.add(2, {}).add(2, {}).add(format::MessageRecord{.number = 10, .guid = tea_house});
    events.add(format::SystemRecord{.hook_id = 0x0301});
    const std::byte metadata[] = {std::byte{9}, std::byte{0}, std::byte{0}};
    const format::ExtendedItem items[] = {{format::ItemType::event_schema_tl, metadata}};
    events.add(format::EventRecord{.provider = tea_house, .items = items});
    const auto count = [&](RawReason why) {
        return events.tea().raw_by_reason[static_cast<std::size_t>(why)];
    };
    EXPECT_EQ(count(RawReason::no_schema), 2U);
    EXPECT_EQ(count(RawReason::no_format), 1U);
    EXPECT_EQ(count(RawReason::invalid_metadata), 1U);
    EXPECT_EQ(events.tea().raw(), 4U);
    const auto& process = events.get().providers().at(format::class_of_hook(0x0301));
    EXPECT_EQ(process.raw(), 1U) << "kernel records count under their class";
    EXPECT_EQ(events.get().total().events(), 5U);
}

TEST(Coverage, OfTwoThreadsIsTheirSum) {
    CoverageOf one;
    CoverageOf other;
    one.add(1, ByteWriter().u32(3).u16(0).view()).add(2, {});
    other.add(1, ByteWriter().u32(3).u16(0).view()).add(format::SystemRecord{.hook_id = 0x0301});
    Coverage both;
    both.combine(one.get());
    both.combine(other.get());
    EXPECT_EQ(both.providers().at(tea_house).exact, 2U);
    EXPECT_EQ(both.total().events(), 4U);
    EXPECT_EQ(both.total().raw(), 2U);
}

TEST(Coverage, CallsLogFileHeadersThatAreNoneContradicting) {
    CoverageOf events;
    events.add(format::SystemRecord{.hook_id = 0, .payload = ByteWriter().u32(1).view()});
    EXPECT_EQ(events.get().total().contradicting, 1U);
}

TEST(Coverage, HasAWordForEachReason) {
    for (std::size_t i = 0; i < decode::raw_reason_count; ++i) {
        EXPECT_NE(name(static_cast<RawReason>(i)), "");
    }
    EXPECT_EQ(name(static_cast<RawReason>(decode::raw_reason_count)), "");
    EXPECT_EQ(name(static_cast<DecodedBy>(decode::decoded_by_count - 1)), "evtx");
    EXPECT_EQ(name(static_cast<DecodedBy>(decode::decoded_by_count)), "");
}

} // namespace
} // namespace etl::coverage_test

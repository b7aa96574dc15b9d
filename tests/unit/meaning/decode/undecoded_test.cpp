#include "decode/limits.hpp"
#include "decode/undecoded.hpp"
#include "format/kernel_group.hpp"
#include "tests/support/traces/one_event.hpp"
#include "tests/unit/meaning/decode/schemas.hpp"

#include <gtest/gtest.h>

namespace etl::undecoded_test {
namespace {

using namespace test;
using namespace literals;
using decode::NeededSchema;
using decode::RawReason;
using decode::Undecoded;
using decode::UndecodedKind;

constexpr Guid kettle = "7e57ab1e-0000-4000-8000-00000000beef"_guid;

/// Of a provider called Kettle no event but number 1 is described.
std::shared_ptr<const schema::SchemaStore> kettle_store() {
    auto names = std::make_shared<schema::ProviderNames>();
    names->guid = kettle;
    names->name = "Kettle";
    auto boiling = std::make_shared<EventSchema>(schema_of({field("Cups", InType::uint32)}));
    boiling->provider = std::move(names);
    boiling->id = 1;
    auto store = std::make_shared<schema::SchemaStore>();
    store->add(std::move(boiling));
    store->freeze();
    return store;
}

class UndecodedOf {
public:
    explicit UndecodedOf(decode::DecoderOptions options = {}) : decoder_(kettle_store(), options) {}

    template <typename Record>
    UndecodedOf& add_record(const Record& record) {
        const auto one = event_of(record);
        const decode::DecodedEvent& decoded = decoder_.decode(one->event);
        undecoded_.add(decoded, decoder_.generation());
        return *this;
    }

    UndecodedOf& add(std::uint16_t id) {
        return add_record(
            format::EventRecord{.provider = kettle, .descriptor = {.id = id, .version = 2}});
    }

    const Undecoded& get() const { return undecoded_; }

private:
    decode::Decoder decoder_;
    Undecoded undecoded_;
};

TEST(Undecoded, CountsByWhatWouldDescribeTheEvents) {
    UndecodedOf events;
    events.add(5).add(5).add(7);
    events.add_record(format::MessageRecord{.number = 10, .guid = kettle});
    events.add_record(format::MessageRecord{.number = 10});
    events.add_record(format::FullRecord{.opcode = 3, .event_class = kettle});
    const auto& kinds = events.get().kinds();
    ASSERT_EQ(kinds.size(), 5U);
    const auto count = [&](NeededSchema needed, std::uint16_t id, std::uint8_t version,
                           RawReason why) {
        const auto found = kinds.find(UndecodedKind{needed, kettle, id, version, why});
        return found == kinds.end() ? 0U : found->second.events;
    };
    EXPECT_EQ(count(NeededSchema::manifest, 5, 2, RawReason::no_schema), 2U);
    EXPECT_EQ(count(NeededSchema::manifest, 7, 2, RawReason::no_schema), 1U);
    EXPECT_EQ(count(NeededSchema::tmf, 10, 0, RawReason::no_format), 1U);
    EXPECT_EQ(count(NeededSchema::mof, 3, 0, RawReason::no_schema), 1U);
    EXPECT_EQ(kinds.begin()->second.provider, "Kettle");
    EXPECT_EQ(events.get().total(), 6U);
    EXPECT_EQ(kinds.rbegin()->first.needed, NeededSchema::nothing) << "no GUID names a TMF";
}

TEST(Undecoded, DoesNotCountWhatIsDecodedOrRawOnPurpose) {
    UndecodedOf events;
    events.add_record(format::EventRecord{.provider = kettle, .descriptor = {.id = 1}});
    events.add_record(
        format::EventRecord{.provider = format::event_metadata_guid, .descriptor = {.id = 3}});
    EXPECT_EQ(events.get().total(), 0U);
    UndecodedOf raw({.payloads = decode::Payloads::raw});
    EXPECT_EQ(raw.add(5).get().total(), 0U);
}

TEST(Undecoded, OfTwoThreadsIsTheirSum) {
    UndecodedOf one;
    UndecodedOf other;
    one.add(5).add(7);
    other.add(5).add(9);
    Undecoded both;
    both.combine(one.get());
    both.combine(other.get());
    EXPECT_EQ(both.kinds().size(), 3U);
    EXPECT_EQ(both.kinds().begin()->second.events, 2U);
    EXPECT_EQ(both.total(), 4U);
}

TEST(Undecoded, KeepsKindsWithinItsLimitAndLosesNoEvent) {
    UndecodedOf events;
    for (std::uint32_t i = 0; i < decode::limits::undecoded_kinds + 10; ++i) {
        events.add_record(format::EventRecord{
            .provider = kettle,
            .descriptor = {.id = static_cast<std::uint16_t>(i + 2), .version = 1}});
    }
    EXPECT_EQ(events.get().kinds().size(), decode::limits::undecoded_kinds);
    EXPECT_EQ(events.get().others(), 10U);
    EXPECT_EQ(events.get().total(), decode::limits::undecoded_kinds + 10);
}

TEST(Undecoded, HasAWordForWhatIsWanted) {
    EXPECT_EQ(name(NeededSchema::manifest), "manifest");
    EXPECT_EQ(name(NeededSchema::mof), "mof");
    EXPECT_EQ(name(NeededSchema::tmf), "tmf");
    EXPECT_EQ(name(NeededSchema::nothing), "nothing");
}

} // namespace
} // namespace etl::undecoded_test

#include "decode/embedding.hpp"
#include "decode/harvest.hpp"
#include "format/kernel_group.hpp"
#include "format/records.hpp"
#include "schema/manifest.hpp"
#include "tests/support/traces/one_event.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::decode::embedding_test {
namespace {

using namespace literals;
using test::OneEvent;
using ::testing::ElementsAre;

constexpr Guid tea_house = "7e57ab1e-0000-4000-8000-00000000cafe"_guid;

constexpr std::string_view manifest =
    R"(<instrumentationManifest><instrumentation><events>)"
    R"(<provider name="Tea-House" guid="{7e57ab1e-0000-4000-8000-00000000cafe}" symbol="T">)"
    R"(<maps><valueMap name="Leaf"><map value="1" message="Green"/></valueMap></maps>)"
    R"(<templates><template tid="a"><data name="Leaf" inType="win:UInt32" map="Leaf"/></template></templates>)"
    R"(<events><event value="3" template="a"/><event value="4" template="a"/></events>)"
    R"(</provider></events></instrumentation></instrumentationManifest>)";

std::shared_ptr<const schema::SchemaStore>
tea_store(schema::Origin origin = schema::Origin::manifest) {
    auto store = std::make_shared<schema::SchemaStore>();
    const auto set = schema::parse_manifest(std::as_bytes(std::span(manifest)), {.origin = origin});
    for (const auto& event : set->events) {
        store->add(event);
    }
    store->freeze();
    return store;
}

/// Single events, a run for each.
class Events final : public flow::Source {
public:
    template <typename Record>
    Events& add(const Record& record, std::uint16_t processor = 0) {
        events_.push_back(test::event_of(record));
        events_.back()->buffer.processor = processor;
        return *this;
    }

    flow::Run next_run() override {
        return at_ < events_.size() ? flow::Run(&events_[at_++]->event, 1) : flow::Run();
    }

    flow::Pin pin() const override { return nullptr; }

    const Error* error() const noexcept override { return nullptr; }

private:
    std::vector<std::unique_ptr<OneEvent>> events_;
    std::size_t at_ = 0;
};

format::EventRecord tea(std::uint16_t id, std::int64_t time = 0) {
    return {.process_id = 7,
            .thread_id = 8,
            .time = time,
            .provider = tea_house,
            .descriptor = {.id = id}};
}

/// "event 3", "info", "map", in order.
std::vector<std::string> words(flow::Source& source) {
    std::vector<std::string> all;
    flow::EventCursor events(source);
    while (const flow::Event* event = events.next()) {
        const flow::EventHeader header = flow::read_header(*event);
        all.push_back(header.provider != format::event_metadata_guid
                          ? "event " + std::to_string(header.id)
                      : header.opcode == 32 ? "info"
                                            : "map");
    }
    return all;
}

TEST(Embedding, DescribesEachKindBeforeItsFirstEventAndMapsOnce) {
    const auto store = tea_store();
    Events events;
    events.add(tea(3)).add(tea(3)).add(tea(4)).add(tea(9)).add(tea(9)).add(tea(3));
    EmbeddedSource embedded(events, store);
    EXPECT_THAT(words(embedded), ElementsAre("info", "map", "event 3", "event 3", "info", "event 4",
                                             "event 9", "event 9", "event 3"));
    EXPECT_EQ(embedded.report().events, 2U);
    EXPECT_EQ(embedded.report().maps, 1U);
    EXPECT_EQ(embedded.report().unknown, 1U);
    EXPECT_EQ(embedded.report().existing, 0U);
}

TEST(Embedding, RecordsLieWhereAndWhenTheEventDoes) {
    const auto store = tea_store();
    Events events;
    auto narrow = tea(3, 1234);
    narrow.width = format::Width::bits32;
    events.add(narrow, 5);
    EmbeddedSource embedded(events, store);
    flow::EventCursor cursor(embedded);
    const flow::Event* info = cursor.next();
    ASSERT_NE(info, nullptr);
    const flow::EventHeader header = flow::read_header(*info);
    EXPECT_EQ(info->kind, format::narrow(format::RecordFamily::full)) << "as wide as the event";
    EXPECT_EQ(info->raw_time, 1234);
    EXPECT_EQ(info->buffer->processor, 5);
    EXPECT_EQ(header.process_id, 7U);
    EXPECT_EQ(header.thread_id, 8U);
    EXPECT_EQ(header.level, 0);
    EXPECT_EQ(header.version, 0);
    const auto event = schema::parse_event_info(header.payload);
    ASSERT_TRUE(event);
    EXPECT_EQ(event->schema.provider->guid, tea_house);
    EXPECT_EQ(event->schema.id, 3);
}

TEST(Embedding, AHarvestOfTheOutputKnowsWhatTheStoreKnew) {
    const auto store = tea_store();
    Events events;
    events.add(tea(3));
    EmbeddedSource embedded(events, store);
    Harvest harvest;
    std::vector<flow::Pin> pins;
    for (flow::Run run = embedded.next_run(); !run.empty(); run = embedded.next_run()) {
        harvest.add(run);
    }
    schema::SchemaStore found;
    EXPECT_EQ(harvest.finish(found).events, 1U);
    found.freeze();
    const auto match = found.find({tea_house, 3, 0});
    ASSERT_EQ(match.candidates.size(), 1U);
    ASSERT_EQ(match.candidates[0]->maps.size(), 1U);
    EXPECT_EQ(match.candidates[0]->maps[0]->entries.at(0).second, "Green");
}

TEST(Embedding, WhatDescribesItselfIsLeftAlone) {
    const auto store = tea_store();
    const auto metadata = test::TraceLoggingEvent("Poured").metadata();
    const std::array items{format::ExtendedItem{format::ItemType::event_schema_tl, metadata}};
    auto described = tea(3);
    described.items = items;
    auto text = tea(3);
    text.flags = format::event_flag::string_only;
    Events events;
    events.add(described).add(text);
    EmbeddedSource embedded(events, store);
    EXPECT_THAT(words(embedded), ElementsAre("event 3", "event 3"));
    EXPECT_EQ(embedded.report().unknown, 0U);
}

TEST(Embedding, SchemasOfTheTraceAreThereUnlessTheyAreDropped) {
    const auto store = tea_store(schema::Origin::eventsource);
    Events kept;
    kept.add(tea(3)).add(tea(3));
    EmbeddedSource none(kept, store);
    EXPECT_THAT(words(none), ElementsAre("event 3", "event 3"));
    EXPECT_EQ(none.report().existing, 1U);
    Events dropped;
    dropped.add(tea(3));
    EmbeddedSource made(dropped, store, {.carried = CarriedSchemas::dropped});
    EXPECT_THAT(words(made), ElementsAre("info", "map", "event 3"));
}

TEST(Embedding, WhatNoBufferHoldsIsCounted) {
    const auto store = tea_store();
    Events events;
    events.add(tea(3));
    EmbeddedSource embedded(events, store, {.max_record_size = 64});
    EXPECT_THAT(words(embedded), ElementsAre("event 3"));
    EXPECT_EQ(embedded.report().too_large, 2U);
}

} // namespace
} // namespace etl::decode::embedding_test

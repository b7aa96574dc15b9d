#include "base/layout.hpp"
#include "base/text.hpp"
#include "decode/harvest.hpp"
#include "decode/limits.hpp"
#include "format/kernel_group.hpp"
#include "tests/support/traces/event_info_builder.hpp"
#include "tests/support/traces/one_event.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"
#include "tests/unit/meaning/decode/kinds/tea_house.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::harvest_test {

namespace {

using namespace test;
using namespace literals;
using format::ExtendedItem;
using format::ItemType;
using testing::Contains;
using testing::UnorderedElementsAre;

constexpr Guid tea_house = "7e57ab1e-0000-4000-8000-00000000cafe"_guid;
constexpr Guid other_house = "7e57ab1e-0000-4000-8000-00000000beef"_guid;

constexpr std::string_view manifest =
    R"(<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events"><instrumentation><events>)"
    R"(<provider name="Tea-House" guid="{7e57ab1e-0000-4000-8000-00000000cafe}" resourceFileName="t" messageFileName="t" symbol="T">)"
    R"(<tasks><task name="Brewing" value="1"/></tasks><templates><template tid="a"><data name="Cups" inType="win:UInt32"/></template></templates>)"
    R"(<events><event value="3" version="0" task="Brewing" template="a"/></events></provider></events></instrumentation></instrumentationManifest>)";

/// Events of one buffer.
class Buffer {
public:
    explicit Buffer(std::uint64_t number) : number_(number) {}

    template <typename Record>
    Buffer& add(const Record& record) {
        events_.push_back(event_of(record));
        events_.back()->buffer.number = number_;
        return *this;
    }

    void show(decode::Harvest& harvest) const {
        for (const auto& one : events_) {
            harvest.add({&one->event, 1});
        }
    }

private:
    std::uint64_t number_;
    std::vector<std::unique_ptr<OneEvent>> events_;
};

format::EventRecord event_of_provider(const Guid& guid, std::span<const ExtendedItem> items = {}) {
    return {.provider = guid, .descriptor = {.id = 1}, .items = items};
}

TEST(Harvest, CollectsProvidersOfAllKindsOfRecord) {
    const auto traits = provider_traits("Tea.House", {.decode = other_house});
    const ExtendedItem items[] = {{ItemType::provider_traits, traits}};
    constexpr Guid class_guid = "7e57ab1e-0000-4000-8000-000000000001"_guid;
    constexpr Guid message_guid = "7e57ab1e-0000-4000-8000-000000000002"_guid;
    Buffer buffer(1);
    buffer.add(event_of_provider(tea_house, items)).add(event_of_provider(tea_house, items));
    buffer.add(format::FullRecord{.event_class = class_guid})
        .add(format::MessageRecord{.number = 1, .guid = message_guid});
    buffer.add(format::SystemRecord{.hook_id = 0x0301}).add(event_of_provider({}));
    buffer.add(format::PerfinfoRecord{.hook_id = 0x0F2E})
        .add(format::CompactRecord{.hook_id = 0x7F01});
    decode::Harvest harvest;
    buffer.show(harvest);
    EXPECT_THAT(harvest.providers(),
                UnorderedElementsAre(tea_house, other_house, class_guid, message_guid,
                                     format::class_of_hook(0x0301), format::class_of_hook(0x0F2E)));
}

TEST(Harvest, KnowsThatImageLoadIsNoProcessEvent) {
    Buffer buffer(1);
    buffer.add(format::SystemRecord{.hook_id = 0x030A});
    decode::Harvest harvest;
    buffer.show(harvest);
    EXPECT_THAT(harvest.providers(), UnorderedElementsAre(format::class_of_hook(0x1402)));
}

TEST(Harvest, TakesTheNameThatComesFirstWhoeverSawIt) {
    const auto early = provider_traits("Early");
    const auto late = provider_traits("Late");
    const ExtendedItem early_items[] = {{ItemType::provider_traits, early}};
    const ExtendedItem late_items[] = {{ItemType::provider_traits, late}};
    Buffer first(1), second(2);
    first.add(event_of_provider(tea_house, early_items));
    second.add(event_of_provider(tea_house, late_items));
    const auto name_after = [&](std::initializer_list<const Buffer*> one,
                                std::initializer_list<const Buffer*> two) {
        decode::Harvest a, b;
        for (const Buffer* buffer : one) {
            buffer->show(a);
        }
        for (const Buffer* buffer : two) {
            buffer->show(b);
        }
        a.combine(std::move(b));
        schema::SchemaStore store;
        EXPECT_EQ(a.finish(store).names, 1U);
        store.freeze();
        return store.provider(tea_house)->name;
    };
    EXPECT_EQ(name_after({&first, &second}, {}), "Early");
    EXPECT_EQ(name_after({&second, &first}, {}), "Early");
    EXPECT_EQ(name_after({&second}, {&first}), "Early");
    EXPECT_EQ(name_after({}, {&second, &first}), "Early");
}

TEST(Harvest, ReadsEventSourceManifests) {
    Buffer buffer(1);
    for (const auto& chunk : manifest_chunks(manifest, 100)) {
        buffer.add(format::EventRecord{
            .process_id = 1,
            .thread_id = 2,
            .provider = tea_house,
            .descriptor = {.id = 0xFFFE, .version = 1, .opcode = 0xFE, .task = 0xFFFE},
            .payload = chunk});
    }
    decode::Harvest harvest;
    buffer.show(harvest);
    schema::SchemaStore store;
    const auto report = harvest.finish(store);
    EXPECT_EQ(report.manifests, 1U);
    EXPECT_EQ(report.events, 1U);
    EXPECT_THAT(report.notes, testing::IsEmpty());
    store.freeze();
    const auto match = store.find({tea_house, 3, 0});
    ASSERT_EQ(match.candidates.size(), 1U);
    EXPECT_EQ(match.candidates[0]->origin, schema::Origin::eventsource);
    EXPECT_EQ(store.provider(tea_house)->name, "Tea-House");
}

TEST(Harvest, NotesManifestsThatCannotBeRead) {
    Buffer buffer(1);
    for (const auto& chunk : manifest_chunks("this is no manifest at all")) {
        buffer.add(format::EventRecord{
            .provider = tea_house,
            .descriptor = {.id = 0xFFFE, .version = 1, .opcode = 0xFE, .task = 0xFFFE},
            .payload = chunk});
    }
    decode::Harvest harvest;
    buffer.show(harvest);
    schema::SchemaStore store;
    const auto report = harvest.finish(store);
    EXPECT_EQ(report.manifests, 0U);
    EXPECT_THAT(report.notes, Contains(testing::HasSubstr("7e57ab1e-0000-4000-8000-00000000cafe")));
}

std::vector<std::byte> embedded(std::uint16_t id, std::u16string task) {
    return event_info({.provider = tea_house,
                       .id = id,
                       .provider_name = u"Tea-House",
                       .task_name = std::move(task),
                       .properties = {{.name = u"Cups", .in = 8}},
                       .top_level_properties = 1});
}

format::FullRecord metadata_record(std::span<const std::byte> blob) {
    return {.opcode = 32, .event_class = format::event_metadata_guid, .payload = blob};
}

TEST(Harvest, ReadsEmbeddedEventInformationOnce) {
    const auto brewing = embedded(3, u"Brewing");
    const auto pouring = embedded(4, u"Pouring");
    Buffer first(1), second(2);
    first.add(metadata_record(brewing)).add(metadata_record(pouring)).add(metadata_record(brewing));
    second.add(metadata_record(brewing)).add(metadata_record({}));
    decode::Harvest a, b;
    first.show(a);
    second.show(b);
    a.combine(std::move(b));
    schema::SchemaStore store;
    const auto report = a.finish(store);
    EXPECT_EQ(report.events, 2U);
    EXPECT_EQ(report.notes.size(), 1U) << "the empty blob";
    store.freeze();
    ASSERT_EQ(store.find({tea_house, 3, 0}).candidates.size(), 1U);
    EXPECT_EQ(store.find({tea_house, 3, 0}).candidates[0]->origin, schema::Origin::event_info);
    EXPECT_THAT(a.providers(), testing::IsEmpty()) << "the class of the metadata is no provider";
}

TEST(Harvest, CountsWhatItFindsAndCanBeFinishedOnTheWay) {
    const auto brewing = embedded(3, u"Brewing");
    const auto pouring = embedded(4, u"Pouring");
    Buffer first(1), again(2), second(3);
    first.add(event_of_provider(tea_house)).add(metadata_record(brewing));
    again.add(event_of_provider(tea_house)).add(metadata_record(brewing));
    second.add(metadata_record(pouring));
    decode::Harvest harvest;
    const std::size_t none = harvest.found();
    first.show(harvest);
    const std::size_t found = harvest.found();
    EXPECT_EQ(found, none + 2);
    again.show(harvest);
    EXPECT_EQ(harvest.found(), found);
    schema::SchemaStore early;
    EXPECT_EQ(decode::Harvest(harvest).finish(early).events, 1U);
    second.show(harvest);
    EXPECT_EQ(harvest.found(), found + 1);
    schema::SchemaStore late;
    EXPECT_EQ(decode::Harvest(harvest).finish(late).events, 2U);
}

TEST(Harvest, OrdersSchemasByPlaceNotByFinder) {
    const auto one = embedded(3, u"One");
    const auto two = embedded(3, u"Two");
    Buffer first(1), second(2);
    first.add(metadata_record(one));
    second.add(metadata_record(two));
    const auto first_task = [&](const Buffer& seen_by_a, const Buffer& seen_by_b) {
        decode::Harvest a, b;
        seen_by_a.show(a);
        seen_by_b.show(b);
        a.combine(std::move(b));
        schema::SchemaStore store;
        a.finish(store);
        store.freeze();
        return store.find({tea_house, 3, 0}).candidates[0]->task_name;
    };
    EXPECT_EQ(first_task(first, second), first_task(second, first));
}

// As std::hash of libstdc++ mixes each eight bytes of a text: MurmurHash64A.
constexpr std::uint64_t murmur = 0xC6A4A7935BD1E995;

constexpr std::uint64_t mixed(std::uint64_t block) {
    block *= murmur;
    return (block ^ block >> 47U) * murmur;
}

constexpr std::uint64_t unmixed(std::uint64_t block) {
    std::uint64_t inverse = murmur;
    for (int i = 0; i < 5; ++i) {
        inverse *= 2 - murmur * inverse;
    }
    block *= inverse;
    return (block ^ block >> 47U) * inverse;
}

/// The first 16 bytes of `blob` become others of equal hash.
void forge(std::vector<std::byte>& blob) {
    const std::uint64_t begin = 0xC70F6907U ^ (blob.size() * murmur);
    const auto first = load_le<std::uint64_t>(blob.data());
    const auto second = load_le<std::uint64_t>(blob.data() + 8);
    const std::uint64_t other = first + 1;
    const std::uint64_t other_second = unmixed(((begin ^ mixed(first)) * murmur) ^ mixed(second) ^
                                               ((begin ^ mixed(other)) * murmur));
    for (std::size_t i = 0; i < 8; ++i) {
        blob[i] = static_cast<std::byte>(other >> 8 * i);
        blob[8 + i] = static_cast<std::byte>(other_second >> 8 * i);
    }
}

TEST(Harvest, AForgedHashHidesNoSchema) {
    const auto honest = embedded(3, u"Brewing");
    auto forged = honest;
    forge(forged);
    ASSERT_NE(honest, forged);
#ifdef __GLIBCXX__
    const std::hash<std::string_view> hash;
    ASSERT_EQ(hash(as_text(honest)), hash(as_text(forged)));
#endif
    Buffer buffer(1);
    buffer.add(metadata_record(forged)).add(metadata_record(honest));
    decode::Harvest harvest;
    buffer.show(harvest);
    schema::SchemaStore store;
    EXPECT_EQ(harvest.finish(store).events, 2U);
    store.freeze();
    EXPECT_EQ(store.find({tea_house, 3, 0}).candidates.size(), 1U);
}

/// Shows `harvests` in turn one blob per buffer: `ascending` or from the last buffer on. All are
/// distinct and the last one alone is a schema that can be read.
decode::HarvestReport harvest_many(std::size_t blobs, std::size_t harvests, bool ascending) {
    const auto brewing = embedded(3, u"Brewing");
    std::vector<decode::Harvest> parts(harvests);
    const auto one = event_of(metadata_record(brewing));
    auto bad = event_of(metadata_record(std::vector<std::byte>(4)));
    for (std::size_t i = 0; i < blobs; ++i) {
        const std::size_t number = ascending ? i : blobs - 1 - i;
        OneEvent& shown = number + 1 == blobs ? *one : *bad;
        shown.buffer.number = number;
        for (std::size_t at = 0; at < 4; ++at) {
            bad->bytes[bad->bytes.size() - 1 - at] = static_cast<std::byte>(number >> 8 * at);
        }
        parts[i % harvests].add({&shown.event, 1});
    }
    for (std::size_t i = 1; i < harvests; ++i) {
        parts[0].combine(std::move(parts[i]));
    }
    schema::SchemaStore store;
    return parts[0].finish(store);
}

TEST(Harvest, KeepsTheFirstSchemasUpToTheLimitWhoeverSawThem) {
    constexpr std::size_t most = decode::limits::harvested_schemas;
    for (const std::size_t harvests : {1U, 3U}) {
        for (const bool ascending : {true, false}) {
            const auto whole = harvest_many(most, harvests, ascending);
            EXPECT_FALSE(whole.omitted);
            EXPECT_EQ(whole.notes.size(), most - 1);
            EXPECT_EQ(whole.events, 1U);
            const auto cut = harvest_many(most + most / 2, harvests, ascending);
            EXPECT_TRUE(cut.omitted);
            EXPECT_EQ(cut.notes.size(), most);
            EXPECT_EQ(cut.events, 0U) << "it lies behind the others";
        }
    }
}

using namespace test;
using decode::TraceLoggingHarvest;
using format::ExtendedItem;
using format::ItemType;
using ::testing::ElementsAre;

void add_event(TraceLoggingHarvest& harvest, TraceLoggingEvent& event, std::uint8_t level) {
    const auto metadata = event.metadata();
    const auto traits = provider_traits("Tea.House");
    const ExtendedItem items[] = {{ItemType::provider_traits, traits},
                                  {ItemType::event_schema_tl, metadata}};
    const auto one =
        event_of(format::EventRecord{.provider = tea_house,
                                     .descriptor = {.channel = 11, .level = level, .keyword = 5},
                                     .items = items,
                                     .payload = event.payload_bytes()});
    harvest.add(flow::Run{&one->event, 1});
}

std::vector<std::string> names_of(const schema::SchemaSet& set) {
    std::vector<std::string> names;
    for (const auto& event : set.events) {
        names.push_back(event->event_name + "/" + std::to_string(event->level));
    }
    return names;
}

TEST(TraceLoggingHarvest, FindsEachSchemaOnce) {
    TraceLoggingEvent pour("Pour");
    pour.i32("Cups", 3);
    TraceLoggingEvent brew("Brew");
    brew.utf16("Kind", u"mint");
    TraceLoggingHarvest first;
    TraceLoggingHarvest second;
    add_event(first, pour, 4);
    add_event(first, pour, 4);
    add_event(second, brew, 4);
    add_event(second, pour, 4);
    add_event(second, pour, 2);
    first.combine(std::move(second));
    const schema::SchemaSet set = first.take();
    EXPECT_THAT(names_of(set), ElementsAre("Brew/4", "Pour/2", "Pour/4"));
    ASSERT_EQ(set.providers.size(), 1U);
    EXPECT_EQ(set.providers.front()->name, "Tea.House");
    const schema::EventSchema& event = *set.events.front();
    EXPECT_EQ(event.origin, schema::Origin::tracelogging);
    EXPECT_EQ(event.channel, 11U);
    EXPECT_EQ(event.keyword, 5U);
    EXPECT_EQ(event.fields.at(0).name, "Kind");
    EXPECT_FALSE(first.omitted());
}

TEST(TraceLoggingHarvest, IgnoresOtherEventsAndInvalidMetadata) {
    const std::byte metadata[] = {std::byte{9}, std::byte{0}, std::byte{0}};
    const ExtendedItem items[] = {{ItemType::event_schema_tl, metadata}};
    const auto invalid = event_of(format::EventRecord{.provider = tea_house, .items = items});
    const auto other = tea_event(0, ByteWriter().u8(1).view());
    TraceLoggingHarvest harvest;
    harvest.add(flow::Run{&invalid->event, 1});
    harvest.add(flow::Run{&other->event, 1});
    EXPECT_TRUE(harvest.take().events.empty());
}

} // namespace

} // namespace etl::harvest_test

// Extended data items, and other bytes of records that are neither header nor payload.
#include "base/text.hpp"
#include "format/own_events.hpp"
#include "format/provider_identity.hpp"
#include "format/records.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"
#include "tests/unit/editing/anonymize/anonymized.hpp"
#include "tests/unit/editing/anonymize/coffee_shop.hpp"

#include <algorithm>

namespace etl::anonymize::items_test {
namespace {

using namespace etl::test;
using format::ExtendedItem;
using format::ItemType;

/// An item that its trace owns.
struct Item {
    ItemType type{};
    std::vector<std::byte> data;
};

std::vector<std::byte> filled(std::size_t size) {
    return std::vector<std::byte>(size, std::byte{0x5A});
}

std::vector<std::byte> bytes_of(std::string_view text) {
    const Bytes bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> utf16_of(std::u16string_view text) {
    return ByteWriter().text16(text).take();
}

std::vector<std::byte> joined(std::vector<std::byte> front, const std::vector<std::byte>& back) {
    front.insert(front.end(), back.begin(), back.end());
    return front;
}

format::EventRecord event_with(std::span<const ExtendedItem> items) {
    return {.time = 1'000'500, .provider = shop, .items = items};
}

/// What becomes of the last record of a trace whose other events teach alice and contoso.
struct Outcome {
    Anonymized after;
    std::vector<std::byte> record;
    std::vector<Item> items;

    Report::Unchecked unchecked() const {
        Report::Unchecked all;
        for (const auto& [provider, counts] : after.report.unchecked) {
            all.items += counts.items;
            all.undecodable += counts.undecodable;
        }
        return all;
    }
};

template <typename Add>
Outcome outcome_of(Add add, Options options = {.key = key_of_text("tests")}) {
    TraceBuilder trace;
    Shop to(trace);
    add_texts(to);
    add(to.buffer());
    const auto reader = open(trace.build());
    Outcome outcome{anonymized(*reader, kernel_store(), std::move(options)), {}, {}};
    const auto result = open(outcome.after.image);
    flow::EventCursor events(*result);
    while (const flow::Event* event = events.next()) {
        outcome.record.assign(event->bytes().begin(), event->bytes().end());
        outcome.items.clear();
        format::ExtendedItems items(flow::read_header(*event).items);
        ExtendedItem item;
        while (items.next(item)) {
            outcome.items.push_back({item.type, {item.data.begin(), item.data.end()}});
        }
    }
    return outcome;
}

Outcome outcome_of(const std::vector<Item>& items) {
    std::vector<ExtendedItem> views;
    for (const Item& item : items) {
        views.push_back({item.type, item.data});
    }
    return outcome_of([&](BufferBuilder& buffer) { buffer.add(event_with(views)); });
}

void expect_cleared(const std::vector<Item>& items) {
    const Outcome outcome = outcome_of(items);
    ASSERT_EQ(outcome.items.size(), items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        EXPECT_EQ(outcome.items[i].type, items[i].type);
        EXPECT_EQ(outcome.items[i].data, std::vector<std::byte>(items[i].data.size())) << i;
    }
    EXPECT_EQ(outcome.unchecked().items, items.size());
}

TEST(Items, RewritesEachSidLikeAnyOther) {
    const Outcome outcome = outcome_of({{ItemType::sid, sid_bytes()},
                                        {ItemType::event_key, filled(8)},
                                        {ItemType::sid, sid_bytes()},
                                        {ItemType::sid, sid_bytes(1002)}});
    ASSERT_EQ(outcome.items.size(), 4U);
    EXPECT_NE(outcome.items[0].data, sid_bytes());
    EXPECT_EQ(outcome.items[0].data, outcome.items[2].data);
    EXPECT_NE(outcome.items[2].data, outcome.items[3].data);
    const Bytes domain = Bytes(outcome.items[0].data).first(24);
    EXPECT_TRUE(std::ranges::equal(domain, Bytes(outcome.items[3].data).first(24)));
    EXPECT_EQ(outcome.unchecked().items, 0U);
}

TEST(Items, ClearsSidsThatAreMalformed) {
    const auto sid = sid_bytes();
    auto more_parts = sid, fewer_parts = sid, too_many = sid, other_revision = sid;
    more_parts[1] = std::byte{6};
    fewer_parts[1] = std::byte{4};
    too_many[1] = std::byte{16};
    other_revision[0] = std::byte{2};
    auto too_short = sid;
    too_short.pop_back();
    expect_cleared({{ItemType::sid, too_short},
                    {ItemType::sid, joined(sid, filled(1))},
                    {ItemType::sid, joined(sid, filled(4))},
                    {ItemType::sid, joined(sid, sid)},
                    {ItemType::sid, more_parts},
                    {ItemType::sid, fewer_parts},
                    {ItemType::sid, too_many},
                    {ItemType::sid, other_revision}});
}

TEST(Items, ClearsTypesThatNobodyKnows) {
    expect_cleared({{ItemType{19}, utf16_of(u"for alice only")},
                    {ItemType{999}, bytes_of("CONTOSO")},
                    {ItemType{0}, sid_bytes()},
                    {ItemType{0xFFFF}, filled(3)}});
}

struct KnownType {
    ItemType type;
    std::vector<std::size_t> sizes;
    std::vector<std::size_t> others;
};

const std::vector<KnownType>& known_types() {
    static const std::vector<KnownType> types{
        {ItemType::related_activity_id, {16}, {8, 15, 17, 32}},
        {ItemType::terminal_session_id, {4}, {3, 5, 8}},
        {ItemType::instance_info, {24}, {23, 25, 32}},
        {ItemType::stack_trace32, {8, 12, 40}, {7, 10, 41}},
        {ItemType::stack_trace64, {8, 16, 80}, {7, 12, 81}},
        {ItemType::pebs_index, {8}, {4, 7, 9, 16}},
        {ItemType::pmc_counters, {8, 32}, {4, 9}},
        {ItemType::psm_key, {8}, {7, 9, 24}},
        {ItemType::event_key, {8}, {7, 9, 16}},
        {ItemType::process_start_key, {8}, {7, 9, 16}},
        {ItemType::control_guid, {16}, {8, 15, 17}},
        {ItemType::qpc_delta, {8}, {7, 9, 16}},
        {ItemType::container_id, {16}, {15, 17, 36, 72}}, // these are no text of a GUID
        {ItemType::stack_key32, {12}, {8, 13, 20}},
        {ItemType::stack_key64, {16}, {12, 15, 24}},
    };
    return types;
}

TEST(Items, KeepsNumbersOfTheExactSize) {
    std::vector<Item> items;
    for (const KnownType& known : known_types()) {
        for (const std::size_t size : known.sizes) {
            items.push_back({known.type, filled(size)});
        }
    }
    const std::string_view guid = "5a1e0000-0000-4000-8000-00000000cafe";
    items.push_back({ItemType::container_id, bytes_of(guid)});
    items.push_back({ItemType::container_id, utf16_of(to_utf16("{" + std::string(guid) + "}"))});
    const Outcome outcome = outcome_of(items);
    ASSERT_EQ(outcome.items.size(), items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        EXPECT_EQ(outcome.items[i].data, items[i].data) << i;
    }
    EXPECT_EQ(outcome.unchecked().items, 0U);
}

TEST(Items, ClearsNumbersOfAnotherSize) {
    for (const KnownType& known : known_types()) {
        for (const std::size_t size : known.others) {
            SCOPED_TRACE(static_cast<int>(known.type));
            SCOPED_TRACE(size);
            expect_cleared({{known.type, filled(size)}});
        }
    }
    expect_cleared({{ItemType::container_id, bytes_of("alice0000-0000-0000-4000-8000-000000")}});
}

TEST(Items, KeepsTheKeyOfAStackAndClearsItsPadding) {
    const Outcome outcome = outcome_of({{ItemType::stack_key32, filled(16)}});
    ASSERT_EQ(outcome.items.size(), 1U);
    EXPECT_EQ(outcome.items[0].data, joined(filled(12), std::vector<std::byte>(4)));
}

TEST(Items, ReplacesLearnedNamesInNamesOfSchemas) {
    TraceLoggingEvent event("Alice.Order");
    event.variable_array({.name = "x", .in = tl_in::utf16}); // its type is the letter A
    event.field({.name = "alice", .in = tl_in::u32});
    event.custom({.name = "contoso", .in = tl_in::binary}, bytes_of("by ALICE"));
    const Outcome outcome =
        outcome_of({{ItemType::event_schema_tl, event.metadata()},
                    {ItemType::provider_traits, provider_traits("Shop.Contoso", {.group = shop})}});
    ASSERT_EQ(outcome.items.size(), 2U);
    EXPECT_FALSE(occurs(outcome.record, "alice"));
    EXPECT_FALSE(occurs(outcome.record, "contoso"));
    EXPECT_TRUE(occurs(outcome.record, ".Order"));
    EXPECT_TRUE(occurs(outcome.record, "Shop."));
    EXPECT_EQ(outcome.items[0].data.size(), event.metadata().size());
    const auto traits = format::parse_provider_traits(outcome.items[1].data);
    ASSERT_TRUE(traits);
    EXPECT_EQ(traits->group, shop);
    EXPECT_TRUE(std::ranges::any_of(outcome.after.report.fields, [](const Report::Field& field) {
        return field.field == "(schema)" && field.kind == Kind::computer;
    }));
    EXPECT_EQ(outcome.unchecked().items, 0U);
}

TEST(Items, KeepsSchemasWithoutLearnedNames) {
    TraceLoggingEvent event("Order");
    event.i32("Cups", 1);
    const std::vector<Item> items{
        {ItemType::event_schema_tl, event.metadata()},
        {ItemType::provider_traits, provider_traits("Shop", {.group = shop, .decode = shop})}};
    const Outcome outcome = outcome_of(items);
    ASSERT_EQ(outcome.items.size(), 2U);
    EXPECT_EQ(outcome.items[0].data, items[0].data);
    EXPECT_EQ(outcome.items[1].data, items[1].data);
}

TEST(Items, ClearsWhatFollowsASchema) {
    TraceLoggingEvent event("Order");
    const Outcome outcome =
        outcome_of({{ItemType::event_schema_tl, joined(event.metadata(), sid_bytes())},
                    {ItemType::provider_traits, joined(provider_traits("Shop"), sid_bytes())}});
    ASSERT_EQ(outcome.items.size(), 2U);
    const std::vector<std::byte> zeros(sid_bytes().size());
    EXPECT_EQ(outcome.items[0].data, joined(event.metadata(), zeros));
    EXPECT_EQ(outcome.items[1].data, joined(provider_traits("Shop"), zeros));
    EXPECT_EQ(outcome.unchecked().items, 2U);
}

TEST(Items, ClearsSchemasThatAreMalformed) {
    ByteWriter too_large, unfinished, small, bad_trait;
    too_large.u16(100).u8(0).zero_terminated8("Order by alice");
    unfinished.u16(8).u8(0).text8("alice");
    small.u16(1).text8("alice");
    bad_trait.u16(13).zero_terminated8("alice").u16(200).u8(1).u8(7).u8(7);
    expect_cleared({{ItemType::event_schema_tl, too_large.take()},
                    {ItemType::event_schema_tl, unfinished.take()},
                    {ItemType::event_schema_tl, filled(1)},
                    {ItemType::provider_traits, small.take()},
                    {ItemType::provider_traits, bad_trait.take()}});
}

TEST(Items, ClearsTraitsThatNobodyKnows) {
    ByteWriter traits, expected;
    const auto add = [](ByteWriter& to, std::uint8_t type, Bytes data) {
        to.u16(static_cast<std::uint16_t>(data.size() + 3)).u8(type).bytes(data);
    };
    const auto guid = filled(16);
    traits.u16(0).zero_terminated8("Shop");
    add(traits, 1, joined(guid, sid_bytes()));
    add(traits, 2, bytes_of("for alice only"));
    add(traits, 3, utf16_of(u"alice"));
    add(traits, format::log_origin_trait, bytes_of("alice"));
    expected.u16(0).zero_terminated8("Shop");
    add(expected, 1, joined(guid, std::vector<std::byte>(sid_bytes().size())));
    add(expected, 2, std::vector<std::byte>(14));
    add(expected, 3, std::vector<std::byte>(10));
    add(expected, format::log_origin_trait, std::vector<std::byte>(5));
    const Outcome outcome = outcome_of({{ItemType::provider_traits, format::with_size(traits)}});
    ASSERT_EQ(outcome.items.size(), 1U);
    EXPECT_EQ(outcome.items[0].data, format::with_size(expected));
    EXPECT_EQ(outcome.unchecked().items, 1U);
}

TEST(Items, RewritesThePlaceOfAnEventInALog) {
    const auto channel = bytes_of("Contoso/Operational"), computer = bytes_of("till");
    ByteWriter traits;
    traits.u16(0).zero_terminated8("Shop");
    format::append_log_origin(traits, {.payload = format::LogPayload::event_data,
                                       .qualifiers = {},
                                       .channel = channel,
                                       .computer = computer,
                                       .event_source = {},
                                       .xml_namespace = {}});
    const Outcome outcome = outcome_of({{ItemType::provider_traits, format::with_size(traits)}});
    ASSERT_EQ(outcome.items.size(), 1U);
    const auto origin = format::parse_log_origin(outcome.items[0].data);
    ASSERT_TRUE(origin);
    EXPECT_NE(as_text(origin->computer), "till");
    EXPECT_EQ(origin->computer.size(), 4U);
    EXPECT_TRUE(as_text(origin->channel).ends_with("/Operational"));
    EXPECT_FALSE(occurs(outcome.record, "contoso"));
    EXPECT_EQ(outcome.unchecked().items, 0U);
}

TEST(Items, ClearsPaddingAndReservedBitsAndKeepsTheSize) {
    const std::array items{ExtendedItem{ItemType::terminal_session_id, {}}};
    ByteWriter record;
    ASSERT_TRUE(format::encode(event_with(items), record));
    std::vector<std::byte> bytes(record.view().begin(), record.view().end());
    ByteWriter item;
    item.u16(24).u16(3).u16(0x6C61 & ~1U).u16(4).u32(7).text8("alice..alice"); // 12 bytes more
    bytes.resize(format::event_record::size);
    bytes = joined(bytes, item.take());
    store_le(bytes.data(), static_cast<std::uint16_t>(bytes.size()));
    const Outcome outcome = outcome_of([&](BufferBuilder& buffer) { buffer.raw(bytes); });
    ASSERT_EQ(outcome.record.size(), bytes.size());
    const auto now = Bytes(outcome.record).subspan(format::event_record::size);
    ByteWriter expected;
    expected.u16(24).u16(3).u16(0).u16(4).u32(7).fill(12);
    EXPECT_TRUE(std::ranges::equal(now, expected.view()));
}

TEST(Items, ClearsThePayloadBehindItemsThatDoNotParse) {
    const auto sid = sid_bytes();
    const std::array items{ExtendedItem{ItemType::sid, sid}};
    ByteWriter record;
    ASSERT_TRUE(format::encode(event_with(items), record));
    std::vector<std::byte> bytes(record.view().begin(), record.view().end());
    store_le(bytes.data() + format::event_record::size, std::uint16_t{0x1000}); // longer than it is
    const auto add = [&](BufferBuilder& buffer) { buffer.raw(bytes); };
    const Outcome outcome = outcome_of(add);
    ASSERT_EQ(outcome.record.size(), bytes.size());
    const Bytes payload = Bytes(outcome.record).subspan(format::event_record::size);
    EXPECT_TRUE(std::ranges::all_of(payload, [](std::byte b) { return b == std::byte{0}; }));
    EXPECT_EQ(outcome.unchecked().undecodable, 1U);
    const Outcome dropped =
        outcome_of(add, {.key = key_of_text("tests"), .undecodable = Undecodable::drop});
    EXPECT_EQ(dropped.after.report.dropped, 1U);
}

TEST(Items, ClearsThoseOfUndecodableEventsButNumbers) {
    const auto sid = sid_bytes();
    const auto activity = filled(16);
    const std::array items{ExtendedItem{ItemType::sid, sid},
                           ExtendedItem{ItemType::related_activity_id, activity}};
    format::EventRecord event = event_with(items);
    event.descriptor.id = 9;
    const auto payload = bytes_of("for alice only");
    event.payload = payload;
    const auto outcome_by = [&](Undecodable undecodable) {
        return outcome_of([&](BufferBuilder& buffer) { buffer.add(event); },
                          {.key = key_of_text("tests"), .undecodable = undecodable});
    };
    const Outcome kept = outcome_by(Undecodable::keep);
    ASSERT_EQ(kept.after.report.undecodable, 1U);
    EXPECT_TRUE(occurs(kept.record, "only"));
    const Outcome outcome = outcome_by(Undecodable::clear);
    EXPECT_EQ(outcome.record.size(), kept.record.size());
    ASSERT_EQ(outcome.items.size(), 2U);
    EXPECT_EQ(outcome.items[0].data, std::vector<std::byte>(sid.size()));
    EXPECT_EQ(outcome.items[1].data, activity);
    const Bytes end = Bytes(outcome.record).last(payload.size());
    EXPECT_TRUE(std::ranges::all_of(end, [](std::byte b) { return b == std::byte{0}; }));
}

TEST(Items, ClearsThePayloadBehindCountersThatDoNotFit) {
    ByteWriter payload;
    payload.text8("for alice only");
    ByteWriter record;
    ASSERT_TRUE(format::encode(
        format::SystemRecord{.version = 3, .hook_id = 0x0301, .payload = payload.view()}, record));
    std::vector<std::byte> bytes(record.view().begin(), record.view().end());
    store_le(bytes.data(), static_cast<std::uint16_t>(0x0703)); // seven counters
    const Outcome outcome = outcome_of([&](BufferBuilder& buffer) { buffer.raw(bytes); });
    EXPECT_EQ(outcome.record.size(), bytes.size());
    EXPECT_FALSE(occurs(outcome.record, "only"));
    EXPECT_EQ(outcome.unchecked().undecodable, 1U);
}

TEST(Items, ClearsTheSpaceForATimestampThatAMessageLacks) {
    ByteWriter record;
    ASSERT_TRUE(
        format::encode(format::MessageRecord{.number = 10,
                                             .guid = shop,
                                             .reserves_time = true,
                                             .system_info = {{.thread_id = 1, .process_id = 2}}},
                       record));
    std::vector<std::byte> bytes(record.view().begin(), record.view().end());
    std::ranges::copy(bytes_of("alice..."), bytes.begin() + 8 + 16);
    bytes[2] = std::byte{'a'};
    const Outcome outcome = outcome_of([&](BufferBuilder& buffer) { buffer.raw(bytes); });
    EXPECT_TRUE(std::ranges::equal(outcome.record, record.view()));
    EXPECT_FALSE(occurs(outcome.after.image, "alice"));
}

TEST(Items, ClearsPaddingAfterRecords) {
    ByteWriter record;
    ASSERT_TRUE(format::encode(
        format::EventRecord{.time = 1'000'500, .provider = shop, .payload = {}}, record));
    std::vector<std::byte> bytes(record.view().begin(), record.view().end());
    bytes.push_back(std::byte{0});
    store_le(bytes.data(), static_cast<std::uint16_t>(bytes.size()));
    const Outcome outcome = outcome_of([&](BufferBuilder& buffer) {
        buffer.raw(joined(bytes, bytes_of("alice77")));
        buffer.raw(joined(bytes, bytes_of("alice77")));
    });
    EXPECT_FALSE(occurs(outcome.after.image, "alice77"));
}

TEST(Items, StayIfOnlyFieldsAreRedacted) {
    const auto data = bytes_of("alice");
    const std::array items{ExtendedItem{ItemType{99}, data}};
    const Outcome outcome =
        outcome_of([&](BufferBuilder& buffer) { buffer.add(event_with(items)); },
                   {.key = {}, .scope = Scope::redactions_only});
    ASSERT_EQ(outcome.items.size(), 1U);
    EXPECT_EQ(outcome.items[0].data, data);
}

TEST(LogFileHeader, LosesNamesInItsTimeZoneAndPointers) {
    TraceBuilder trace;
    Shop to(trace);
    add_texts(to);
    const auto reader = open(trace.build());
    const auto store = kernel_store();
    Options options{.key = key_of_text("tests")};
    options.names = names_in(*reader, store);
    const Anonymizer edit(store, options);
    format::LogfileHeader header = reader->info().header;
    header.time_zone.standard_name = u"Time of Alice";
    header.time_zone.daylight_name = u"Contoso Time";
    header.logger_name_pointer = header.log_file_name_pointer = 0x0065006300690061;
    header.log_file_name.clear();
    edit.anonymize(header);
    EXPECT_EQ(header.log_file_name, u"trace.etl");
    EXPECT_TRUE(header.time_zone.standard_name.starts_with(u"Time of "));
    EXPECT_TRUE(header.time_zone.daylight_name.ends_with(u" Time"));
    const auto payload = format::encode_logfile_header(header, 8);
    EXPECT_FALSE(occurs(payload, "alice"));
    EXPECT_FALSE(occurs(payload, "contoso"));
    EXPECT_EQ(header.logger_name_pointer | header.log_file_name_pointer, 0U);
}

} // namespace
} // namespace etl::anonymize::items_test

#include "format/encode.hpp"
#include "format/limits.hpp"
#include "format/record_kind.hpp"
#include "tests/unit/storage/format/record_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace etl::format::encode_test {
namespace {

constexpr std::array<std::byte, 3> three{std::byte{1}, std::byte{2}, std::byte{3}};

template <typename Record>
RecordShape round_trip(const Record& record) {
    ByteWriter to;
    EXPECT_TRUE(encode(record, to));
    const RecordShape shape = record_at(to.view());
    EXPECT_EQ(shape.size, to.size());
    return shape;
}

template <typename Record>
RecordShape narrow_round_trip(Record record) {
    record.width = Width::bits32;
    return round_trip(record);
}

TEST(Encode, GivesRecordsOfEachKind) {
    EXPECT_EQ(narrow_round_trip(SystemRecord{.payload = three}).kind, narrow(RecordFamily::system));
    EXPECT_EQ(round_trip(SystemRecord{.payload = three}).kind, wide(RecordFamily::system));
    EXPECT_EQ(narrow_round_trip(CompactRecord{.payload = three}).kind,
              narrow(RecordFamily::compact));
    EXPECT_EQ(round_trip(CompactRecord{.payload = three}).kind, wide(RecordFamily::compact));
    EXPECT_EQ(narrow_round_trip(PerfinfoRecord{.payload = three}).kind,
              narrow(RecordFamily::perfinfo));
    EXPECT_EQ(round_trip(PerfinfoRecord{.payload = three}).kind, wide(RecordFamily::perfinfo));
    EXPECT_EQ(narrow_round_trip(FullRecord{.payload = three}).kind, narrow(RecordFamily::full));
    EXPECT_EQ(round_trip(FullRecord{.payload = three}).kind, wide(RecordFamily::full));
    EXPECT_EQ(narrow_round_trip(InstanceRecord{.payload = three}).kind,
              narrow(RecordFamily::instance));
    EXPECT_EQ(round_trip(InstanceRecord{.payload = three}).kind, wide(RecordFamily::instance));
    EXPECT_EQ(narrow_round_trip(EventRecord{.payload = three}).kind, narrow(RecordFamily::event));
    EXPECT_EQ(round_trip(EventRecord{.payload = three}).kind, wide(RecordFamily::event));
    EXPECT_EQ(round_trip(MessageRecord{.payload = three}).kind, RecordKind{RecordFamily::message});
    EXPECT_EQ(round_trip(WnodeRecord{.payload = three}).kind, RecordKind{RecordFamily::wnode});
    EXPECT_EQ(round_trip(WnodeRecord{.form = WnodeRecord::Form::marked}).kind,
              RecordKind{RecordFamily::wnode});
    EXPECT_EQ(round_trip(TimedRecord{.payload = three}).kind, RecordKind{RecordFamily::timed});
    EXPECT_EQ(round_trip(ErrorRecord{.payload = std::as_bytes(std::span("later"))}).kind,
              RecordKind{RecordFamily::error});
    EXPECT_EQ(round_trip(Ulong32Record{.payload = three}).kind, RecordKind{RecordFamily::ulong32});
    EXPECT_EQ(round_trip(Ulong32Record{.time = 1}).kind, RecordKind{RecordFamily::ulong32});
}

TEST(Encode, PutsTheTimeWhereTheReaderLooks) {
    constexpr std::int64_t time = -0x0123456789ABCDEF;
    EXPECT_EQ(round_trip(SystemRecord{.time = time}).time, time);
    EXPECT_EQ(round_trip(CompactRecord{.time = time}).time, time);
    EXPECT_EQ(round_trip(PerfinfoRecord{.time = time}).time, time);
    EXPECT_EQ(round_trip(FullRecord{.time = time}).time, time);
    EXPECT_EQ(round_trip(InstanceRecord{.time = time}).time, time);
    EXPECT_EQ(round_trip(EventRecord{.time = time}).time, time);
    EXPECT_EQ(round_trip(WnodeRecord{.time = time}).time, time);
    EXPECT_EQ(round_trip(TimedRecord{.time = time}).time, time);
    EXPECT_EQ(round_trip(Ulong32Record{.time = time}).time, time);
}

TEST(Encode, PutsTheTimeOfAMessageBehindWhateverComesBefore) {
    for (unsigned fields = 0; fields < 8; ++fields) {
        MessageRecord record{.time = 77, .payload = three};
        record.sequence = (fields & 1U) != 0 ? std::optional(1U) : std::nullopt;
        record.component_id = (fields & 2U) != 0 ? std::optional(2U) : std::nullopt;
        record.guid = (fields & 4U) != 0 ? std::optional(Guid{}) : std::nullopt;
        const RecordShape shape = round_trip(record);
        EXPECT_TRUE(shape.has_time);
        EXPECT_EQ(shape.time, 77) << fields;
    }
}

TEST(Encode, AlignsRecordsWithinTheirBuffer) {
    ByteWriter to;
    ASSERT_TRUE(encode(EventRecord{.payload = three}, to)); // 0x53 bytes
    ASSERT_TRUE(encode(EventRecord{.time = 9}, to));
    EXPECT_EQ(to.size(), 0x58U + 0x50U);
    EXPECT_EQ(record_at(to.view().subspan(0x58)).time, 9);
}

TEST(Encode, WritesTheBytesOfAnEventHeader) {
    ByteWriter to;
    ASSERT_TRUE(encode(
        EventRecord{
            .flags = 4, .process_id = 0x11, .thread_id = 0x22, .descriptor = {.id = 0x1234}},
        to));
    const Bytes bytes = to.view();
    EXPECT_EQ(load_le<std::uint32_t>(bytes.data()), 0xC0130050U); // size, EVENT64, marker
    EXPECT_EQ(load_le<std::uint16_t>(bytes.data() + 4), 4U);      // Flags
    EXPECT_EQ(load_le<std::uint32_t>(bytes.data() + 8), 0x22U);   // ThreadId
    EXPECT_EQ(load_le<std::uint32_t>(bytes.data() + 12), 0x11U);  // ProcessId
    EXPECT_EQ(load_le<std::uint16_t>(bytes.data() + 0x28), 0x1234U);
}

TEST(Encode, TakesRecordsUpToTheMaximum) {
    const std::vector<std::byte> payload(max_record_size - event_record::size);
    EXPECT_EQ(round_trip(EventRecord{.payload = payload}).size, max_record_size);
}

TEST(Encode, RefusesLargerRecordsAndWritesNothing) {
    const std::vector<std::byte> payload(max_record_size + 1 - 0x10);
    ByteWriter to;
    to.u8(1);
    const auto encoded = encode(PerfinfoRecord{.payload = payload}, to);
    ASSERT_FALSE(encoded);
    EXPECT_EQ(encoded.error().code, ErrorCode::limit);
    EXPECT_FALSE(encode(SystemRecord{.payload = payload}, to));
    EXPECT_FALSE(encode(EventRecord{.payload = payload}, to));
    EXPECT_FALSE(encode(WnodeRecord{.payload = payload}, to));
    EXPECT_EQ(to.size(), 1U);
}

TEST(Encode, RefusesMoreThanSevenCounters) {
    const std::array<std::uint64_t, 8> counters{};
    ByteWriter to;
    const auto encoded = encode(PerfinfoRecord{.counters = {.values = counters}}, to);
    ASSERT_FALSE(encoded);
    EXPECT_EQ(encoded.error().code, ErrorCode::invalid_option);
}

// What TIMED, WNODE, ERROR, and ULONG32 have besides is not part of an EventHeader.
TEST(Encode, IsTheInverseOfReadHeader) {
    for (const Sample& sample : samples()) {
        SCOPED_TRACE(sample.name);
        const EventHeader header = read_header(sample.kind, sample.record, 8);
        const RecordShape shape = record_at(sample.record);
        ByteWriter to;
        ASSERT_TRUE(encode(sample.kind, header,
                           shape.has_time ? std::optional(shape.time) : std::nullopt, to));
        if (traits_of(sample.kind).identity != EventIdentity::none) {
            EXPECT_EQ(copy(to.view()), sample.record);
        }
        EXPECT_EQ(facts_of(copy(to.view())).comparable(), facts_of(sample.record).comparable());
    }
}

TEST(Encode, RefusesARecordWithoutAKind) {
    ByteWriter to;
    EXPECT_EQ(encode(RecordKind::none, EventHeader{}, 0, to).error().code, ErrorCode::unsupported);
}

TEST(EncodeItems, ChainsThemAndPadsWithZeros) {
    const std::array<ExtendedItem, 2> items{
        {{ItemType::terminal_session_id, three}, {ItemType::event_key, three}}};
    ByteWriter to;
    ASSERT_TRUE(encode_items(items, to));
    const std::vector<int> expected{16, 0, 3,  0, 1, 0, 3, 0, 1, 2, 3, 0, 0, 0, 0, 0, // linked
                                    16, 0, 10, 0, 0, 0, 3, 0, 1, 2, 3, 0, 0, 0, 0, 0};
    std::vector<int> got;
    for (const std::byte byte : to.view()) {
        got.push_back(std::to_integer<int>(byte));
    }
    EXPECT_THAT(got, testing::ElementsAreArray(expected));
}

TEST(EncodeItems, RefusesMoreThanTheReaderTakes) {
    const std::vector<ExtendedItem> items(ExtendedItems::max + 1);
    ByteWriter to;
    EXPECT_EQ(encode_items(items, to).error().code, ErrorCode::limit);
    EXPECT_TRUE(encode_items(std::span(items).first(ExtendedItems::max), to));
}

TEST(EncodeItems, RefusesItemsWhoseSizeDoesNotFit) {
    const std::vector<std::byte> large(65521);
    ByteWriter to;
    const ExtendedItem too_large{ItemType::sid, large};
    EXPECT_EQ(encode_items({&too_large, 1}, to).error().code, ErrorCode::limit);
    const ExtendedItem largest{ItemType::sid, Bytes(large).first(65520)};
    EXPECT_TRUE(encode_items({&largest, 1}, to));
    EXPECT_EQ(load_le<std::uint16_t>(to.view().data()), 65528U);
}

} // namespace
} // namespace etl::format::encode_test

#include <etl/relog.hpp>

#include "base/limits.hpp"
#include "tests/support/traces/one_event.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::relog::draft_test {
namespace {

using format::FieldPresence;
using testing::ElementsAreArray;

constexpr Guid some_guid{{std::byte{0x12}, std::byte{0x34}}};
constexpr std::array three{std::byte{1}, std::byte{2}, std::byte{3}};

std::unique_ptr<test::OneEvent> an_event() {
    auto made = test::event_of(format::EventRecord{.process_id = 10,
                                                   .thread_id = 11,
                                                   .time = 1000,
                                                   .descriptor = {.id = 5},
                                                   .payload = three});
    made->buffer.processor = 3;
    made->buffer.logger_id = 9;
    return made;
}

flow::EventHeader header_of(const Draft& draft) {
    return flow::read_header(draft.event());
}

TEST(Draft, IsACopy) {
    const auto original = an_event();
    Draft draft(original->event);
    EXPECT_THAT(draft.event().bytes(), ElementsAreArray(original->event.bytes()));
    EXPECT_NE(draft.event().record, original->event.record);
    EXPECT_EQ(draft.event().raw_time, 1000);
    EXPECT_EQ(draft.event().buffer->processor, 3);
    EXPECT_EQ(draft.event().buffer->logger_id, 9);
    EXPECT_EQ(&draft.event().trace(), &original->trace);
    EXPECT_EQ(draft.event().offset(), 0U);
    draft.payload()[0] = std::byte{77};
    EXPECT_EQ(flow::read_header(original->event).payload[0], std::byte{1});
}

TEST(Draft, ClonesAnother) {
    const auto original = an_event();
    Draft first(original->event);
    first.set_process_id(99);
    Draft second(first.event());
    first.set_process_id(98);
    EXPECT_EQ(header_of(second).process_id, 99U);
}

TEST(Draft, TakesWhatITraceEventTakes) {
    const auto original = an_event();
    Draft draft(original->event);
    EXPECT_EQ(draft.set_raw_time(2000), FieldPresence::present);
    EXPECT_EQ(draft.set_process_id(20), FieldPresence::present);
    EXPECT_EQ(draft.set_thread_id(21), FieldPresence::present);
    EXPECT_EQ(draft.set_cpu_times(22, 23), FieldPresence::present);
    EXPECT_EQ(draft.set_provider(some_guid), FieldPresence::present);
    EXPECT_EQ(draft.set_activity(some_guid), FieldPresence::present);
    EXPECT_EQ(draft.set_descriptor({.id = 24, .version = 25, .keyword = 26}),
              FieldPresence::present);
    EXPECT_TRUE(draft.set_processor(27));
    const std::vector<std::byte> payload(1000, std::byte{28});
    EXPECT_TRUE(draft.set_payload(payload));
    const flow::EventHeader header = header_of(draft);
    EXPECT_EQ(draft.event().raw_time, 2000);
    EXPECT_EQ(format::record_at(draft.event().bytes()).time, 2000);
    EXPECT_EQ(header.process_id, 20U);
    EXPECT_EQ(header.thread_id, 21U);
    EXPECT_EQ(header.kernel_time, 22U);
    EXPECT_EQ(header.user_time, 23U);
    EXPECT_EQ(header.provider, some_guid);
    EXPECT_EQ(header.activity, some_guid);
    EXPECT_EQ(header.id, 24);
    EXPECT_EQ(header.version, 25);
    EXPECT_EQ(header.keyword, 26U);
    EXPECT_EQ(draft.event().buffer->processor, 27);
    EXPECT_THAT(header.payload, ElementsAreArray(payload));
}

TEST(Draft, TakesWallTimeInTheClockOfItsTrace) {
    const auto original = an_event();
    format::LogfileHeader header;
    header.reserved_flags = static_cast<std::uint32_t>(format::ClockType::qpc);
    header.perf_freq = 1'000'000;
    header.start_time = 500'000'000;
    original->trace.clock = flow::Clock(header, 700);
    Draft draft(original->event);
    EXPECT_EQ(draft.set_time({500'000'000 + Filetime::per_second}), FieldPresence::present);
    EXPECT_EQ(draft.event().raw_time, 1'000'700);
    EXPECT_EQ(draft.event().time().ticks, 500'000'000 + Filetime::per_second);
}

TEST(Draft, TakesItems) {
    const auto original = an_event();
    Draft draft(original->event);
    const std::array items{format::ExtendedItem{.type = format::ItemType::sid, .data = three}};
    EXPECT_TRUE(draft.set_items(items));
    EXPECT_THAT(flow::find_item(header_of(draft), format::ItemType::sid).data,
                ElementsAreArray(three));
    EXPECT_THAT(header_of(draft).payload, ElementsAreArray(three));
}

TEST(Draft, ChangesAnyByteInPlace) {
    const auto original = an_event();
    Draft draft(original->event);
    ASSERT_EQ(draft.record().size(), draft.event().size);
    draft.record().back() = std::byte{9};
    EXPECT_THAT(header_of(draft).payload,
                ElementsAreArray({std::byte{1}, std::byte{2}, std::byte{9}}));
}

TEST(Draft, TakesAPartOfItsPayloadForPayload) {
    const auto original = an_event();
    Draft draft(original->event);
    EXPECT_TRUE(draft.set_payload(draft.payload().subspan(1)));
    EXPECT_THAT(header_of(draft).payload, ElementsAreArray(Bytes(three).subspan(1)));
}

TEST(Draft, IsAModernEventOfOnesOwn) {
    const auto like = an_event();
    like->trace.header.pointer_size = 4;
    Draft draft(Draft::Form::event, like->event);
    EXPECT_EQ(draft.event().kind, format::narrow(format::RecordFamily::event));
    EXPECT_EQ(draft.event().raw_time, 1000);
    EXPECT_EQ(draft.event().buffer->processor, 3);
    EXPECT_TRUE(draft.event().has_time);
    const flow::EventHeader header = header_of(draft);
    EXPECT_EQ(header.process_id, 10U);
    EXPECT_EQ(header.thread_id, 11U);
    EXPECT_EQ(header.id, 0);
    EXPECT_TRUE(header.payload.empty());
}

TEST(Draft, IsAClassicEventOfOnesOwn) {
    const auto like = an_event();
    Draft draft(Draft::Form::classic, like->event);
    EXPECT_EQ(draft.event().kind, format::wide(format::RecordFamily::full));
    EXPECT_EQ(draft.set_provider(some_guid), FieldPresence::present);
    EXPECT_EQ(draft.set_descriptor({.version = 2, .level = 4, .opcode = 1}),
              FieldPresence::present);
    EXPECT_EQ(draft.set_activity(some_guid), FieldPresence::absent);
    const flow::EventHeader header = header_of(draft);
    EXPECT_EQ(header.provider, some_guid);
    EXPECT_EQ(header.opcode, 1);
    EXPECT_EQ(header.level, 4);
    EXPECT_EQ(header.version, 2);
    EXPECT_EQ(header.process_id, 10U);
}

TEST(Draft, RefusesWhatIsTooLarge) {
    const auto original = an_event();
    Draft draft(original->event);
    const auto refused = draft.set_payload(std::vector<std::byte>(format::max_record_size));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::limit);
    EXPECT_FALSE(draft.set_processor(etl::limits::processors));
    EXPECT_THAT(draft.event().bytes(), ElementsAreArray(original->event.bytes()));
    EXPECT_EQ(draft.event().buffer->processor, 3);
    EXPECT_TRUE(draft.set_payload(std::vector<std::byte>(format::max_record_size - 0x50)));
}

TEST(Draft, OfNothingTakesNothing) {
    Draft draft;
    EXPECT_EQ(draft.event().kind, format::RecordKind::none);
    EXPECT_EQ(draft.set_time({1}), FieldPresence::absent);
    EXPECT_EQ(draft.set_raw_time(1), FieldPresence::absent);
    EXPECT_EQ(draft.set_provider(some_guid), FieldPresence::absent);
    EXPECT_EQ(draft.set_descriptor({}), FieldPresence::absent);
    EXPECT_FALSE(draft.set_payload(three));
    EXPECT_FALSE(draft.set_items({}));
    EXPECT_TRUE(draft.payload().empty());
    EXPECT_TRUE(draft.record().empty());
}

TEST(Draft, ThatWasMovedFromIsNothing) {
    const auto original = an_event();
    Draft draft(original->event);
    const Draft moved(std::move(draft));
    // NOLINTBEGIN(bugprone-use-after-move): what is tested
    EXPECT_EQ(draft.event().kind, format::RecordKind::none);
    EXPECT_EQ(draft.set_time({1}), FieldPresence::absent);
    EXPECT_EQ(draft.set_process_id(1), FieldPresence::absent);
    EXPECT_EQ(draft.set_thread_id(1), FieldPresence::absent);
    EXPECT_EQ(draft.set_cpu_times(1, 1), FieldPresence::absent);
    EXPECT_EQ(draft.set_provider(some_guid), FieldPresence::absent);
    EXPECT_EQ(draft.set_activity(some_guid), FieldPresence::absent);
    EXPECT_EQ(draft.set_descriptor({}), FieldPresence::absent);
    draft.set_trace(original->event.trace());
    EXPECT_TRUE(draft.set_processor(0));
    EXPECT_FALSE(draft.set_payload(three));
    EXPECT_FALSE(draft.set_items({}));
    EXPECT_TRUE(draft.payload().empty());
    // NOLINTEND(bugprone-use-after-move)
}

TEST(Draft, IsUsedAgainAfterItWasMoved) {
    const auto original = an_event();
    Draft first(original->event);
    const Draft second(std::move(first));
    first.assign(original->event); // NOLINT(bugprone-use-after-move): what is tested
    EXPECT_THAT(first.event().bytes(), ElementsAreArray(second.event().bytes()));
}

TEST(Draft, OfAnEventWithoutATimeKeepsItsPlace) {
    const auto original = test::event_of(format::MessageRecord{.number = 3, .payload = three});
    Draft draft(original->event);
    EXPECT_FALSE(draft.event().has_time);
    EXPECT_EQ(draft.set_raw_time(5), FieldPresence::absent);
    EXPECT_EQ(draft.event().raw_time, original->event.raw_time);
}

} // namespace
} // namespace etl::relog::draft_test

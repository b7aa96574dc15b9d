#include "relog/edit.hpp"
#include "tests/support/reading.hpp"
#include "tests/support/traces/kernel_records.hpp"
#include "trace/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::relog::downsample_test {
namespace {

using test::TraceBuilder;
using testing::ElementsAre;

constexpr std::int64_t t0 = 1'000'000; // the header's

/// Times of what is kept, from t0 on, the log file header left out.
std::vector<std::int64_t> kept(const TraceBuilder& trace, std::uint32_t every) {
    const auto reader = std::move(*trace::Reader::open(test::in_memory(trace.build())));
    Downsampler edit(every);
    EditedSource source(*reader, edit);
    std::vector<std::int64_t> times;
    flow::EventCursor events(source);
    while (const flow::Event* event = events.next()) {
        const flow::EventHeader header = flow::read_header(*event);
        if (!header.is_kernel || header.hook_id != 0) {
            times.push_back(event->raw_time - t0);
        }
    }
    return times;
}

TEST(Downsampler, KeepsTheFirstOfEveryFew) {
    TraceBuilder trace;
    auto& buffer = trace.buffer();
    for (int i = 0; i < 7; ++i) {
        buffer.add(format::EventRecord{.time = t0 + i, .descriptor = {.id = 1}});
    }
    EXPECT_THAT(kept(trace, 3), ElementsAre(0, 3, 6));
    EXPECT_THAT(kept(trace, 1), ElementsAre(0, 1, 2, 3, 4, 5, 6));
    EXPECT_THAT(kept(trace, 0), ElementsAre(0, 1, 2, 3, 4, 5, 6));
    EXPECT_THAT(kept(trace, 0xFFFF'FFFF), ElementsAre(0));
}

TEST(Downsampler, CountsEachKindByItself) {
    const Guid other{{std::byte{7}}};
    TraceBuilder trace;
    auto& buffer = trace.buffer();
    std::int64_t time = t0;
    for (int i = 0; i < 2; ++i) {
        buffer.add(format::EventRecord{.time = time++, .descriptor = {.id = 1}});
        buffer.add(format::EventRecord{.time = time++, .descriptor = {.id = 2}});
        buffer.add(format::EventRecord{.time = time++, .provider = other, .descriptor = {.id = 2}});
        buffer.add(format::FullRecord{.opcode = 2, .time = time++});
        buffer.add(format::FullRecord{.opcode = 3, .time = time++});
        buffer.add(format::MessageRecord{.number = 9, .guid = other, .time = time++});
        buffer.add(format::PerfinfoRecord{.hook_id = 0x0F2E, .time = time++});
        buffer.add(format::PerfinfoRecord{.hook_id = 0x0F33, .time = time++});
    }
    EXPECT_THAT(kept(trace, 2), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST(Downsampler, TellsTraceLoggingEventsApartByTheirMetadata) {
    constexpr std::array first{std::byte{1}, std::byte{'a'}};
    constexpr std::array second{std::byte{1}, std::byte{'b'}};
    TraceBuilder trace;
    auto& buffer = trace.buffer();
    std::int64_t time = t0;
    for (const Bytes metadata : {Bytes(first), Bytes(second), Bytes(first), Bytes(second)}) {
        const std::array items{
            format::ExtendedItem{.type = format::ItemType::event_schema_tl, .data = metadata}};
        buffer.add(format::EventRecord{.time = time++, .items = items});
    }
    EXPECT_THAT(kept(trace, 2), ElementsAre(0, 1));
}

TEST(Downsampler, KeepsContextAndDoesNotCountIt) {
    TraceBuilder trace;
    auto& buffer = trace.buffer();
    for (int i = 0; i < 4; ++i) {
        test::process_record(t0 + i, test::Life::start, 100 + static_cast<std::uint32_t>(i), "a")
            .add_to(buffer);
    }
    EXPECT_THAT(kept(trace, 3), ElementsAre(0, 1, 2, 3));
}

TEST(Downsampler, LetsStacksGoWithTheirEvents) {
    TraceBuilder trace;
    auto& buffer = trace.buffer();
    for (int i = 0; i < 4; ++i) {
        const std::int64_t time = t0 + 10LL * i;
        test::KernelRecord{0x0F2E, 2, time, std::vector<std::byte>(16)}.add_to(buffer);
        test::stack_record(time + 1, time, 100, 101, {1, 2}).add_to(buffer);
    }
    EXPECT_THAT(kept(trace, 2), ElementsAre(0, 1, 20, 21));
}

/// An event whose stack comes later, as far as it was the user's: under the time of `match`.
void add_matched(test::BufferBuilder& buffer, std::int64_t time, std::int64_t match) {
    ByteWriter stack;
    stack.value(match).u64(0xFFFF'8000'0000'1000U);
    const std::array items{
        format::ExtendedItem{.type = format::ItemType::stack_trace64, .data = stack.view()}};
    buffer.add(
        format::EventRecord{.process_id = 100, .thread_id = 101, .time = time, .items = items});
    test::stack_record(match + 1, match, 100, 101, {1, 2}).add_to(buffer);
}

TEST(Downsampler, LetsTheRestOfAStackGoWithItsEvent) {
    TraceBuilder trace;
    auto& buffer = trace.buffer();
    for (int i = 0; i < 4; ++i) {
        add_matched(buffer, t0 + 10LL * i, t0 + 10LL * i + 3);
    }
    EXPECT_THAT(kept(trace, 2), ElementsAre(0, 4, 20, 24));
}

TEST(Downsampler, OfOneKeepsStacksWhoseEventsAreNotThere) {
    TraceBuilder trace;
    auto& buffer = trace.buffer();
    test::stack_record(t0 + 5, t0 + 4, 100, 101, {1, 2}).add_to(buffer);
    EXPECT_THAT(kept(trace, 1), ElementsAre(5));
    EXPECT_THAT(kept(trace, 2), testing::IsEmpty());
}

TEST(Downsampler, IsAskedByOthersToo) {
    TraceBuilder trace;
    auto& buffer = trace.buffer();
    buffer.add(format::EventRecord{.time = t0 + 1}).add(format::EventRecord{.time = t0 + 2});
    const auto reader = std::move(*trace::Reader::open(test::in_memory(trace.build())));
    Downsampler edit(2);
    std::vector<bool> answers;
    flow::EventCursor events(*reader);
    while (const flow::Event* event = events.next()) {
        answers.push_back(edit.keeps(*event));
    }
    EXPECT_THAT(answers, ElementsAre(true, true, false)); // the first is the log file header
}

} // namespace
} // namespace etl::relog::downsample_test

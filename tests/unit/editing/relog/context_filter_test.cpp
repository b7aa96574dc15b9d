#include "format/known_guids.hpp"
#include "relog/context_filter.hpp"
#include "relog/kept_stacks.hpp"
#include "relog/limits.hpp"
#include "tests/support/reading.hpp"
#include "tests/support/traces/kernel_records.hpp"
#include "trace/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

namespace etl::relog::context_filter_test {
namespace {

using namespace literals;
using test::TraceBuilder;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint16_t sample_hook = 0x0F2E;

test::KernelRecord sample(std::int64_t time) {
    return {sample_hook, 2, time, std::vector<std::byte>(16)};
}

bool nothing(const flow::Event& /*event*/) {
    return false;
}

/// By raw time, of samples.
auto samples_at(std::vector<std::int64_t> times) {
    return [times = std::move(times)](const flow::Event& event) {
        return flow::read_header(event).hook_id == sample_hook &&
               std::ranges::find(times, event.raw_time) != times.end();
    };
}

/// Raw times of what is passed on, the log file header left out.
std::vector<std::int64_t> kept(const TraceBuilder& trace, ContextFilter::Predicate predicate) {
    auto reader = trace::Reader::open(test::in_memory(trace.build()));
    if (!reader) {
        throw std::logic_error("no trace");
    }
    ContextFilter filter(**reader, std::move(predicate));
    std::vector<std::int64_t> times;
    flow::EventCursor events(filter);
    while (const flow::Event* event = events.next()) {
        const flow::EventHeader header = flow::read_header(*event);
        if (!header.is_kernel || header.hook_id != 0) {
            times.push_back(event->raw_time);
        }
    }
    EXPECT_EQ(filter.error(), nullptr);
    return times;
}

constexpr std::int64_t t0 = 1'000'000; // the header's

TEST(ContextFilter, PassesContextThatNobodyAskedFor) {
    TraceBuilder trace;
    auto& buffer = trace.buffer();
    test::process_record(t0 + 1, test::Life::rundown_at_start, 100, "a.exe").add_to(buffer);
    sample(t0 + 2).add_to(buffer);
    test::image_record(t0 + 3, test::Life::start, 100, 0x1000, 0x1000, u"a").add_to(buffer);
    sample(t0 + 4).add_to(buffer);
    test::file_name_record(t0 + 5, 36, 7, u"b").add_to(buffer);
    EXPECT_THAT(kept(trace, nothing), ElementsAre(t0 + 1, t0 + 3, t0 + 5));
    EXPECT_THAT(kept(trace, samples_at({t0 + 4})), ElementsAre(t0 + 1, t0 + 3, t0 + 4, t0 + 5));
}

TEST(ContextFilter, StacksGoWithTheirEvents) {
    TraceBuilder trace;
    auto& buffer = trace.buffer();
    for (const std::int64_t time : {t0 + 10, t0 + 20, t0 + 30}) {
        sample(time).add_to(buffer);
        test::stack_record(time + 1, time, 100, 101, {1, 2}).add_to(buffer);
    }
    EXPECT_THAT(kept(trace, samples_at({t0 + 20})), ElementsAre(t0 + 20, t0 + 21));
}

TEST(ContextFilter, StacksMayComeFromAnotherProcessorLater) {
    TraceBuilder trace({.processors = 2});
    sample(t0 + 10).add_to(trace.buffer({.processor = 1}));
    auto& other = trace.buffer({.processor = 0});
    sample(t0 + 11).add_to(other);
    test::stack_record(t0 + 5000, t0 + 11, 100, 101, {1}).add_to(other);
    test::stack_record(t0 + 6000, t0 + 10, 100, 101, {1}).add_to(other);
    EXPECT_THAT(kept(trace, samples_at({t0 + 10})), ElementsAre(t0 + 10, t0 + 6000));
}

TEST(ContextFilter, TheThreadOfAStackIsThatOfItsEventWhereItIsTold) {
    TraceBuilder trace;
    auto& buffer = trace.buffer();
    auto event = sample(t0 + 10);
    std::move(event).by(100, 101).add_to(buffer);
    test::stack_record(t0 + 11, t0 + 10, 100, 102, {1}).add_to(buffer);
    test::stack_record(t0 + 12, t0 + 10, 100, 101, {1}).add_to(buffer);
    EXPECT_THAT(kept(trace, samples_at({t0 + 10})), ElementsAre(t0 + 10, t0 + 12));
}

TEST(ContextFilter, AStackThatFitsByItselfStays) {
    TraceBuilder trace;
    auto& buffer = trace.buffer();
    sample(t0 + 10).add_to(buffer);
    test::stack_record(t0 + 11, t0 + 10, 100, 101, {1}).add_to(buffer);
    EXPECT_THAT(kept(trace, [](const flow::Event& e) { return e.raw_time == t0 + 11; }),
                ElementsAre(t0 + 11));
}

TEST(ContextFilter, AKernelPartKeepsTheNextUserPartOfItsThread) {
    constexpr std::uint64_t in_kernel = 0xFFFFF80000001000;
    TraceBuilder trace;
    auto& buffer = trace.buffer();
    sample(t0 + 5).add_to(buffer);
    test::stack_record(t0 + 6, t0 + 5, 100, 101, {1}).add_to(buffer);
    sample(t0 + 10).add_to(buffer);
    test::stack_record(t0 + 11, t0 + 10, 100, 101, {in_kernel}).add_to(buffer);
    sample(t0 + 20).add_to(buffer);
    test::stack_record(t0 + 21, t0 + 20, 100, 102, {2}).add_to(buffer);
    test::stack_record(t0 + 22, t0 + 20, 100, 101, {3}).add_to(buffer);
    sample(t0 + 30).add_to(buffer);
    test::stack_record(t0 + 31, t0 + 30, 100, 101, {4}).add_to(buffer);
    EXPECT_THAT(kept(trace, samples_at({t0 + 10})), ElementsAre(t0 + 10, t0 + 11, t0 + 22));
}

TEST(ContextFilter, FramesBehindKeysStayOnlyWhereAKeptEventHasTheKey) {
    using test::KeyMoment;
    using test::KeyPart;
    TraceBuilder trace;
    auto& buffer = trace.buffer();
    sample(t0 + 10).add_to(buffer);
    test::stack_key_record(t0 + 11, KeyPart::kernel, t0 + 10, 100, 101, 0xA).add_to(buffer);
    sample(t0 + 20).add_to(buffer);
    test::stack_key_record(t0 + 21, KeyPart::user, t0 + 20, 100, 101, 0xB).add_to(buffer);
    test::key_frames_record(t0 + 30, KeyMoment::rundown, 0xA, {1}).add_to(buffer);
    test::key_frames_record(t0 + 31, KeyMoment::deleted, 0xB, {1}).add_to(buffer);
    EXPECT_THAT(kept(trace, nothing), IsEmpty());
    EXPECT_THAT(kept(trace, samples_at({t0 + 20})), ElementsAre(t0 + 20, t0 + 21, t0 + 31));
}

TEST(ContextFilter, FramesBehindAKeyThatIsMadeStayAlways) {
    TraceBuilder trace;
    test::key_frames_record(t0 + 1, test::KeyMoment::created, 0xA, {1}).add_to(trace.buffer());
    EXPECT_THAT(kept(trace, nothing), ElementsAre(t0 + 1));
}

TEST(ContextFilter, EventsThatCarryTheirStackNameWhereTheRestComes) {
    ByteWriter item;
    item.u64(t0 + 3).u64(0xFFFFF80000001000); // match id, a frame
    ByteWriter key;
    key.u64(0).u64(0xC);
    const std::vector<std::byte> frames = item.take();
    const std::vector<std::byte> keys = key.take();
    const format::ExtendedItem items[] = {{format::ItemType::stack_trace64, frames},
                                          {format::ItemType::stack_key64, keys}};
    TraceBuilder trace;
    auto& buffer = trace.buffer();
    buffer.add(format::EventRecord{.process_id = 100,
                                   .thread_id = 101,
                                   .time = t0 + 10,
                                   .descriptor = {.id = 5},
                                   .items = items});
    test::stack_record(t0 + 20, t0 + 3, 100, 101, {1}).add_to(buffer);
    test::stack_record(t0 + 21, t0 + 10, 100, 101, {1}).add_to(buffer); // of no event that stays
    test::key_frames_record(t0 + 30, test::KeyMoment::rundown, 0xC, {1}).add_to(buffer);
    test::key_frames_record(t0 + 31, test::KeyMoment::rundown, 0xD, {1}).add_to(buffer);
    EXPECT_THAT(kept(trace, [](const flow::Event& e) { return flow::read_header(e).id == 5; }),
                ElementsAre(t0 + 10, t0 + 20, t0 + 30));
}

TEST(ContextFilter, AsksOnceForEveryEvent) {
    TraceBuilder trace;
    auto& buffer = trace.buffer();
    sample(t0 + 10).add_to(buffer);
    test::stack_record(t0 + 11, t0 + 10, 100, 101, {1}).add_to(buffer);
    test::process_record(t0 + 12, test::Life::end, 100, "a.exe").add_to(buffer);
    int asked = 0;
    kept(trace, [&](const flow::Event&) {
        ++asked;
        return false;
    });
    EXPECT_EQ(asked, 4); // the log file header, too
}

TEST(KeptStamps, NeverDenyOneThatWasThere) {
    KeptStamps stamps;
    constexpr std::int64_t count = 2 * std::int64_t{relog::limits::kept_timestamps};
    for (std::int64_t time = 1; time <= count; ++time) {
        stamps.add(time * 7, 5);
    }
    for (std::int64_t time = 1; time <= count; ++time) {
        ASSERT_TRUE(stamps.may_have(time * 7, 5)) << time;
    }
    EXPECT_FALSE(stamps.may_have(count * 7 + 1, 5));
    EXPECT_FALSE(stamps.may_have(count * 7, 6));
}

TEST(NamedKeys, OfVeryManyAllCount) {
    NamedKeys keys;
    for (std::uint64_t key = 0; key < relog::limits::kept_stack_keys; ++key) {
        keys.add(key);
    }
    EXPECT_TRUE(keys.may_have(7));
    EXPECT_FALSE(keys.may_have(relog::limits::kept_stack_keys));
    keys.add(relog::limits::kept_stack_keys);
    EXPECT_TRUE(keys.may_have(relog::limits::kept_stack_keys + 1));
}

/// An event of the .NET runtime; opcode 82 is the stack of the one before it.
format::EventRecord of_runtime(std::int64_t time, std::uint32_t thread, std::uint16_t id) {
    return {.process_id = 100,
            .thread_id = thread,
            .time = time,
            .provider = format::dotnet_runtime_guid,
            .descriptor = {.id = id, .opcode = static_cast<std::uint8_t>(id == 82 ? 82 : 1)}};
}

TEST(ContextFilter, KeepsTheStacksThatARuntimeLogsForKeptEvents) {
    TraceBuilder trace;
    auto& buffer = trace.buffer();
    for (const auto& [time, thread, id] :
         std::initializer_list<std::tuple<std::int64_t, std::uint32_t, std::uint16_t>>{
             {1, 104, 80},
             {2, 108, 10},
             {3, 104, 82},
             {4, 108, 82},
             {5, 104, 82},
             {6, 104, 10},
             {7, 104, 82}}) {
        buffer.add(of_runtime(t0 + time, thread, id));
    }
    EXPECT_THAT(
        kept(trace, [](const flow::Event& event) { return flow::read_header(event).id == 80; }),
        ElementsAre(t0 + 1, t0 + 3));
}

} // namespace
} // namespace etl::relog::context_filter_test

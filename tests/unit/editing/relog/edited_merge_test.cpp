// Edits of merged traces, whose readers come and go.
#include "relog/edit.hpp"
#include "tests/support/counting_new.hpp"
#include "tests/unit/storage/merge/merging.hpp"

#include <gmock/gmock.h>

namespace etl::relog::edited_merge_test {
namespace {

using namespace test;
using testing::ElementsAre;

constexpr std::int64_t t0 = 1'000'000; // the header's

/// Events `first`, `first` + 1, ..., `step` ticks apart.
Image trace_with(int first, int count, std::int64_t begin, std::int64_t step) {
    TraceFacts facts;
    facts.buffer_size = 0x10000;
    TraceBuilder trace(facts);
    BufferBuilder& buffer = trace.buffer();
    for (int i = 0; i < count; ++i) {
        buffer.add(
            format::EventRecord{.time = t0 + begin + step * i,
                                .descriptor = {.id = static_cast<std::uint16_t>(first + i)}});
    }
    return trace.build();
}

int id_of(const flow::Event& event) {
    const flow::EventHeader header = flow::read_header(event);
    return header.is_kernel ? 0 : header.id;
}

/// The first of three traces has ended when a draft of its event comes out, and its reader is gone.
void expect_draft_of_ended_trace(const merge::Options& options) {
    auto inputs =
        inputs_of({trace_with(1, 2, 10, 10), trace_with(3, 2, 100, 10), trace_with(5, 2, 200, 10)});
    const auto count = std::make_shared<OpenCount>();
    inputs[0] = input_of(trace_with(1, 2, 10, 10), "1.etl", count);
    const auto merged = must_merge(std::move(inputs), options);
    FunctionEdit edit([](const flow::Event& event, Output& to) {
        if (id_of(event) == 2) {
            Draft draft(event);
            draft.set_raw_time(event.raw_time + 130);
            to.emit(draft);
        }
        to.pass();
    });
    EditedSource edited(*merged, edit);
    std::vector<int> ids;
    flow::EventCursor events(edited);
    while (const flow::Event* event = events.next()) {
        if (id_of(*event) != 0) {
            ids.push_back(id_of(*event));
        }
        if (ids.size() == 5) {
            EXPECT_EQ(count->now, 0);
            EXPECT_EQ(event->trace().name, "1.etl");
            EXPECT_EQ(event->time().ticks - event->trace().header.start_time, 150);
        }
    }
    EXPECT_THAT(ids, ElementsAre(1, 2, 3, 4, 2, 5, 6));
}

TEST(EditedMerge, DraftsWaitLongerThanTheReaderOfTheirTrace) {
    expect_draft_of_ended_trace({});
}

TEST(EditedMerge, DraftsOfConvertedTracesWaitToo) {
    expect_draft_of_ended_trace({.timestamps = merge::Timestamps::system_time});
}

TEST(EditedMerge, TheLastEventIsThereAtTheEnd) {
    const auto merged =
        must_merge(inputs_of({trace_with(1, 2, 10, 10), trace_with(3, 1, 100, 10)}));

    class Closing final : public Edit {
    public:
        void edit(const flow::Event& /*event*/, Output& to) override { to.pass(); }

        void finish(const flow::Event* last, Output& to) override {
            ASSERT_NE(last, nullptr);
            id = id_of(*last);
            to.emit(Draft(*last));
        }

        int id = 0;
    };

    Closing edit;
    EditedSource edited(*merged, edit);
    std::vector<int> ids;
    flow::EventCursor events(edited);
    while (const flow::Event* event = events.next()) {
        ids.push_back(id_of(*event));
    }
    EXPECT_EQ(edit.id, 3);
    EXPECT_EQ(ids.back(), 3);
    EXPECT_EQ(ids.at(ids.size() - 2), 3);
}

/// What it takes to read a source to its end, pinning each run or not; the first runs aside: those
/// about two inputs, and the one for which the inputs are opened.
std::size_t allocations_of(flow::Source& source, bool pins) {
    for (int i = 0; i < 3; ++i) {
        (void)source.next_run();
    }
    const std::size_t before = allocations().count;
    flow::Pin pin;
    while (!source.next_run().empty()) {
        pin = pins ? source.pin() : nullptr;
    }
    return allocations().count - before;
}

TEST(EditedMerge, AllocatesNothingForEachEvent) {
    if (!can_count_allocations()) {
        GTEST_SKIP() << "this build cannot count allocations";
    }
    constexpr int events = 500;
    constexpr std::size_t few = 100;
    for (const auto stamps : {merge::Timestamps::keep, merge::Timestamps::system_time}) {
        // In turns: each run is one event.
        const auto merged =
            must_merge(inputs_of({trace_with(1, events, 10, 10), trace_with(1, events, 15, 10)}),
                       {.timestamps = stamps});
        FunctionEdit edit([](const flow::Event& /*event*/, Output& to) { to.pass(); });
        EditedSource edited(*merged, edit);
        EXPECT_LT(allocations_of(edited, false), few);
        const auto pinned =
            must_merge(inputs_of({trace_with(1, events, 10, 10), trace_with(1, events, 15, 10)}),
                       {.timestamps = stamps});
        EXPECT_LT(allocations_of(*pinned, true), few);
    }
}

} // namespace
} // namespace etl::relog::edited_merge_test

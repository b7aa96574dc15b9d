// Slices, runs, waits, marks, and counters.
#include "tests/support/traces/runtime_records.hpp"
#include "tests/unit/outputs/profiles/shown.hpp"

#include <algorithm>

namespace etl::profiles::timeline_test {
namespace {

using namespace etl::analysis;

constexpr Guid pump = *parse_guid("7c2f1d5e-3b1a-4e0f-9c55-0d7a61b2e490");
constexpr Guid one_activity = *parse_guid("12000000-0000-4000-8000-000000000012");

/// Times are in microseconds since the beginning.
class Timeline final : public ActivitySink {
public:
    void start(const ActivityContext& context) override { context_ = context; }

    void sample(const ThreadSample&) override {}

    bool takes_samples_only() const noexcept override { return false; }

    void ran(const ThreadRun& run) override {
        add("run", run.thread, run.from, run.to, std::to_string(run.processor));
    }

    void waited(const ThreadWait& wait) override {
        add("wait", wait.thread, wait.from, wait.to,
            std::string(wait.reason) + (wait.by_dpc  ? " by DPC"
                                        : wait.waker ? " by " + thread(*wait.waker)
                                                     : ""));
    }

    void switched(const ThreadSwitch& one) override {
        lines.push_back("switch " + std::to_string(one.from) + " to " + std::to_string(one.to));
    }

    void readied(const ThreadReady& one) override {
        lines.push_back("ready " + std::to_string(one.thread) + " by " + std::to_string(one.by));
    }

    void io(const IoRecord& one) override {
        std::string text = "io " + std::to_string(one.opcode);
        for (const std::uint64_t number : one.numbers) {
            text += ' ' + std::to_string(number);
        }
        lines.push_back(text + ' ' + std::string(one.text));
    }

    void slice(const Slice& slice) override {
        add(slice.is_nested ? "slice" : "overlapping slice", slice.thread, slice.from, slice.to,
            std::string(slice.category.substr(0, 8)) + ' ' + std::string(slice.name));
    }

    void mark(const Mark& mark) override {
        lines.push_back("mark " + thread(mark.thread) + ' ' + std::string(mark.name));
    }

    void counter(const CounterValue& value) override {
        lines.push_back("counter " + (*context_.pass->owners)[value.owner].name.value_or("-") +
                        ' ' + std::string(value.name) + ' ' + std::to_string(value.value));
    }

    void finish() override {}

    Rows lines;

private:
    std::string thread(ThreadRow row) const {
        return std::to_string((*context_.threads)[row].id.value_or(0));
    }

    void add(std::string_view what, ThreadRow row, std::int64_t from, std::int64_t to,
             const std::string& text) {
        constexpr std::uint64_t micro = 1000;
        lines.push_back(std::string(what) + ' ' + thread(row) + " from " +
                        std::to_string(context_.since_begin(from) / micro) + " to " +
                        std::to_string(context_.since_begin(to) / micro) + ' ' + text);
    }

    ActivityContext context_;
};

/// A trace with kernel records, and events that `add` adds.
template <typename Add>
test::Image trace_with(const std::vector<KernelRecord>& records, Add add) {
    TraceFacts facts;
    facts.buffer_size = 0x10000;
    TraceBuilder trace(facts);
    BufferBuilder& buffer = trace.buffer();
    for (const KernelRecord& record : records) {
        record.add_to(buffer);
    }
    add(buffer);
    return trace.build();
}

format::EventRecord pump_event(std::int64_t time, std::uint8_t opcode, std::uint32_t thread,
                               std::uint16_t task, const Guid& activity = {}) {
    return {.process_id = 100,
            .thread_id = thread,
            .time = time,
            .provider = pump,
            .descriptor = {.id = static_cast<std::uint16_t>(task * 10 + opcode),
                           .opcode = opcode,
                           .task = task},
            .activity = activity};
}

Rows slices_of(const std::vector<format::EventRecord>& events, const Asked& asked = {}) {
    Timeline timeline;
    show(trace_with(tea_kitchen(),
                    [&](BufferBuilder& buffer) {
                        for (const format::EventRecord& event : events) {
                            buffer.add(event);
                        }
                    }),
         timeline, asked);
    return timeline.lines;
}

TEST(Slices, StopsEndTheLatestStartOfTheirThreadAndTask) {
    EXPECT_EQ(slices_of({pump_event(t0 + 100, 1, 104, 7), pump_event(t0 + 200, 1, 104, 7),
                         pump_event(t0 + 250, 1, 108, 7), pump_event(t0 + 300, 2, 104, 7),
                         pump_event(t0 + 400, 2, 104, 7), pump_event(t0 + 500, 2, 108, 7)}),
              (Rows{"slice 104 from 20 to 30 7c2f1d5e event 71 (guessed)",
                    "slice 104 from 10 to 40 7c2f1d5e event 71 (guessed)",
                    "slice 108 from 25 to 50 7c2f1d5e event 71 (guessed)"}));
}

TEST(Slices, OfOneThreadThatOverlapAreNotNested) {
    EXPECT_EQ(slices_of({pump_event(t0 + 100, 1, 104, 7), pump_event(t0 + 200, 1, 104, 8),
                         pump_event(t0 + 300, 2, 104, 7), pump_event(t0 + 400, 2, 104, 8)}),
              (Rows{"overlapping slice 104 from 10 to 30 7c2f1d5e event 71 (guessed)",
                    "slice 104 from 20 to 40 7c2f1d5e event 81 (guessed)"}));
}

TEST(Slices, OfAnActivityCanEndOnAnotherThread) {
    EXPECT_EQ(slices_of({pump_event(t0 + 100, 1, 104, 0, one_activity),
                         pump_event(t0 + 300, 2, 108, 0, one_activity)}),
              (Rows{"overlapping slice 104 from 10 to 30 7c2f1d5e event 1"}));
}

TEST(Slices, WithoutCounterpartsAreMarks) {
    EXPECT_EQ(
        slices_of({pump_event(t0 + 100, 2, 104, 7), pump_event(t0 + 200, 1, 104, 7),
                   pump_event(t0 + 300, 1, 104, 0), pump_event(t0 + 310, 0, 104, 7)}),
        (Rows{"mark 104 event 72/Stop", "mark 104 event 1/Start", "mark 104 event 71/Start"}));
}

TEST(Slices, CountIfTheyEndInRange) {
    EXPECT_EQ(slices_of({pump_event(t0 + 100, 1, 104, 7), pump_event(t0 + 200, 2, 104, 7),
                         pump_event(t0 + 250, 1, 104, 7), pump_event(t0 + 400, 2, 104, 7)},
                        {.from = t0 + 300}),
              (Rows{"slice 104 from 0 to 10 7c2f1d5e event 71 (guessed)"}));
}

TEST(Slices, OfOtherProcessesAreLeftOut) {
    EXPECT_EQ(slices_of({pump_event(t0 + 100, 1, 104, 7), pump_event(t0 + 200, 2, 104, 7)},
                        {.processes = {.names = {"teapot.exe"}}}),
              Rows{});
}

TEST(Timeline, RunsWaitsAndSwitches) {
    Timeline timeline;
    const Table table =
        show(in_tea_kitchen({switch_from(t0, 104, 0), switch_from(t0 + 100, 204, 104, 5, 6),
                             ready_record(t0 + 150, 104), switch_from(t0 + 170, 104, 204, 1)}),
             timeline);
    EXPECT_EQ(
        timeline.lines,
        (Rows{"switch 0 to 104", "run 104 from 0 to 10 0", "switch 104 to 204", "ready 104 by 204",
              "run 204 from 10 to 17 0", "wait 104 from 10 to 15 UserRequest by 204",
              "switch 204 to 104", "counter - CPU use (% of a processor) 100",
              "counter - CPU use (% of a processor) 0"}));
    EXPECT_EQ(total_of(table, "switches"), "3");
}

TEST(Timeline, InterruptsDiskAndFaults) {
    Timeline timeline;
    show(in_tea_kitchen({image_record(t0, Life::rundown_at_start, 0, 0xFFFFF80000000000, 0x1000,
                                      u"\\ntoskrnl.exe"),
                         dpc_record(t0 + 100, 0xFFFFF80000000100),
                         disk_read_record(t0 + 200, 0, 0, 0, 104),
                         hard_fault_record(t0 + 300, 104)}),
         timeline);
    EXPECT_EQ(timeline.lines,
              (Rows{"slice 0 from 9 to 10 dpc ntoskrnl.exe!0x100",
                    "overlapping slice 104 from 15 to 20 disk disk read",
                    "io 10 0 393283 4096 0 0 18446708889623798306 42 104 ",
                    "overlapping slice 104 from 29 to 30 memory hard fault",
                    "counter - disk (bytes/s) 136533333", "counter - disk (bytes/s) 0"}));
}

TEST(Timeline, ProcessorUseIsASumBySlice) {
    constexpr std::int64_t ms = 10'000;
    Timeline timeline;
    show(in_tea_kitchen({switch_from(t0, 104, 0), switch_from(t0 + 15 * ms, 0, 104),
                         switch_from(t0 + 24 * ms, 104, 0), switch_from(t0 + 25 * ms, 0, 104)}),
         timeline);
    Rows counters;
    std::ranges::copy_if(timeline.lines, std::back_inserter(counters),
                         [](const std::string& line) { return line.starts_with("counter"); });
    const std::string name = "counter - CPU use (% of a processor) ";
    EXPECT_EQ(counters, (Rows{name + "100", name + "50", name + "20", name + "0"}));
}

TEST(Timeline, LongRangesHaveLongerSlices) {
    constexpr std::int64_t hours = 36'000'000'000;
    Timeline timeline;
    show(in_tea_kitchen({switch_from(t0, 104, 0), switch_from(t0 + 10 * hours, 0, 104),
                         switch_from(t0 + 20 * hours, 104, 0)}),
         timeline);
    const std::string name = "counter - CPU use (% of a processor) ";
    ASSERT_GE(timeline.lines.size(), 3U);
    EXPECT_EQ(timeline.lines[timeline.lines.size() - 1], name + "0");
    EXPECT_NE(std::ranges::find(timeline.lines, name + "100"), timeline.lines.end());
}

TEST(Timeline, FileAndDiskOperationsAsRecorded) {
    ByteWriter create;
    create.u64(0x10).u64(0x20).u32(104).u32(1).u32(2).u32(3).zero_terminated16(u"\\tea.txt");
    Timeline timeline;
    show(in_tea_kitchen({kernel_record(0x0440, 3, t0 + 100, create)}), timeline);
    EXPECT_EQ(timeline.lines, (Rows{"io 64 16 32 104 1 2 3 \\tea.txt"}));
    Timeline other;
    show(in_tea_kitchen({kernel_record(0x0440, 3, t0 + 100, create)}), other,
         {.processes = {.names = {"teapot.exe"}}});
    EXPECT_EQ(other.lines, Rows{});
}

TEST(Timeline, MarksAndCounters) {
    ByteWriter mark;
    mark.zero_terminated8("tea\x01 is <ready>");
    ByteWriter heap;
    for (std::uint64_t i = 1; i <= 8; ++i) {
        heap.u64(i);
    }
    Timeline timeline;
    std::vector<KernelRecord> records = tea_kitchen();
    records.push_back(kernel_record(0x0F22, 0, t0 + 5, mark));
    show(trace_with(records,
                    [&](BufferBuilder& buffer) {
                        UserRecord{.provider = runtime_guid,
                                   .id = 4,
                                   .time = t0 + 10,
                                   .process = 100,
                                   .payload = heap.take()}
                            .add_to(buffer);
                    }),
         timeline);
    EXPECT_EQ(timeline.lines, (Rows{"mark 0 tea\x01 is <ready>", "counter kettle.exe GC heap 16"}));
}

} // namespace
} // namespace etl::profiles::timeline_test

#include "tests/unit/answers/analysis/analyzed.hpp"

namespace etl::analysis::waits_test {
namespace {

KernelRecord ready_in_dpc(std::int64_t time, std::uint32_t thread) {
    ByteWriter payload;
    payload.u32(thread).u8(1).u8(0).u8(1).u8(0);
    return kernel_record(0x0532, 2, time, payload);
}

/// The thread 104 waits twice, for teapot.exe and for a DPC, and is preempted once.
std::vector<KernelRecord> story() {
    return in_tea_kitchen({switch_from(t0, 104, 0), switch_from(t0 + 100, 204, 104, 5, 6),
                           ready_record(t0 + 150, 104), switch_from(t0 + 170, 104, 204, 1),
                           switch_from(t0 + 200, 204, 104, 5, 15), ready_in_dpc(t0 + 260, 104),
                           switch_from(t0 + 300, 104, 204, 5, 4),
                           switch_from(t0 + 400, 204, 104, 4)});
}

TEST(Waits, EndWithReadyThread) {
    const Table table = table_of(story(), {"waits", "thread"});
    EXPECT_EQ(rows_of(table, {"process", "tid", "waits", "wait_ns", "max_wait_ns", "readies",
                              "ready_ns", "max_ready_ns"}),
              (Rows{"kettle.exe 104 2 11000 6000 2 6000 4000",
                    "teapot.exe 204 1 10000 10000 1 3000 3000"}));
    EXPECT_EQ(total_of(table, "max_wait_ns"), "10000");
}

TEST(Waits, HaveReasons) {
    const Table table = table_of(story(), {"waits", "reason"});
    EXPECT_EQ(rows_of(table, {"reason", "waits", "wait_ns", "readies"}),
              (Rows{"DelayExecution 1 10000 0", "WrQueue 1 6000 1", "UserRequest 1 5000 1"}));
}

TEST(Waits, AreEndedByOthers) {
    const Table table = table_of(story(), {"waits", "waker"});
    EXPECT_EQ(rows_of(table, {"waker", "waker_pid", "waits", "wait_ns"}),
              (Rows{"null null 1 10000", "DPC null 1 6000", "teapot.exe 200 1 5000"}));
}

TEST(Waits, CountIfTheyEndInRange) {
    const Table table =
        table_of(story(), {.table = "waits", .by = "process", .from = t0 + 120, .to = t0 + 300});
    EXPECT_EQ(rows_of(table, {"process", "waits", "wait_ns", "ready_ns"}),
              (Rows{"kettle.exe 1 3000 2000", "teapot.exe 0 0 3000"}));
}

/// Chosen for another processor: ready. The stack or the process swapped out: waiting.
TEST(Waits, BeginInSeveralStates) {
    const auto states = [](std::uint8_t state) {
        const Table table = table_of(
            in_tea_kitchen({switch_from(t0, 104, 0), switch_from(t0 + 100, 204, 104, state, 42),
                            ready_record(t0 + 150, 104), switch_from(t0 + 180, 104, 204, 2)}),
            {.table = "waits", .by = "thread"});
        for (const std::string& row :
             rows_of(table, {"tid", "waits", "wait_ns", "readies", "ready_ns"})) {
            if (row.starts_with("104 ")) {
                return row.substr(4);
            }
        }
        return std::string();
    };
    for (const auto ready : std::initializer_list<std::uint8_t>{1, 3, 7}) {
        EXPECT_EQ(states(ready), "0 0 1 8000") << int{ready};
    }
    for (const auto waiting : std::initializer_list<std::uint8_t>{5, 6, 8, 9}) {
        EXPECT_EQ(states(waiting), "1 5000 1 3000") << int{waiting};
    }
    for (const auto unknown : std::initializer_list<std::uint8_t>{0, 2, 4}) {
        EXPECT_EQ(states(unknown), "0 0 1 3000") << int{unknown};
    }
}

/// Of two threads with the same ID, the second one did not wait when the first one did.
TEST(Waits, EndWithTheirThread) {
    const auto waits = [](std::vector<KernelRecord> life) {
        std::vector<KernelRecord> records =
            in_tea_kitchen({switch_from(t0, 104, 0), switch_from(t0 + 100, 204, 104, 5, 6)});
        records.insert(records.end(), life.begin(), life.end());
        records.push_back(switch_from(t0 + 300, 104, 204, 5, 6));
        const Table table = table_of(records, {"waits", "thread"});
        for (const std::string& row : rows_of(table, {"tid", "waits", "readies"})) {
            if (row.starts_with("104 ")) {
                return row.substr(4);
            }
        }
        return std::string();
    };
    EXPECT_EQ(waits({}), "1 null"); // no ReadyThread was recorded
    const KernelRecord end = thread_record(t0 + 200, Life::end, 100, 104),
                       start = thread_record(t0 + 210, Life::start, 100, 104),
                       ready = ready_record(t0 + 220, 104);
    EXPECT_EQ(waits({end, start, ready}), "0 1");
    EXPECT_EQ(waits({start, ready}), "0 1"); // the end is lost
    EXPECT_EQ(waits({ready_record(t0 + 190, 104), end, start, ready}), "0 1");
    EXPECT_EQ(waits({thread_record(t0 + 200, Life::rundown_at_end, 100, 104)}), "1 null");
}

TEST(Waits, HaveTheReasonsOfNewBuilds) {
    for (const auto& [reason, name] : std::map<std::uint8_t, std::string>{{39, "WrPhysicalFault"},
                                                                          {40, "WrIoRing"},
                                                                          {41, "WrMdlCache"},
                                                                          {42, "WrRcu"},
                                                                          {43, "43"}}) {
        const Table table = table_of(
            in_tea_kitchen({switch_from(t0, 104, 0), switch_from(t0 + 100, 204, 104, 5, reason),
                            switch_from(t0 + 200, 104, 204, 5)}),
            {"waits", "reason"});
        EXPECT_EQ(rows_of(table, {"reason", "wait_ns"}), (Rows{name + " 10000"}));
    }
}

TEST(Waits, WithoutSwitchesAreUnknown) {
    const Table table = table_of(tea_kitchen(), {"waits", "process"});
    EXPECT_TRUE(table.rows.empty());
    EXPECT_EQ(total_of(table, "wait_ns"), "null");
    EXPECT_EQ(missing_of(table),
              (std::vector<std::string_view>{"context switches", "ReadyThread"}));
}

} // namespace
} // namespace etl::analysis::waits_test

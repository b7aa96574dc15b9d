#include "tests/unit/answers/analysis/analyzed.hpp"

namespace etl::analysis::io_test {
namespace {

constexpr std::uint64_t cups_file = 0xFFFFE00000001000;

/// DiskIo/Read, Write, version 3.
KernelRecord disk_record(std::int64_t time, std::uint8_t type, std::uint32_t disk,
                         std::uint32_t size, std::uint64_t elapsed, std::uint32_t thread) {
    ByteWriter payload;
    payload.u32(disk).u32(0).u32(size).u32(0).u64(0).u64(cups_file).u64(0x77).u64(elapsed);
    payload.u32(thread);
    return kernel_record(static_cast<std::uint16_t>(0x0100U | type), 3, time, payload);
}

KernelRecord flush_record(std::int64_t time, std::uint64_t elapsed, std::uint32_t thread) {
    ByteWriter payload;
    payload.u32(0).u32(0).u64(elapsed).u64(0x77).u32(thread);
    return kernel_record(0x010E, 3, time, payload);
}

std::vector<KernelRecord> disk_story() {
    return in_tea_kitchen(
        {file_name_record(t0, 36, cups_file, u"\\Device\\cups.txt"),
         disk_record(t0 + 100, 10, 0, 4096, 50, 104), disk_record(t0 + 120, 11, 0, 512, 60, 204),
         disk_record(t0 + 130, 10, 1, 1024, 10, 104), flush_record(t0 + 200, 30, 104)});
}

TEST(Disk, OneRequestIsServedAtATime) {
    const Table table = table_of(disk_story(), {"disk", "process"});
    EXPECT_EQ(rows_of(table, {"process", "reads", "read_bytes", "writes", "write_bytes", "flushes",
                              "elapsed_ns", "service_ns", "queue_ns", "max_elapsed_ns"}),
              (Rows{"kettle.exe 2 5120 0 0 1 9000 9000 0 5000",
                    "teapot.exe 0 0 1 512 0 6000 2000 4000 6000"}));
}

TEST(Disk, HasFilesAndDisks) {
    EXPECT_EQ(rows_of(table_of(disk_story(), {"disk", "file"}), {"file", "reads", "flushes"}),
              (Rows{"\\Device\\cups.txt 2 0", "null 0 1"}));
    EXPECT_EQ(rows_of(table_of(disk_story(), {"disk", "disk"}), {"disk", "reads", "elapsed_ns"}),
              (Rows{"0 1 14000", "1 1 1000"}));
}

TEST(Disk, TheThreadIsThatOfTheStart) {
    ByteWriter init;
    init.u64(0x77);
    const Table table =
        table_of(in_tea_kitchen({kernel_record(0x010C, 2, t0 + 10, init).by(200, 204),
                                 disk_record(t0 + 100, 10, 0, 4096, 50, 0xFFFFFFFF)}),
                 {"disk", "process"});
    EXPECT_EQ(rows_of(table, {"process", "reads"}), (Rows{"teapot.exe 1"}));
}

/// FileIo/Read, Write, version 3.
KernelRecord file_operation(std::int64_t time, std::uint8_t type, std::uint64_t request,
                            std::uint32_t thread) {
    ByteWriter payload;
    payload.u64(0).u64(request).u64(1).u64(cups_file).u32(thread).u32(512).u32(0);
    return kernel_record(static_cast<std::uint16_t>(0x0400U | type), 3, time, payload);
}

KernelRecord create_record(std::int64_t time, std::uint64_t request, std::uint32_t thread,
                           std::u16string_view path) {
    ByteWriter payload;
    payload.u64(request).u64(2).u32(thread).u32(0).u32(0).u32(0).zero_terminated16(path);
    return kernel_record(0x0440, 3, time, payload);
}

KernelRecord operation_end(std::int64_t time, std::uint64_t request, std::uint64_t bytes,
                           std::uint32_t status) {
    ByteWriter payload;
    payload.u64(request).u64(bytes).u32(status);
    return kernel_record(0x044C, 3, time, payload);
}

KernelRecord hard_fault(std::int64_t time, std::int64_t begin, std::uint32_t thread) {
    ByteWriter payload;
    payload.u64(static_cast<std::uint64_t>(begin)).u64(0).u64(0).u64(cups_file).u32(thread);
    payload.u32(8192);
    return kernel_record(0x0220, 2, time, payload);
}

std::vector<KernelRecord> file_story() {
    return in_tea_kitchen(
        {create_record(t0 + 10, 1, 104, u"C:\\lid"), file_operation(t0 + 20, 67, 2, 104),
         operation_end(t0 + 50, 1, 0, 0xC0000034), operation_end(t0 + 60, 2, 300, 0),
         file_operation(t0 + 70, 68, 2, 204), hard_fault(t0 + 90, t0 + 80, 104),
         operation_end(t0 + 100, 2, 512, 0), file_operation(t0 + 110, 67, 3, 104),
         file_name_record(t0 + 200, 36, cups_file, u"\\Device\\cups.txt")});
}

TEST(Files, OperationsHaveDurations) {
    const Table table = table_of(file_story(), {"files", "process"});
    EXPECT_EQ(rows_of(table, {"process", "operations", "read_bytes", "write_bytes", "completed",
                              "duration_ns", "max_duration_ns", "errors", "hard_faults",
                              "hard_fault_bytes", "hard_fault_ns"}),
              (Rows{"kettle.exe 3 300 0 2 8000 4000 1 1 8192 1000",
                    "teapot.exe 1 0 512 1 3000 3000 0 0 0 0"}));
    EXPECT_EQ(remainder_of(table, "never_completed"), 1U);
}

TEST(Files, HaveNamesAndKinds) {
    EXPECT_EQ(rows_of(table_of(file_story(), {"files", "file"}),
                      {"file", "operations", "duration_ns", "hard_faults"}),
              (Rows{"\\Device\\cups.txt 3 7000 1", "C:\\lid 1 4000 0"}));
    EXPECT_EQ(rows_of(table_of(file_story(), {"files", "operation"}),
                      {"operation", "operations", "completed", "hard_faults"}),
              (Rows{"Create 1 1 0", "Read 2 1 0", "Write 1 1 0", "HardFault 0 0 1"}));
}

/// TcpIp, UdpIp over IPv4, version 2.
KernelRecord packet(std::int64_t time, std::uint16_t hook, std::uint32_t process,
                    std::uint32_t size) {
    ByteWriter payload;
    payload.u32(process).u32(size).u8(10).u8(0).u8(0).u8(7).u8(10).u8(0).u8(0).u8(1);
    payload.u8(0x01).u8(0xBB).u8(0x12).u8(0x34); // ports 443, 4660
    if (hook == 0x060A) {
        payload.u32(0).u32(0);
    }
    payload.u32(0).u64(0);
    return kernel_record(hook, 2, time, payload);
}

TEST(Network, HasProcessesAndPeers) {
    const auto records =
        in_tea_kitchen({packet(t0 + 10, 0x060A, 100, 1000), packet(t0 + 20, 0x060B, 100, 50),
                        packet(t0 + 30, 0x080A, 200, 7)});
    EXPECT_EQ(rows_of(table_of(records, {"network", "process"}),
                      {"process", "sends", "sent_bytes", "receives", "received_bytes"}),
              (Rows{"kettle.exe 1 1000 1 50", "teapot.exe 1 7 0 0"}));
    EXPECT_EQ(rows_of(table_of(records, {"network", "peer"}), {"protocol", "peer", "sent_bytes"}),
              (Rows{"tcp 10.0.0.7:443 1000", "udp 10.0.0.7:443 7"}));
}

TEST(Interrupts, ExcludeWhatIsInside) {
    constexpr std::uint64_t base = 0xFFFFF80000010000;
    const Table table = table_of(
        {image_record(t0, Life::rundown_at_start, 0, base, 0x1000, u"\\SystemRoot\\tap.sys"),
         interrupt(t0 + 20, 0x0F43, t0 + 10, base + 0x10), // before the DPC
         interrupt(t0 + 130, 0x0F43, t0 + 120, base + 0x10),
         interrupt(t0 + 150, 0x0F43, t0 + 145, base + 0x10),
         interrupt(t0 + 200, 0x0F44, t0 + 100, base + 0x20),
         interrupt(t0 + 300, 0x0F44, t0 + 310, base + 0x20)}, // begins after its end
        {"interrupts", "routine"});
    EXPECT_EQ(rows_of(table, {"kind", "function", "count", "total_ns", "exclusive_ns", "mean_ns",
                              "max_ns", "histogram"}),
              (Rows{"dpc tap.sys!0x20 2 10000 8500 5000 10000 1 0 0 0 1",
                    "isr tap.sys!0x10 3 2500 2500 833 1000 1 2"}));
    EXPECT_EQ(remainder_of(table, "invalid_times"), 1U);
}

TEST(Interrupts, HaveTimeSlices) {
    const Table table = table_of(in_tea_kitchen({interrupt(t0 + 20, 0x0F43, t0 + 10, 1),
                                                 interrupt(t0 + 30, 0x0F44, t0 + 20, 1),
                                                 interrupt(t0 + 99, 0x0F43, t0 + 79, 1)}),
                                 {.table = "interrupts", .by = "slice", .slices = 2});
    EXPECT_EQ(rows_of(table, {"slice", "kind", "count", "total_ns", "mean_ns"}),
              (Rows{"0 dpc 1 1000 1000", "0 isr 1 1000 1000", "1 isr 1 2000 2000"}));
}

TEST(Interrupts, HaveBucketsByFactor) {
    std::vector<KernelRecord> records;
    for (const std::int64_t ticks : {0, 10, 11, 100, 101, 1000, 1001}) { // 10 are 1 us
        records.push_back(interrupt(t0 + 2000, 0x0F44, t0 + 2000 - ticks, 1));
    }
    const auto histogram = [&](std::uint64_t factor) {
        return rows_of(
            table_of(in_tea_kitchen(records),
                     {.table = "interrupts", .by = "module", .options = {.bucket_factor = factor}}),
            {"histogram"});
    };
    EXPECT_EQ(histogram(10), (Rows{"2 2 2 1"}));
    EXPECT_EQ(histogram(2), (Rows{"2 1 0 0 2 0 0 2"}));
    EXPECT_EQ(histogram(0), (Rows{"1 2 0 0 2 0 0 2"}));
    EXPECT_EQ(histogram(~std::uint64_t{0}), (Rows{"2 5"}));
}

} // namespace
} // namespace etl::analysis::io_test

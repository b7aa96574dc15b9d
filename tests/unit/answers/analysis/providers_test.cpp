// Tables of the events of Microsoft-Windows-Kernel-Process, -File, and -Disk.
#include "format/known_guids.hpp"
#include "tests/unit/answers/analysis/analyzed.hpp"

namespace etl::analysis::providers_test {
namespace {

using namespace literals;

constexpr Guid kernel_disk = "c7bde69a-e1e0-4177-b6ef-283ad1525271"_guid;
constexpr std::uint32_t fir = 700, thread = 704;
constexpr std::uint64_t request = 0xFFFF1, object = 0xFFFF2, key = 0xFFFF3;

/// A trace that says events of providers in words.
struct Providers {
    TraceBuilder trace{{.buffer_size = 0x10000}};
    BufferBuilder* buffer = &trace.buffer();

    Providers& event(const Guid& provider, std::uint16_t id, std::uint8_t version,
                     std::int64_t time, ByteWriter&& payload, std::uint32_t process = fir,
                     std::uint32_t by = thread) {
        const std::vector<std::byte> bytes = payload.take();
        buffer->add(format::EventRecord{.process_id = process,
                                        .thread_id = by,
                                        .time = time,
                                        .provider = provider,
                                        .descriptor = {.id = id, .version = version},
                                        .payload = bytes});
        return *this;
    }

    Providers& record(const KernelRecord& record) {
        record.add_to(*buffer);
        return *this;
    }

    Providers& start(std::int64_t time, std::u16string_view path) {
        ByteWriter payload;
        payload.u32(fir).u64(0).u32(4).u32(1).u32(0).zero_terminated16(path);
        return event(format::kernel_process_guid, 1, 1, time, std::move(payload), 4, 8);
    }

    Providers& stop(std::int64_t time, std::uint32_t code, std::string_view name) {
        ByteWriter payload;
        payload.u32(fir).u64(0).u64(0).u32(code).u32(1).u32(0).u64(0).u64(0);
        payload.u64(0).u32(0).u32(0).u32(0).u32(0).u32(0).zero_terminated8(name);
        return event(format::kernel_process_guid, 2, 1, time, std::move(payload));
    }

    Providers& create(std::int64_t time, std::uint16_t id = 12) {
        ByteWriter payload;
        payload.u64(request).u64(object).u32(thread).u32(1).u32(0).u32(7);
        payload.zero_terminated16(u"\\D\\a.txt");
        return event(format::kernel_file_guid, id, 1, time, std::move(payload));
    }

    Providers& transfer(std::int64_t time, std::uint16_t id) {
        ByteWriter payload;
        payload.u64(0).u64(request).u64(object).u64(key).u32(thread).u32(4096).u32(0).u32(0);
        return event(format::kernel_file_guid, id, 1, time, std::move(payload));
    }

    Providers& info(std::int64_t time, std::uint16_t id) {
        ByteWriter payload;
        payload.u64(request).u64(object).u64(key).u64(1).u32(thread).u32(13);
        return event(format::kernel_file_guid, id, 1, time, std::move(payload));
    }

    Providers& end(std::int64_t time, std::uint64_t bytes, std::uint32_t status = 0) {
        ByteWriter payload;
        payload.u64(request).u64(bytes).u32(status);
        return event(format::kernel_file_guid, 24, 0, time, std::move(payload));
    }

    Providers& disk(std::int64_t time, std::uint16_t id) {
        ByteWriter payload;
        if (id == 14) {
            payload.u32(0).u32(0).u64(20).u64(request);
        } else {
            payload.u32(0).u32(0x43).u32(4096).u32(0).u64(0x2000).u64(object).u64(request).u64(50);
        }
        return event(kernel_disk, id, 0, time, std::move(payload), 4, 8);
    }

    Table table(std::string_view name, std::string_view by) {
        return table_of(trace.build(), {name, by});
    }
};

TEST(Providers, ProcessesHaveExitsSessionsAndPaths) {
    Providers trace;
    trace.start(t0, u"\\Device\\fir.exe").stop(t0 + 80, 3, "fir.exe");
    const Table table = trace.table("processes", "");
    EXPECT_EQ(rows_of(table, {"process", "pid", "parent_pid", "exit_code", "session", "image"}),
              (Rows{"fir.exe 700 4 3 1 \\Device\\fir.exe"}));
    EXPECT_EQ(total_of(table, "processes") + total_of(table, "started") + total_of(table, "ended"),
              "111");
    EXPECT_EQ(table.coverage.used_events, 2U);
    EXPECT_TRUE(table.coverage.not_recorded.empty());
}

TEST(Providers, AProcessThatBothSourcesRecordCountsOnce) {
    Providers trace;
    trace.start(t0, u"\\Device\\long-name-of-fir.exe");
    trace.record(process_record(t0 + 1, Life::start, fir, "long-name-of-fir.exe"));
    trace.record(process_record(t0 + 80, Life::end, fir, "long-name-of-fir.exe"));
    trace.stop(t0 + 81, 0x103, "long-name-of-fi");
    const Table table = trace.table("processes", "");
    EXPECT_EQ(rows_of(table, {"process", "exit_code", "image"}),
              (Rows{"long-name-of-fir.exe 259 \\Device\\long-name-of-fir.exe"}));
    EXPECT_EQ(total_of(table, "started") + total_of(table, "ended"), "11");
}

TEST(Providers, FilesHaveOperations) {
    Providers trace;
    trace.create(t0).end(t0 + 10, 0).transfer(t0 + 20, 15).end(t0 + 920, 4096);
    trace.transfer(t0 + 1000, 16).end(t0 + 1010, 512).transfer(t0 + 1020, 16);
    trace.end(t0 + 1030, 0, 0xC0000005).info(t0 + 1100, 18).info(t0 + 1101, 26);
    trace.end(t0 + 1110, 0).create(t0 + 1200).create(t0 + 1201, 30).transfer(t0 + 1300, 21);
    const Table table = trace.table("files", "operation");
    EXPECT_EQ(rows_of(table, {"operation", "operations", "completed", "duration_ns", "read_bytes",
                              "write_bytes", "errors"}),
              (Rows{"Read 1 1 90000 4096 0 0", "Write 2 2 2000 0 512 1", "Create 2 1 1000 0 0 0",
                    "Delete 1 1 1000 0 0 0", "CreateNewFile 1 0 0 0 0 0", "DeletePath 1 0 0 0 0 0",
                    "Flush 1 0 0 0 0 0"}));
}

TEST(Providers, FilesHaveProcessesAndNames) {
    Providers trace;
    trace.start(t0 - 5, u"\\Device\\fir.exe").create(t0).transfer(t0 + 20, 15).end(t0 + 920, 4096);
    EXPECT_EQ(rows_of(trace.table("files", "process"), {"process", "pid", "operations"}),
              (Rows{"fir.exe 700 2"}));
    EXPECT_EQ(rows_of(trace.table("files", "file"), {"file", "operations", "read_bytes"}),
              (Rows{"\\D\\a.txt 2 4096"}));
}

TEST(Providers, TheClassCountsIfBothRecordFiles) {
    ByteWriter read;
    read.u64(0).u64(request).u64(object).u64(key).u32(thread).u32(512).u32(0);
    ByteWriter done;
    done.u64(request).u64(512).u32(0);
    Providers trace;
    trace.transfer(t0, 15).record({0x0443, 3, t0 + 1, read.take()});
    trace.record({0x044C, 3, t0 + 10, done.take()}).end(t0 + 11, 512);
    EXPECT_EQ(rows_of(trace.table("files", "operation"), {"operation", "operations", "read_bytes"}),
              (Rows{"Read 1 512"}));
}

TEST(Providers, DisksHaveReadsWritesAndFlushes) {
    Providers trace;
    trace.disk(t0 + 100, 10).disk(t0 + 200, 11).disk(t0 + 300, 14);
    EXPECT_EQ(rows_of(trace.table("disk", "process"), {"process", "reads", "read_bytes", "writes",
                                                       "write_bytes", "flushes", "elapsed_ns"}),
              (Rows{"null 1 4096 1 4096 1 7000"}))
        << "the read began before T";
    trace.record(disk_read_record(t0 + 400, 0, 0, object, thread));
    EXPECT_EQ(rows_of(trace.table("disk", "disk"), {"disk", "reads", "writes"}), (Rows{"0 1 0"}));
}

} // namespace
} // namespace etl::analysis::providers_test

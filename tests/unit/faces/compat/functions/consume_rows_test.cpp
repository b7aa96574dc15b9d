// Consumers by Windows' names: rows of the table. docs/compat.md#consumers
#include "tests/unit/faces/compat/c_session.hpp"
#include "tests/unit/faces/compat/functions/c_consumer.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace etl::test::consume_rows_test {
namespace {

TEST(ProcessTrace_, RefusesNoHandlesAndTooMany) { // V266, V267, V268
    std::vector<TRACEHANDLE> many(65);
    EXPECT_EQ(ProcessTrace(many.data(), 0, nullptr, nullptr), ULONG{ERROR_BAD_LENGTH});
    EXPECT_EQ(ProcessTrace(many.data(), 65, nullptr, nullptr), ULONG{ERROR_BAD_LENGTH});
    EXPECT_EQ(ProcessTrace(nullptr, 1, nullptr, nullptr), ULONG{ERROR_INVALID_PARAMETER});
}

TEST(ProcessTrace_, TakesOneSessionInRealTimeAndNothingBesideIt) { // V269, V270
    const Folder folder;
    write_file(folder / "a.etl");
    const CSession one(u"One");
    const CSession two(u"Two");
    Consumer consumer;
    TRACEHANDLE mixed[] = {consumer.open(to_utf16(folder / "a.etl")), consumer.open_live(u"One")};
    EXPECT_EQ(ProcessTrace(mixed, 2, nullptr, nullptr), ULONG{ERROR_INVALID_PARAMETER});
    TRACEHANDLE live[] = {mixed[1], consumer.open_live(u"Two")};
    EXPECT_EQ(ProcessTrace(live, 2, nullptr, nullptr), ULONG{ERROR_INVALID_PARAMETER});
    EXPECT_TRUE(consumer.events.empty());
    for (const TRACEHANDLE handle : {mixed[0], live[0], live[1]}) {
        EXPECT_EQ(CloseTrace(handle), 0U);
    }
}

TEST(ProcessTrace_, RefusesForeignHandles) { // V271
    EXPECT_EQ(process(0x1234), ULONG{ERROR_INVALID_HANDLE});
    EXPECT_EQ(process(INVALID_PROCESSTRACE_HANDLE), ULONG{ERROR_INVALID_HANDLE});
}

TEST(ProcessTrace_, RefusesAWindowThatEndsBeforeItBegins) { // V272
    TRACEHANDLE handle = 1;
    FILETIME from{2000, 0};
    FILETIME to{1000, 0};
    EXPECT_EQ(ProcessTrace(&handle, 1, &from, &to), ULONG{ERROR_INVALID_TIME});
}

TEST(ProcessTrace_, IsCancelledByTheBufferCallback) { // V273
    const Folder folder;
    write_file(folder / "a.etl");
    Consumer consumer;
    consumer.goes_on = FALSE;
    const TRACEHANDLE handle = consumer.open(to_utf16(folder / "a.etl"));
    EXPECT_EQ(process(handle), ULONG{ERROR_CANCELLED});
    EXPECT_EQ(consumer.buffers.size(), 1U);
    EXPECT_EQ(CloseTrace(handle), 0U);
}

TEST(ProcessTrace_, EndsWhenACallbackThrows) { // V274
    const Folder folder;
    write_file(folder / "a.etl");
    Consumer consumer;
    consumer.throws = true;
    const TRACEHANDLE handle = consumer.open(to_utf16(folder / "a.etl"));
    EXPECT_EQ(process(handle), ULONG{ERROR_NOACCESS});
    EXPECT_EQ(CloseTrace(handle), 0U);
}

TEST(ProcessTrace_, NeedsASessionInRealTime) { // V275
    const Folder folder;
    const CSession file_only(u"File", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "a.etl");
    Consumer consumer;
    for (const char16_t* name : {u"nosuch", u"File"}) {
        const TRACEHANDLE handle = consumer.open_live(name);
        EXPECT_EQ(process(handle), ULONG{ERROR_WMI_INSTANCE_NOT_FOUND});
        EXPECT_EQ(CloseTrace(handle), 0U);
    }
}

TEST(OpenTrace_, SaysWhyItCouldNot) { // V276
    EXPECT_EQ(OpenTraceW(nullptr), INVALID_PROCESSTRACE_HANDLE);
    EXPECT_EQ(GetLastError(), ULONG{ERROR_INVALID_PARAMETER});
    Consumer consumer;
    EXPECT_EQ(consumer.open({}), INVALID_PROCESSTRACE_HANDLE);
    EXPECT_EQ(GetLastError(), ULONG{ERROR_BAD_PATHNAME});
    EXPECT_EQ(consumer.open({}, {}, PROCESS_TRACE_MODE_REAL_TIME), INVALID_PROCESSTRACE_HANDLE);
    EXPECT_EQ(GetLastError(), ULONG{ERROR_BAD_PATHNAME});
    const Folder folder;
    EXPECT_EQ(consumer.open(to_utf16(folder / "none.etl")), INVALID_PROCESSTRACE_HANDLE);
    EXPECT_EQ(GetLastError(), ULONG{ERROR_FILE_NOT_FOUND});
    std::FILE* junk = std::fopen((folder / "junk.etl").c_str(), "w");
    std::fputs("this is no trace, whatever its name says", junk);
    std::fclose(junk);
    EXPECT_EQ(consumer.open(to_utf16(folder / "junk.etl")), INVALID_PROCESSTRACE_HANDLE);
    EXPECT_EQ(GetLastError(), ULONG{ERROR_FILE_CORRUPT});
}

TEST(CloseTrace_, RefusesForeignHandles) { // V277
    EXPECT_EQ(CloseTrace(INVALID_PROCESSTRACE_HANDLE), ULONG{ERROR_INVALID_HANDLE});
    EXPECT_EQ(CloseTrace(0), ULONG{ERROR_INVALID_HANDLE});
}

TEST(CloseTrace_, EndsALiveConsumerThatRuns) { // V278
    const CSession session(u"Live");
    Consumer consumer;
    const TRACEHANDLE handle = consumer.open_live(u"Live");
    std::atomic<bool> runs{false};
    consumer.on_event = [&runs] {
        runs = true; // the header, which comes first
        runs.notify_all();
    };
    ULONG processed = 99;
    std::thread reader([&] { processed = process(handle); });
    runs.wait(false);
    EXPECT_EQ(CloseTrace(handle), ULONG{ERROR_CTX_CLOSE_PENDING});
    reader.join();
    EXPECT_EQ(processed, 0U);
    EXPECT_EQ(CloseTrace(handle), ULONG{ERROR_INVALID_HANDLE});
}

} // namespace
} // namespace etl::test::consume_rows_test

// EVENT_TRACE_CONTROL_CONVERT_TO_REALTIME. docs/compat.md#controllers
#include "tests/unit/faces/compat/c_provider.hpp"
#include "tests/unit/faces/compat/c_session.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <thread>

namespace etl::test::convert_to_real_time_test {
namespace {

ULONG convert(const CSession& session, PropertyBlock& block) {
    return ControlTraceW(session.handle(), nullptr, block.get(),
                         EVENT_TRACE_CONTROL_CONVERT_TO_REALTIME);
}

struct Consumer {
    std::mutex mutex;
    std::vector<int> ids;

    static VOID on_record(PEVENT_RECORD record) {
        auto& self = *static_cast<Consumer*>(record->UserContext);
        const std::lock_guard lock(self.mutex);
        self.ids.push_back(record->EventHeader.EventDescriptor.Id);
    }
};

TEST(ConvertToRealTime, EndsTheFileAndGoesOnWithConsumers) {
    const Folder folder;
    Consumer consumer;
    {
        CSession session(u"T1", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "a.etl");
        const Provider provider;
        ASSERT_EQ(EnableTraceEx2(session.handle(), &some_provider, 1, 5, 0, 0, 0, nullptr), 0U);
        EXPECT_EQ(provider.write(event_of(1, 4)), 0U);
        PropertyBlock block;
        block.file("");
        ASSERT_EQ(convert(session, block), 0U);
        EXPECT_EQ(block->LogFileMode & EVENT_TRACE_REAL_TIME_MODE,
                  ULONG{EVENT_TRACE_REAL_TIME_MODE});
        EXPECT_EQ(block->FlushTimer, 1U);
        EXPECT_EQ(block.file_name(), u"");
        EXPECT_EQ(ids_in(folder / "a.etl"), std::vector{1}) << "the file is complete";
        const CSession successor(u"T2", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "a.etl");
        EXPECT_EQ(successor.status(), 0U) << "nobody writes the file any more";
        EXPECT_EQ(provider.write(event_of(2, 4)), 0U);

        EVENT_TRACE_LOGFILEW asked{};
        WCHAR name[] = u"T1";
        asked.LoggerName = name;
        asked.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD | PROCESS_TRACE_MODE_REAL_TIME;
        asked.EventRecordCallback = Consumer::on_record;
        asked.Context = &consumer;
        TRACEHANDLE opened = OpenTraceW(&asked);
        ASSERT_NE(opened, INVALID_PROCESSTRACE_HANDLE);
        std::thread reader([&] { ProcessTrace(&opened, 1, nullptr, nullptr); });
        do { // until it listens
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            const std::lock_guard lock(consumer.mutex);
            if (!consumer.ids.empty()) {
                break;
            }
        } while (true);
        EXPECT_EQ(session.stop(), 0U);
        reader.join();
        EXPECT_EQ(CloseTrace(opened), 0U);
    }
    EXPECT_EQ(consumer.ids.back(), 2);
    EXPECT_EQ(std::ranges::count(consumer.ids, 1), 0) << "that one is in the file";
}

TEST(ConvertToRealTime, IsNotForRingsAndPrivateSessions) {
    const Folder folder;
    PropertyBlock block;
    const CSession ring(u"Ring", EVENT_TRACE_BUFFERING_MODE);
    EXPECT_EQ(convert(ring, block), ULONG{ERROR_INVALID_PARAMETER});
    const CSession own(u"Own", EVENT_TRACE_PRIVATE_LOGGER_MODE | EVENT_TRACE_PRIVATE_IN_PROC,
                       folder / "own.etl");
    EXPECT_EQ(convert(own, block), ULONG{ERROR_INVALID_PARAMETER});
}

} // namespace
} // namespace etl::test::convert_to_real_time_test

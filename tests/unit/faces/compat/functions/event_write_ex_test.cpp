// EventWriteEx and TraceMessageVa. docs/compat.md#providers #messages
#include <etl/guid.hpp>

#include "tests/unit/faces/compat/c_provider.hpp"
#include "tests/unit/faces/compat/c_records.hpp"
#include "tests/unit/faces/compat/c_session.hpp"

#include <gtest/gtest.h>

#include <cstdarg>

namespace etl::test::event_write_ex_test {
namespace {

TEST(EventWriteEx_, LeavesOutTheSessionsOfTheFilter) {
    const Folder folder;
    {
        const CSession with(u"With", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "with.etl");
        const CSession without(u"Without", EVENT_TRACE_FILE_MODE_SEQUENTIAL,
                               folder / "without.etl");
        Provider provider;
        ASSERT_EQ(EnableTraceEx2(with.handle(), &some_provider, 1, 5, 0, 0, 0, nullptr), 0U);
        SchematizedFilter filter;
        ASSERT_EQ(EnableTraceEx(&some_provider, nullptr, without.handle(), 1, 5, 0, 0, 0,
                                &filter.descriptor),
                  0U);
        const ULONG64 bit = provider.notice(2).session_bit;
        ASSERT_NE(bit, 0U);
        constexpr EVENT_DESCRIPTOR first = event_of(1, 4);
        constexpr EVENT_DESCRIPTOR second = event_of(2, 4);
        constexpr EVENT_DESCRIPTOR third = event_of(3, 4);
        const REGHANDLE handle = provider.handle();
        EXPECT_EQ(EventWriteEx(handle, &first, bit, 0, nullptr, nullptr, 0, nullptr), 0U);
        EXPECT_EQ(EventWriteEx(handle, &second, 0, 0, nullptr, nullptr, 0, nullptr), 0U);
        EXPECT_EQ(EventWriteEx(handle, &third, ~ULONG64{0}, 0, nullptr, nullptr, 0, nullptr), 0U);
    }
    EXPECT_EQ(ids_in(folder / "with.etl"), (std::vector{1, 2}));
    EXPECT_EQ(ids_in(folder / "without.etl"), std::vector{2});
}

TEST(EventWriteEx_, KeepsInPrivateEventsFromSessionsThatExcludeThem) {
    const Folder folder;
    {
        const CSession all(u"All", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "all.etl");
        const CSession some(u"Some", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "some.etl");
        const Provider provider;
        ASSERT_EQ(EnableTraceEx(&some_provider, nullptr, all.handle(), 1, 5, 0, 0, 0, nullptr), 0U);
        ASSERT_EQ(EnableTraceEx(&some_provider, nullptr, some.handle(), 1, 5, 0, 0,
                                EVENT_ENABLE_PROPERTY_EXCLUDE_INPRIVATE, nullptr),
                  0U);
        constexpr EVENT_DESCRIPTOR in_private = event_of(1, 4);
        constexpr EVENT_DESCRIPTOR ordinary = event_of(2, 4);
        const REGHANDLE handle = provider.handle();
        EXPECT_EQ(EventWriteEx(handle, &in_private, 0, EVENT_WRITE_FLAG_INPRIVATE, nullptr, nullptr,
                               0, nullptr),
                  0U);
        EXPECT_EQ(EventWriteEx(handle, &ordinary, 0, EVENT_WRITE_FLAG_NO_FAULTING, nullptr, nullptr,
                               0, nullptr),
                  0U);
    }
    EXPECT_EQ(ids_in(folder / "all.etl"), (std::vector{1, 2}));
    EXPECT_EQ(ids_in(folder / "some.etl"), std::vector{2});
}

TEST(EventWriteEx_, StoresActivitiesAndData) {
    const Folder folder;
    {
        const CSession session(u"T1", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "a.etl");
        const Provider provider;
        ASSERT_EQ(EnableTraceEx2(session.handle(), &some_provider, 1, 5, 0, 0, 0, nullptr), 0U);
        EVENT_DATA_DESCRIPTOR parts[2];
        EventDataDescCreate(&parts[0], "two ", 4);
        EventDataDescCreate(&parts[1], "parts", 5);
        constexpr EVENT_DESCRIPTOR event = event_of(1, 4);
        const REGHANDLE handle = provider.handle();
        EXPECT_EQ(EventWriteEx(handle, &event, 0, 0, &some_activity, &some_source, 2, parts), 0U);
        GUID of_thread = some_source;
        ASSERT_EQ(EventActivityIdControl(EVENT_ACTIVITY_CTRL_SET_ID, &of_thread), 0U);
        EXPECT_EQ(EventWriteEx(handle, &event, 0, 0, nullptr, nullptr, 0, nullptr), 0U);
        GUID none{};
        ASSERT_EQ(EventActivityIdControl(EVENT_ACTIVITY_CTRL_SET_ID, &none), 0U);
    }
    const auto records = records_of(folder / "a.etl");
    ASSERT_EQ(records.size(), 2U);
    EXPECT_EQ(records[0].payload, "two parts");
    EXPECT_EQ(records[0].header.activity, some_activity_guid);
    EXPECT_EQ(records[0].related, some_source_guid);
    EXPECT_EQ(records[1].header.activity, some_source_guid) << "that of the thread";
    EXPECT_TRUE(records[1].related.is_zero());
}

TEST(EventWriteEx_, RefusesWhatEventWriteRefuses) {
    const Provider provider;
    constexpr EVENT_DESCRIPTOR event = event_of(1, 4);
    EXPECT_EQ(EventWriteEx(provider.handle(), nullptr, 0, 0, nullptr, nullptr, 0, nullptr),
              ULONG{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(EventWriteEx(0, &event, 0, 0, nullptr, nullptr, 0, nullptr),
              ULONG{ERROR_INVALID_HANDLE});
    EXPECT_EQ(EventWriteEx(provider.handle(), &event, 0, 0, nullptr, nullptr, 129, nullptr),
              ULONG{ERROR_INVALID_PARAMETER});
}

/// A trace function of a program, as WPP makes them.
ULONG trace(TRACEHANDLE session, ULONG flags, LPCGUID id, USHORT number, ...) {
    va_list arguments;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wvarargs" // a USHORT in front of the dots, as WPP declares it
    va_start(arguments, number);
#pragma GCC diagnostic pop
    const ULONG status = TraceMessageVa(session, flags, id, number, arguments);
    va_end(arguments);
    return status;
}

TEST(TraceMessageVa_, HoldsTheFieldsAndArgumentsThatItIsGiven) {
    const Folder folder;
    constexpr ULONG usual = TRACE_MESSAGE_SEQUENCE | TRACE_MESSAGE_GUID | TRACE_MESSAGE_TIMESTAMP |
                            TRACE_MESSAGE_SYSTEMINFO;
    {
        const CSession session(u"T1",
                               EVENT_TRACE_FILE_MODE_SEQUENTIAL | EVENT_TRACE_USE_LOCAL_SEQUENCE,
                               folder / "a.etl");
        const TRACEHANDLE handle = session.handle();
        EXPECT_EQ(trace(handle, usual, &some_source, 10, "one", std::size_t{3}, "four",
                        std::size_t{4}, nullptr),
                  0U);
        EXPECT_EQ(trace(handle, usual, &some_source, 11, nullptr), 0U);
        EXPECT_EQ(TraceMessage(handle, usual, &some_source, 12, nullptr), 0U);
    }
    const auto records = records_of(folder / "a.etl");
    ASSERT_EQ(records.size(), 3U);
    EXPECT_EQ(records[0].kind, format::RecordKind{format::RecordFamily::message});
    EXPECT_EQ(records[0].header.id, 10);
    EXPECT_EQ(records[0].header.provider, some_source_guid);
    EXPECT_EQ(records[0].payload, "onefour");
    EXPECT_EQ(records[0].header.process_id, GetCurrentProcessId());
    EXPECT_EQ(records[0].header.thread_id, GetCurrentThreadId());
    EXPECT_EQ(records[1].header.id, 11);
    EXPECT_TRUE(records[1].payload.empty());
    for (std::uint32_t i = 0; i < 3; ++i) {
        EXPECT_EQ(records[i].header.sequence, i + 1) << "one counter for both functions";
    }
}

TEST(TraceMessageVa_, RefusesWhatTraceMessageRefuses) {
    const CSession session;
    EXPECT_EQ(trace(0, 0, nullptr, 1, nullptr), ULONG{ERROR_INVALID_HANDLE});
    EXPECT_EQ(trace(session.handle(), TRACE_MESSAGE_GUID, nullptr, 1, nullptr),
              ULONG{ERROR_INVALID_PARAMETER});
    const std::vector<std::byte> large(70000);
    EXPECT_EQ(trace(session.handle(), 0, nullptr, 1, large.data(), large.size(), nullptr),
              ULONG{ERROR_MORE_DATA});
}

} // namespace
} // namespace etl::test::event_write_ex_test

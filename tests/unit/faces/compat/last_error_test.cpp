// GetLastError after functions of controllers, consumers and providers. docs/compat.md#last-error
#include "tests/unit/faces/compat/c_session.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <ostream>

namespace etl::test::last_error_test {
namespace {

constexpr DWORD earlier = 4711; // that no function here returns

/// A call that may succeed or fail; `session` runs.
struct Call {
    const char* name = "";
    ULONG expected = ERROR_SUCCESS;
    std::function<ULONG(TRACEHANDLE session)> make;

    friend std::ostream& operator<<(std::ostream& to, const Call& call) { return to << call.name; }
};

ULONG control(ULONG (*function)(TRACEHANDLE, LPCWSTR, PEVENT_TRACE_PROPERTIES),
              TRACEHANDLE session) {
    PropertyBlock block;
    block->LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
    return function(session, nullptr, block.get());
}

ULONG control_narrow(ULONG (*function)(TRACEHANDLE, LPCSTR, PEVENT_TRACE_PROPERTIES), LPCSTR name) {
    PropertyBlock block;
    block->LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
    return function(0, name, block.get());
}

ULONG enable(TRACEHANDLE session, ULONG code) {
    return EnableTraceEx2(session, &some_provider, code, 4, 0, 0, 0, nullptr);
}

ULONG enumerate(int which, void* out, ULONG room) {
    ULONG needed = 0;
    return EnumerateTraceGuidsEx(static_cast<TRACE_QUERY_INFO_CLASS>(which), nullptr, 0, out, room,
                                 &needed);
}

const Call controllers_and_consumers[] = {
    {"StartTraceW", ERROR_ALREADY_EXISTS, [](TRACEHANDLE) { return CSession().status(); }},
    {"StartTraceWithoutProperties", ERROR_INVALID_PARAMETER,
     [](TRACEHANDLE) {
         TRACEHANDLE handle = 0;
         return StartTraceA(&handle, "T2", nullptr);
     }},
    {"StartTraceA", ERROR_BAD_PATHNAME,
     [](TRACEHANDLE) {
         TRACEHANDLE handle = 0;
         PropertyBlock block;
         return StartTraceA(&handle, "T2", block.get());
     }},
    {"ControlTraceW", ERROR_INVALID_PARAMETER,
     [](TRACEHANDLE session) {
         PropertyBlock block;
         return ControlTraceW(session, nullptr, block.get(), 6);
     }},
    {"ControlTraceA", ERROR_INVALID_PARAMETER,
     [](TRACEHANDLE session) { return ControlTraceA(session, nullptr, nullptr, 0); }},
    {"QueryTraceW", 0, [](TRACEHANDLE session) { return control(QueryTraceW, session); }},
    {"QueryTraceA", ERROR_WMI_INSTANCE_NOT_FOUND,
     [](TRACEHANDLE) { return control_narrow(QueryTraceA, "nosuch"); }},
    {"UpdateTraceW", 0, [](TRACEHANDLE session) { return control(UpdateTraceW, session); }},
    {"UpdateTraceA", 0, [](TRACEHANDLE) { return control_narrow(UpdateTraceA, "T1"); }},
    {"FlushTraceW", 0, [](TRACEHANDLE session) { return control(FlushTraceW, session); }},
    {"FlushTraceA", ERROR_WMI_INSTANCE_NOT_FOUND,
     [](TRACEHANDLE) { return control_narrow(FlushTraceA, "nosuch"); }},
    {"StopTraceW", 0, [](TRACEHANDLE session) { return control(StopTraceW, session); }},
    {"StopTraceA", ERROR_WMI_INSTANCE_NOT_FOUND,
     [](TRACEHANDLE) { return control_narrow(StopTraceA, "nosuch"); }},
    {"QueryAllTracesW", ERROR_INVALID_PARAMETER,
     [](TRACEHANDLE) { return QueryAllTracesW(nullptr, 1, nullptr); }},
    {"QueryAllTracesA", ERROR_INVALID_PARAMETER,
     [](TRACEHANDLE) { return QueryAllTracesA(nullptr, 1, nullptr); }},
    {"EnableTraceEx2", 0, [](TRACEHANDLE session) { return enable(session, 1); }},
    {"EnableTraceEx2WithAnUnknownCode", ERROR_INVALID_PARAMETER,
     [](TRACEHANDLE session) { return enable(session, 3); }},
    {"EnableTraceEx", ERROR_INVALID_PARAMETER,
     [](TRACEHANDLE session) {
         return EnableTraceEx(nullptr, nullptr, session, 1, 4, 0, 0, 0, nullptr);
     }},
    {"EnableTrace", ERROR_INVALID_PARAMETER,
     [](TRACEHANDLE) { return EnableTrace(1, 0, 4, &some_provider, 0); }},
    {"EnumerateTraceGuids", ERROR_INVALID_PARAMETER,
     [](TRACEHANDLE) { return EnumerateTraceGuids(nullptr, 0, nullptr); }},
    {"EnumerateTraceGuidsEx", ERROR_NOT_SUPPORTED,
     [](TRACEHANDLE) { return enumerate(99, nullptr, 0); }},
    {"TraceSetInformation", ERROR_NOT_SUPPORTED,
     [](TRACEHANDLE session) {
         return TraceSetInformation(session, TraceStackTracingInfo, nullptr, 0);
     }},
    {"TraceQueryInformation", ERROR_INSUFFICIENT_BUFFER,
     [](TRACEHANDLE) {
         ULONG needed = 0;
         return TraceQueryInformation(0, TraceVersionInfo, nullptr, 0, &needed);
     }},
    {"ProcessTrace", ERROR_BAD_LENGTH,
     [](TRACEHANDLE) {
         TRACEHANDLE none = 0;
         return ProcessTrace(&none, 0, nullptr, nullptr);
     }},
    {"CloseTrace", ERROR_INVALID_HANDLE, [](TRACEHANDLE) { return CloseTrace(0); }},
};

class LastError : public testing::TestWithParam<Call> {};

TEST_P(LastError, IsTheStatusThatWasReturned) {
    CSession session;
    ASSERT_EQ(session.status(), 0U);
    SetLastError(earlier);
    const ULONG status = GetParam().make(session.handle());
    EXPECT_EQ(GetLastError(), status);
    EXPECT_EQ(status, GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(Calls, LastError, testing::ValuesIn(controllers_and_consumers),
                         [](const auto& call) { return std::string(call.param.name); });

TEST(LastErrorOfProviders, IsLeftAlone) {
    const CSession session;
    ASSERT_EQ(enable(session.handle(), 1), 0U);
    SetLastError(earlier);
    REGHANDLE provider = 0;
    EXPECT_EQ(EventRegister(&some_provider, nullptr, nullptr, &provider), 0U);
    constexpr EVENT_DESCRIPTOR event{1, 0, 0, 4, 0, 0, 1};
    EXPECT_EQ(EventWrite(provider, &event, 0, nullptr), 0U);
    EXPECT_EQ(EventWrite(provider, nullptr, 0, nullptr), ULONG{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(EventWriteString(provider, 1, 1, nullptr), ULONG{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(TraceMessage(0, 0, nullptr, 1, nullptr), ULONG{ERROR_INVALID_HANDLE});
    EXPECT_EQ(TraceEvent(0, nullptr), ULONG{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(EventUnregister(provider), 0U);
    EXPECT_EQ(EventUnregister(provider), ULONG{ERROR_INVALID_HANDLE});
    EXPECT_EQ(GetLastError(), earlier);
}

} // namespace
} // namespace etl::test::last_error_test

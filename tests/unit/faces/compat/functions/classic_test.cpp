// Classic providers and messages by Windows' names: what is refused, and what lies in the file.
// docs/compat.md#classic #messages
#include "tests/unit/faces/compat/c_records.hpp"
#include "tests/unit/faces/compat/c_session.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>

namespace etl::test::classic_test {
namespace {

struct ClassicEvent {
    EVENT_TRACE_HEADER header{};
    std::array<MOF_FIELD, 17> fields{};

    ClassicEvent() {
        header.Size = sizeof header;
        header.Flags = WNODE_FLAG_TRACED_GUID;
        header.Guid = some_provider;
        header.Class.Type = 3;
        header.Class.Level = 2;
        header.Class.Version = 9;
    }

    void add(const void* data, std::size_t size) {
        MOF_FIELD& field = fields[(header.Size - sizeof header) / sizeof(MOF_FIELD)];
        DEFINE_TRACE_MOF_FIELD(&field, data, static_cast<ULONG>(size), 0);
        header.Flags |= WNODE_FLAG_USE_MOF_PTR;
        header.Size = static_cast<USHORT>(header.Size + sizeof(MOF_FIELD));
    }
};

TEST(TraceEvent_, RefusesWhatIsNoEvent) {
    const CSession session;
    ClassicEvent event;
    EXPECT_EQ(TraceEvent(session.handle(), nullptr), ULONG{ERROR_INVALID_PARAMETER});
    event.header.Size = sizeof event.header - 1;
    EXPECT_EQ(TraceEvent(session.handle(), &event.header), ULONG{ERROR_INVALID_PARAMETER});
    event.header.Size = sizeof event.header;
    event.header.Flags = 0;
    EXPECT_EQ(TraceEvent(session.handle(), &event.header), 186U); // ERROR_INVALID_FLAG_NUMBER
}

TEST(TraceEvent_, RefusesHandlesOfNoSession) {
    ClassicEvent event;
    for (const TRACEHANDLE handle : {TRACEHANDLE{0}, TRACEHANDLE{0xFFFF}, TRACEHANDLE{63}}) {
        EXPECT_EQ(TraceEvent(handle, &event.header), ULONG{ERROR_INVALID_HANDLE});
    }
    CSession session;
    const TRACEHANDLE handle = session.handle();
    EXPECT_EQ(TraceEvent(handle, &event.header), 0U);
    session.stop();
    EXPECT_EQ(TraceEvent(handle, &event.header), ULONG{ERROR_INVALID_HANDLE});
}

TEST(TraceEvent_, RefusesSecureSessions) {
    const CSession session(u"Secure", EVENT_TRACE_REAL_TIME_MODE | EVENT_TRACE_SECURE_MODE);
    ClassicEvent event;
    EXPECT_EQ(TraceEvent(session.handle(), &event.header), ULONG{ERROR_ACCESS_DENIED});
}

TEST(TraceEvent_, TakesSixteenFields) {
    const CSession session;
    ClassicEvent event;
    for (int i = 0; i < 16; ++i) {
        event.add("x", 1);
    }
    EXPECT_EQ(TraceEvent(session.handle(), &event.header), 0U);
    event.add("x", 1);
    EXPECT_EQ(TraceEvent(session.handle(), &event.header), ULONG{ERROR_INVALID_PARAMETER});
}

TEST(TraceEvent_, RefusesWhatIsLargerThanABufferAndCountsIt) {
    PropertyBlock asked;
    asked->LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
    asked->BufferSize = 4;
    const CSession session(u"Small", asked);
    const std::vector<std::byte> large(70000);
    ClassicEvent fits_no_buffer;
    fits_no_buffer.add(large.data(), 5000);
    EXPECT_EQ(TraceEvent(session.handle(), &fits_no_buffer.header), ULONG{ERROR_MORE_DATA});
    ClassicEvent fits_no_record;
    fits_no_record.add(large.data(), large.size());
    EXPECT_EQ(TraceEvent(session.handle(), &fits_no_record.header), ULONG{ERROR_MORE_DATA});
    PropertyBlock state;
    ASSERT_EQ(QueryTraceW(session.handle(), nullptr, state.get()), 0U);
    EXPECT_EQ(state->EventsLost, 2U);
}

TEST(TraceEvent_, IsAFullRecord) {
    const Folder folder;
    {
        const CSession session(u"T1", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "a.etl");
        ClassicEvent event;
        event.add("two ", 4);
        event.add("fields", 6);
        EXPECT_EQ(TraceEvent(session.handle(), &event.header), 0U);
        ClassicEvent by_pointer;
        by_pointer.header.GuidPtr = reinterpret_cast<ULONG_PTR>(&some_provider);
        by_pointer.header.Flags |= WNODE_FLAG_USE_GUID_PTR;
        EXPECT_EQ(TraceEvent(session.handle(), &by_pointer.header), 0U);
    }
    const auto records = records_of(folder / "a.etl");
    ASSERT_EQ(records.size(), 2U);
    EXPECT_EQ(records[0].kind, format::wide(format::RecordFamily::full));
    EXPECT_EQ(records[0].payload, "two fields");
    EXPECT_EQ(records[0].header.opcode, 3);
    EXPECT_EQ(records[0].header.level, 2);
    EXPECT_EQ(records[0].header.version, 9);
    EXPECT_EQ(records[0].header.process_id, GetCurrentProcessId());
    EXPECT_GT(records[0].raw_time, 0);
    EXPECT_EQ(records[1].header.provider, records[0].header.provider);
}

struct Classic {
    ULONG calls = 0, requests[4]{};
    TRACEHANDLE handle = 0;
    UCHAR level = 0;
    ULONG flags = 0;

    static ULONG WINAPI on_request(WMIDPREQUESTCODE request, PVOID context, ULONG* size,
                                   PVOID buffer) {
        auto& self = *static_cast<Classic*>(context);
        EXPECT_EQ(*size, sizeof(WNODE_HEADER));
        self.requests[self.calls++] = request;
        self.handle = GetTraceLoggerHandle(buffer);
        self.level = GetTraceEnableLevel(self.handle);
        self.flags = GetTraceEnableFlags(self.handle);
        return ERROR_SUCCESS;
    }
};

TEST(RegisterTraceGuids_, RefusesWhatIsMissing) {
    Classic classic;
    TRACEHANDLE handle = 0;
    TRACE_GUID_REGISTRATION nameless{};
    const auto call = [&](WMIDPREQUEST callback, const GUID* guid, ULONG count,
                          TRACE_GUID_REGISTRATION* classes, TRACEHANDLE* out) {
        return RegisterTraceGuidsW(callback, &classic, guid, count, classes, nullptr, nullptr, out);
    };
    const ULONG refused = ERROR_INVALID_PARAMETER;
    EXPECT_EQ(call(nullptr, &some_provider, 0, nullptr, &handle), refused);
    EXPECT_EQ(call(Classic::on_request, nullptr, 0, nullptr, &handle), refused);
    EXPECT_EQ(call(Classic::on_request, &some_provider, 1, nullptr, &handle), refused);
    EXPECT_EQ(call(Classic::on_request, &some_provider, 1, &nameless, &handle), refused);
    EXPECT_EQ(call(Classic::on_request, &some_provider, 0, nullptr, nullptr), refused);
    EXPECT_EQ(UnregisterTraceGuids(0), refused);
}

TEST(RegisterTraceGuids_, TellsSessionLevelAndFlags) {
    const CSession session;
    Classic classic;
    TRACEHANDLE registration = 0;
    ASSERT_EQ(RegisterTraceGuidsW(Classic::on_request, &classic, &some_provider, 0, nullptr,
                                  nullptr, nullptr, &registration),
              0U);
    ASSERT_EQ(EnableTrace(TRUE, 0x12345678, 3, &some_provider, session.handle()), 0U);
    ASSERT_EQ(
        EnableTraceEx2(session.handle(), &some_provider, 1, 3, 0x12345678, 0, INFINITE, nullptr),
        0U);
    EXPECT_EQ(classic.requests[0], ULONG{WMI_ENABLE_EVENTS});
    EXPECT_EQ(classic.handle & 0xFFFF, session.handle());
    EXPECT_EQ(classic.level, 3);
    EXPECT_EQ(classic.flags, 0x12345678U);
    ClassicEvent event;
    EXPECT_EQ(TraceEvent(classic.handle, &event.header), 0U);
    const ULONG calls = classic.calls;
    ASSERT_EQ(EnableTraceEx2(session.handle(), &some_provider, 0, 0, 0, 0, INFINITE, nullptr), 0U);
    EXPECT_EQ(classic.calls, calls + 1);
    EXPECT_EQ(classic.requests[calls], ULONG{WMI_DISABLE_EVENTS});
    EXPECT_EQ(UnregisterTraceGuids(registration), 0U);
    EXPECT_EQ(UnregisterTraceGuids(registration), ULONG{ERROR_INVALID_HANDLE});
}

TEST(TraceEventInstance_, NamesItsClassAndItsParent) {
    const Folder folder;
    {
        const CSession session(u"T1", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "a.etl");
        Classic classic;
        TRACEHANDLE registration = 0;
        TRACE_GUID_REGISTRATION classes[] = {{&some_provider, nullptr}};
        ASSERT_EQ(RegisterTraceGuidsW(Classic::on_request, &classic, &some_provider, 1, classes,
                                      nullptr, nullptr, &registration),
                  0U);
        EVENT_INSTANCE_INFO parent{};
        EVENT_INSTANCE_INFO child{};
        EXPECT_EQ(CreateTraceInstanceId(classes[0].RegHandle, &parent), 0U);
        EXPECT_EQ(CreateTraceInstanceId(classes[0].RegHandle, &child), 0U);
        EXPECT_EQ(CreateTraceInstanceId(nullptr, &child), ULONG{ERROR_INVALID_PARAMETER});
        EVENT_INSTANCE_HEADER header{};
        header.Size = sizeof header;
        header.Flags = WNODE_FLAG_TRACED_GUID;
        header.Class.Type = 4;
        EXPECT_EQ(TraceEventInstance(session.handle(), &header, &child, &parent), 0U);
        EXPECT_EQ(TraceEventInstance(session.handle(), &header, nullptr, nullptr),
                  ULONG{ERROR_INVALID_PARAMETER});
        EXPECT_EQ(UnregisterTraceGuids(registration), 0U);
    }
    const auto records = records_of(folder / "a.etl");
    ASSERT_EQ(records.size(), 1U);
    EXPECT_EQ(records[0].kind, format::wide(format::RecordFamily::instance));
    EXPECT_EQ(records[0].header.parent_instance_id + 1, records[0].header.instance_id);
    EXPECT_EQ(records[0].header.parent_guid, records[0].header.provider);
    EXPECT_EQ(records[0].header.opcode, 4);
}

TEST(TraceEvent_, StoresWholeRecordsInRelogSessions) {
    const Folder folder;
    const std::string path = folder / "relogged.etl";
    std::array<std::byte, 56> record{};
    const auto put = [&record](std::size_t at, auto value) {
        std::memcpy(record.data() + at, &value, sizeof value);
    };
    using Ticks = std::chrono::duration<LONGLONG, std::ratio<1, 10'000'000>>;
    // After the header in time order, as an event of this session can be.
    const LONGLONG late =
        std::chrono::duration_cast<Ticks>(std::chrono::steady_clock::now().time_since_epoch() +
                                          std::chrono::hours(1))
            .count();
    put(0, static_cast<USHORT>(record.size()));
    put(2, USHORT{0xC014}); // FULL64
    put(4, UCHAR{77});
    put(8, ULONG{1111});
    put(16, late);
    ClassicEvent event;
    EVENT_TRACE all{};
    all.Header = event.header;
    all.Header.Size = sizeof all;
    all.Header.Flags |= WNODE_FLAG_NO_HEADER;
    all.MofData = record.data();
    all.MofLength = static_cast<ULONG>(record.size());
    {
        const CSession ordinary;
        EXPECT_EQ(TraceEvent(ordinary.handle(), &all.Header), ULONG{ERROR_INVALID_PARAMETER});
        const CSession session(u"Relog",
                               EVENT_TRACE_RELOG_MODE | EVENT_TRACE_PRIVATE_LOGGER_MODE |
                                   EVENT_TRACE_PRIVATE_IN_PROC,
                               path);
        ASSERT_EQ(session.status(), 0U);
        EXPECT_EQ(TraceEvent(session.handle(), &all.Header), 0U);
        --all.MofLength;
        EXPECT_EQ(TraceEvent(session.handle(), &all.Header), ULONG{ERROR_INVALID_PARAMETER});
    }
    const auto records = records_of(path);
    ASSERT_EQ(records.size(), 1U);
    EXPECT_EQ(records[0].header.opcode, 77);
    EXPECT_EQ(records[0].header.thread_id, 1111U);
    EXPECT_EQ(records[0].raw_time, late);
}

TEST(TraceMessage_, RefusesWhatIsMissing) {
    const CSession session;
    EXPECT_EQ(TraceMessage(0, 0, nullptr, 1, nullptr), ULONG{ERROR_INVALID_HANDLE});
    EXPECT_EQ(TraceMessage(session.handle(), TRACE_MESSAGE_GUID, nullptr, 1, nullptr),
              ULONG{ERROR_INVALID_PARAMETER});
    const std::vector<std::byte> large(70000);
    EXPECT_EQ(TraceMessage(session.handle(), 0, nullptr, 1, large.data(), large.size(), nullptr),
              ULONG{ERROR_MORE_DATA});
}

// WPP ends the list with the int 0. Where an argument has eight bytes, compilers leave anything in
// the others.
TEST(TraceMessage_, EndsWithAnIntThatIsZero) {
    const Folder folder;
    {
        const CSession session(u"T1", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "a.etl");
        ASSERT_EQ(session.status(), 0U);
        EXPECT_EQ(TraceMessage(session.handle(), TRACE_MESSAGE_GUID, &some_provider, 10, "one",
                               std::size_t{3}, std::uint64_t{0xDEADBEEF} << 32, std::size_t{70000},
                               nullptr),
                  0U);
    }
    const auto records = records_of(folder / "a.etl");
    ASSERT_EQ(records.size(), 1U);
    EXPECT_EQ(records[0].payload, "one");
}

TEST(TraceMessage_, HoldsTheFieldsThatItsFlagsSay) {
    const Folder folder;
    const ULONG component = 0xC0FFEE;
    {
        const CSession session(u"T1",
                               EVENT_TRACE_FILE_MODE_SEQUENTIAL | EVENT_TRACE_USE_LOCAL_SEQUENCE,
                               folder / "a.etl");
        ASSERT_EQ(session.status(), 0U);
        const ULONG usual = TRACE_MESSAGE_SEQUENCE | TRACE_MESSAGE_GUID | TRACE_MESSAGE_TIMESTAMP |
                            TRACE_MESSAGE_SYSTEMINFO;
        const TRACEHANDLE handle = session.handle();
        EXPECT_EQ(TraceMessage(handle, usual, &some_provider, 10, "one", std::size_t{3}, "two",
                               std::size_t{3}, nullptr),
                  0U);
        EXPECT_EQ(TraceMessage(handle, usual, &some_provider, 11, nullptr), 0U);
        EXPECT_EQ(TraceMessage(handle, TRACE_MESSAGE_COMPONENTID | TRACE_MESSAGE_GUID,
                               reinterpret_cast<LPCGUID>(&component), 12, "x", std::size_t{1},
                               nullptr),
                  0U);
        EXPECT_EQ(TraceMessage(handle, TRACE_MESSAGE_PERFORMANCE_TIMESTAMP, nullptr, 13, nullptr),
                  0U);
    }
    const auto records = records_of(folder / "a.etl");
    ASSERT_EQ(records.size(), 4U);
    EXPECT_EQ(records[0].kind, format::RecordKind{format::RecordFamily::message});
    EXPECT_EQ(records[0].header.id, 10);
    EXPECT_EQ(records[0].payload, "onetwo");
    EXPECT_EQ(records[0].header.process_id, GetCurrentProcessId());
    EXPECT_EQ(records[0].header.thread_id, GetCurrentThreadId());
    EXPECT_EQ(records[0].header.pointer_size, sizeof(void*));
    ASSERT_TRUE(records[0].header.has_sequence && records[1].header.has_sequence);
    EXPECT_EQ(records[0].header.sequence, 1U);
    EXPECT_EQ(records[1].header.sequence, 2U);
    EXPECT_GE(records[1].raw_time, records[0].raw_time);
    EXPECT_GT(records[0].raw_time, 0);
    EXPECT_EQ(records[2].header.component_id, component);
    EXPECT_TRUE(records[2].header.provider.is_zero());
    EXPECT_EQ(records[2].payload, "x");
    EXPECT_TRUE(records[3].payload.empty());
}

TEST(TraceMessage_, CountsAcrossSessionsOrNotAtAll) {
    const Folder folder;
    {
        const CSession one(u"One",
                           EVENT_TRACE_FILE_MODE_SEQUENTIAL | EVENT_TRACE_USE_GLOBAL_SEQUENCE,
                           folder / "one.etl");
        const CSession two(u"Two",
                           EVENT_TRACE_FILE_MODE_SEQUENTIAL | EVENT_TRACE_USE_GLOBAL_SEQUENCE,
                           folder / "two.etl");
        const CSession none(u"None", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "none.etl");
        for (const CSession* session : {&one, &two, &none, &one}) {
            EXPECT_EQ(TraceMessage(session->handle(), TRACE_MESSAGE_SEQUENCE, nullptr, 1, nullptr),
                      0U);
        }
    }
    const auto one = records_of(folder / "one.etl");
    const auto two = records_of(folder / "two.etl");
    ASSERT_EQ(one.size(), 2U);
    ASSERT_EQ(two.size(), 1U);
    EXPECT_EQ(two[0].header.sequence, one[0].header.sequence + 1);
    EXPECT_EQ(one[1].header.sequence, two[0].header.sequence + 1);
    EXPECT_EQ(records_of(folder / "none.etl")[0].header.sequence, 0U);
}

} // namespace
} // namespace etl::test::classic_test

// Consumers by Windows' names: rows of the table, callbacks, and what they see of events of each
// kind. docs/compat.md#consumers
#include "tests/unit/compat/c_session.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <stdexcept>
#include <thread>

namespace etl::test {
namespace {

constexpr EVENT_DESCRIPTOR some_event{7, 1, 0, TRACE_LEVEL_INFORMATION, 3, 5, 0x1};

/// What a consumer saw of one event.
struct Seen {
    EVENT_RECORD record{};
    std::string data;
    std::vector<USHORT> items;
};

struct Consumer {
    std::vector<Seen> events;
    std::vector<EVENT_TRACE> old_events;
    std::vector<ULONG> buffers; // BuffersRead, each time
    ULONG goes_on = TRUE;
    bool throws = false;
    std::function<void()> on_event;

    static VOID on_record(PEVENT_RECORD record) {
        auto& self = *static_cast<Consumer*>(record->UserContext);
        if (self.throws) {
            throw std::runtime_error("a callback that throws");
        }
        Seen seen{.record = *record,
                  .data = {static_cast<const char*>(record->UserData), record->UserDataLength}};
        for (USHORT i = 0; i < record->ExtendedDataCount; ++i) {
            seen.items.push_back(record->ExtendedData[i].ExtType);
        }
        self.events.push_back(std::move(seen));
        if (self.on_event) {
            self.on_event();
        }
    }

    static ULONG on_buffer(PEVENT_TRACE_LOGFILEW file) {
        auto& self = *static_cast<Consumer*>(file->Context);
        self.buffers.push_back(file->BuffersRead);
        EXPECT_GE(file->BufferSize, file->Filled);
        return self.goes_on;
    }

    TRACEHANDLE open(std::u16string file, std::u16string logger = {}, ULONG mode = 0) {
        EVENT_TRACE_LOGFILEW asked{};
        asked.LogFileName = file.empty() ? nullptr : file.data();
        asked.LoggerName = logger.empty() ? nullptr : logger.data();
        asked.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD | mode;
        asked.EventRecordCallback = on_record;
        asked.BufferCallback = on_buffer;
        asked.Context = this;
        const TRACEHANDLE handle = OpenTraceW(&asked);
        opened = asked;
        return handle;
    }

    TRACEHANDLE open_live(std::u16string logger) {
        return open({}, std::move(logger), PROCESS_TRACE_MODE_REAL_TIME);
    }

    EVENT_TRACE_LOGFILEW opened{};
};

/// A file with three events: with a related activity, a string, of a classic provider.
void write_file(const std::string& path, ULONG clock = 1) {
    PropertyBlock block;
    block->LogFileMode = EVENT_TRACE_FILE_MODE_SEQUENTIAL;
    block->Wnode.ClientContext = clock;
    block.file(path);
    const CSession session(u"Written", block);
    ASSERT_EQ(session.status(), 0U);
    ASSERT_EQ(EnableTraceEx2(session.handle(), &some_provider, 1, 5, 0, 0, 0, nullptr), 0U);
    REGHANDLE provider = 0;
    ASSERT_EQ(EventRegister(&some_provider, nullptr, nullptr, &provider), 0U);
    EVENT_DATA_DESCRIPTOR parts[2];
    EventDataDescCreate(&parts[0], "two ", 4);
    EventDataDescCreate(&parts[1], "parts", 5);
    EXPECT_EQ(EventWriteTransfer(provider, &some_event, nullptr, &some_provider, 2, parts), 0U);
    EXPECT_EQ(EventWriteString(provider, 2, 0x4, u"text"), 0U);

    struct {
        EVENT_TRACE_HEADER header{};
        char data[8] = "classic";
    } classic;

    classic.header.Size = sizeof classic;
    classic.header.Class.Type = 10;
    classic.header.Guid = some_provider;
    classic.header.Flags = WNODE_FLAG_TRACED_GUID;
    EXPECT_EQ(TraceEvent(session.handle(), &classic.header), 0U);
    EXPECT_EQ(EventUnregister(provider), 0U);
}

ULONG process(TRACEHANDLE handle) {
    return ProcessTrace(&handle, 1, nullptr, nullptr);
}

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

TEST(ProcessTrace_, ShowsEventsOfAFile) {
    const Folder folder;
    const auto before = [] {
        FILETIME now{};
        GetSystemTimeAsFileTime(&now);
        return std::int64_t{now.dwHighDateTime} << 32U | now.dwLowDateTime;
    }();
    write_file(folder / "a.etl");
    Consumer consumer;
    const TRACEHANDLE handle = consumer.open(to_utf16(folder / "a.etl"));
    ASSERT_NE(handle, INVALID_PROCESSTRACE_HANDLE);
    EXPECT_EQ(consumer.opened.LogfileHeader.BufferSize, 65536U);
    EXPECT_NE(consumer.opened.LogfileHeader.EndTime.QuadPart, 0);
    EXPECT_EQ(consumer.opened.LogfileHeader.PointerSize, sizeof(void*));
    EXPECT_EQ(std::u16string(consumer.opened.LogfileHeader.LoggerName), u"Written");
    EXPECT_EQ(process(handle), 0U);
    EXPECT_EQ(CloseTrace(handle), 0U);

    ASSERT_EQ(consumer.events.size(), 4U);
    const EVENT_HEADER& first = consumer.events[0].record.EventHeader;
    EXPECT_EQ(first.ProviderId.Data1, 0x68fdd900U);
    EXPECT_EQ(first.EventDescriptor.Opcode, 0);
    EXPECT_GE(consumer.events[0].data.size(), 0x110U);

    const Seen& event = consumer.events[1];
    EXPECT_EQ(event.record.EventHeader.ProviderId, some_provider);
    EXPECT_EQ(event.record.EventHeader.EventDescriptor.Id, 7);
    EXPECT_EQ(event.record.EventHeader.EventDescriptor.Task, 5);
    EXPECT_EQ(event.record.EventHeader.EventDescriptor.Keyword, 1U);
    EXPECT_EQ(event.record.EventHeader.ProcessId, GetCurrentProcessId());
    EXPECT_EQ(event.record.EventHeader.ThreadId, GetCurrentThreadId());
    EXPECT_EQ(event.data, "two parts");
    EXPECT_EQ(event.items, std::vector<USHORT>{EVENT_HEADER_EXT_TYPE_RELATED_ACTIVITYID});
    constexpr std::int64_t minute = 600'000'000;
    EXPECT_GT(event.record.EventHeader.TimeStamp.QuadPart, before - minute);
    EXPECT_LT(event.record.EventHeader.TimeStamp.QuadPart, before + minute);

    const Seen& text = consumer.events[2];
    EXPECT_NE(text.record.EventHeader.Flags & EVENT_HEADER_FLAG_STRING_ONLY, 0);
    EXPECT_EQ(text.data.size(), 10U);

    const Seen& classic = consumer.events[3];
    EXPECT_NE(classic.record.EventHeader.Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER, 0);
    EXPECT_EQ(classic.record.EventHeader.EventDescriptor.Opcode, 10);
    EXPECT_STREQ(classic.data.c_str(), "classic");
    ASSERT_FALSE(consumer.buffers.empty());
    EXPECT_EQ(consumer.buffers.back(), consumer.buffers.size());
}

/// Metadata of an event and of its provider, and a stamp, as TraceLogging's macros pass them.
struct TypedParts {
    EVENT_DATA_DESCRIPTOR parts[4]{};
    LONGLONG stamp = LONGLONG{1} << 60U;

    TypedParts() {
        const auto set = [this](int i, const void* data, ULONG size, UCHAR type) {
            EventDataDescCreate(&parts[i], data, size);
            parts[i].Type = type;
        };
        set(0, "\x07\0Name", 7, EVENT_DATA_DESCRIPTOR_TYPE_PROVIDER_METADATA);
        set(1, "\x07\0\0Sip", 7, EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA);
        set(2, &stamp, sizeof stamp, EVENT_DATA_DESCRIPTOR_TYPE_TIMESTAMP_OVERRIDE);
        set(3, "data", 4, EVENT_DATA_DESCRIPTOR_TYPE_NONE);
    }
};

/// The one event that a provider writes which was told about types in some way, or not.
Seen typed_event(const std::function<void(REGHANDLE)>& prepare) {
    const Folder folder;
    TypedParts typed;
    {
        const CSession session(u"T1", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "a.etl");
        EXPECT_EQ(EnableTraceEx2(session.handle(), &some_provider, 1, 5, 0, 0, 0, nullptr), 0U);
        REGHANDLE provider = 0;
        EXPECT_EQ(EventRegister(&some_provider, nullptr, nullptr, &provider), 0U);
        prepare(provider);
        EXPECT_EQ(EventWriteTransfer(provider, &some_event, nullptr, nullptr, 4, typed.parts), 0U);
        EXPECT_EQ(EventUnregister(provider), 0U);
    }
    Consumer consumer;
    const TRACEHANDLE handle =
        consumer.open(to_utf16(folder / "a.etl"), {}, PROCESS_TRACE_MODE_RAW_TIMESTAMP);
    EXPECT_EQ(process(handle), 0U);
    EXPECT_EQ(CloseTrace(handle), 0U);
    EXPECT_EQ(consumer.events.size(), 2U);
    return consumer.events.back();
}

const std::vector<USHORT> metadata_items{EVENT_HEADER_EXT_TYPE_EVENT_SCHEMA_TL,
                                         EVENT_HEADER_EXT_TYPE_PROV_TRAITS};

TEST(DataDescriptorTypes, MeanSomethingWhereTraitsWereSet) {
    Seen event = typed_event([](REGHANDLE provider) {
        char traits[] = "\x07\0Name";
        EXPECT_EQ(EventSetInformation(provider, EventProviderSetTraits, traits, 7), 0U);
    });
    std::ranges::sort(event.items);
    EXPECT_EQ(event.items, metadata_items);
    EXPECT_EQ(event.data, "data");
    EXPECT_EQ(event.record.EventHeader.TimeStamp.QuadPart, LONGLONG{1} << 60U);
}

TEST(DataDescriptorTypes, MeanSomethingWhereAProviderSaysSo) {
    Seen event = typed_event([](REGHANDLE provider) {
        BOOLEAN yes = TRUE;
        EXPECT_EQ(EventSetInformation(provider, EventProviderUseDescriptorType, &yes, 1), 0U);
    });
    std::ranges::sort(event.items);
    EXPECT_EQ(event.items, metadata_items);
    EXPECT_EQ(event.data, "data");
}

TEST(DataDescriptorTypes, AreLeftoversElse) {
    const Seen event = typed_event([](REGHANDLE) {});
    EXPECT_TRUE(event.items.empty());
    EXPECT_EQ(event.data.size(), 7U + 7U + 8U + 4U);
}

TEST(ProcessTrace_, LeavesRawStampsWhereAsked) {
    const Folder folder;
    write_file(folder / "a.etl");
    Consumer cooked;
    Consumer raw;
    const TRACEHANDLE one = cooked.open(to_utf16(folder / "a.etl"));
    const TRACEHANDLE other =
        raw.open(to_utf16(folder / "a.etl"), {}, PROCESS_TRACE_MODE_RAW_TIMESTAMP);
    EXPECT_EQ(process(one), 0U);
    EXPECT_EQ(process(other), 0U);
    ASSERT_EQ(raw.events.size(), cooked.events.size());
    EXPECT_LT(raw.events[1].record.EventHeader.TimeStamp.QuadPart,
              cooked.events[1].record.EventHeader.TimeStamp.QuadPart);
    CloseTrace(one);
    CloseTrace(other);
}

TEST(ProcessTrace_, ReadsTheSameHandleAgainAndSeveralFilesAtOnce) {
    const Folder folder;
    write_file(folder / "a.etl");
    write_file(folder / "b.etl", 2);
    Consumer one;
    Consumer other;
    TRACEHANDLE handles[] = {one.open(to_utf16(folder / "a.etl")),
                             other.open(to_utf16(folder / "b.etl"))};
    EXPECT_EQ(ProcessTrace(handles, 2, nullptr, nullptr), 0U);
    EXPECT_EQ(one.events.size(), 4U);
    EXPECT_EQ(other.events.size(), 4U);
    EXPECT_EQ(ProcessTrace(handles, 1, nullptr, nullptr), 0U);
    EXPECT_EQ(one.events.size(), 8U);
    CloseTrace(handles[0]);
    CloseTrace(handles[1]);
}

TEST(ProcessTrace_, GivesOnlyWhatLiesInTheWindowAndTheHeader) {
    const Folder folder;
    write_file(folder / "a.etl");
    Consumer consumer;
    TRACEHANDLE handle = consumer.open(to_utf16(folder / "a.etl"));
    FILETIME from{0, 1};
    FILETIME to{0, 2};
    EXPECT_EQ(ProcessTrace(&handle, 1, &from, &to), 0U);
    EXPECT_EQ(consumer.events.size(), 1U);
    CloseTrace(handle);
}

std::vector<EVENT_TRACE>* old_events = nullptr;

VOID on_old_event(PEVENT_TRACE event) {
    old_events->push_back(*event);
}

TEST(ProcessTrace_, ShowsTheOldFormWhereAsked) {
    const Folder folder;
    const std::string path = folder / "a.etl";
    write_file(path);
    std::vector<EVENT_TRACE> seen;
    old_events = &seen;
    EVENT_TRACE_LOGFILEA asked{};
    std::string name = path;
    asked.LogFileName = name.data();
    asked.EventCallback = on_old_event;
    TRACEHANDLE handle = OpenTraceA(&asked);
    ASSERT_NE(handle, INVALID_PROCESSTRACE_HANDLE);
    EXPECT_EQ(process(handle), 0U);
    ASSERT_EQ(seen.size(), 4U);
    EXPECT_EQ(seen[3].Header.Class.Type, 10);
    EXPECT_EQ(seen[3].Header.Guid, some_provider);
    EXPECT_EQ(seen[3].MofLength, 8U);
    CloseTrace(handle);
}

TEST(ProcessTrace_, FollowsASessionUntilItStops) {
    CSession session(u"Live");
    ASSERT_EQ(EnableTraceEx2(session.handle(), &some_provider, 1, 5, 0, 0, 0, nullptr), 0U);
    REGHANDLE provider = 0;
    ASSERT_EQ(EventRegister(&some_provider, nullptr, nullptr, &provider), 0U);
    Consumer consumer;
    const TRACEHANDLE handle = consumer.open_live(u"live");
    ASSERT_NE(handle, INVALID_PROCESSTRACE_HANDLE);
    std::atomic<bool> listens{false};
    consumer.on_event = [&listens] {
        listens = true; // the header, which comes first
        listens.notify_all();
    };
    ULONG processed = 99;
    std::thread reader([&] { processed = process(handle); });
    listens.wait(false);
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(EventWrite(provider, &some_event, 0, nullptr), 0U);
    }
    EXPECT_EQ(session.stop(), 0U);
    reader.join();
    EXPECT_EQ(processed, 0U);
    EXPECT_EQ(consumer.events.size(), 101U);
    EXPECT_EQ(CloseTrace(handle), 0U);
    EXPECT_EQ(EventUnregister(provider), 0U);
}

} // namespace
} // namespace etl::test

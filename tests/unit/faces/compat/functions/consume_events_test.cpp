// What consumers by Windows' names see of events of each kind. docs/compat.md#consumers
#include "tests/unit/faces/compat/c_session.hpp"
#include "tests/unit/faces/compat/functions/c_consumer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>

namespace etl::test::consume_events_test {
namespace {

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

    const SeenEvent& event = consumer.events[1];
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

    const SeenEvent& text = consumer.events[2];
    EXPECT_NE(text.record.EventHeader.Flags & EVENT_HEADER_FLAG_STRING_ONLY, 0);
    EXPECT_EQ(text.data.size(), 10U);

    const SeenEvent& classic = consumer.events[3];
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
SeenEvent typed_event(const std::function<void(REGHANDLE)>& prepare) {
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
    SeenEvent event = typed_event([](REGHANDLE provider) {
        char traits[] = "\x07\0Name";
        EXPECT_EQ(EventSetInformation(provider, EventProviderSetTraits, traits, 7), 0U);
    });
    std::ranges::sort(event.items);
    EXPECT_EQ(event.items, metadata_items);
    EXPECT_EQ(event.data, "data");
    EXPECT_EQ(event.record.EventHeader.TimeStamp.QuadPart, LONGLONG{1} << 60U);
}

TEST(DataDescriptorTypes, MeanSomethingWhereAProviderSaysSo) {
    SeenEvent event = typed_event([](REGHANDLE provider) {
        BOOLEAN yes = TRUE;
        EXPECT_EQ(EventSetInformation(provider, EventProviderUseDescriptorType, &yes, 1), 0U);
    });
    std::ranges::sort(event.items);
    EXPECT_EQ(event.items, metadata_items);
    EXPECT_EQ(event.data, "data");
}

TEST(DataDescriptorTypes, AreLeftoversElse) {
    const SeenEvent event = typed_event([](REGHANDLE) {});
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
    if (!is_enablement(event->Header.Guid)) {
        old_events->push_back(*event);
    }
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
} // namespace etl::test::consume_events_test

// Consumers by Windows' names, for tests: what one saw, and a file for it to see.
#pragma once

#include "compat/c_values.hpp"
#include "format/known_guids.hpp"
#include "tests/unit/faces/compat/c_session.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace etl::test {

inline constexpr EVENT_DESCRIPTOR some_event{7, 1, 0, TRACE_LEVEL_INFORMATION, 3, 5, 0x1};

/// What a consumer saw of one event.
struct SeenEvent {
    EVENT_RECORD record{};
    std::string data;
    std::vector<USHORT> items;
};

/// Whether an event is one of those about enabled providers, which each file contains.
inline bool is_enablement(const GUID& provider) {
    return compat::to_guid(provider) == format::kernel_event_tracing_guid;
}

struct Consumer {
    std::vector<SeenEvent> events;
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
        if (is_enablement(record->EventHeader.ProviderId)) {
            return;
        }
        SeenEvent seen{
            .record = *record,
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
inline void write_file(const std::string& path, ULONG clock = 1) {
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

inline ULONG process(TRACEHANDLE handle) {
    return ProcessTrace(&handle, 1, nullptr, nullptr);
}

} // namespace etl::test

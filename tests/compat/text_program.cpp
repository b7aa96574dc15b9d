// A program with TEXT() and names without A or W: as narrow as it is compiled. A session in real
// time, and a consumer that hears it to its end.
#define INITGUID // EventTraceGuid of evntrace.h is made here, too

#include <atomic>
#include <evntcons.h>
#include <evntprov.h>
#include <evntrace.h>
#include <string>
#include <tchar.h>
#include <thread>
#include <vector>
#include <windows.h>

// {5A3B6B4C-6D1C-4E76-8F7E-0F6F0D1B2C3D}
DEFINE_GUID(TextProvider, 0x5a3b6b4c, 0x6d1c, 0x4e76, 0x8f, 0x7e, 0x0f, 0x6f, 0x0d, 0x1b, 0x2c,
            0x3d);

static TCHAR SessionName[] = TEXT("Text Session");
static std::atomic<bool> hears{false};
static std::atomic<int> heard{0};

static VOID WINAPI OnEvent(PEVENT_RECORD record) {
    if (IsEqualGUID(record->EventHeader.ProviderId, EventTraceGuid)) {
        hears = true;
        hears.notify_all();
        return;
    }
    heard += record->EventHeader.ProviderId == TextProvider ? 1 : 0;
}

static ULONG Listen() {
    EVENT_TRACE_LOGFILE logfile;
    ZeroMemory(&logfile, sizeof(logfile));
    logfile.LoggerName = SessionName;
    logfile.ProcessTraceMode = PROCESS_TRACE_MODE_REAL_TIME | PROCESS_TRACE_MODE_EVENT_RECORD;
    logfile.EventRecordCallback = OnEvent;
    TRACEHANDLE handle = OpenTrace(&logfile);
    if (handle == INVALID_PROCESSTRACE_HANDLE) {
        return GetLastError();
    }
    const ULONG status = ProcessTrace(&handle, 1, nullptr, nullptr);
    CloseTrace(handle);
    return status;
}

int main(int argc, char** argv) {
    std::vector<ULONGLONG> memory(1024);
    auto* properties = reinterpret_cast<PEVENT_TRACE_PROPERTIES>(memory.data());
    properties->Wnode.BufferSize = static_cast<ULONG>(memory.size() * sizeof(ULONGLONG));
    properties->Wnode.Flags = WNODE_FLAG_TRACED_GUID;
    properties->LogFileMode = EVENT_TRACE_REAL_TIME_MODE | EVENT_TRACE_FILE_MODE_SEQUENTIAL;
    properties->LoggerNameOffset = sizeof(EVENT_TRACE_PROPERTIES);
    properties->LogFileNameOffset = sizeof(EVENT_TRACE_PROPERTIES) + 1024;
    auto* file = reinterpret_cast<TCHAR*>(reinterpret_cast<char*>(properties) +
                                          properties->LogFileNameOffset);
    const std::string path = argc > 1 ? argv[1] : "text.etl";
    for (const char letter : path) {
        *file++ = static_cast<TCHAR>(letter);
    }

    TRACEHANDLE session = 0;
    ULONG status = StartTrace(&session, SessionName, properties);
    if (status != ERROR_SUCCESS) {
        _tprintf(TEXT("StartTrace: %lu\n"), status);
        return 1;
    }
    EnableTraceEx2(session, &TextProvider, EVENT_CONTROL_CODE_ENABLE_PROVIDER, TRACE_LEVEL_VERBOSE,
                   0, 0, INFINITE, nullptr);
    ULONG listened = ERROR_SUCCESS;
    std::thread listener([&listened] { listened = Listen(); });
    hears.wait(false);

    REGHANDLE provider = 0;
    EventRegister(&TextProvider, nullptr, nullptr, &provider);
    EVENT_DESCRIPTOR descriptor;
    EventDescCreate(&descriptor, 1, 0, 0, TRACE_LEVEL_INFORMATION, 0, 0, 0x1);
    for (int i = 0; i < 100; ++i) {
        EVENT_DATA_DESCRIPTOR data;
        EventDataDescCreate(&data, &i, sizeof(i));
        status |= EventWrite(provider, &descriptor, 1, &data);
    }
    EventUnregister(provider);
    status |= ControlTrace(0, SessionName, properties, EVENT_TRACE_CONTROL_STOP);
    listener.join();
    _tprintf(TEXT("%s: status %lu, listened %lu, heard %d\n"), SessionName, status, listened,
             heard.load());
    return status == ERROR_SUCCESS && listened == ERROR_SUCCESS && heard == 100 ? 0 : 1;
}

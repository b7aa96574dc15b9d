// A program that leaves without having stopped its session: `write FILE` at the end of main, `race
// FILE` while another thread stops it, `callback FILE` in the callback of a provider. `read FILE`
// says whether all of it is there, and finished.
#include <atomic>
#include <evntcons.h>
#include <initguid.h>
#include <stdlib.h>
#include <string>
#include <thread>
#include <vector>
#include <windows.h>

// {1B5C6B50-58C9-4C9D-9E0B-3C5B4C0F5D11}
DEFINE_GUID(LeavingProvider, 0x1b5c6b50, 0x58c9, 0x4c9d, 0x9e, 0x0b, 0x3c, 0x5b, 0x4c, 0x0f, 0x5d,
            0x11);

static const int events = 1000;
static int seen = 0;

static VOID WINAPI OnEvent(PEVENT_RECORD record) {
    seen += record->EventHeader.ProviderId == LeavingProvider ? 1 : 0;
}

struct Properties {
    ULONGLONG memory[1024] = {};

    Properties() {
        get()->Wnode.BufferSize = sizeof memory;
        get()->Wnode.Flags = WNODE_FLAG_TRACED_GUID;
    }

    PEVENT_TRACE_PROPERTIES get() { return reinterpret_cast<PEVENT_TRACE_PROPERTIES>(memory); }
};

static VOID WINAPI OnEnable(LPCGUID, ULONG is_enabled, UCHAR, ULONGLONG, ULONGLONG,
                            PEVENT_FILTER_DESCRIPTOR, PVOID) {
    if (is_enabled == EVENT_CONTROL_CODE_CAPTURE_STATE) {
        exit(0);
    }
}

static void LeaveWhileItIsStopped(TRACEHANDLE session) {
    std::atomic<bool> stops{false};
    std::thread stopper([&] {
        Properties properties;
        stops = true;
        ControlTraceA(session, nullptr, properties.get(), EVENT_TRACE_CONTROL_STOP);
    });
    stopper.detach();
    while (!stops) {
        Sleep(1);
    }
    Sleep(2); // it may have begun, or not: either must end well
    exit(0);
}

static int Write(const std::string& how, const std::string& path) {
    Properties memory;
    PEVENT_TRACE_PROPERTIES properties = memory.get();
    properties->BufferSize = 1024; // room for all of it: nothing is lost
    properties->MinimumBuffers = 40;
    properties->LogFileMode = EVENT_TRACE_FILE_MODE_SEQUENTIAL;
    properties->LogFileNameOffset = sizeof(EVENT_TRACE_PROPERTIES);
    strcpy(reinterpret_cast<char*>(properties) + properties->LogFileNameOffset, path.c_str());
    TRACEHANDLE session = 0;
    ULONG status = StartTraceA(&session, "Leaving", properties);
    REGHANDLE provider = 0;
    status |= EventRegister(&LeavingProvider, OnEnable, nullptr, &provider);
    status |= EnableTraceEx2(session, &LeavingProvider, EVENT_CONTROL_CODE_ENABLE_PROVIDER, 5, 0, 0,
                             0, nullptr);
    const std::vector<char> payload(16000);
    for (int i = 0; i < events; ++i) {
        EVENT_DESCRIPTOR descriptor;
        EventDescCreate(&descriptor, 1, 0, 0, 4, 0, 0, 1);
        EVENT_DATA_DESCRIPTOR data;
        EventDataDescCreate(&data, payload.data(), static_cast<ULONG>(payload.size()));
        status |= EventWrite(provider, &descriptor, 1, &data);
    }
    if (status == ERROR_SUCCESS && how == "race") {
        LeaveWhileItIsStopped(session);
    }
    if (status == ERROR_SUCCESS && how == "callback") {
        EnableTraceEx2(session, &LeavingProvider, EVENT_CONTROL_CODE_CAPTURE_STATE, 5, 0, 0,
                       INFINITE, nullptr);
        return 3; // it left
    }
    return status == ERROR_SUCCESS ? 0 : 1; // and the session runs
}

static int Read(std::string path) {
    EVENT_TRACE_LOGFILEA file{};
    file.LogFileName = path.data();
    file.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD;
    file.EventRecordCallback = OnEvent;
    TRACEHANDLE handle = OpenTraceA(&file);
    if (handle == INVALID_PROCESSTRACE_HANDLE) {
        return 2;
    }
    const ULONG status = ProcessTrace(&handle, 1, nullptr, nullptr);
    CloseTrace(handle);
    printf("status %u, %d events, end %lld\n", status, seen, file.LogfileHeader.EndTime.QuadPart);
    return status == ERROR_SUCCESS && seen == events && file.LogfileHeader.EndTime.QuadPart != 0
               ? 0
               : 1;
}

int main(int argc, char** argv) {
    if (argc != 3) {
        return 64;
    }
    return std::string(argv[1]) == "read" ? Read(argv[2]) : Write(argv[1], argv[2]);
}

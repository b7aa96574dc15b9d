// A program that leaves without stopping its session. `write FILE` does that; `read FILE` says
// whether all of it is there, and finished.
#include <evntcons.h>
#include <initguid.h>
#include <string>
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

static int Write(const std::string& path) {
    std::vector<ULONGLONG> memory(1024);
    auto* properties = reinterpret_cast<PEVENT_TRACE_PROPERTIES>(memory.data());
    properties->Wnode.BufferSize = static_cast<ULONG>(memory.size() * sizeof(ULONGLONG));
    properties->Wnode.Flags = WNODE_FLAG_TRACED_GUID;
    properties->LogFileMode = EVENT_TRACE_FILE_MODE_SEQUENTIAL;
    properties->LogFileNameOffset = sizeof(EVENT_TRACE_PROPERTIES);
    strcpy(reinterpret_cast<char*>(properties) + properties->LogFileNameOffset, path.c_str());
    TRACEHANDLE session = 0;
    ULONG status = StartTraceA(&session, "Leaving", properties);
    REGHANDLE provider = 0;
    status |= EventRegister(&LeavingProvider, nullptr, nullptr, &provider);
    status |= EnableTraceEx2(session, &LeavingProvider, EVENT_CONTROL_CODE_ENABLE_PROVIDER, 5, 0, 0,
                             0, nullptr);
    for (int i = 0; i < events; ++i) {
        EVENT_DESCRIPTOR descriptor;
        EventDescCreate(&descriptor, 1, 0, 0, 4, 0, 0, 1);
        status |= EventWrite(provider, &descriptor, 0, nullptr);
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
    return std::string(argv[1]) == "write" ? Write(argv[2]) : Read(argv[2]);
}

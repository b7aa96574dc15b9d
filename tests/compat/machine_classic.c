/* A classic provider that writes two events and a message when a session of the machine enables it.
 */
#include <evntrace.h>
#include <stdio.h>
#include <windows.h>

static const GUID Provider = {
    0x4a1d7b6e, 0x3c52, 0x4f0e, {0x9b, 0x1d, 0x52, 0xa6, 0xc3, 0xf7, 0xe8, 0x03}};
static const GUID Class = {
    0x4a1d7b6e, 0x3c52, 0x4f0e, {0x9b, 0x1d, 0x52, 0xa6, 0xc3, 0xf7, 0xe8, 0x04}};

static TRACEHANDLE Session = 0;

static ULONG WINAPI Control(WMIDPREQUESTCODE code, PVOID context, ULONG* reserved, PVOID buffer) {
    (void)context;
    (void)reserved;
    Session = code == WMI_ENABLE_EVENTS ? GetTraceLoggerHandle(buffer) : 0;
    return ERROR_SUCCESS;
}

int main(void) {
    struct {
        EVENT_TRACE_HEADER header;
        ULONG number;
    } event = {0};

    TRACE_GUID_REGISTRATION classes[] = {{&Class, NULL}};
    TRACEHANDLE handle = 0;
    ULONG written = 0;
    if (RegisterTraceGuidsW(Control, NULL, &Provider, 1, classes, NULL, NULL, &handle) !=
        ERROR_SUCCESS) {
        return 1;
    }
    if (Session != 0) {
        if (GetTraceEnableLevel(Session) != 4 || GetTraceEnableFlags(Session) != 1) {
            return 2;
        }
        event.header.Size = sizeof event;
        event.header.Flags = WNODE_FLAG_TRACED_GUID;
        event.header.Guid = Class;
        event.header.Class.Type = 9;
        for (event.number = 0; event.number < 2; ++event.number) {
            written += TraceEvent(Session, &event.header) == ERROR_SUCCESS;
        }
        written += TraceMessage(Session, TRACE_MESSAGE_GUID | TRACE_MESSAGE_SYSTEMINFO, &Class, 10,
                                &written, sizeof written, NULL) == ERROR_SUCCESS;
        if (TraceEvent(Session + 1, &event.header) != ERROR_INVALID_HANDLE) {
            return 3; /* a session that has not enabled the provider */
        }
    }
    UnregisterTraceGuids(handle);
    printf("%u events\n", (unsigned)written);
    return 0;
}

/* The first controller: starts a session that writes a file and delivers in real time, enables the
 * provider, and exits. The session goes on. */
#include "four.h"

#include <evntrace.h>
#include <stdio.h>

#define MCGEN_DISABLE_PROVIDER_CODE_GENERATION
#include "teapot.h"

int StartMain(int argc, TCHAR** argv) {
    struct {
        EVENT_TRACE_PROPERTIES Properties;
        TCHAR LoggerName[256];
        TCHAR LogFileName[1024];
    } Logger;

    TRACEHANDLE Session = 0;
    ULONG Status;

    if (argc < 3) {
        return ERROR_INVALID_PARAMETER;
    }
    ZeroMemory(&Logger, sizeof(Logger));
    Logger.Properties.Wnode.BufferSize = sizeof(Logger);
    Logger.Properties.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
    Logger.Properties.LogFileMode = EVENT_TRACE_FILE_MODE_SEQUENTIAL | EVENT_TRACE_REAL_TIME_MODE;
    Logger.Properties.BufferSize = 64;
    Logger.Properties.LoggerNameOffset = (ULONG)((PCHAR)Logger.LoggerName - (PCHAR)&Logger);
    Logger.Properties.LogFileNameOffset = (ULONG)((PCHAR)Logger.LogFileName - (PCHAR)&Logger);
    _tcscpy_s(Logger.LogFileName, ARRAYSIZE(Logger.LogFileName), argv[2]);
    Status = StartTrace(&Session, argv[1], &Logger.Properties);
    if (Status == ERROR_SUCCESS) {
        Status = EnableTraceEx2(Session, &TEAPOT, EVENT_CONTROL_CODE_ENABLE_PROVIDER,
                                TRACE_LEVEL_VERBOSE, 0, 0, INFINITE, NULL);
    }
    if (Status != ERROR_SUCCESS) {
        _ftprintf(stderr, TEXT("start: error %u\n"), (unsigned)Status);
    }
    return (int)Status;
}

/* The second controller: stops a session that another one started, by its name. */
#include "four.h"

#include <evntrace.h>
#include <stdio.h>

int StopMain(int argc, TCHAR** argv) {
    struct {
        EVENT_TRACE_PROPERTIES Properties;
        TCHAR LoggerName[256];
        TCHAR LogFileName[1024];
    } Logger;

    ULONG Status;

    if (argc < 2) {
        return ERROR_INVALID_PARAMETER;
    }
    ZeroMemory(&Logger, sizeof(Logger));
    Logger.Properties.Wnode.BufferSize = sizeof(Logger);
    Logger.Properties.LoggerNameOffset = (ULONG)((PCHAR)Logger.LoggerName - (PCHAR)&Logger);
    Logger.Properties.LogFileNameOffset = (ULONG)((PCHAR)Logger.LogFileName - (PCHAR)&Logger);
    Status = ControlTrace(0, argv[1], &Logger.Properties, EVENT_TRACE_CONTROL_STOP);
    if (Status == ERROR_SUCCESS) {
        _tprintf(TEXT("stopped %s, lost %u events\n"), Logger.LoggerName,
                 (unsigned)Logger.Properties.EventsLost);
    }
    return (int)Status;
}

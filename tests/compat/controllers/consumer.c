/* The consumer: hears the session in real time until it ends. */
#define INITGUID
#include "four.h"

#include <evntcons.h>
#include <evntrace.h>
#include <stdio.h>

#define MCGEN_DISABLE_PROVIDER_CODE_GENERATION
#include "teapot.h"

volatile LONG g_ConsumerRuns;
volatile LONG g_EventsHeard;

static VOID WINAPI OnEvent(PEVENT_RECORD Event) {
    InterlockedExchange(&g_ConsumerRuns, 1);
    if (memcmp(&Event->EventHeader.ProviderId, &TEAPOT, sizeof(GUID)) == 0 &&
        Event->EventHeader.EventDescriptor.Id == Sized_value && Event->UserDataLength == 10) {
        InterlockedIncrement(&g_EventsHeard);
    }
}

int ConsumerMain(int argc, TCHAR** argv) {
    EVENT_TRACE_LOGFILE LogFile;
    TRACEHANDLE Trace;
    ULONG Status;

    if (argc < 2) {
        return ERROR_INVALID_PARAMETER;
    }
    ZeroMemory(&LogFile, sizeof(LogFile));
    LogFile.LoggerName = argv[1];
    LogFile.ProcessTraceMode = PROCESS_TRACE_MODE_REAL_TIME | PROCESS_TRACE_MODE_EVENT_RECORD;
    LogFile.EventRecordCallback = OnEvent;
    Trace = OpenTrace(&LogFile);
    if (Trace == INVALID_PROCESSTRACE_HANDLE) {
        return (int)GetLastError();
    }
    Status = ProcessTrace(&Trace, 1, NULL, NULL);
    CloseTrace(Trace);
    _tprintf(TEXT("heard %d events\n"), (int)g_EventsHeard);
    return (int)Status;
}

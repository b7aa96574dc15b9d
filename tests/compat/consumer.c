/* A consumer in the style of public samples: opens a file, counts and prints its events. */
#include "sample.h"

#include <evntcons.h>
#include <windows.h>

static ULONG g_Count = 0;
static TRACEHANDLE g_hTrace = 0;
static ULONG g_TimerResolution = 0;

static VOID WINAPI ProcessEvent(PEVENT_RECORD pEvent) {
    FILETIME ft;
    SYSTEMTIME st;
    WCHAR GuidText[64];

    ft.dwHighDateTime = (DWORD)pEvent->EventHeader.TimeStamp.HighPart;
    ft.dwLowDateTime = pEvent->EventHeader.TimeStamp.LowPart;
    FileTimeToSystemTime(&ft, &st);
#ifdef __cplusplus
    StringFromGUID2(pEvent->EventHeader.ProviderId, GuidText, _countof(GuidText));
#else
    StringFromGUID2(&pEvent->EventHeader.ProviderId, GuidText, _countof(GuidText));
#endif
    if (IsEqualGUID(
#ifdef __cplusplus
            pEvent->EventHeader.ProviderId, EventTraceGuid
#else
            &pEvent->EventHeader.ProviderId, &EventTraceGuid
#endif
            ) &&
        pEvent->EventHeader.EventDescriptor.Opcode == EVENT_TRACE_TYPE_INFO) {
        wprintf(SAMPLE_TEXT("header\n"));
        return;
    }
    wprintf(SAMPLE_TEXT("%02d/%02d/%02d %s id %d opcode %d data %d bytes\n"), st.wMonth, st.wDay,
            st.wYear, GuidText, pEvent->EventHeader.EventDescriptor.Id,
            pEvent->EventHeader.EventDescriptor.Opcode, pEvent->UserDataLength);
    g_Count++;
}

static ULONG WINAPI ProcessBuffer(PEVENT_TRACE_LOGFILEW pBuffer) {
    return pBuffer->BuffersRead > 0 ? TRUE : FALSE;
}

ULONG RunConsumer(LPWSTR LogFilePath, ULONG* EventCount) {
    ULONG status = ERROR_SUCCESS;
    EVENT_TRACE_LOGFILEW trace;
    TRACE_LOGFILE_HEADER* pHeader = &trace.LogfileHeader;

    ZeroMemory(&trace, sizeof(EVENT_TRACE_LOGFILEW));
    trace.LogFileName = LogFilePath;
    trace.EventRecordCallback = (PEVENT_RECORD_CALLBACK)(ProcessEvent);
    trace.BufferCallback = ProcessBuffer;
    trace.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD;
    g_Count = 0;
    g_hTrace = OpenTraceW(&trace);
    if (INVALID_PROCESSTRACE_HANDLE == g_hTrace) {
        wprintf(SAMPLE_TEXT("OpenTrace failed with %lu\n"), GetLastError());
        return GetLastError();
    }
    if (pHeader->TimerResolution > 0) {
        g_TimerResolution = pHeader->TimerResolution / 10000;
    }
    wprintf(SAMPLE_TEXT("Number of events lost:  %lu, of buffers lost: %lu\n"), pHeader->EventsLost,
            pHeader->BuffersLost);

    status = ProcessTrace(&g_hTrace, 1, 0, 0);
    if (status != ERROR_SUCCESS && status != ERROR_CANCELLED) {
        wprintf(SAMPLE_TEXT("ProcessTrace failed with %lu\n"), status);
    }
    CloseTrace(g_hTrace);
    *EventCount = g_Count;
    return status;
}

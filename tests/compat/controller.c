/* A controller in the style of public samples for Windows: starts a session that writes a file,
 * enables a provider, lets another program's part run, and stops. */
#define INITGUID
#include "sample.h"

#include <conio.h>
#include <evntrace.h>
#include <stdio.h>
#include <strsafe.h>
#include <windows.h>
#include <wmistr.h>

#define LOGSESSION_NAME SAMPLE_TEXT("My Event Trace Session")

/* {AE44CB98-BD11-4069-8093-770EC9258A12} */
static const GUID SessionGuid = {
    0xae44cb98, 0xbd11, 0x4069, {0x80, 0x93, 0x77, 0x0e, 0xc9, 0x25, 0x8a, 0x12}};

ULONG RunController(LPCWSTR LogFilePath, SAMPLE_BODY Body) {
    ULONG status = ERROR_SUCCESS;
    TRACEHANDLE SessionHandle = 0;
    EVENT_TRACE_PROPERTIES* pSessionProperties = NULL;
    ULONG BufferSize = 0;
    BOOL TraceOn = TRUE;

    BufferSize = (ULONG)(sizeof(EVENT_TRACE_PROPERTIES) +
                         (wcslen(LogFilePath) + 1) * sizeof(WCHAR) + sizeof(LOGSESSION_NAME));
    pSessionProperties = (EVENT_TRACE_PROPERTIES*)malloc(BufferSize);
    if (NULL == pSessionProperties) {
        wprintf(SAMPLE_TEXT("Unable to allocate %d bytes for properties structure.\n"), BufferSize);
        goto cleanup;
    }

    ZeroMemory(pSessionProperties, BufferSize);
    pSessionProperties->Wnode.BufferSize = BufferSize;
    pSessionProperties->Wnode.Flags = WNODE_FLAG_TRACED_GUID;
    pSessionProperties->Wnode.ClientContext = 1;
    pSessionProperties->Wnode.Guid = SessionGuid;
    pSessionProperties->LogFileMode = EVENT_TRACE_FILE_MODE_SEQUENTIAL;
    pSessionProperties->MaximumFileSize = 4;
    pSessionProperties->LoggerNameOffset = sizeof(EVENT_TRACE_PROPERTIES);
    pSessionProperties->LogFileNameOffset =
        sizeof(EVENT_TRACE_PROPERTIES) + sizeof(LOGSESSION_NAME);
    StringCbCopyW((LPWSTR)((char*)pSessionProperties + pSessionProperties->LogFileNameOffset),
                  BufferSize - pSessionProperties->LogFileNameOffset, LogFilePath);

    status = StartTraceW((PTRACEHANDLE)&SessionHandle, LOGSESSION_NAME, pSessionProperties);
    if (ERROR_SUCCESS != status) {
        wprintf(SAMPLE_TEXT("StartTrace() failed with %lu\n"), status);
        goto cleanup;
    }

    status =
        EnableTraceEx2(SessionHandle, (LPCGUID)&SampleProviderGuid,
                       EVENT_CONTROL_CODE_ENABLE_PROVIDER, TRACE_LEVEL_INFORMATION, 0, 0, 0, NULL);
    if (ERROR_SUCCESS != status) {
        wprintf(SAMPLE_TEXT("EnableTraceEx2() failed with %lu\n"), status);
        TraceOn = FALSE;
        goto cleanup;
    }
    status = EnableTraceEx2(SessionHandle, (LPCGUID)&ClassicProviderGuid,
                            EVENT_CONTROL_CODE_ENABLE_PROVIDER, TRACE_LEVEL_INFORMATION, 0x7, 0, 0,
                            NULL);
    if (ERROR_SUCCESS != status) {
        goto cleanup;
    }

    wprintf(SAMPLE_TEXT("Session %s runs; events go to %s.\n"),
            (LPCWSTR)((char*)pSessionProperties + pSessionProperties->LoggerNameOffset),
            LogFilePath);
    status = Body(SessionHandle);

cleanup:
    if (SessionHandle) {
        ULONG stopped = ERROR_SUCCESS;
        if (TraceOn) {
            EnableTraceEx2(SessionHandle, (LPCGUID)&SampleProviderGuid,
                           EVENT_CONTROL_CODE_DISABLE_PROVIDER, TRACE_LEVEL_INFORMATION, 0, 0, 0,
                           NULL);
        }
        stopped = ControlTraceW(SessionHandle, LOGSESSION_NAME, pSessionProperties,
                                EVENT_TRACE_CONTROL_STOP);
        if (ERROR_SUCCESS != stopped) {
            wprintf(SAMPLE_TEXT("ControlTrace(stop) failed with %lu\n"), stopped);
            status = stopped;
        }
    }
    if (pSessionProperties) {
        free(pSessionProperties);
        pSessionProperties = NULL;
    }
    return status;
}

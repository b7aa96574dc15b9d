/* A session that records one provider into a file, for programs that test generated headers. */
#ifndef SESSION_H
#define SESSION_H

#include "expect.h"

#include <evntrace.h>
#include <stdio.h>
#include <strsafe.h>
#include <tchar.h>
#include <windows.h>

typedef struct {
    EVENT_TRACE_PROPERTIES Properties;
    TCHAR LoggerName[64];
    TCHAR LogFileName[MAX_PATH];
} SESSION_PROPERTIES;

static SESSION_PROPERTIES g_Properties;
static TRACEHANDLE g_Session;

static ULONG StartSession(const char* Path) {
    size_t i;

    ZeroMemory(&g_Properties, sizeof(g_Properties));
    g_Properties.Properties.Wnode.BufferSize = sizeof(g_Properties);
    g_Properties.Properties.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
    g_Properties.Properties.LogFileMode = EVENT_TRACE_FILE_MODE_SEQUENTIAL;
    g_Properties.Properties.LoggerNameOffset = offsetof(SESSION_PROPERTIES, LoggerName);
    g_Properties.Properties.LogFileNameOffset = offsetof(SESSION_PROPERTIES, LogFileName);
    for (i = 0; i + 1 < MAX_PATH && Path[i] != 0; ++i) {
        g_Properties.LogFileName[i] = (TCHAR)Path[i];
    }
    return StartTrace(&g_Session, TEXT("Generated Headers"), &g_Properties.Properties);
}

static ULONG Enable(const GUID* Provider, UCHAR Level, ULONGLONG Any, ULONGLONG All) {
    return EnableTraceEx2(g_Session, Provider, EVENT_CONTROL_CODE_ENABLE_PROVIDER, Level, Any, All,
                          INFINITE, NULL);
}

static ULONG Disable(const GUID* Provider) {
    return EnableTraceEx2(g_Session, Provider, EVENT_CONTROL_CODE_DISABLE_PROVIDER, 0, 0, 0,
                          INFINITE, NULL);
}

static ULONG StopSession(void) {
    return ControlTrace(g_Session, NULL, &g_Properties.Properties, EVENT_TRACE_CONTROL_STOP);
}

#endif

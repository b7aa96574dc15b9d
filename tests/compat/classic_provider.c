/* A classic provider in the style of public samples: a callback that learns the session's handle,
 * an event whose data lies where MOF fields say, and messages as the WPP preprocessor makes them.
 */
#include "sample.h"

#include <evntrace.h>
#include <windows.h>

/* {B49D5931-AD85-4070-B1B1-3F81F1532875} */
static const GUID CategoryGuid = {
    0xb49d5931, 0xad85, 0x4070, {0xb1, 0xb1, 0x3f, 0x81, 0xf1, 0x53, 0x28, 0x75}};

#define MY_EVENT_TYPE 1

typedef struct _event {
    EVENT_TRACE_HEADER Header;
    MOF_FIELD Data[MAX_MOF_FIELDS];
} MY_EVENT, *PMY_EVENT;

static TRACEHANDLE g_SessionHandle = 0;
static ULONG g_EnableFlags = 0;
static USHORT g_EnableLevel = 0;
static BOOL g_TraceOn = FALSE;

static ULONG WINAPI ControlCallback(WMIDPREQUESTCODE RequestCode, PVOID Context, ULONG* Reserved,
                                    PVOID Header) {
    ULONG status = ERROR_SUCCESS;
    TRACEHANDLE TempSessionHandle = 0;
    UNREFERENCED_PARAMETER(Context);
    UNREFERENCED_PARAMETER(Reserved);
    switch (RequestCode) {
    case WMI_ENABLE_EVENTS:
        SetLastError(0);
        TempSessionHandle = GetTraceLoggerHandle(Header);
        if (INVALID_HANDLE_VALUE == (HANDLE)TempSessionHandle) {
            break;
        }
        g_SessionHandle = TempSessionHandle;
        g_EnableLevel = GetTraceEnableLevel(g_SessionHandle);
        g_EnableFlags = GetTraceEnableFlags(g_SessionHandle);
        g_TraceOn = TRUE;
        break;
    case WMI_DISABLE_EVENTS:
        g_TraceOn = FALSE;
        g_SessionHandle = 0;
        break;
    default:
        status = ERROR_INVALID_PARAMETER;
        break;
    }
    return status;
}

#define WPP_LOGTYPEVAL(Value) &(Value), sizeof(Value),

ULONG RunClassicProvider(TRACEHANDLE SessionHandle) {
    ULONG status = ERROR_SUCCESS;
    TRACEHANDLE RegistrationHandle = 0;
    TRACE_GUID_REGISTRATION EventClassGuids[] = {{&CategoryGuid, NULL}};
    MY_EVENT MyEvent;
    DWORD Cost = 46;
    CHAR Text[] = "forty-six";
    EVENT_INSTANCE_INFO Instance;
    EVENT_INSTANCE_HEADER InstanceHeader;

    UNREFERENCED_PARAMETER(SessionHandle);
    status = RegisterTraceGuidsW(ControlCallback, NULL, (LPGUID)&ClassicProviderGuid,
                                 sizeof(EventClassGuids) / sizeof(TRACE_GUID_REGISTRATION),
                                 EventClassGuids, NULL, NULL, &RegistrationHandle);
    if (ERROR_SUCCESS != status) {
        return status;
    }
    if (!g_TraceOn || g_EnableLevel < TRACE_LEVEL_ERROR || g_EnableFlags != 0x7) {
        status = ERROR_INVALID_FUNCTION;
        goto cleanup;
    }

    ZeroMemory(&MyEvent, sizeof(MyEvent));
    MyEvent.Header.Size = sizeof(EVENT_TRACE_HEADER) + (sizeof(MOF_FIELD) * 2);
    MyEvent.Header.Flags = WNODE_FLAG_TRACED_GUID | WNODE_FLAG_USE_MOF_PTR;
    MyEvent.Header.Guid = CategoryGuid;
    MyEvent.Header.Class.Type = MY_EVENT_TYPE;
    MyEvent.Header.Class.Version = 1;
    MyEvent.Header.Class.Level = TRACE_LEVEL_ERROR;
    DEFINE_TRACE_MOF_FIELD(&MyEvent.Data[0], &Cost, sizeof(Cost), 0);
    DEFINE_TRACE_MOF_FIELD(&MyEvent.Data[1], Text, sizeof(Text), 0);
    status = TraceEvent(g_SessionHandle, &(MyEvent.Header));
    if (ERROR_SUCCESS != status) {
        goto cleanup;
    }

    status = CreateTraceInstanceId(EventClassGuids[0].RegHandle, &Instance);
    if (ERROR_SUCCESS != status) {
        goto cleanup;
    }
    ZeroMemory(&InstanceHeader, sizeof(InstanceHeader));
    InstanceHeader.Size = sizeof(InstanceHeader);
    InstanceHeader.Flags = WNODE_FLAG_TRACED_GUID;
    InstanceHeader.Class.Type = MY_EVENT_TYPE;
    status = TraceEventInstance(g_SessionHandle, &InstanceHeader, &Instance, NULL);
    if (ERROR_SUCCESS != status) {
        goto cleanup;
    }

    status = TraceMessage(g_SessionHandle,
                          TRACE_MESSAGE_SEQUENCE | TRACE_MESSAGE_GUID | TRACE_MESSAGE_SYSTEMINFO |
                              TRACE_MESSAGE_TIMESTAMP,
                          (LPGUID)&CategoryGuid, 10, WPP_LOGTYPEVAL(Cost) WPP_LOGTYPEVAL(Text) 0);

cleanup:
    UnregisterTraceGuids(RegistrationHandle);
    return status;
}

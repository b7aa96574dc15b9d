/* A provider of a manifest in the style of what the message compiler makes: descriptors as
 * constants, a context that the callback fills, macros that ask before they write. */
#include "sample.h"

#include <evntprov.h>
#include <evntrace.h>
#include <windows.h>

typedef struct _MCGEN_TRACE_CONTEXT {
    TRACEHANDLE RegistrationHandle;
    TRACEHANDLE Logger;
    ULONGLONG MatchAnyKeyword;
    ULONGLONG MatchAllKeyword;
    ULONG Flags;
    ULONG IsEnabled;
    UCHAR Level;
    UCHAR Reserve;
} MCGEN_TRACE_CONTEXT, *PMCGEN_TRACE_CONTEXT;

#define READ_KEYWORD 0x1
#define WRITE_KEYWORD 0x2
#define LOCAL_KEYWORD 0x4

EXTERN_C __declspec(selectany)
const EVENT_DESCRIPTOR TransferEvent = {0x1, 0x0, 0x0, 0x4, 0x0, 0x1, 0x5};

static MCGEN_TRACE_CONTEXT SampleProvider_Context;
static REGHANDLE SampleProviderHandle = (REGHANDLE)0;

FORCEINLINE BOOLEAN McGenLevelKeywordEnabled(_In_ PMCGEN_TRACE_CONTEXT EnableInfo, _In_ UCHAR Level,
                                             _In_ ULONGLONG Keyword) {
    if ((Level <= EnableInfo->Level) || (EnableInfo->Level == 0)) {
        if ((Keyword == (ULONGLONG)0) ||
            ((Keyword & EnableInfo->MatchAnyKeyword) &&
             ((Keyword & EnableInfo->MatchAllKeyword) == EnableInfo->MatchAllKeyword))) {
            return TRUE;
        }
    }
    return FALSE;
}

static VOID NTAPI McGenControlCallbackV2(_In_ LPCGUID SourceId, _In_ ULONG ControlCode,
                                         _In_ UCHAR Level, _In_ ULONGLONG MatchAnyKeyword,
                                         _In_ ULONGLONG MatchAllKeyword,
                                         _In_opt_ PEVENT_FILTER_DESCRIPTOR FilterData,
                                         _Inout_opt_ PVOID CallbackContext) {
    PMCGEN_TRACE_CONTEXT Ctx = (PMCGEN_TRACE_CONTEXT)CallbackContext;
    UNREFERENCED_PARAMETER(SourceId);
    UNREFERENCED_PARAMETER(FilterData);
    if (Ctx == NULL) {
        return;
    }
    switch (ControlCode) {
    case EVENT_CONTROL_CODE_ENABLE_PROVIDER:
        Ctx->Level = Level;
        Ctx->MatchAnyKeyword = MatchAnyKeyword;
        Ctx->MatchAllKeyword = MatchAllKeyword;
        Ctx->IsEnabled = EVENT_CONTROL_CODE_ENABLE_PROVIDER;
        break;
    case EVENT_CONTROL_CODE_DISABLE_PROVIDER:
        Ctx->IsEnabled = EVENT_CONTROL_CODE_DISABLE_PROVIDER;
        Ctx->Level = 0;
        Ctx->MatchAnyKeyword = 0;
        Ctx->MatchAllKeyword = 0;
        break;
    default:
        break;
    }
}

static ULONG McTemplateTransfer(_In_ REGHANDLE RegHandle, _In_ PCEVENT_DESCRIPTOR Descriptor,
                                _In_opt_ PCWSTR Path, _In_ const LONG Bytes) {
    EVENT_DATA_DESCRIPTOR EventData[2];
    EventDataDescCreate(&EventData[0], (Path != NULL) ? Path : SAMPLE_TEXT("NULL"),
                        (Path != NULL) ? (ULONG)((wcslen(Path) + 1) * sizeof(WCHAR))
                                       : (ULONG)sizeof(SAMPLE_TEXT("NULL")));
    EventDataDescCreate(&EventData[1], &Bytes, sizeof(const LONG));
    return EventWriteTransfer(RegHandle, Descriptor, NULL, NULL, 2, EventData);
}

#define EventRegisterSample_Provider()                                                             \
    EventRegister(&SampleProviderGuid, McGenControlCallbackV2, &SampleProvider_Context,            \
                  &SampleProviderHandle)
#define EventUnregisterSample_Provider() EventUnregister(SampleProviderHandle)
#define EventEnabledTransferEvent()                                                                \
    (SampleProvider_Context.IsEnabled != 0 &&                                                      \
     McGenLevelKeywordEnabled(&SampleProvider_Context, TransferEvent.Level,                        \
                              TransferEvent.Keyword))
#define EventWriteTransferEvent(Path, Bytes)                                                       \
    (EventEnabledTransferEvent()                                                                   \
         ? McTemplateTransfer(SampleProviderHandle, &TransferEvent, Path, Bytes)                   \
         : ERROR_SUCCESS)

ULONG RunProvider(TRACEHANDLE SessionHandle) {
    ULONG status = EventRegisterSample_Provider();
    UNREFERENCED_PARAMETER(SessionHandle);
    if (ERROR_SUCCESS != status) {
        wprintf(SAMPLE_TEXT("EventRegister failed with %lu\n"), status);
        return status;
    }
    status = EventWriteTransferEvent(SAMPLE_TEXT("c:\\path\\folder\\file.ext"), 46);
    if (ERROR_SUCCESS == status) {
        status = EventWriteTransferEvent(NULL, 47);
    }
    EventUnregisterSample_Provider();
    return status;
}

/* Functions that a generated header calls instead of those of Windows. */
#ifndef HOOKS_H
#define HOOKS_H

#include <evntprov.h>
#include <evntrace.h>
#include <windows.h>

#ifdef __cplusplus
extern "C" {
#endif
ULONG HookRegister(LPCGUID ProviderId, PENABLECALLBACK EnableCallback, PVOID CallbackContext,
                   PREGHANDLE RegHandle);
ULONG HookUnregister(REGHANDLE RegHandle);
ULONG HookWrite(REGHANDLE RegHandle, PCEVENT_DESCRIPTOR Descriptor, LPCGUID ActivityId,
                LPCGUID RelatedActivityId, ULONG Count, PEVENT_DATA_DESCRIPTOR Data);
VOID HookCallout(REGHANDLE RegHandle, PCEVENT_DESCRIPTOR Descriptor, ULONG Count,
                 PEVENT_DATA_DESCRIPTOR Data);
/* In other files than hooks.c. */
ULONG WriteFromAnotherFile(LPCGUID Activity);
USHORT IdFromConstantsOnly(void);
#ifdef __cplusplus
}
#endif

#define MCGEN_EVENTREGISTER HookRegister
#define MCGEN_EVENTUNREGISTER HookUnregister
#define MCGEN_EVENTWRITETRANSFER HookWrite
#define MCGEN_CALLOUT(RegHandle, Descriptor, Count, Data)                                          \
    HookCallout(RegHandle, Descriptor, Count, Data)

#endif

/* A header with all switches of the message compiler (-km -p Fire -P TEA_ -co), and a program that
 * puts functions of its own in place of those of Windows. */
#include "expect.h"
#include "hooks.h"

#include "teapot_hooks.h"

static PENABLECALLBACK g_Enable;
static PVOID g_Context;
static ULONG g_Writes;
static ULONG g_Callouts;
static ULONG g_LastCount;
static ULONGLONG g_LastSize;
static GUID g_LastActivity;

ULONG HookRegister(LPCGUID ProviderId, PENABLECALLBACK EnableCallback, PVOID CallbackContext,
                   PREGHANDLE RegHandle) {
    EXPECT(memcmp(ProviderId, &TEAPOT, sizeof(GUID)) == 0);
    g_Enable = EnableCallback;
    g_Context = CallbackContext;
    *RegHandle = 42;
    return ERROR_SUCCESS;
}

ULONG HookUnregister(REGHANDLE RegHandle) {
    return RegHandle == 42 ? ERROR_SUCCESS : ERROR_INVALID_HANDLE;
}

ULONG HookWrite(REGHANDLE RegHandle, PCEVENT_DESCRIPTOR Descriptor, LPCGUID ActivityId,
                LPCGUID RelatedActivityId, ULONG Count, PEVENT_DATA_DESCRIPTOR Data) {
    ULONG i;

    EXPECT(RegHandle == 42 && RelatedActivityId == NULL && Descriptor->Level != 0);
    EXPECT(Data[0].Size == 0); /* no traits */
    ++g_Writes;
    g_LastCount = Count;
    g_LastSize = 0;
    for (i = 0; i < Count; ++i) {
        g_LastSize += Data[i].Size;
    }
    ZeroMemory(&g_LastActivity, sizeof(g_LastActivity));
    if (ActivityId != NULL) {
        g_LastActivity = *ActivityId;
    }
    return ERROR_MORE_DATA;
}

VOID HookCallout(REGHANDLE RegHandle, PCEVENT_DESCRIPTOR Descriptor, ULONG Count,
                 PEVENT_DATA_DESCRIPTOR Data) {
    EXPECT(RegHandle == 42 && Descriptor != NULL && Count + 1 == g_LastCount);
    EXPECT(Count == 0 || Data[0].Size != 0);
    ++g_Callouts;
}

int main(void) {
    const GUID Activity = {1, 2, 3, {4, 5, 6, 7, 8, 9, 10, 11}};

    EXPECT(TEAPOT_EventWriteActivity == 1);
    EXPECT(EventRegisterExample_Tea_Pot() == ERROR_SUCCESS);
    EXPECT(FireBOILED(&Activity, 1, TEXT("x"), (const UCHAR*)"y") == ERROR_SUCCESS);
    EXPECT(g_Writes == 0);
    g_Enable(&Activity, EVENT_CONTROL_CODE_ENABLE_PROVIDER, TRACE_LEVEL_ERROR, ~0ULL, 0, NULL,
             g_Context);
    EXPECT(EventEnabledBOILED() && EventEnabledEmptied() && !EventEnabledPoured());
    EXPECT(FireBOILED(&Activity, 2, TEXT("xx"), (const UCHAR*)"yy") == ERROR_MORE_DATA);
    EXPECT(g_Writes == 1 && g_Callouts == 1 && g_LastCount == 4 && g_LastSize == 7);
    EXPECT(memcmp(&g_LastActivity, &Activity, sizeof(GUID)) == 0);
    EXPECT(FirePoured(&Activity, 1, 1, NULL, NULL) == ERROR_SUCCESS);
    EXPECT(g_Writes == 1);
    EXPECT(FirePoured_AssumeEnabled(NULL, 1, 1, NULL, NULL) == ERROR_MORE_DATA);
    EXPECT(g_LastSize == 4 + 4 + 5 * sizeof(WCHAR) + 8); /* NULL, and a SID of 8 bytes */
    EXPECT(memcmp(&g_LastActivity, &Activity, sizeof(GUID)) != 0);
    EXPECT(FireEmptied(NULL) == ERROR_MORE_DATA);
    EXPECT(g_LastCount == 1 && g_Callouts == 3);

    /* One context for the program, however many files include the header. */
    EXPECT(WriteFromAnotherFile(&Activity) == ERROR_MORE_DATA);
    EXPECT(g_Writes == 4);
    EXPECT(IdFromConstantsOnly() == 6);

    g_Enable(&Activity, EVENT_CONTROL_CODE_CAPTURE_STATE, 0, 0, 0, NULL, g_Context);
    EXPECT(EventEnabledBOILED());
    g_Enable(&Activity, EVENT_CONTROL_CODE_DISABLE_PROVIDER, 0, 0, 0, NULL, g_Context);
    EXPECT(!EventEnabledBOILED());
    EXPECT(EventUnregisterExample_Tea_Pot() == ERROR_SUCCESS);
    return g_Failures == 0 ? 0 : 1;
}

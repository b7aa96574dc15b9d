/* A provider written for a header of Windows' message compiler: constants, several registrations,
 * enablement by level and keyword, its own enable callback, activities, arrays, traits. */
#include "session.h"

#include <evntprov.h>

static ULONG g_Callbacks;

static VOID OnEnable(LPCGUID SourceId, ULONG ControlCode, UCHAR Level, ULONGLONG MatchAnyKeyword,
                     ULONGLONG MatchAllKeyword, PEVENT_FILTER_DESCRIPTOR FilterData,
                     PVOID CallbackContext) {
    UNREFERENCED_PARAMETER(SourceId);
    UNREFERENCED_PARAMETER(ControlCode);
    UNREFERENCED_PARAMETER(Level);
    UNREFERENCED_PARAMETER(MatchAnyKeyword);
    UNREFERENCED_PARAMETER(MatchAllKeyword);
    UNREFERENCED_PARAMETER(FilterData);
    g_Callbacks += CallbackContext != NULL ? 1 : 0;
}

#define MCGEN_PRIVATE_ENABLE_CALLBACK_V2 OnEnable
#define MCGEN_ENABLE_FORCONTEXT_CODE_GENERATION
#include "teapot.h"

static const SID Everyone = {SID_REVISION, 1, {{0, 0, 0, 0, 0, 1}}, {0}};

static void CheckConstants(void) {
    static const GUID Task = {
        0x0d2f5c84, 0x3a63, 0x4c39, {0x9a, 0x0e, 0x5c, 0x1f, 0x0a, 0x7b, 0xe0, 0xff}};
    Sort Tea = SortBlack;

    EXPECT(TEAPOT_CHANNEL_APP == 9 && TEA_OPERATIONAL == 16);
    EXPECT(TEA_LEVEL_WHISPER == 17);
    EXPECT(TASK_BREW == 3 && TEAPOT_TASK_Serve___smile == 4);
    EXPECT(OPCODE_POUR == 11 && TEAPOT_OPCODE_Steep == 12);
    EXPECT(KEYWORD_WATER == 1 && TEAPOT_KEYWORD_Leaf == 16);
    EXPECT(Tea == 2 && ExtraMilk == 1 && (ULONG)ExtraSugar == 0x80000000U);
    EXPECT(memcmp(&BrewId, &Task, sizeof(GUID)) == 0);
    EXPECT(Poured.Id == 1 && Poured.Version == 2 && Poured.Channel == TEA_OPERATIONAL);
    EXPECT(Poured.Level == TRACE_LEVEL_INFORMATION && Poured.Opcode == OPCODE_POUR);
    EXPECT(Poured.Task == TASK_BREW);
    EXPECT(Poured.Keyword == (0x4000000000000000ULL | KEYWORD_WATER));
    EXPECT(Poured_value == 1 && Emptied_value == 3);
    EXPECT(Emptied.Keyword == 0x8000000000000000ULL);
    EXPECT(TEAPOT_EVENT_0x5_0_0_4_0_0_0.Id == 5);
    EXPECT(TEAPOT_EventWriteActivity == 0);
    EXPECT((DWORD)MSG_provider == 0x90000001U && (DWORD)MSG_channel_op == 0x90000002U);
    EXPECT((DWORD)MSG_event_poured == 0xB0020001U && MSG_event_emptied == 0x00000003);
    EXPECT(MSG_keyword_leaf == 0x10000005 && MSG_opcode_steep == 0x3003000C);
    EXPECT((DWORD)MSG_black == 0xD0000002U && (DWORD)MSG_sugar == 0xF0000002U);
}

static void CheckEnabling(void) {
    EXPECT(!EventEnabledPoured() && !EventEnabledListed() && !EventEnabledEmptied());
    EXPECT(EventWriteEmptied() == ERROR_SUCCESS); /* into nothing */
    EXPECT(Enable(&TEAPOT, TRACE_LEVEL_ERROR, 0, 0) == ERROR_SUCCESS);
    EXPECT(EventEnabledEmptied() && !EventEnabledPoured());
    EXPECT(TEAPOT_Context.IsEnabled == 1 && TEAPOT_Context.Level == TRACE_LEVEL_ERROR);
    EXPECT(MCGEN_ENABLE_CHECK(TEAPOT_Context, Emptied));
    EXPECT(!MCGEN_ENABLE_CHECK(TEAPOT_Context, Poured));
    EXPECT(Enable(&TEAPOT, 0, KEYWORD_WATER, KEYWORD_WATER) == ERROR_SUCCESS);
    EXPECT(EventEnabledPoured() && !EventEnabledListed() && !EventEnabledEmptied());
    EXPECT(EventEnabledTEAPOT_EVENT_0x5_0_0_4_0_0_0()); /* no keyword: any */
    EXPECT(Disable(&TEAPOT) == ERROR_SUCCESS);
    EXPECT(!EventEnabledPoured() && TEAPOT_Context.IsEnabled == 0);
    EXPECT(Enable(&TEAPOT, 0xFF, 0, 0) == ERROR_SUCCESS);
    EXPECT(EventEnabledPoured() && EventEnabledListed() && EventEnabledEmptied());
    EXPECT(g_Callbacks >= 4);
}

static void WriteArrays(void) {
    static const void* Pointers[] = {(const void*)0x10, NULL};
    static const BOOL Flags[] = {TRUE, FALSE};
    static const FILETIME Times[] = {{0, 0x1D00000}, {1, 0x1D00000}};
    static const GUID Guids[] = {{1, 2, 3, {4, 5, 6, 7, 8, 9, 10, 11}}, {0, 0, 0, {0}}};
    static const SID Sids[] = {{SID_REVISION, 1, {{0, 0, 0, 0, 0, 1}}, {0}},
                               {SID_REVISION, 1, {{0, 0, 0, 0, 0, 5}}, {18}}};
    static const WCHAR Labels[] = {4, 'o', 'k', 2, '!'}; /* sizes in bytes */
    static const UCHAR Blobs[] = {2, 0, 0xAA, 0xBB, 0, 0};
    static const double Doubles[] = {0.5, -1};
    static const LONGLONG Hex[] = {0x1234, -1};

    EXPECT(EventWriteListed(2, Pointers, Flags, Times, Guids, sizeof(Sids), (const UCHAR*)Sids, 8,
                            "one\0two", "abcdef", ARRAYSIZE(Labels), Labels, sizeof(Blobs), Blobs,
                            Doubles, Hex) == ERROR_SUCCESS);
}

static void WriteInContext(void) {
    McGenContext_Example_Tea_Pot Other;

    EXPECT(EventRegisterExample_Tea_Pot_ForContext(&Other) == ERROR_SUCCESS);
    EXPECT(EventEnabledEmptied_ForContext(&Other));
    EXPECT(Example_Tea_PotHandle_ForContext(&Other) != Example_Tea_PotHandle);
    EXPECT(EventWriteSized_ForContext(&Other, 3, TEXT("ctxt"), (const UCHAR*)"\1\2\3") ==
           ERROR_SUCCESS);
    EXPECT(EventWriteEmptied_ForContextAssumeEnabled(&Other) == ERROR_SUCCESS);
    EXPECT(EventUnregisterExample_Tea_Pot_ForContext(&Other) == ERROR_SUCCESS);
    EXPECT(EventRegisterByGuidExample_Tea_Pot_ForContext(TRAITS, &Other) == ERROR_SUCCESS);
    EXPECT(EventWriteEmptied_ForContext(&Other) == ERROR_SUCCESS); /* nobody enabled that GUID */
    EXPECT(EventUnregisterExample_Tea_Pot_ForContext(&Other) == ERROR_SUCCESS);
}

static void WriteInActivity(void) {
    GUID Activity = {0xac711171, 1, 2, {3, 4, 5, 6, 7, 8, 9, 10}};

    EXPECT(EventActivityIdControl(EVENT_ACTIVITY_CTRL_GET_SET_ID, &Activity) == ERROR_SUCCESS);
    EXPECT(EventWritePoured(SortGreen, ExtraMilk | ExtraSugar, TEXT("kitchen"), &Everyone) ==
           ERROR_SUCCESS);
    EXPECT(EventActivityIdControl(EVENT_ACTIVITY_CTRL_SET_ID, &Activity) == ERROR_SUCCESS);
}

static void WriteWithTraits(void) {
    EXPECT(EventRegister_TRAITS() == ERROR_SUCCESS);
    EXPECT(EventRegister_TRAITS() == ERROR_INVALID_PARAMETER);
    EXPECT(Enable(&TRAITS_ControlGuid, TRACE_LEVEL_VERBOSE, 0, 0) == ERROR_SUCCESS);
    EXPECT(EventWriteGrouped(-7) == ERROR_SUCCESS);
    EXPECT(EventUnregister_TRAITS() == ERROR_SUCCESS);
}

int main(int argc, char** argv) {
    if (argc != 2 || StartSession(argv[1]) != ERROR_SUCCESS) {
        return 64;
    }
    CheckConstants();
    EXPECT(EventUnregisterExample_Tea_Pot() == ERROR_SUCCESS);
    EXPECT(EventRegisterExample_Tea_Pot() == ERROR_SUCCESS);
    EXPECT(EventRegisterExample_Tea_Pot() == ERROR_SUCCESS); /* again: nothing */
    CheckEnabling();
    EXPECT(EventWriteEmptied() == ERROR_SUCCESS);
    WriteInActivity();
    EXPECT(EventWritePoured_AssumeEnabled(7, 0, NULL, &Everyone) == ERROR_SUCCESS);
    WriteArrays();
    WriteInContext();
    EXPECT(EventWriteTEAPOT_EVENT_0x5_0_0_4_0_0_0() == ERROR_SUCCESS);
    WriteWithTraits();
    if (EventEnabledSized()) {
        EventWriteSized(1, TEXT("x"), (const UCHAR*)"y"); /* a statement */
    } else {
        EventWriteEmptied();
    }
    EXPECT(EventUnregisterExample_Tea_Pot() == ERROR_SUCCESS);
    EXPECT(Example_Tea_PotHandle == 0);
    EXPECT(StopSession() == ERROR_SUCCESS);
    return g_Failures == 0 ? 0 : 1;
}

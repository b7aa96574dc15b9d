/* Every type of manifests, written with the macros of a generated header. The argument is the file
 * of the trace. */
#include "every_type.h"

#include "session.h"

#include <evntprov.h>

/* S-1-5-18 and S-1-5-32-544 */
static const SID LocalSystem = {SID_REVISION, 1, {{0, 0, 0, 0, 0, 5}}, {18}};

static const struct {
    SID First;
    DWORD Second;
} Administrators = {{SID_REVISION, 2, {{0, 0, 0, 0, 0, 5}}, {32}}, 544};

/* 2024-05-17 06:00:00.1234567 */
static const ULONGLONG Moment = 133603992001234567ULL;

static void WriteTexts(void) {
    EXPECT(EventWriteText16(TEXT("a"), TEXT("sixsixsix"), 4, TEXT("size"), TEXT("<x/>"), TEXT("{}"),
                            3, TEXT("c\0d"), 4, TEXT("<y/>")) == ERROR_SUCCESS);
    EXPECT(EventWriteText8("text", "five.", "cr\xC3\xA8me", "<x/>", "{}", 7, "counted", 2,
                           "\xC3\xA9") == ERROR_SUCCESS);
    EXPECT(EventWriteText16(NULL, TEXT("      "), 0, TEXT(""), NULL, NULL, 0, NULL, 0, NULL) ==
           ERROR_SUCCESS);
    EXPECT(EventWriteText8(NULL, "     ", NULL, NULL, NULL, 0, NULL, 0, NULL) == ERROR_SUCCESS);
}

static void WriteNumbers(void) {
    EXPECT(EventWriteBytes(-8, 'c', 0x1F, 200, 0xFF, 'x', TRUE) == ERROR_SUCCESS);
    EXPECT(EventWriteWords(-300, 0x1F, 60000, 0xFFFF, 0xBB01, 0xE9) == ERROR_SUCCESS);
    EXPECT(EventWriteSigned32(-5, 0x1F, S_OK, STATUS_SUCCESS) == ERROR_SUCCESS);
    EXPECT(EventWriteUnsigned32(4000000000U, 4, 8, 0x010200C0, 0, ERROR_ACCESS_DENIED, 6, 7, 0xAB,
                                9) == ERROR_SUCCESS);
    EXPECT(EventWriteSixty4(-5000000000LL, 0x1F, 0, 18000000000000000000ULL, 0x1F, 0, 0x7FF0, 0) ==
           ERROR_SUCCESS);
    EXPECT(EventWriteFloats(1.5F, -2.25) == ERROR_SUCCESS);
    EXPECT(EventWriteBoolean(TRUE, FALSE) == ERROR_SUCCESS);
    EXPECT(EventWriteHexes(1, 2, 3, 4, 5, 0xABCDEF0123LL, 7) == ERROR_SUCCESS);
}

static void WriteData(void) {
    static const BYTE Address[16] = {0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    static const BYTE Data[] = "0123456789abcdef";
    BYTE Socket[128] = {2, 0, 0, 80, 10};

    EXPECT(EventWriteBinary(Data, 2, Data + 10, Address, Address, Data, 1, Data + 12, 16, Address,
                            0, NULL, 4, Data) == ERROR_SUCCESS);
    EXPECT(EventWriteSockets(Socket, Socket, Socket, 16, Socket) == ERROR_SUCCESS);
}

static void WriteOthers(void) {
    static const GUID Guid = {0x7e57ab1e, 0, 0x4000, {0x80, 0, 0, 0, 0, 0, 0xca, 0xfe}};
    const FILETIME Time = {(DWORD)Moment, (DWORD)(Moment >> 32)};
    SYSTEMTIME Calendar;

    FileTimeToSystemTime(&Time, &Calendar);
    EXPECT(EventWritePointers(&Guid, (PVOID)1, (PVOID)2, (PVOID)3, NULL) == ERROR_SUCCESS);
    EXPECT(EventWriteFiletimes(&Time, &Time, &Time) == ERROR_SUCCESS);
    EXPECT(EventWriteSystemtimes(&Calendar, &Calendar, &Calendar) == ERROR_SUCCESS);
    EXPECT(EventWriteSids(&LocalSystem, 16, &Administrators.First) == ERROR_SUCCESS);
    EXPECT(EventWriteUserData(TEXT("Alice"), 0xFF) == ERROR_SUCCESS);
    EXPECT(EventWriteMessage(TEXT("one"), 2) == ERROR_SUCCESS);
}

static void WriteArrays(void) {
    static const UCHAR Doors[] = {0xFF, 7};
    static const UCHAR Three[] = {1, 2, 3};
    static const SHORT Counted[] = {-1, -2};
    static const LONG Point[] = {-1, 2};
    static const CHAR Pairs[] = "k\0\1\0\0\0l\0\2\0\0";

    EXPECT(EventWriteMaps(0, 1, 0xFF, 0, 0x81, 0, 0x30, Doors) == ERROR_SUCCESS);
    EXPECT(EventWriteArrays(Three, 4, 2, Counted, 4, TEXT("a\0b"), (const UCHAR*)"abcd\0", 8, Point,
                            6, Pairs, 9) == ERROR_SUCCESS);
}

int main(int argc, char** argv) {
    if (argc != 2 || StartSession(argv[1]) != ERROR_SUCCESS) {
        return 64;
    }
    EXPECT(EventRegisterExample_Every_Type() == ERROR_SUCCESS);
    EXPECT(!EventEnabledText16());
    EXPECT(Enable(&EveryType, TRACE_LEVEL_VERBOSE, 0, 0) == ERROR_SUCCESS);
    EXPECT(EventEnabledText16());
    WriteTexts();
    WriteNumbers();
    WriteData();
    WriteOthers();
    WriteArrays();
    EXPECT(EventUnregisterExample_Every_Type() == ERROR_SUCCESS);
    EXPECT(StopSession() == ERROR_SUCCESS);
    return g_Failures == 0 ? 0 : 1;
}

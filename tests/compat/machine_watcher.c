/* Prints what becomes of sessions of the machine, until one has started and stopped. */
#include <ntetw.h>
#include <stdio.h>
#include <windows.h>

static const GUID SessionNotifications = {
    0x2a6e185b, 0x90de, 0x4fc5, {0x82, 0x6c, 0x9f, 0x44, 0xe6, 0x08, 0xa4, 0x27}};

static volatile LONG Ended = 0;

static ULONG WINAPI Watch(PETW_NOTIFICATION_HEADER header, PVOID context) {
    const ETW_SESSION_NOTIFICATION_PACKET* packet = (const ETW_SESSION_NOTIFICATION_PACKET*)header;
    (void)context;
    printf("%d %d\n", (int)packet->Type, (int)packet->Status);
    Ended = packet->Type == EtwSessionNotificationSessionTerminated;
    return ERROR_SUCCESS;
}

int main(void) {
    REGHANDLE handle = 0;
    int i;
    if (EtwNotificationRegister(&SessionNotifications, EtwNotificationTypeSession, Watch, NULL,
                                &handle) != ERROR_SUCCESS) {
        return 1;
    }
    printf("watching\n");
    fflush(stdout);
    for (i = 0; i < 600 && !Ended; ++i) {
        Sleep(100);
    }
    return EtwNotificationUnregister(handle, NULL) == ERROR_SUCCESS ? 0 : 2;
}

/* Notifications of sessions: EtwNotificationRegister. Layouts and values: ntetw.h of the WDK, as
 * public type information shows it. docs/compat.md#notifications */
#ifndef ETL_COMPAT_NTETW_H
#define ETL_COMPAT_NTETW_H

#pragma GCC system_header

#include "evntprov.h"
#include "evntrace.h"

typedef enum _ETW_NOTIFICATION_TYPE {
    EtwNotificationTypeNoReply = 1,
    EtwNotificationTypeLegacyEnable,
    EtwNotificationTypeEnable,
    EtwNotificationTypePrivateLogger,
    EtwNotificationTypePerflib,
    EtwNotificationTypeAudio,
    EtwNotificationTypeSession,
    EtwNotificationTypeReserved,
    EtwNotificationTypeCredentialUI,
    EtwNotificationTypeInProcSession,
    EtwNotificationTypeMax
} ETW_NOTIFICATION_TYPE;

typedef struct _ETW_NOTIFICATION_HEADER {
    ETW_NOTIFICATION_TYPE NotificationType;
    ULONG NotificationSize; /* with what follows the header */
    ULONG Offset;
    BOOLEAN ReplyRequested;
    ULONG Timeout;

    union {
        ULONG ReplyCount;
        ULONG NotifyeeCount;
    } DUMMYUNIONNAME;

    ULONGLONG Reserved2;
    ULONG TargetPID;
    ULONG SourcePID;
    GUID DestinationGuid;
    GUID SourceGuid;
} ETW_NOTIFICATION_HEADER, *PETW_NOTIFICATION_HEADER;

typedef enum _ETW_SESSION_NOTIFICATION_TYPE {
    EtwSessionNotificationMediaChanged = 1, /* a new file */
    EtwSessionNotificationSessionTerminated,
    EtwSessionNotificationLogfileError,
    EtwSessionNotificationRealtimeError,
    EtwSessionNotificationSessionStarted,
    EtwSessionNotificationMax
} ETW_SESSION_NOTIFICATION_TYPE;

typedef struct _ETW_SESSION_NOTIFICATION_PACKET {
    ETW_NOTIFICATION_HEADER NotificationHeader;
    ETW_SESSION_NOTIFICATION_TYPE Type;
    LONG Status; /* an NTSTATUS */
    TRACEHANDLE TraceHandle;
    ULONG Reserved[2];
} ETW_SESSION_NOTIFICATION_PACKET, *PETW_SESSION_NOTIFICATION_PACKET;

typedef ULONG(WINAPI* PETW_NOTIFICATION_CALLBACK)(PETW_NOTIFICATION_HEADER NotificationHeader,
                                                  PVOID Context);

#ifdef __cplusplus
extern "C" {
#endif

/* Only EtwNotificationTypeSession, with {2a6e185b-90de-4fc5-826c-9f44e608a427}. */
ETL_COMPAT_API ULONG EtwNotificationRegister(LPCGUID Guid, ULONG Type,
                                             PETW_NOTIFICATION_CALLBACK Callback, PVOID Context,
                                             REGHANDLE* RegHandle);
/* Waits for a callback that runs, unless called from it. */
ETL_COMPAT_API ULONG EtwNotificationUnregister(REGHANDLE RegHandle, PVOID* Context);

#ifdef __cplusplus
}
#endif

#endif

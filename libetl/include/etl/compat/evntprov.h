/* Manifest-based providers: registration, enablement checks, and writing. docs/compat.md */
#ifndef ETL_COMPAT_EVNTPROV_H
#define ETL_COMPAT_EVNTPROV_H

#pragma GCC system_header

#include "windows.h"

#define EVENT_MIN_LEVEL 0
#define EVENT_MAX_LEVEL 0xff
#define EVENT_ACTIVITY_CTRL_GET_ID 1
#define EVENT_ACTIVITY_CTRL_SET_ID 2
#define EVENT_ACTIVITY_CTRL_CREATE_ID 3
#define EVENT_ACTIVITY_CTRL_GET_SET_ID 4
#define EVENT_ACTIVITY_CTRL_CREATE_SET_ID 5
#define MAX_EVENT_DATA_DESCRIPTORS 128
#define MAX_EVENT_FILTER_DATA_SIZE 1024
#define MAX_EVENT_FILTER_PAYLOAD_SIZE 4096
#define MAX_EVENT_FILTER_EVENT_NAME_SIZE 4096
#define MAX_EVENT_FILTERS_COUNT 13
#define MAX_EVENT_FILTER_PID_COUNT 8
#define MAX_EVENT_FILTER_EVENT_ID_COUNT 64

#define EVENT_FILTER_TYPE_NONE 0x00000000U
#define EVENT_FILTER_TYPE_SCHEMATIZED 0x80000000U
#define EVENT_FILTER_TYPE_SYSTEM_FLAGS 0x80000001U
#define EVENT_FILTER_TYPE_TRACEHANDLE 0x80000002U
#define EVENT_FILTER_TYPE_PID 0x80000004U
#define EVENT_FILTER_TYPE_EXECUTABLE_NAME 0x80000008U
#define EVENT_FILTER_TYPE_PACKAGE_ID 0x80000010U
#define EVENT_FILTER_TYPE_PACKAGE_APP_ID 0x80000020U
#define EVENT_FILTER_TYPE_PAYLOAD 0x80000100U
#define EVENT_FILTER_TYPE_EVENT_ID 0x80000200U
#define EVENT_FILTER_TYPE_EVENT_NAME 0x80000400U
#define EVENT_FILTER_TYPE_STACKWALK 0x80001000U
#define EVENT_FILTER_TYPE_STACKWALK_NAME 0x80002000U
#define EVENT_FILTER_TYPE_STACKWALK_LEVEL_KW 0x80004000U

#define EVENT_DATA_DESCRIPTOR_TYPE_NONE 0
#define EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA 1
#define EVENT_DATA_DESCRIPTOR_TYPE_PROVIDER_METADATA 2
#define EVENT_DATA_DESCRIPTOR_TYPE_TIMESTAMP_OVERRIDE 3

#define EVENT_WRITE_FLAG_NO_FAULTING 0x00000001
#define EVENT_WRITE_FLAG_INPRIVATE 0x00000002

typedef ULONGLONG REGHANDLE, *PREGHANDLE;

typedef struct _EVENT_DATA_DESCRIPTOR {
    ULONGLONG Ptr;
    ULONG Size;

    ETL_COMPAT_ANONYMOUS union {
        ULONG Reserved;

        ETL_COMPAT_ANONYMOUS struct {
            UCHAR Type;
            UCHAR Reserved1;
            USHORT Reserved2;
        };
    };
} EVENT_DATA_DESCRIPTOR, *PEVENT_DATA_DESCRIPTOR;

typedef const EVENT_DATA_DESCRIPTOR* PCEVENT_DATA_DESCRIPTOR;

typedef struct _EVENT_DESCRIPTOR {
    USHORT Id;
    UCHAR Version;
    UCHAR Channel;
    UCHAR Level;
    UCHAR Opcode;
    USHORT Task;
    ULONGLONG Keyword;
} EVENT_DESCRIPTOR, *PEVENT_DESCRIPTOR;

typedef const EVENT_DESCRIPTOR* PCEVENT_DESCRIPTOR;

typedef struct _EVENT_FILTER_DESCRIPTOR {
    ULONGLONG Ptr;
    ULONG Size;
    ULONG Type;
} EVENT_FILTER_DESCRIPTOR, *PEVENT_FILTER_DESCRIPTOR;

typedef const EVENT_FILTER_DESCRIPTOR* PCEVENT_FILTER_DESCRIPTOR;

typedef struct _EVENT_FILTER_HEADER {
    USHORT Id;
    UCHAR Version;
    UCHAR Reserved[5];
    ULONGLONG InstanceId;
    ULONG Size;
    ULONG NextOffset;
} EVENT_FILTER_HEADER, *PEVENT_FILTER_HEADER;

typedef struct _EVENT_FILTER_EVENT_ID {
    BOOLEAN FilterIn;
    UCHAR Reserved;
    USHORT Count;
    USHORT Events[ANYSIZE_ARRAY];
} EVENT_FILTER_EVENT_ID, *PEVENT_FILTER_EVENT_ID;

typedef struct _EVENT_FILTER_EVENT_NAME {
    ULONGLONG MatchAnyKeyword;
    ULONGLONG MatchAllKeyword;
    UCHAR Level;
    BOOLEAN FilterIn;
    USHORT NameCount;
    UCHAR Names[ANYSIZE_ARRAY];
} EVENT_FILTER_EVENT_NAME, *PEVENT_FILTER_EVENT_NAME;

typedef struct _EVENT_FILTER_LEVEL_KW {
    ULONGLONG MatchAnyKeyword;
    ULONGLONG MatchAllKeyword;
    UCHAR Level;
    BOOLEAN FilterIn;
} EVENT_FILTER_LEVEL_KW, *PEVENT_FILTER_LEVEL_KW;

typedef enum _EVENT_INFO_CLASS ETL_COMPAT_ANY_NUMBER {
    EventProviderBinaryTrackInfo = 0,
    EventProviderSetReserved1 = 1,
    EventProviderSetTraits = 2,
    EventProviderUseDescriptorType = 3,
    MaxEventInfo = 4
} EVENT_INFO_CLASS;

typedef enum _ETW_PROVIDER_TRAIT_TYPE ETL_COMPAT_ANY_NUMBER {
    EtwProviderTraitTypeGroup = 1,
    EtwProviderTraitDecodeGuid = 2,
    EtwProviderTraitTypeMax = 3
} ETW_PROVIDER_TRAIT_TYPE;

ETL_COMPAT_ASSERT_SIZE(EVENT_DATA_DESCRIPTOR, 16);
ETL_COMPAT_ASSERT_SIZE(EVENT_DESCRIPTOR, 16);
ETL_COMPAT_ASSERT_SIZE(EVENT_FILTER_DESCRIPTOR, 16);
ETL_COMPAT_ASSERT_SIZE(EVENT_FILTER_HEADER, 24);
ETL_COMPAT_ASSERT_OFFSET(EVENT_FILTER_EVENT_NAME, Names, 20);

typedef VOID(NTAPI* PENABLECALLBACK)(LPCGUID SourceId, ULONG IsEnabled, UCHAR Level,
                                     ULONGLONG MatchAnyKeyword, ULONGLONG MatchAllKeyword,
                                     PEVENT_FILTER_DESCRIPTOR FilterData, PVOID CallbackContext);

ETL_COMPAT_BEGIN

ETL_COMPAT_API ULONG EventRegister(LPCGUID ProviderId, PENABLECALLBACK EnableCallback,
                                   PVOID CallbackContext, PREGHANDLE RegHandle);
ETL_COMPAT_API ULONG EventUnregister(REGHANDLE RegHandle);
ETL_COMPAT_API ULONG EventSetInformation(REGHANDLE RegHandle, EVENT_INFO_CLASS InformationClass,
                                         PVOID EventInformation, ULONG InformationLength);
ETL_COMPAT_API BOOLEAN EventEnabled(REGHANDLE RegHandle, PCEVENT_DESCRIPTOR EventDescriptor);
ETL_COMPAT_API BOOLEAN EventProviderEnabled(REGHANDLE RegHandle, UCHAR Level, ULONGLONG Keyword);
ETL_COMPAT_API ULONG EventWrite(REGHANDLE RegHandle, PCEVENT_DESCRIPTOR EventDescriptor,
                                ULONG UserDataCount, PEVENT_DATA_DESCRIPTOR UserData);
ETL_COMPAT_API ULONG EventWriteTransfer(REGHANDLE RegHandle, PCEVENT_DESCRIPTOR EventDescriptor,
                                        LPCGUID ActivityId, LPCGUID RelatedActivityId,
                                        ULONG UserDataCount, PEVENT_DATA_DESCRIPTOR UserData);
ETL_COMPAT_API ULONG EventWriteEx(REGHANDLE RegHandle, PCEVENT_DESCRIPTOR EventDescriptor,
                                  ULONG64 Filter, ULONG Flags, LPCGUID ActivityId,
                                  LPCGUID RelatedActivityId, ULONG UserDataCount,
                                  PEVENT_DATA_DESCRIPTOR UserData);
ETL_COMPAT_API ULONG EventWriteString(REGHANDLE RegHandle, UCHAR Level, ULONGLONG Keyword,
                                      PCWSTR String);
ETL_COMPAT_API ULONG EventActivityIdControl(ULONG ControlCode, LPGUID ActivityId);

ETL_COMPAT_END

FORCEINLINE VOID EventDataDescCreate(PEVENT_DATA_DESCRIPTOR descriptor, const VOID* data,
                                     ULONG size) {
    descriptor->Ptr = (ULONGLONG)(ULONG_PTR)data;
    descriptor->Size = size;
    descriptor->Reserved = 0;
}

FORCEINLINE VOID EventDescCreate(PEVENT_DESCRIPTOR descriptor, USHORT id, UCHAR version,
                                 UCHAR channel, UCHAR level, USHORT task, UCHAR opcode,
                                 ULONGLONG keyword) {
    descriptor->Id = id;
    descriptor->Version = version;
    descriptor->Channel = channel;
    descriptor->Level = level;
    descriptor->Opcode = opcode;
    descriptor->Task = task;
    descriptor->Keyword = keyword;
}

FORCEINLINE VOID EventDescZero(PEVENT_DESCRIPTOR descriptor) {
    memset(descriptor, 0, sizeof(EVENT_DESCRIPTOR));
}

FORCEINLINE USHORT EventDescGetId(PCEVENT_DESCRIPTOR descriptor) {
    return descriptor->Id;
}

FORCEINLINE UCHAR EventDescGetVersion(PCEVENT_DESCRIPTOR descriptor) {
    return descriptor->Version;
}

FORCEINLINE USHORT EventDescGetTask(PCEVENT_DESCRIPTOR descriptor) {
    return descriptor->Task;
}

FORCEINLINE UCHAR EventDescGetOpcode(PCEVENT_DESCRIPTOR descriptor) {
    return descriptor->Opcode;
}

FORCEINLINE UCHAR EventDescGetChannel(PCEVENT_DESCRIPTOR descriptor) {
    return descriptor->Channel;
}

FORCEINLINE UCHAR EventDescGetLevel(PCEVENT_DESCRIPTOR descriptor) {
    return descriptor->Level;
}

FORCEINLINE ULONGLONG EventDescGetKeyword(PCEVENT_DESCRIPTOR descriptor) {
    return descriptor->Keyword;
}

FORCEINLINE PEVENT_DESCRIPTOR EventDescSetId(PEVENT_DESCRIPTOR descriptor, USHORT id) {
    descriptor->Id = id;
    return descriptor;
}

FORCEINLINE PEVENT_DESCRIPTOR EventDescSetVersion(PEVENT_DESCRIPTOR descriptor, UCHAR version) {
    descriptor->Version = version;
    return descriptor;
}

FORCEINLINE PEVENT_DESCRIPTOR EventDescSetTask(PEVENT_DESCRIPTOR descriptor, USHORT task) {
    descriptor->Task = task;
    return descriptor;
}

FORCEINLINE PEVENT_DESCRIPTOR EventDescSetOpcode(PEVENT_DESCRIPTOR descriptor, UCHAR opcode) {
    descriptor->Opcode = opcode;
    return descriptor;
}

FORCEINLINE PEVENT_DESCRIPTOR EventDescSetLevel(PEVENT_DESCRIPTOR descriptor, UCHAR level) {
    descriptor->Level = level;
    return descriptor;
}

FORCEINLINE PEVENT_DESCRIPTOR EventDescSetChannel(PEVENT_DESCRIPTOR descriptor, UCHAR channel) {
    descriptor->Channel = channel;
    return descriptor;
}

FORCEINLINE PEVENT_DESCRIPTOR EventDescSetKeyword(PEVENT_DESCRIPTOR descriptor, ULONGLONG keyword) {
    descriptor->Keyword = keyword;
    return descriptor;
}

FORCEINLINE PEVENT_DESCRIPTOR EventDescOrKeyword(PEVENT_DESCRIPTOR descriptor, ULONGLONG keyword) {
    descriptor->Keyword |= keyword;
    return descriptor;
}

#endif

/* Sessions, their controllers, their consumers, and classic providers. docs/compat.md */
#ifndef ETL_COMPAT_EVNTRACE_H
#define ETL_COMPAT_EVNTRACE_H

#pragma GCC system_header

#include "evntprov.h"
#include "wmistr.h"

DEFINE_GUID(EventTraceGuid, 0x68fdd900, 0x4a3e, 0x11d1, 0x84, 0xf4, 0x00, 0x00, 0xf8, 0x04, 0x64,
            0xe3);
DEFINE_GUID(SystemTraceControlGuid, 0x9e814aad, 0x3204, 0x11d2, 0x9a, 0x82, 0x00, 0x60, 0x08, 0xa8,
            0x69, 0x39);
DEFINE_GUID(EventTraceConfigGuid, 0x01853a65, 0x418f, 0x4f36, 0xae, 0xfc, 0xdc, 0x0f, 0x1d, 0x2f,
            0xd2, 0x35);
DEFINE_GUID(DefaultTraceSecurityGuid, 0x0811c1af, 0x7a07, 0x4a06, 0x82, 0xed, 0x86, 0x94, 0x55,
            0xcd, 0xf7, 0x13);

#define KERNEL_LOGGER_NAMEW ETL_COMPAT_WIDE("NT Kernel Logger")
#define KERNEL_LOGGER_NAMEA "NT Kernel Logger"
#define GLOBAL_LOGGER_NAMEW ETL_COMPAT_WIDE("GlobalLogger")
#define GLOBAL_LOGGER_NAMEA "GlobalLogger"
#define EVENT_LOGGER_NAMEW ETL_COMPAT_WIDE("EventLog")
#define EVENT_LOGGER_NAMEA "EventLog"

#define MAX_MOF_FIELDS 16

#define TRACE_LEVEL_NONE 0
#define TRACE_LEVEL_CRITICAL 1
#define TRACE_LEVEL_FATAL 1
#define TRACE_LEVEL_ERROR 2
#define TRACE_LEVEL_WARNING 3
#define TRACE_LEVEL_INFORMATION 4
#define TRACE_LEVEL_VERBOSE 5

#define EVENT_TRACE_TYPE_INFO 0x00
#define EVENT_TRACE_TYPE_START 0x01
#define EVENT_TRACE_TYPE_END 0x02
#define EVENT_TRACE_TYPE_STOP 0x02
#define EVENT_TRACE_TYPE_DC_START 0x03
#define EVENT_TRACE_TYPE_DC_END 0x04
#define EVENT_TRACE_TYPE_EXTENSION 0x05
#define EVENT_TRACE_TYPE_REPLY 0x06
#define EVENT_TRACE_TYPE_DEQUEUE 0x07
#define EVENT_TRACE_TYPE_RESUME 0x07
#define EVENT_TRACE_TYPE_CHECKPOINT 0x08
#define EVENT_TRACE_TYPE_SUSPEND 0x08
#define EVENT_TRACE_TYPE_WINEVT_SEND 0x09
#define EVENT_TRACE_TYPE_WINEVT_RECEIVE 0xF0

#define EVENT_TRACE_FLAG_PROCESS 0x00000001U
#define EVENT_TRACE_FLAG_THREAD 0x00000002U
#define EVENT_TRACE_FLAG_IMAGE_LOAD 0x00000004U
#define EVENT_TRACE_FLAG_PROCESS_COUNTERS 0x00000008U
#define EVENT_TRACE_FLAG_CSWITCH 0x00000010U
#define EVENT_TRACE_FLAG_DPC 0x00000020U
#define EVENT_TRACE_FLAG_INTERRUPT 0x00000040U
#define EVENT_TRACE_FLAG_SYSTEMCALL 0x00000080U
#define EVENT_TRACE_FLAG_DISK_IO 0x00000100U
#define EVENT_TRACE_FLAG_DISK_FILE_IO 0x00000200U
#define EVENT_TRACE_FLAG_DISK_IO_INIT 0x00000400U
#define EVENT_TRACE_FLAG_DISPATCHER 0x00000800U
#define EVENT_TRACE_FLAG_MEMORY_PAGE_FAULTS 0x00001000U
#define EVENT_TRACE_FLAG_MEMORY_HARD_FAULTS 0x00002000U
#define EVENT_TRACE_FLAG_VIRTUAL_ALLOC 0x00004000U
#define EVENT_TRACE_FLAG_VAMAP 0x00008000U
#define EVENT_TRACE_FLAG_NETWORK_TCPIP 0x00010000U
#define EVENT_TRACE_FLAG_REGISTRY 0x00020000U
#define EVENT_TRACE_FLAG_DBGPRINT 0x00040000U
#define EVENT_TRACE_FLAG_JOB 0x00080000U
#define EVENT_TRACE_FLAG_ALPC 0x00100000U
#define EVENT_TRACE_FLAG_SPLIT_IO 0x00200000U
#define EVENT_TRACE_FLAG_DEBUG_EVENTS 0x00400000U
#define EVENT_TRACE_FLAG_DRIVER 0x00800000U
#define EVENT_TRACE_FLAG_PROFILE 0x01000000U
#define EVENT_TRACE_FLAG_FILE_IO 0x02000000U
#define EVENT_TRACE_FLAG_FILE_IO_INIT 0x04000000U
#define EVENT_TRACE_FLAG_NO_SYSCONFIG 0x10000000U
#define EVENT_TRACE_FLAG_ENABLE_RESERVE 0x20000000U
#define EVENT_TRACE_FLAG_FORWARD_WMI 0x40000000U
#define EVENT_TRACE_FLAG_EXTENSION 0x80000000U

#define EVENT_TRACE_FILE_MODE_NONE 0x00000000U
#define EVENT_TRACE_FILE_MODE_SEQUENTIAL 0x00000001U
#define EVENT_TRACE_FILE_MODE_CIRCULAR 0x00000002U
#define EVENT_TRACE_FILE_MODE_APPEND 0x00000004U
#define EVENT_TRACE_FILE_MODE_NEWFILE 0x00000008U
#define EVENT_TRACE_USE_MS_FLUSH_TIMER 0x00000010U
#define EVENT_TRACE_FILE_MODE_PREALLOCATE 0x00000020U
#define EVENT_TRACE_NONSTOPPABLE_MODE 0x00000040U
#define EVENT_TRACE_SECURE_MODE 0x00000080U
#define EVENT_TRACE_REAL_TIME_MODE 0x00000100U
#define EVENT_TRACE_DELAY_OPEN_FILE_MODE 0x00000200U
#define EVENT_TRACE_BUFFERING_MODE 0x00000400U
#define EVENT_TRACE_PRIVATE_LOGGER_MODE 0x00000800U
#define EVENT_TRACE_ADD_HEADER_MODE 0x00001000U
#define EVENT_TRACE_USE_KBYTES_FOR_SIZE 0x00002000U
#define EVENT_TRACE_USE_GLOBAL_SEQUENCE 0x00004000U
#define EVENT_TRACE_USE_LOCAL_SEQUENCE 0x00008000U
#define EVENT_TRACE_RELOG_MODE 0x00010000U
#define EVENT_TRACE_PRIVATE_IN_PROC 0x00020000U
#define EVENT_TRACE_BUFFER_INTERFACE_MODE 0x00040000U
#define EVENT_TRACE_KD_FILTER_MODE 0x00080000U
#define EVENT_TRACE_REALTIME_RELOG_MODE 0x00100000U
#define EVENT_TRACE_MODE_RESERVED 0x00100000U
#define EVENT_TRACE_LOST_EVENTS_DEBUG_MODE 0x00200000U
#define EVENT_TRACE_STOP_ON_HYBRID_SHUTDOWN 0x00400000U
#define EVENT_TRACE_PERSIST_ON_HYBRID_SHUTDOWN 0x00800000U
#define EVENT_TRACE_USE_PAGED_MEMORY 0x01000000U
#define EVENT_TRACE_SYSTEM_LOGGER_MODE 0x02000000U
#define EVENT_TRACE_COMPRESSED_MODE 0x04000000U
#define EVENT_TRACE_INDEPENDENT_SESSION_MODE 0x08000000U
#define EVENT_TRACE_NO_PER_PROCESSOR_BUFFERING 0x10000000U
#define EVENT_TRACE_BLOCKING_MODE 0x20000000U
#define EVENT_TRACE_ADDTO_TRIAGE_DUMP 0x80000000U

#define EVENT_TRACE_CONTROL_QUERY 0
#define EVENT_TRACE_CONTROL_STOP 1
#define EVENT_TRACE_CONTROL_UPDATE 2
#define EVENT_TRACE_CONTROL_FLUSH 3
#define EVENT_TRACE_CONTROL_INCREMENT_FILE 4
#define EVENT_TRACE_CONTROL_CONVERT_TO_REALTIME 5

#define EVENT_CONTROL_CODE_DISABLE_PROVIDER 0
#define EVENT_CONTROL_CODE_ENABLE_PROVIDER 1
#define EVENT_CONTROL_CODE_CAPTURE_STATE 2

#define ENABLE_TRACE_PARAMETERS_VERSION 1
#define ENABLE_TRACE_PARAMETERS_VERSION_2 2

#define TRACE_MESSAGE_SEQUENCE 0x01
#define TRACE_MESSAGE_GUID 0x02
#define TRACE_MESSAGE_COMPONENTID 0x04
#define TRACE_MESSAGE_TIMESTAMP 0x08
#define TRACE_MESSAGE_PERFORMANCE_TIMESTAMP 0x10
#define TRACE_MESSAGE_SYSTEMINFO 0x20
#define TRACE_MESSAGE_POINTER32 0x40
#define TRACE_MESSAGE_POINTER64 0x80
#define TRACE_MESSAGE_FLAG_MASK 0xFFFF
#define TRACE_MESSAGE_MAXIMUM_SIZE (64 * 1024)

#define TRACE_PROVIDER_FLAG_LEGACY 0x00000001
#define TRACE_PROVIDER_FLAG_PRE_ENABLE 0x00000002

typedef ULONG64 TRACEHANDLE, *PTRACEHANDLE;
typedef ULONG64 CONTROLTRACE_ID;
typedef ULONG64 PROCESSTRACE_HANDLE;
#define INVALID_PROCESSTRACE_HANDLE ((TRACEHANDLE) - 1)

typedef struct _EVENT_TRACE_HEADER {
    USHORT Size;

    ETL_COMPAT_ANONYMOUS union {
        USHORT FieldTypeFlags;

        ETL_COMPAT_ANONYMOUS struct {
            UCHAR HeaderType;
            UCHAR MarkerFlags;
        };
    };

    ETL_COMPAT_ANONYMOUS union {
        ULONG Version;

        struct {
            UCHAR Type;
            UCHAR Level;
            USHORT Version;
        } Class;
    };

    ULONG ThreadId;
    ULONG ProcessId;
    LARGE_INTEGER TimeStamp;

    ETL_COMPAT_ANONYMOUS union {
        GUID Guid;
        ULONGLONG GuidPtr;
    };

    ETL_COMPAT_ANONYMOUS union {
        ETL_COMPAT_ANONYMOUS struct {
            ULONG KernelTime;
            ULONG UserTime;
        };

        ULONG64 ProcessorTime;

        ETL_COMPAT_ANONYMOUS struct {
            ULONG ClientContext;
            ULONG Flags;
        };
    };
} EVENT_TRACE_HEADER, *PEVENT_TRACE_HEADER;

typedef struct _EVENT_INSTANCE_HEADER {
    USHORT Size;

    ETL_COMPAT_ANONYMOUS union {
        USHORT FieldTypeFlags;

        ETL_COMPAT_ANONYMOUS struct {
            UCHAR HeaderType;
            UCHAR MarkerFlags;
        };
    };

    ETL_COMPAT_ANONYMOUS union {
        ULONG Version;

        struct {
            UCHAR Type;
            UCHAR Level;
            USHORT Version;
        } Class;
    };

    ULONG ThreadId;
    ULONG ProcessId;
    LARGE_INTEGER TimeStamp;
    ULONGLONG RegHandle;
    ULONG InstanceId;
    ULONG ParentInstanceId;

    ETL_COMPAT_ANONYMOUS union {
        ETL_COMPAT_ANONYMOUS struct {
            ULONG KernelTime;
            ULONG UserTime;
        };

        ULONG64 ProcessorTime;

        ETL_COMPAT_ANONYMOUS struct {
            ULONG EventId;
            ULONG Flags;
        };
    };

    ULONGLONG ParentRegHandle;
} EVENT_INSTANCE_HEADER, *PEVENT_INSTANCE_HEADER;

typedef struct {
    HANDLE RegHandle;
    ULONG InstanceId;
} EVENT_INSTANCE_INFO, *PEVENT_INSTANCE_INFO;

#define DEFINE_TRACE_MOF_FIELD(field, data, size, type)                                            \
    (field)->DataPtr = (ULONG64)(ULONG_PTR)(data);                                                 \
    (field)->Length = (size);                                                                      \
    (field)->DataType = (type)

typedef struct _MOF_FIELD {
    ULONG64 DataPtr;
    ULONG Length;
    ULONG DataType;
} MOF_FIELD, *PMOF_FIELD;

typedef struct _TRACE_LOGFILE_HEADER {
    ULONG BufferSize;

    ETL_COMPAT_ANONYMOUS union {
        ULONG Version;

        struct {
            UCHAR MajorVersion;
            UCHAR MinorVersion;
            UCHAR SubVersion;
            UCHAR SubMinorVersion;
        } VersionDetail;
    };

    ULONG ProviderVersion;
    ULONG NumberOfProcessors;
    LARGE_INTEGER EndTime;
    ULONG TimerResolution;
    ULONG MaximumFileSize;
    ULONG LogFileMode;
    ULONG BuffersWritten;

    ETL_COMPAT_ANONYMOUS union {
        GUID LogInstanceGuid;

        ETL_COMPAT_ANONYMOUS struct {
            ULONG StartBuffers;
            ULONG PointerSize;
            ULONG EventsLost;
            ULONG CpuSpeedInMHz;
        };
    };

    LPWSTR LoggerName;
    LPWSTR LogFileName;
    TIME_ZONE_INFORMATION TimeZone;
    LARGE_INTEGER BootTime;
    LARGE_INTEGER PerfFreq;
    LARGE_INTEGER StartTime;
    ULONG ReservedFlags;
    ULONG BuffersLost;
} TRACE_LOGFILE_HEADER, *PTRACE_LOGFILE_HEADER;

typedef struct _EVENT_TRACE_PROPERTIES {
    WNODE_HEADER Wnode;
    ULONG BufferSize;
    ULONG MinimumBuffers;
    ULONG MaximumBuffers;
    ULONG MaximumFileSize;
    ULONG LogFileMode;
    ULONG FlushTimer;
    ULONG EnableFlags;

    ETL_COMPAT_ANONYMOUS union {
        LONG AgeLimit;
        LONG FlushThreshold;
    };

    ULONG NumberOfBuffers;
    ULONG FreeBuffers;
    ULONG EventsLost;
    ULONG BuffersWritten;
    ULONG LogBuffersLost;
    ULONG RealTimeBuffersLost;
    HANDLE LoggerThreadId;
    ULONG LogFileNameOffset;
    ULONG LoggerNameOffset;
} EVENT_TRACE_PROPERTIES, *PEVENT_TRACE_PROPERTIES;

typedef struct _EVENT_TRACE_PROPERTIES_V2 {
    WNODE_HEADER Wnode;
    ULONG BufferSize;
    ULONG MinimumBuffers;
    ULONG MaximumBuffers;
    ULONG MaximumFileSize;
    ULONG LogFileMode;
    ULONG FlushTimer;
    ULONG EnableFlags;

    ETL_COMPAT_ANONYMOUS union {
        LONG AgeLimit;
        LONG FlushThreshold;
    };

    ULONG NumberOfBuffers;
    ULONG FreeBuffers;
    ULONG EventsLost;
    ULONG BuffersWritten;
    ULONG LogBuffersLost;
    ULONG RealTimeBuffersLost;
    HANDLE LoggerThreadId;
    ULONG LogFileNameOffset;
    ULONG LoggerNameOffset;

    ETL_COMPAT_ANONYMOUS union {
        ETL_COMPAT_ANONYMOUS struct {
            ULONG VersionNumber : 8;
            ULONG Reserved1 : 24;
        };

        ULONG V2Control;
    };

    ULONG FilterDescCount;
    PEVENT_FILTER_DESCRIPTOR FilterDesc;

    ETL_COMPAT_ANONYMOUS union {
        ETL_COMPAT_ANONYMOUS struct {
            ULONG Wow : 1;
            ULONG QpcDeltaTracking : 1;
            ULONG LargeMdlPages : 1;
            ULONG ExcludeKernelStack : 1;
        };

        ULONG64 V2Options;
    };
} EVENT_TRACE_PROPERTIES_V2, *PEVENT_TRACE_PROPERTIES_V2;

typedef struct _TRACE_GUID_REGISTRATION {
    LPCGUID Guid;
    HANDLE RegHandle;
} TRACE_GUID_REGISTRATION, *PTRACE_GUID_REGISTRATION;

typedef struct _TRACE_GUID_PROPERTIES {
    GUID Guid;
    ULONG GuidType;
    ULONG LoggerId;
    ULONG EnableLevel;
    ULONG EnableFlags;
    BOOLEAN IsEnable;
} TRACE_GUID_PROPERTIES, *PTRACE_GUID_PROPERTIES;

typedef struct _ETW_BUFFER_CONTEXT {
    ETL_COMPAT_ANONYMOUS union {
        ETL_COMPAT_ANONYMOUS struct {
            UCHAR ProcessorNumber;
            UCHAR Alignment;
        };

        USHORT ProcessorIndex;
    };

    USHORT LoggerId;
} ETW_BUFFER_CONTEXT, *PETW_BUFFER_CONTEXT;

typedef struct _TRACE_ENABLE_INFO {
    ULONG IsEnabled;
    UCHAR Level;
    UCHAR Reserved1;
    USHORT LoggerId;
    ULONG EnableProperty;
    ULONG Reserved2;
    ULONGLONG MatchAnyKeyword;
    ULONGLONG MatchAllKeyword;
} TRACE_ENABLE_INFO, *PTRACE_ENABLE_INFO;

typedef struct _TRACE_PROVIDER_INSTANCE_INFO {
    ULONG NextOffset;
    ULONG EnableCount;
    ULONG Pid;
    ULONG Flags;
} TRACE_PROVIDER_INSTANCE_INFO, *PTRACE_PROVIDER_INSTANCE_INFO;

typedef struct _TRACE_GUID_INFO {
    ULONG InstanceCount;
    ULONG Reserved;
} TRACE_GUID_INFO, *PTRACE_GUID_INFO;

typedef struct _TRACE_VERSION_INFO {
    UINT EtwTraceProcessingVersion;
    UINT Reserved;
} TRACE_VERSION_INFO, *PTRACE_VERSION_INFO;

typedef struct _CLASSIC_EVENT_ID {
    GUID EventGuid;
    UCHAR Type;
    UCHAR Reserved[7];
} CLASSIC_EVENT_ID, *PCLASSIC_EVENT_ID;

typedef struct _EVENT_TRACE {
    EVENT_TRACE_HEADER Header;
    ULONG InstanceId;
    ULONG ParentInstanceId;
    GUID ParentGuid;
    PVOID MofData;
    ULONG MofLength;

    ETL_COMPAT_ANONYMOUS union {
        ULONG ClientContext;
        ETW_BUFFER_CONTEXT BufferContext;
    };
} EVENT_TRACE, *PEVENT_TRACE;

typedef struct _EVENT_RECORD* PEVENT_RECORD;
typedef struct _EVENT_TRACE_LOGFILEW EVENT_TRACE_LOGFILEW, *PEVENT_TRACE_LOGFILEW;
typedef struct _EVENT_TRACE_LOGFILEA EVENT_TRACE_LOGFILEA, *PEVENT_TRACE_LOGFILEA;

typedef ULONG(WINAPI* PEVENT_TRACE_BUFFER_CALLBACKW)(PEVENT_TRACE_LOGFILEW Logfile);
typedef ULONG(WINAPI* PEVENT_TRACE_BUFFER_CALLBACKA)(PEVENT_TRACE_LOGFILEA Logfile);
typedef VOID(WINAPI* PEVENT_CALLBACK)(PEVENT_TRACE Event);
typedef VOID(WINAPI* PEVENT_RECORD_CALLBACK)(PEVENT_RECORD EventRecord);
typedef ULONG(WINAPI* WMIDPREQUEST)(WMIDPREQUESTCODE RequestCode, PVOID RequestContext,
                                    ULONG* BufferSize, PVOID Buffer);

struct _EVENT_TRACE_LOGFILEW {
    LPWSTR LogFileName;
    LPWSTR LoggerName;
    LONGLONG CurrentTime;
    ULONG BuffersRead;

    ETL_COMPAT_ANONYMOUS union {
        ULONG LogFileMode;
        ULONG ProcessTraceMode;
    };

    EVENT_TRACE CurrentEvent;
    TRACE_LOGFILE_HEADER LogfileHeader;
    PEVENT_TRACE_BUFFER_CALLBACKW BufferCallback;
    ULONG BufferSize;
    ULONG Filled;
    ULONG EventsLost;

    ETL_COMPAT_ANONYMOUS union {
        PEVENT_CALLBACK EventCallback;
        PEVENT_RECORD_CALLBACK EventRecordCallback;
    };

    ULONG IsKernelTrace;
    PVOID Context;
};

struct _EVENT_TRACE_LOGFILEA {
    LPSTR LogFileName;
    LPSTR LoggerName;
    LONGLONG CurrentTime;
    ULONG BuffersRead;

    ETL_COMPAT_ANONYMOUS union {
        ULONG LogFileMode;
        ULONG ProcessTraceMode;
    };

    EVENT_TRACE CurrentEvent;
    TRACE_LOGFILE_HEADER LogfileHeader;
    PEVENT_TRACE_BUFFER_CALLBACKA BufferCallback;
    ULONG BufferSize;
    ULONG Filled;
    ULONG EventsLost;

    ETL_COMPAT_ANONYMOUS union {
        PEVENT_CALLBACK EventCallback;
        PEVENT_RECORD_CALLBACK EventRecordCallback;
    };

    ULONG IsKernelTrace;
    PVOID Context;
};

typedef struct _ENABLE_TRACE_PARAMETERS_V1 {
    ULONG Version;
    ULONG EnableProperty;
    ULONG ControlFlags;
    GUID SourceId;
    PEVENT_FILTER_DESCRIPTOR EnableFilterDesc;
} ENABLE_TRACE_PARAMETERS_V1, *PENABLE_TRACE_PARAMETERS_V1;

typedef struct _ENABLE_TRACE_PARAMETERS {
    ULONG Version;
    ULONG EnableProperty;
    ULONG ControlFlags;
    GUID SourceId;
    PEVENT_FILTER_DESCRIPTOR EnableFilterDesc;
    ULONG FilterDescCount;
} ENABLE_TRACE_PARAMETERS, *PENABLE_TRACE_PARAMETERS;

typedef enum _TRACE_QUERY_INFO_CLASS ETL_COMPAT_ANY_NUMBER {
    TraceGuidQueryList = 0,
    TraceGuidQueryInfo = 1,
    TraceGuidQueryProcess = 2,
    TraceStackTracingInfo = 3,
    TraceSystemTraceEnableFlagsInfo = 4,
    TraceSampledProfileIntervalInfo = 5,
    TraceProfileSourceConfigInfo = 6,
    TraceProfileSourceListInfo = 7,
    TracePmcEventListInfo = 8,
    TracePmcCounterListInfo = 9,
    TraceSetDisallowList = 10,
    TraceVersionInfo = 11,
    TraceGroupQueryList = 12,
    TraceGroupQueryInfo = 13,
    TraceDisallowListQuery = 14,
    TraceInfoReserved15 = 15,
    TracePeriodicCaptureStateListInfo = 16,
    TracePeriodicCaptureStateInfo = 17,
    TraceProviderBinaryTracking = 18,
    TraceMaxLoggersQuery = 19,
    MaxTraceSetInfoClass = 28
} TRACE_QUERY_INFO_CLASS;

typedef TRACE_QUERY_INFO_CLASS TRACE_INFO_CLASS;

ETL_COMPAT_ASSERT_SIZE(EVENT_TRACE_HEADER, 0x30);
ETL_COMPAT_ASSERT_SIZE(EVENT_INSTANCE_HEADER, 0x38);
ETL_COMPAT_ASSERT_SIZE(ETW_BUFFER_CONTEXT, 4);
ETL_COMPAT_ASSERT_SIZE(MOF_FIELD, 16);
ETL_COMPAT_ASSERT_SIZE(TRACE_ENABLE_INFO, 32);
ETL_COMPAT_ASSERT_SIZE(TRACE_PROVIDER_INSTANCE_INFO, 16);
#if __SIZEOF_POINTER__ == 8
ETL_COMPAT_ASSERT_SIZE(EVENT_TRACE_PROPERTIES, 0x78);
ETL_COMPAT_ASSERT_OFFSET(EVENT_TRACE_PROPERTIES, LogFileMode, 0x40);
ETL_COMPAT_ASSERT_OFFSET(EVENT_TRACE_PROPERTIES, FlushThreshold, 0x4C);
ETL_COMPAT_ASSERT_OFFSET(EVENT_TRACE_PROPERTIES, LoggerThreadId, 0x68);
ETL_COMPAT_ASSERT_OFFSET(EVENT_TRACE_PROPERTIES, LogFileNameOffset, 0x70);
ETL_COMPAT_ASSERT_OFFSET(EVENT_TRACE_PROPERTIES, LoggerNameOffset, 0x74);
ETL_COMPAT_ASSERT_SIZE(EVENT_TRACE_PROPERTIES_V2, 0x90);
ETL_COMPAT_ASSERT_SIZE(TRACE_LOGFILE_HEADER, 0x118);
ETL_COMPAT_ASSERT_OFFSET(TRACE_LOGFILE_HEADER, BootTime, 0xF8);
ETL_COMPAT_ASSERT_SIZE(EVENT_TRACE, 0x58);
#endif

ETL_COMPAT_BEGIN

ETL_COMPAT_API ULONG StartTraceW(PTRACEHANDLE TraceHandle, LPCWSTR InstanceName,
                                 PEVENT_TRACE_PROPERTIES Properties);
ETL_COMPAT_API ULONG StartTraceA(PTRACEHANDLE TraceHandle, LPCSTR InstanceName,
                                 PEVENT_TRACE_PROPERTIES Properties);
ETL_COMPAT_API ULONG StopTraceW(TRACEHANDLE TraceHandle, LPCWSTR InstanceName,
                                PEVENT_TRACE_PROPERTIES Properties);
ETL_COMPAT_API ULONG StopTraceA(TRACEHANDLE TraceHandle, LPCSTR InstanceName,
                                PEVENT_TRACE_PROPERTIES Properties);
ETL_COMPAT_API ULONG QueryTraceW(TRACEHANDLE TraceHandle, LPCWSTR InstanceName,
                                 PEVENT_TRACE_PROPERTIES Properties);
ETL_COMPAT_API ULONG QueryTraceA(TRACEHANDLE TraceHandle, LPCSTR InstanceName,
                                 PEVENT_TRACE_PROPERTIES Properties);
ETL_COMPAT_API ULONG UpdateTraceW(TRACEHANDLE TraceHandle, LPCWSTR InstanceName,
                                  PEVENT_TRACE_PROPERTIES Properties);
ETL_COMPAT_API ULONG UpdateTraceA(TRACEHANDLE TraceHandle, LPCSTR InstanceName,
                                  PEVENT_TRACE_PROPERTIES Properties);
ETL_COMPAT_API ULONG FlushTraceW(TRACEHANDLE TraceHandle, LPCWSTR InstanceName,
                                 PEVENT_TRACE_PROPERTIES Properties);
ETL_COMPAT_API ULONG FlushTraceA(TRACEHANDLE TraceHandle, LPCSTR InstanceName,
                                 PEVENT_TRACE_PROPERTIES Properties);
ETL_COMPAT_API ULONG ControlTraceW(TRACEHANDLE TraceHandle, LPCWSTR InstanceName,
                                   PEVENT_TRACE_PROPERTIES Properties, ULONG ControlCode);
ETL_COMPAT_API ULONG ControlTraceA(TRACEHANDLE TraceHandle, LPCSTR InstanceName,
                                   PEVENT_TRACE_PROPERTIES Properties, ULONG ControlCode);
ETL_COMPAT_API ULONG QueryAllTracesW(PEVENT_TRACE_PROPERTIES* PropertyArray,
                                     ULONG PropertyArrayCount, PULONG LoggerCount);
ETL_COMPAT_API ULONG QueryAllTracesA(PEVENT_TRACE_PROPERTIES* PropertyArray,
                                     ULONG PropertyArrayCount, PULONG LoggerCount);

ETL_COMPAT_API ULONG EnableTrace(ULONG Enable, ULONG EnableFlag, ULONG EnableLevel,
                                 LPCGUID ControlGuid, TRACEHANDLE TraceHandle);
ETL_COMPAT_API ULONG EnableTraceEx(LPCGUID ProviderId, LPCGUID SourceId, TRACEHANDLE TraceHandle,
                                   ULONG IsEnabled, UCHAR Level, ULONGLONG MatchAnyKeyword,
                                   ULONGLONG MatchAllKeyword, ULONG EnableProperty,
                                   PEVENT_FILTER_DESCRIPTOR EnableFilterDesc);
ETL_COMPAT_API ULONG EnableTraceEx2(TRACEHANDLE TraceHandle, LPCGUID ProviderId, ULONG ControlCode,
                                    UCHAR Level, ULONGLONG MatchAnyKeyword,
                                    ULONGLONG MatchAllKeyword, ULONG Timeout,
                                    PENABLE_TRACE_PARAMETERS EnableParameters);
ETL_COMPAT_API ULONG EnumerateTraceGuids(PTRACE_GUID_PROPERTIES* GuidPropertiesArray,
                                         ULONG PropertyArrayCount, PULONG GuidCount);
ETL_COMPAT_API ULONG EnumerateTraceGuidsEx(TRACE_QUERY_INFO_CLASS TraceQueryInfoClass,
                                           PVOID InBuffer, ULONG InBufferSize, PVOID OutBuffer,
                                           ULONG OutBufferSize, PULONG ReturnLength);
ETL_COMPAT_API ULONG TraceSetInformation(TRACEHANDLE SessionHandle,
                                         TRACE_INFO_CLASS InformationClass, PVOID TraceInformation,
                                         ULONG InformationLength);
ETL_COMPAT_API ULONG TraceQueryInformation(TRACEHANDLE SessionHandle,
                                           TRACE_INFO_CLASS InformationClass,
                                           PVOID TraceInformation, ULONG InformationLength,
                                           PULONG ReturnLength);

ETL_COMPAT_API ULONG RegisterTraceGuidsW(WMIDPREQUEST RequestAddress, PVOID RequestContext,
                                         LPCGUID ControlGuid, ULONG GuidCount,
                                         PTRACE_GUID_REGISTRATION TraceGuidReg,
                                         LPCWSTR MofImagePath, LPCWSTR MofResourceName,
                                         PTRACEHANDLE RegistrationHandle);
ETL_COMPAT_API ULONG RegisterTraceGuidsA(WMIDPREQUEST RequestAddress, PVOID RequestContext,
                                         LPCGUID ControlGuid, ULONG GuidCount,
                                         PTRACE_GUID_REGISTRATION TraceGuidReg, LPCSTR MofImagePath,
                                         LPCSTR MofResourceName, PTRACEHANDLE RegistrationHandle);
ETL_COMPAT_API ULONG UnregisterTraceGuids(TRACEHANDLE RegistrationHandle);
ETL_COMPAT_API TRACEHANDLE GetTraceLoggerHandle(PVOID Buffer);
ETL_COMPAT_API UCHAR GetTraceEnableLevel(TRACEHANDLE TraceHandle);
ETL_COMPAT_API ULONG GetTraceEnableFlags(TRACEHANDLE TraceHandle);
ETL_COMPAT_API ULONG CreateTraceInstanceId(HANDLE RegHandle, PEVENT_INSTANCE_INFO InstInfo);
ETL_COMPAT_API ULONG TraceEvent(TRACEHANDLE TraceHandle, PEVENT_TRACE_HEADER EventTrace);
ETL_COMPAT_API ULONG TraceEventInstance(TRACEHANDLE TraceHandle, PEVENT_INSTANCE_HEADER EventTrace,
                                        PEVENT_INSTANCE_INFO InstInfo,
                                        PEVENT_INSTANCE_INFO ParentInstInfo);
ETL_COMPAT_API ULONG TraceMessage(TRACEHANDLE LoggerHandle, ULONG MessageFlags, LPCGUID MessageGuid,
                                  USHORT MessageNumber, ...);
ETL_COMPAT_API ULONG TraceMessageVa(TRACEHANDLE LoggerHandle, ULONG MessageFlags,
                                    LPCGUID MessageGuid, USHORT MessageNumber,
                                    va_list MessageArgList);

ETL_COMPAT_API TRACEHANDLE OpenTraceW(PEVENT_TRACE_LOGFILEW Logfile);
ETL_COMPAT_API TRACEHANDLE OpenTraceA(PEVENT_TRACE_LOGFILEA Logfile);
ETL_COMPAT_API ULONG ProcessTrace(PTRACEHANDLE HandleArray, ULONG HandleCount, LPFILETIME StartTime,
                                  LPFILETIME EndTime);
ETL_COMPAT_API ULONG CloseTrace(TRACEHANDLE TraceHandle);

ETL_COMPAT_END

#ifdef ETL_COMPAT_UNICODE
#define KERNEL_LOGGER_NAME KERNEL_LOGGER_NAMEW
#define GLOBAL_LOGGER_NAME GLOBAL_LOGGER_NAMEW
#define EVENT_LOGGER_NAME EVENT_LOGGER_NAMEW
#define EVENT_TRACE_LOGFILE EVENT_TRACE_LOGFILEW
#define PEVENT_TRACE_LOGFILE PEVENT_TRACE_LOGFILEW
#define PEVENT_TRACE_BUFFER_CALLBACK PEVENT_TRACE_BUFFER_CALLBACKW
#define StartTrace StartTraceW
#define StopTrace StopTraceW
#define QueryTrace QueryTraceW
#define UpdateTrace UpdateTraceW
#define FlushTrace FlushTraceW
#define ControlTrace ControlTraceW
#define QueryAllTraces QueryAllTracesW
#define RegisterTraceGuids RegisterTraceGuidsW
#define OpenTrace OpenTraceW
#else
#define KERNEL_LOGGER_NAME KERNEL_LOGGER_NAMEA
#define GLOBAL_LOGGER_NAME GLOBAL_LOGGER_NAMEA
#define EVENT_LOGGER_NAME EVENT_LOGGER_NAMEA
#define EVENT_TRACE_LOGFILE EVENT_TRACE_LOGFILEA
#define PEVENT_TRACE_LOGFILE PEVENT_TRACE_LOGFILEA
#define PEVENT_TRACE_BUFFER_CALLBACK PEVENT_TRACE_BUFFER_CALLBACKA
#define StartTrace StartTraceA
#define StopTrace StopTraceA
#define QueryTrace QueryTraceA
#define UpdateTrace UpdateTraceA
#define FlushTrace FlushTraceA
#define ControlTrace ControlTraceA
#define QueryAllTraces QueryAllTracesA
#define RegisterTraceGuids RegisterTraceGuidsA
#define OpenTrace OpenTraceA
#endif

#endif

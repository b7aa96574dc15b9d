/* A controller in the style of public ones that compile with 8-bit or with wide text: commands
 *   start NAME [-f FILE] [-b KB] [-guid #GUID] [-level N] [-flags HEX]
 *   query NAME | flush NAME | stop NAME
 * separated by commas, because sessions end with the program. */
#define INITGUID
#include <evntrace.h>
#include <shellapi.h>
#include <stdio.h>
#include <strsafe.h>
#include <tchar.h>
#include <windows.h>

#define MAXSTR 1024

typedef struct {
    EVENT_TRACE_PROPERTIES Properties;
    TCHAR LoggerName[MAXSTR];
    TCHAR LogFileName[MAXSTR];
} LOGGER;

static void InitLogger(LOGGER* Logger) {
    RtlZeroMemory(Logger, sizeof(*Logger));
    Logger->Properties.Wnode.BufferSize = sizeof(*Logger);
    Logger->Properties.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
    Logger->Properties.LoggerNameOffset = FIELD_OFFSET(LOGGER, LoggerName);
    Logger->Properties.LogFileNameOffset = FIELD_OFFSET(LOGGER, LogFileName);
}

/* #xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx */
static BOOL StringToGuid(const TCHAR* Text, GUID* Guid) {
    TCHAR Part[9];
    int i;

    if (*Text++ != _T('#') || _tcslen(Text) != 36 || _tcschr(Text, _T('-')) != Text + 8) {
        return FALSE;
    }
    if (_tcsncpy_s(Part, ARRAYSIZE(Part), Text, 8) != 0) {
        return FALSE;
    }
    Guid->Data1 = (ULONG)_tcstoul(Part, NULL, 16);
    if (_tcsncpy_s(Part, ARRAYSIZE(Part), Text + 9, 4) != 0) {
        return FALSE;
    }
    Guid->Data2 = (USHORT)_tcstoul(Part, NULL, 16);
    _tcsncpy_s(Part, ARRAYSIZE(Part), Text + 14, 4);
    Guid->Data3 = (USHORT)_tcstoul(Part, NULL, 16);
    for (i = 0; i < 8; ++i) {
        _tcsncpy_s(Part, ARRAYSIZE(Part), Text + (i < 2 ? 19 : 20) + 2 * i, 2);
        Guid->Data4[i] = (UCHAR)_tcstoul(Part, NULL, 16);
    }
    return TRUE;
}

static void PrintLogger(const TCHAR* What, const LOGGER* Logger) {
    _tprintf(_T("%s: %s, %u KB buffers, file %s\n"), What, Logger->LoggerName,
             (unsigned)Logger->Properties.BufferSize,
             Logger->LogFileName[0] != 0 ? _tcsrchr(Logger->LogFileName, _T('/')) + 1 : _T("none"));
}

static ULONG Start(const TCHAR* Name, TCHAR** Args, int Count) {
    LOGGER Logger;
    TRACEHANDLE Handle = 0;
    GUID Guid;
    BOOL HasGuid = FALSE;
    UCHAR Level = TRACE_LEVEL_INFORMATION;
    ULONGLONG Flags = 0;
    ULONG Status;
    int i;

    InitLogger(&Logger);
    for (i = 0; i + 1 < Count; i += 2) {
        if (!_tcsicmp(Args[i], _T("-f"))) {
            if (_tfullpath(Logger.LogFileName, Args[i + 1], MAXSTR) == NULL) {
                return ERROR_BAD_PATHNAME;
            }
        } else if (!_tcsicmp(Args[i], _T("-b"))) {
            Logger.Properties.BufferSize = (ULONG)_ttoi(Args[i + 1]);
        } else if (!_tcsicmp(Args[i], _T("-guid"))) {
            HasGuid = StringToGuid(Args[i + 1], &Guid);
            if (!HasGuid) {
                return ERROR_INVALID_PARAMETER;
            }
        } else if (!_tcsicmp(Args[i], _T("-level"))) {
            Level = (UCHAR)_tstoi(Args[i + 1]);
        } else if (!_tcsnicmp(Args[i], _T("-flags"), 5)) {
            Flags = (ULONGLONG)_tcstoui64(Args[i + 1], NULL, 0);
        } else {
            return ERROR_INVALID_PARAMETER;
        }
    }
    Logger.Properties.LogFileMode = EVENT_TRACE_FILE_MODE_SEQUENTIAL;
    Status = StartTrace(&Handle, Name, &Logger.Properties);
    if (Status == ERROR_SUCCESS && HasGuid) {
        Status = EnableTraceEx2(Handle, &Guid, EVENT_CONTROL_CODE_ENABLE_PROVIDER, Level, Flags, 0,
                                0, NULL);
    }
    if (Status == ERROR_SUCCESS) {
        PrintLogger(_T("start"), &Logger);
    }
    return Status;
}

static ULONG Control(const TCHAR* What, const TCHAR* Name) {
    LOGGER Logger;
    TCHAR Title[16] = _T("");
    ULONG Code = EVENT_TRACE_CONTROL_QUERY;
    ULONG Status;

    InitLogger(&Logger);
    if (!_tcscmp(What, _T("stop"))) {
        Code = EVENT_TRACE_CONTROL_STOP;
    } else if (!_tcscmp(What, _T("flush"))) {
        Code = EVENT_TRACE_CONTROL_FLUSH;
    } else if (_tcscmp(What, _T("query")) != 0) {
        return ERROR_INVALID_FUNCTION;
    }
    Status = ControlTrace(0, Name, &Logger.Properties, Code);
    if (Status == ERROR_SUCCESS) {
        _tcscpy_s(Title, ARRAYSIZE(Title), What);
        Title[0] = _totupper(Title[0]);
        PrintLogger(Title, &Logger);
    }
    return Status;
}

static ULONG Run(TCHAR** Args, int Count) {
    if (Count < 2) {
        return ERROR_INVALID_PARAMETER;
    }
    return _tcsicmp(Args[0], _T("start")) == 0 ? Start(Args[1], Args + 2, Count - 2)
                                               : Control(Args[0], Args[1]);
}

int __cdecl main(int argc, char** argv) {
    TCHAR** targv;
    int Begin = 1;
    int End;
    ULONG Status = ERROR_SUCCESS;

#ifdef UNICODE
    UNREFERENCED_PARAMETER(argv);
    targv = CommandLineToArgvW(GetCommandLineW(), &argc);
    if (targv == NULL) {
        return (int)GetLastError();
    }
#else
    targv = argv;
#endif
    while (Begin < argc && Status == ERROR_SUCCESS) {
        for (End = Begin; End < argc && _tcscmp(targv[End], _T(",")) != 0;) {
            ++End;
        }
        Status = Run(targv + Begin, End - Begin);
        if (Status != ERROR_SUCCESS) {
            _tprintf(_T("%s: error %u\n"), targv[Begin], (unsigned)Status);
        }
        Begin = End + 1;
    }
#ifdef UNICODE
    GlobalFree(targv);
#endif
    return Status == ERROR_SUCCESS ? 0 : 1;
}

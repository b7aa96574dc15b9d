/* The types, constants, and functions of Windows that tracing programs use. Not a port of Windows.
 * For C and C++ with gcc and clang on other systems. docs/compat.md
 *
 * WCHAR has two bytes: char16_t, for sources with u"" or TEXT(), or wchar_t with -fshort-wchar, for
 * sources with L"". Both work with the same library. */
#ifndef ETL_COMPAT_WINDOWS_H
#define ETL_COMPAT_WINDOWS_H

#pragma GCC system_header

#ifdef _WIN32
#error "Windows has headers of its own: take etl/compat off the include path"
#endif

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
/* Some of its names are redefined below, so include it first. */
#include <wchar.h>
#ifdef __cplusplus
#include <cwchar>
#endif

#include "sal.h"

#if defined(UNICODE) || defined(_UNICODE)
#define ETL_COMPAT_UNICODE 1
#ifndef UNICODE
#define UNICODE
#endif
#ifndef _UNICODE
#define _UNICODE
#endif
#endif

#ifdef __cplusplus
#define EXTERN_C extern "C"
/* Placed after the name of an enumeration, so that callers may pass other values. */
#define ETL_COMPAT_ANY_NUMBER : unsigned
#define ETL_COMPAT_BEGIN extern "C" {
#define ETL_COMPAT_END }
#define ETL_COMPAT_ASSERT_SIZE(type, size) static_assert(sizeof(type) == (size), #type)
#define ETL_COMPAT_ASSERT_OFFSET(type, member, offset)                                             \
    static_assert(offsetof(type, member) == (offset), #type "." #member)
#else
#define EXTERN_C extern
#define ETL_COMPAT_ANY_NUMBER
#define ETL_COMPAT_BEGIN
#define ETL_COMPAT_END
#define ETL_COMPAT_ASSERT_SIZE(type, size) _Static_assert(sizeof(type) == (size), #type)
#define ETL_COMPAT_ASSERT_OFFSET(type, member, offset)                                             \
    _Static_assert(offsetof(type, member) == (offset), #type "." #member)
#endif
#define ETL_COMPAT_ANONYMOUS __extension__
#define ETL_COMPAT_API __attribute__((visibility("default")))

/* Calling conventions and parameter annotations. */
#define WINAPI
#define APIENTRY
#define CALLBACK
#define NTAPI
#define EVNTAPI
#define WMIAPI
#define ETW_APP_DECLSPEC_DEPRECATED
#define __stdcall
#define __cdecl
#define _cdecl
#define IN
#define OUT
#define OPTIONAL
#define CONST const
#define VOID void
#define FAR
#define NEAR
#define UNALIGNED
#define RESTRICTED_POINTER
#define ANYSIZE_ARRAY 1
#define DECLSPEC_ALIGN(n) __attribute__((aligned(n)))
#define DECLSPEC_CACHEALIGN DECLSPEC_ALIGN(64)
#define DECLSPEC_SELECTANY __attribute__((weak))
#define DECLSPEC_NOINLINE __attribute__((noinline))
#define DECLSPEC_NORETURN __attribute__((noreturn))
#define DECLSPEC_DEPRECATED
/* Attributes of constants in headers generated from manifests, and of functions in others. */
#define __declspec(what) ETL_COMPAT_DECLSPEC_##what
#define ETL_COMPAT_DECLSPEC_selectany __attribute__((weak))
#define ETL_COMPAT_DECLSPEC_noinline __attribute__((noinline))
#define ETL_COMPAT_DECLSPEC_noreturn __attribute__((noreturn))
#define ETL_COMPAT_DECLSPEC_align(n) __attribute__((aligned(n)))
#define ETL_COMPAT_DECLSPEC_deprecated
#define ETL_COMPAT_DECLSPEC_dllimport
#define ETL_COMPAT_DECLSPEC_dllexport __attribute__((visibility("default")))
#define ETL_COMPAT_DECLSPEC_thread __thread
#define ETL_COMPAT_DECLSPEC_nothrow __attribute__((nothrow))
#define ETL_COMPAT_DECLSPEC_novtable
#define FORCEINLINE static inline __attribute__((always_inline))
#ifndef __forceinline
#define __forceinline inline __attribute__((always_inline))
#endif
#define C_ASSERT(what) typedef char etl_compat_asserted[(what) ? 1 : -1] __attribute__((unused))

#ifndef NULL
#define NULL 0
#endif
#define TRUE 1
#define FALSE 0
#define MAX_PATH 260
#define INFINITE 0xFFFFFFFFU
#define CP_ACP 0
#define CP_UTF8 65001

#define __int8 char
#define __int16 short
#define __int32 int
#define __int64 long long

typedef char CHAR, *PCHAR, *LPCH, *PCH;
typedef unsigned char UCHAR, *PUCHAR, BYTE, *PBYTE, *LPBYTE, BOOLEAN, *PBOOLEAN;
typedef short SHORT, *PSHORT;
typedef unsigned short USHORT, *PUSHORT, WORD, *PWORD, *LPWORD, ATOM;
typedef int INT, *PINT, *LPINT, BOOL, *PBOOL, *LPBOOL;
typedef unsigned int UINT, *PUINT;
/* 32 bits on Windows, so not long here. */
typedef int LONG, *PLONG, *LPLONG;
typedef unsigned int ULONG, *PULONG, DWORD, *PDWORD, *LPDWORD;
typedef long long LONGLONG, *PLONGLONG, LONG64, *PLONG64, INT64, *PINT64;
typedef unsigned long long ULONGLONG, *PULONGLONG, ULONG64, *PULONG64, UINT64, *PUINT64, DWORD64,
    *PDWORD64, DWORDLONG;
typedef signed char INT8, *PINT8;
typedef unsigned char UINT8, *PUINT8;
typedef short INT16, *PINT16;
typedef unsigned short UINT16, *PUINT16;
typedef int INT32, *PINT32, LONG32;
typedef unsigned int UINT32, *PUINT32, ULONG32, DWORD32;
typedef intptr_t INT_PTR, LONG_PTR;
typedef uintptr_t UINT_PTR, ULONG_PTR, *PULONG_PTR, DWORD_PTR, *PDWORD_PTR;
typedef size_t SIZE_T, *PSIZE_T;
typedef ptrdiff_t SSIZE_T;
typedef float FLOAT;
typedef double DOUBLE;
typedef void *PVOID, *LPVOID, *HANDLE, **PHANDLE;
typedef const void *PCVOID, *LPCVOID;
typedef HANDLE HINSTANCE, HMODULE;
typedef int HRESULT;
typedef int NTSTATUS;
typedef unsigned short LANGID;
typedef unsigned int LCID;

ETL_COMPAT_ASSERT_SIZE(ULONG, 4);
ETL_COMPAT_ASSERT_SIZE(ULONGLONG, 8);

#if defined(__SIZEOF_WCHAR_T__) && __SIZEOF_WCHAR_T__ == 2
typedef wchar_t WCHAR;
#define ETL_COMPAT_WIDE(text) L##text
#elif defined(__cplusplus)
typedef char16_t WCHAR;
#define ETL_COMPAT_WIDE(text) u##text
#else
typedef __CHAR16_TYPE__ WCHAR;
#define ETL_COMPAT_WIDE(text) u##text
#endif

ETL_COMPAT_ASSERT_SIZE(WCHAR, 2);

typedef WCHAR *PWCHAR, *PWCH, *LPWSTR, *PWSTR, *NWPSTR;
typedef const WCHAR *LPCWSTR, *PCWSTR, *LPCWCH, *PCWCH, *PCNZWCH;
typedef CHAR *LPSTR, *PSTR;
typedef const CHAR *LPCSTR, *PCSTR, *LPCCH;

#ifdef ETL_COMPAT_UNICODE
typedef WCHAR TCHAR, *PTCHAR, _TCHAR;
typedef LPWSTR LPTSTR, PTSTR;
typedef LPCWSTR LPCTSTR, PCTSTR;
#define ETL_COMPAT_TEXT(text) ETL_COMPAT_WIDE(text)
#else
typedef CHAR TCHAR, *PTCHAR, _TCHAR;
typedef LPSTR LPTSTR, PTSTR;
typedef LPCSTR LPCTSTR, PCTSTR;
#define ETL_COMPAT_TEXT(text) text
#endif
#define TEXT(text) ETL_COMPAT_TEXT(text)

#define INVALID_HANDLE_VALUE ((HANDLE)(LONG_PTR) - 1)

#include "guiddef.h"

typedef union _LARGE_INTEGER {
    ETL_COMPAT_ANONYMOUS struct {
        DWORD LowPart;
        LONG HighPart;
    };

    struct {
        DWORD LowPart;
        LONG HighPart;
    } u;

    LONGLONG QuadPart;
} LARGE_INTEGER, *PLARGE_INTEGER;

typedef union _ULARGE_INTEGER {
    ETL_COMPAT_ANONYMOUS struct {
        DWORD LowPart;
        DWORD HighPart;
    };

    struct {
        DWORD LowPart;
        DWORD HighPart;
    } u;

    ULONGLONG QuadPart;
} ULARGE_INTEGER, *PULARGE_INTEGER;

typedef struct _FILETIME {
    DWORD dwLowDateTime;
    DWORD dwHighDateTime;
} FILETIME, *PFILETIME, *LPFILETIME;

typedef struct _SYSTEMTIME {
    WORD wYear;
    WORD wMonth;
    WORD wDayOfWeek;
    WORD wDay;
    WORD wHour;
    WORD wMinute;
    WORD wSecond;
    WORD wMilliseconds;
} SYSTEMTIME, *PSYSTEMTIME, *LPSYSTEMTIME;

typedef struct _TIME_ZONE_INFORMATION {
    LONG Bias;
    WCHAR StandardName[32];
    SYSTEMTIME StandardDate;
    LONG StandardBias;
    WCHAR DaylightName[32];
    SYSTEMTIME DaylightDate;
    LONG DaylightBias;
} TIME_ZONE_INFORMATION, *PTIME_ZONE_INFORMATION, *LPTIME_ZONE_INFORMATION;

ETL_COMPAT_ASSERT_SIZE(LARGE_INTEGER, 8);
ETL_COMPAT_ASSERT_SIZE(FILETIME, 8);
ETL_COMPAT_ASSERT_SIZE(SYSTEMTIME, 16);
ETL_COMPAT_ASSERT_SIZE(TIME_ZONE_INFORMATION, 172);

#include "winerror.h"

#define ZeroMemory(to, size) memset((to), 0, (size))
#define RtlZeroMemory(to, size) memset((to), 0, (size))
#define SecureZeroMemory(to, size) memset((to), 0, (size))
#define CopyMemory(to, from, size) memcpy((to), (from), (size))
#define RtlCopyMemory(to, from, size) memcpy((to), (from), (size))
#define MoveMemory(to, from, size) memmove((to), (from), (size))
#define FillMemory(to, size, value) memset((to), (value), (size))
#define RtlEqualMemory(one, other, size) (!memcmp((one), (other), (size)))
#define UNREFERENCED_PARAMETER(name) ((void)(name))
#define DBG_UNREFERENCED_PARAMETER(name) ((void)(name))
#define ARRAYSIZE(array) (sizeof(array) / sizeof((array)[0]))
#define _countof(array) ARRAYSIZE(array)
#define RTL_NUMBER_OF(array) ARRAYSIZE(array)
#define FIELD_OFFSET(type, member) ((LONG)offsetof(type, member))
#define CONTAINING_RECORD(at, type, member) ((type*)((PCHAR)(at) - offsetof(type, member)))
#define LOBYTE(w) ((BYTE)((DWORD_PTR)(w) & 0xff))
#define HIBYTE(w) ((BYTE)(((DWORD_PTR)(w) >> 8) & 0xff))
#define LOWORD(l) ((WORD)((DWORD_PTR)(l) & 0xffff))
#define HIWORD(l) ((WORD)(((DWORD_PTR)(l) >> 16) & 0xffff))
#define MAKELONG(low, high) ((LONG)(((WORD)(low)) | ((DWORD)((WORD)(high))) << 16))
#ifndef __cplusplus
#ifndef min
#define min(a, b) (((a) < (b)) ? (a) : (b))
#endif
#ifndef max
#define max(a, b) (((a) > (b)) ? (a) : (b))
#endif
#endif
#define MemoryBarrier() __sync_synchronize()
#define InterlockedIncrement(value) __sync_add_and_fetch((value), 1)
#define InterlockedDecrement(value) __sync_sub_and_fetch((value), 1)
#define InterlockedExchange(value, to) __atomic_exchange_n((value), (to), __ATOMIC_SEQ_CST)
#define InterlockedCompareExchange(value, to, when)                                                \
    __sync_val_compare_and_swap((value), (when), (to))
#define InterlockedIncrement64(value) __sync_add_and_fetch((value), 1)
#define InterlockedExchangeAdd(value, more) __sync_fetch_and_add((value), (more))

ETL_COMPAT_BEGIN

/* For the calling thread. */
ETL_COMPAT_API DWORD GetLastError(void);
ETL_COMPAT_API void SetLastError(DWORD code);

ETL_COMPAT_API DWORD GetCurrentProcessId(void);
ETL_COMPAT_API DWORD GetCurrentThreadId(void);
ETL_COMPAT_API void Sleep(DWORD milliseconds);
ETL_COMPAT_API DWORD GetTickCount(void);
ETL_COMPAT_API ULONGLONG GetTickCount64(void);
ETL_COMPAT_API BOOL QueryPerformanceCounter(LARGE_INTEGER* count);
ETL_COMPAT_API BOOL QueryPerformanceFrequency(LARGE_INTEGER* frequency);
ETL_COMPAT_API void GetSystemTimeAsFileTime(FILETIME* time);
ETL_COMPAT_API void GetSystemTimePreciseAsFileTime(FILETIME* time);
ETL_COMPAT_API BOOL FileTimeToSystemTime(const FILETIME* time, SYSTEMTIME* calendar);
ETL_COMPAT_API BOOL SystemTimeToFileTime(const SYSTEMTIME* calendar, FILETIME* time);
/* Uses the current time zone rule. */
ETL_COMPAT_API BOOL FileTimeToLocalFileTime(const FILETIME* time, FILETIME* local);
ETL_COMPAT_API BOOL SystemTimeToTzSpecificLocalTime(const TIME_ZONE_INFORMATION* zone,
                                                    const SYSTEMTIME* calendar, SYSTEMTIME* local);

ETL_COMPAT_API HRESULT CoCreateGuid(GUID* guid);
/* Writes `{...}` in uppercase. Returns the number of units including the final zero, or 0 if there
 * is not enough space. */
ETL_COMPAT_API int StringFromGUID2(REFGUID guid, LPWSTR text, int room);
ETL_COMPAT_API HRESULT CLSIDFromString(LPCWSTR text, GUID* guid);

/* Functions for text in 16-bit units, for both kinds of WCHAR; used by the definitions below. */
ETL_COMPAT_API size_t etl_compat_wcslen(const WCHAR* text);
ETL_COMPAT_API int etl_compat_wcscmp(const WCHAR* one, const WCHAR* other);
ETL_COMPAT_API int etl_compat_wcsicmp(const WCHAR* one, const WCHAR* other);
ETL_COMPAT_API WCHAR* etl_compat_wcscpy(WCHAR* to, const WCHAR* from);
/* Return 0, or 34 (ERANGE) if there is not enough space; `to` is empty then. */
ETL_COMPAT_API int etl_compat_wcscpy_s(WCHAR* to, size_t room, const WCHAR* from);
ETL_COMPAT_API int etl_compat_wcscat_s(WCHAR* to, size_t room, const WCHAR* from);
/* %s and %c are wide, %hs and %S are not; %I64d and %p as on Windows. The output is UTF-8. Return
 * the number of units, or -1 if the output could not be written. */
ETL_COMPAT_API int etl_compat_vfwprintf(FILE* to, const WCHAR* format, va_list list);
ETL_COMPAT_API int etl_compat_wprintf(const WCHAR* format, ...);
ETL_COMPAT_API int etl_compat_fwprintf(FILE* to, const WCHAR* format, ...);
/* Return the number of units without the final zero, or -1 if the output was truncated. */
ETL_COMPAT_API int etl_compat_vswprintf(WCHAR* to, size_t room, const WCHAR* format, va_list list);
ETL_COMPAT_API int etl_compat_swprintf(WCHAR* to, size_t room, const WCHAR* format, ...);

ETL_COMPAT_END

#if defined(__cplusplus) && !(defined(__SIZEOF_WCHAR_T__) && __SIZEOF_WCHAR_T__ == 2)
/* In addition to those of the C library, which take its wchar_t. */
inline size_t wcslen(const WCHAR* text) {
    return etl_compat_wcslen(text);
}

inline int wcscmp(const WCHAR* one, const WCHAR* other) {
    return etl_compat_wcscmp(one, other);
}

inline WCHAR* wcscpy(WCHAR* to, const WCHAR* from) {
    return etl_compat_wcscpy(to, from);
}

inline int wprintf(const WCHAR* format, ...) {
    va_list list;
    va_start(list, format);
    const int written = etl_compat_vfwprintf(stdout, format, list);
    va_end(list);
    return written;
}

inline int fwprintf(FILE* to, const WCHAR* format, ...) {
    va_list list;
    va_start(list, format);
    const int written = etl_compat_vfwprintf(to, format, list);
    va_end(list);
    return written;
}
#else
/* Instead of those of the C library, whose wchar_t has four bytes. */
#define wcslen etl_compat_wcslen
#define wcscmp etl_compat_wcscmp
#define wcscpy etl_compat_wcscpy
#define wprintf etl_compat_wprintf
#define fwprintf etl_compat_fwprintf
#endif
#define _wcsicmp etl_compat_wcsicmp
#define wcscpy_s etl_compat_wcscpy_s
#define wcscat_s etl_compat_wcscat_s
#define swprintf_s etl_compat_swprintf
#define _stricmp strcasecmp
#define lstrlenW etl_compat_wcslen

#endif

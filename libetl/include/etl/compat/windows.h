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
#define _MAX_PATH 260
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
typedef HANDLE HINSTANCE, HMODULE, HGLOBAL, HLOCAL;
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

/* SubAuthority has SubAuthorityCount elements. */
typedef struct _SID_IDENTIFIER_AUTHORITY {
    BYTE Value[6];
} SID_IDENTIFIER_AUTHORITY, *PSID_IDENTIFIER_AUTHORITY;

typedef struct _SID {
    BYTE Revision;
    BYTE SubAuthorityCount;
    SID_IDENTIFIER_AUTHORITY IdentifierAuthority;
    DWORD SubAuthority[ANYSIZE_ARRAY];
} SID, *PISID;

typedef PVOID PSID;

#define SID_REVISION 1
#define SID_MAX_SUB_AUTHORITIES 15
#define SECURITY_MAX_SID_SIZE 68

ETL_COMPAT_ASSERT_SIZE(SID, 12);
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

/* A SID is valid with revision 1 and at most 15 subauthorities. */
ETL_COMPAT_API BOOL IsValidSid(PSID sid);
ETL_COMPAT_API BOOL EqualSid(PSID one, PSID other);
ETL_COMPAT_API DWORD GetLengthSid(PSID sid);
ETL_COMPAT_API DWORD GetSidLengthRequired(UCHAR subauthorities);

/* Memory of the C library. Flag 0x40 (LPTR, GPTR) clears it. Free functions return NULL. */
#define LMEM_FIXED 0x0000
#define LMEM_ZEROINIT 0x0040
#define LPTR 0x0040
#define GMEM_FIXED 0x0000
#define GMEM_ZEROINIT 0x0040
#define GPTR 0x0040
ETL_COMPAT_API HLOCAL LocalAlloc(UINT flags, SIZE_T size);
ETL_COMPAT_API HLOCAL LocalFree(HLOCAL memory);
ETL_COMPAT_API HGLOBAL GlobalAlloc(UINT flags, SIZE_T size);
ETL_COMPAT_API HGLOBAL GlobalFree(HGLOBAL memory);

/* The arguments of the process as one text, quoted as on Windows. */
ETL_COMPAT_API LPWSTR GetCommandLineW(void);
ETL_COMPAT_API LPSTR GetCommandLineA(void);

/* Functions for text in 16-bit units, for both kinds of WCHAR; used by the definitions below. */
ETL_COMPAT_API size_t etl_compat_wcslen(const WCHAR* text);
ETL_COMPAT_API int etl_compat_wcscmp(const WCHAR* one, const WCHAR* other);
ETL_COMPAT_API int etl_compat_wcsicmp(const WCHAR* one, const WCHAR* other);
ETL_COMPAT_API WCHAR* etl_compat_wcscpy(WCHAR* to, const WCHAR* from);
ETL_COMPAT_API WCHAR* etl_compat_wcscat(WCHAR* to, const WCHAR* from);
/* At most `count` units. wcsncpy fills the rest of them with zeros. */
ETL_COMPAT_API WCHAR* etl_compat_wcsncpy(WCHAR* to, const WCHAR* from, size_t count);
ETL_COMPAT_API int etl_compat_wcsncmp(const WCHAR* one, const WCHAR* other, size_t count);
ETL_COMPAT_API int etl_compat_wcsnicmp(const WCHAR* one, const WCHAR* other, size_t count);
ETL_COMPAT_API WCHAR* etl_compat_wcschr(const WCHAR* text, WCHAR unit);
ETL_COMPAT_API WCHAR* etl_compat_wcsrchr(const WCHAR* text, WCHAR unit);
ETL_COMPAT_API WCHAR* etl_compat_wcsstr(const WCHAR* text, const WCHAR* part);
ETL_COMPAT_API WCHAR* etl_compat_wcstok_s(WCHAR* text, const WCHAR* separators, WCHAR** state);
/* Numbers as by strtol and its relatives; `end` may be NULL. */
ETL_COMPAT_API LONG etl_compat_wcstol(const WCHAR* text, WCHAR** end, int base);
ETL_COMPAT_API ULONG etl_compat_wcstoul(const WCHAR* text, WCHAR** end, int base);
ETL_COMPAT_API LONGLONG etl_compat_wcstoi64(const WCHAR* text, WCHAR** end, int base);
ETL_COMPAT_API ULONGLONG etl_compat_wcstoui64(const WCHAR* text, WCHAR** end, int base);
/* The absolute path without `.` and `..`, which need not exist; NULL if there is not enough space.
 * `to` may be NULL: memory to be freed by the caller. */
ETL_COMPAT_API WCHAR* etl_compat_wfullpath(WCHAR* to, const WCHAR* path, size_t room);
ETL_COMPAT_API char* etl_compat_fullpath(char* to, const char* path, size_t room);
/* Return 0, 22 (EINVAL) for a null pointer, or 34 (ERANGE) if there is not enough space; `to` is
 * empty then. The forms with `count` copy at most that many units; with _TRUNCATE, what fits, and
 * return 80 (STRUNCATE) if that is not all. */
#define _TRUNCATE ((size_t)-1)
#define STRUNCATE 80
ETL_COMPAT_API int etl_compat_wcscpy_s(WCHAR* to, size_t room, const WCHAR* from);
ETL_COMPAT_API int etl_compat_wcscat_s(WCHAR* to, size_t room, const WCHAR* from);
ETL_COMPAT_API int etl_compat_wcsncpy_s(WCHAR* to, size_t room, const WCHAR* from, size_t count);
ETL_COMPAT_API int etl_compat_strcpy_s(char* to, size_t room, const char* from);
ETL_COMPAT_API int etl_compat_strcat_s(char* to, size_t room, const char* from);
ETL_COMPAT_API int etl_compat_strncpy_s(char* to, size_t room, const char* from, size_t count);
/* Returns the number of characters, or -1 if there is not enough space; `to` is empty then. */
ETL_COMPAT_API int etl_compat_sprintf_s(char* to, size_t room, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
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

inline WCHAR* wcscat(WCHAR* to, const WCHAR* from) {
    return etl_compat_wcscat(to, from);
}

inline WCHAR* wcsncpy(WCHAR* to, const WCHAR* from, size_t count) {
    return etl_compat_wcsncpy(to, from, count);
}

inline int wcsncmp(const WCHAR* one, const WCHAR* other, size_t count) {
    return etl_compat_wcsncmp(one, other, count);
}

inline WCHAR* wcschr(const WCHAR* text, WCHAR unit) {
    return etl_compat_wcschr(text, unit);
}

inline WCHAR* wcsrchr(const WCHAR* text, WCHAR unit) {
    return etl_compat_wcsrchr(text, unit);
}

inline WCHAR* wcsstr(const WCHAR* text, const WCHAR* part) {
    return etl_compat_wcsstr(text, part);
}

inline LONG wcstol(const WCHAR* text, WCHAR** end, int base) {
    return etl_compat_wcstol(text, end, base);
}

inline ULONG wcstoul(const WCHAR* text, WCHAR** end, int base) {
    return etl_compat_wcstoul(text, end, base);
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
#define wcscat etl_compat_wcscat
#define wcsncpy etl_compat_wcsncpy
#define wcsncmp etl_compat_wcsncmp
#define wcschr etl_compat_wcschr
#define wcsrchr etl_compat_wcsrchr
#define wcsstr etl_compat_wcsstr
#ifndef __cplusplus /* the C++ library refers to them by name */
#define wcstol etl_compat_wcstol
#define wcstoul etl_compat_wcstoul
#endif
#define wprintf etl_compat_wprintf
#define fwprintf etl_compat_fwprintf
#endif
#define _wcsicmp etl_compat_wcsicmp
#define _wcsnicmp etl_compat_wcsnicmp
#define wcscpy_s etl_compat_wcscpy_s
#define wcscat_s etl_compat_wcscat_s
#define wcsncpy_s etl_compat_wcsncpy_s
#define wcstok_s etl_compat_wcstok_s
#define _wcstoi64 etl_compat_wcstoi64
#define _wcstoui64 etl_compat_wcstoui64
#define _wtoi(text) ((int)etl_compat_wcstol((text), NULL, 10))
#define _wtoi64(text) etl_compat_wcstoi64((text), NULL, 10)
#define _wfullpath etl_compat_wfullpath
#define swprintf_s etl_compat_swprintf
#define _stricmp strcasecmp
#define _strnicmp strncasecmp
#define strcpy_s etl_compat_strcpy_s
#define strcat_s etl_compat_strcat_s
#define strncpy_s etl_compat_strncpy_s
#define strtok_s strtok_r
#define sprintf_s etl_compat_sprintf_s
#define _strtoi64 strtoll
#define _strtoui64 strtoull
#define _atoi64 atoll
#define _fullpath etl_compat_fullpath
#define lstrlenW etl_compat_wcslen
#define lstrlenA(text) ((int)strlen(text))

#ifdef __cplusplus
/* The forms that take the size of an array from its type. */
template <size_t Room>
int strcpy_s(char (&to)[Room], const char* from) {
    return etl_compat_strcpy_s(to, Room, from);
}

template <size_t Room>
int strcat_s(char (&to)[Room], const char* from) {
    return etl_compat_strcat_s(to, Room, from);
}

template <size_t Room>
int wcscpy_s(WCHAR (&to)[Room], const WCHAR* from) {
    return etl_compat_wcscpy_s(to, Room, from);
}

template <size_t Room>
int wcscat_s(WCHAR (&to)[Room], const WCHAR* from) {
    return etl_compat_wcscat_s(to, Room, from);
}
#endif

#ifdef ETL_COMPAT_UNICODE
#define GetCommandLine GetCommandLineW
#define lstrlen lstrlenW
#else
#define GetCommandLine GetCommandLineA
#define lstrlen lstrlenA
#endif

#endif

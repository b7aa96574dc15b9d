/* Bounded text functions. Sizes: Cb in bytes, Cch in units. docs/compat.md */
#ifndef ETL_COMPAT_STRSAFE_H
#define ETL_COMPAT_STRSAFE_H

#pragma GCC system_header

#include "windows.h"

#define STRSAFE_E_INSUFFICIENT_BUFFER ((HRESULT)0x8007007A)
#define STRSAFE_E_INVALID_PARAMETER ((HRESULT)0x80070057)

ETL_COMPAT_BEGIN
ETL_COMPAT_API HRESULT StringCchCopyW(LPWSTR to, size_t room, LPCWSTR from);
ETL_COMPAT_API HRESULT StringCchCopyA(LPSTR to, size_t room, LPCSTR from);
ETL_COMPAT_API HRESULT StringCbCopyW(LPWSTR to, size_t room, LPCWSTR from);
ETL_COMPAT_API HRESULT StringCbCopyA(LPSTR to, size_t room, LPCSTR from);
ETL_COMPAT_API HRESULT StringCchCatW(LPWSTR to, size_t room, LPCWSTR from);
ETL_COMPAT_API HRESULT StringCchCatA(LPSTR to, size_t room, LPCSTR from);
ETL_COMPAT_API HRESULT StringCchPrintfW(LPWSTR to, size_t room, LPCWSTR format, ...);
ETL_COMPAT_API HRESULT StringCchPrintfA(LPSTR to, size_t room, LPCSTR format, ...);
ETL_COMPAT_END

#ifdef ETL_COMPAT_UNICODE
#define StringCchCopy StringCchCopyW
#define StringCbCopy StringCbCopyW
#define StringCchCat StringCchCatW
#define StringCchPrintf StringCchPrintfW
#else
#define StringCchCopy StringCchCopyA
#define StringCbCopy StringCbCopyA
#define StringCchCat StringCchCatA
#define StringCchPrintf StringCchPrintfA
#endif

#endif

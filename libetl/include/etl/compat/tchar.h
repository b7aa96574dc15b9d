/* Text macros: wide with UNICODE or _UNICODE, otherwise 8-bit. docs/compat.md */
#ifndef ETL_COMPAT_TCHAR_H
#define ETL_COMPAT_TCHAR_H

#include "windows.h"

#define _T(text) TEXT(text)
#define _TEXT(text) TEXT(text)
#ifdef ETL_COMPAT_UNICODE
#define _tprintf wprintf
#define _tcslen wcslen
#define _tcscmp wcscmp
#define _tcsicmp _wcsicmp
#define _tcscpy wcscpy
#define _tcscpy_s wcscpy_s
#else
#define _tprintf printf
#define _tcslen strlen
#define _tcscmp strcmp
#define _tcsicmp _stricmp
#define _tcscpy strcpy
#define _tcscpy_s strcpy_s
#endif

#endif

/* Text macros: wide with UNICODE or _UNICODE, otherwise 8-bit. docs/compat.md */
#ifndef ETL_COMPAT_TCHAR_H
#define ETL_COMPAT_TCHAR_H

#include "windows.h"

#include <ctype.h>
#include <wctype.h>

#define _T(text) TEXT(text)
#define _TEXT(text) TEXT(text)

typedef TCHAR _TSCHAR, _TXCHAR;

#ifdef ETL_COMPAT_UNICODE
#define _tprintf wprintf
#define _ftprintf fwprintf
#define _stprintf_s swprintf_s
#define _vftprintf etl_compat_vfwprintf
#define _vtprintf(format, list) etl_compat_vfwprintf(stdout, (format), (list))
#define _vstprintf_s etl_compat_vswprintf
#define _tcslen etl_compat_wcslen
#define _tcscmp etl_compat_wcscmp
#define _tcsicmp _wcsicmp
#define _tcsncmp etl_compat_wcsncmp
#define _tcsnicmp _wcsnicmp
#define _tcscpy etl_compat_wcscpy
#define _tcscpy_s wcscpy_s
#define _tcsncpy etl_compat_wcsncpy
#define _tcsncpy_s wcsncpy_s
#define _tcscat etl_compat_wcscat
#define _tcscat_s wcscat_s
#define _tcschr etl_compat_wcschr
#define _tcsrchr etl_compat_wcsrchr
#define _tcsstr etl_compat_wcsstr
#define _tcstok_s wcstok_s
#define _tcstol etl_compat_wcstol
#define _tcstoul etl_compat_wcstoul
#define _tcstoi64 _wcstoi64
#define _tcstoui64 _wcstoui64
#define _ttoi _wtoi
#define _tstoi _wtoi
#define _ttol _wtoi
#define _ttoi64 _wtoi64
#define _tfullpath _wfullpath
#define _totlower(unit) ((TCHAR)towlower(unit))
#define _totupper(unit) ((TCHAR)towupper(unit))
#define _istdigit(unit) iswdigit(unit)
#define _istxdigit(unit) iswxdigit(unit)
#define _istspace(unit) iswspace(unit)
#define _istalpha(unit) iswalpha(unit)
#define _istalnum(unit) iswalnum(unit)
#define _tmain wmain
#else
#define _tprintf printf
#define _ftprintf fprintf
#define _stprintf_s sprintf_s
#define _vftprintf vfprintf
#define _vtprintf vprintf
#define _vstprintf_s vsnprintf
#define _tcslen strlen
#define _tcscmp strcmp
#define _tcsicmp _stricmp
#define _tcsncmp strncmp
#define _tcsnicmp _strnicmp
#define _tcscpy strcpy
#define _tcscpy_s strcpy_s
#define _tcsncpy strncpy
#define _tcsncpy_s strncpy_s
#define _tcscat strcat
#define _tcscat_s strcat_s
#define _tcschr strchr
#define _tcsrchr strrchr
#define _tcsstr strstr
#define _tcstok_s strtok_s
#define _tcstol strtol
#define _tcstoul strtoul
#define _tcstoi64 _strtoi64
#define _tcstoui64 _strtoui64
#define _ttoi atoi
#define _tstoi atoi
#define _ttol atol
#define _ttoi64 _atoi64
#define _tfullpath _fullpath
#define _totlower(unit) ((TCHAR)tolower((unsigned char)(unit)))
#define _totupper(unit) ((TCHAR)toupper((unsigned char)(unit)))
#define _istdigit(unit) isdigit((unsigned char)(unit))
#define _istxdigit(unit) isxdigit((unsigned char)(unit))
#define _istspace(unit) isspace((unsigned char)(unit))
#define _istalpha(unit) isalpha((unsigned char)(unit))
#define _istalnum(unit) isalnum((unsigned char)(unit))
#define _tmain main
#endif

#endif

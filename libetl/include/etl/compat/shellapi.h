/* The arguments of a command line. docs/compat.md */
#ifndef ETL_COMPAT_SHELLAPI_H
#define ETL_COMPAT_SHELLAPI_H

#pragma GCC system_header

#include "windows.h"

ETL_COMPAT_BEGIN
/* Splits a command line by the rules of Windows. The result is one block of memory, to be freed
 * with LocalFree or GlobalFree; NULL if memory runs out. An empty line has the name of the
 * program. */
ETL_COMPAT_API LPWSTR* CommandLineToArgvW(LPCWSTR line, int* count);
ETL_COMPAT_END

#endif
